import type { CredentialsView } from '../../shared/connection-view.ts';
import { clientAuthenticationMethods, pkcePolicies } from '../../shared/choices.ts';
import { CheckBox } from '../parts/check-box.tsx';
import { Choice } from '../parts/choice.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { CredentialValues } from './credential-values.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import { SecretEndField } from './secret-end-field.tsx';
import type { EndpointMistakes } from './typed-endpoints.ts';

interface AdvancedPartProps {
  readonly values: CredentialValues;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  readonly forceOpen: boolean;
  readonly endpointsInUse: CredentialsView['endpoints'];
  readonly mistakes: EndpointMistakes | undefined;
}

export function AdvancedPart({ values, onChange, forceOpen, endpointsInUse, mistakes }: AdvancedPartProps) {
  return (
    <Disclosure label={words.credentials.advanced} forceOpen={forceOpen}>
      <Field label={words.credentials.scopes} hint={words.credentials.scopesFieldHint}>
        {(control) => (
          <TextInput
            {...control}
            mono
            maxLength={8_192}
            defaultValue={values.scopes.join(' ')}
            onBlur={(event) => onChange({ scopes: event.target.value.split(/\s+/).filter(Boolean) })}
          />
        )}
      </Field>
      <Field label={words.credentials.clientAuthentication}>
        {(control) => (
          <Choice
            {...control}
            value={values.clientAuthentication}
            options={(['auto', ...clientAuthenticationMethods] as const).map((value) => ({
              value,
              label: words.credentials.authentication[value],
            }))}
            onChoose={(clientAuthentication) => onChange({ clientAuthentication })}
          />
        )}
      </Field>
      <SecretEndField value={values.secretEnds} onChange={(secretEnds) => onChange({ secretEnds })} />
      <Field label={words.credentials.pkce}>
        {(control) => (
          <Choice
            {...control}
            value={values.pkce}
            options={pkcePolicies.map((value) => ({ value, label: words.credentials.pkcePolicy[value] }))}
            onChoose={(pkce) => onChange({ pkce })}
          />
        )}
      </Field>
      <CheckBox
        checked={values.sendResource}
        onChange={(sendResource) => onChange({ sendResource })}
        label={words.credentials.resource}
        hint={words.credentials.resourceHint}
      />
      <EndpointFields
        values={values.endpoints}
        onChange={(endpoints) => onChange({ endpoints })}
        mistakes={mistakes}
        inUse={endpointsInUse}
        hint={words.endpoints.hint}
      />
    </Disclosure>
  );
}
