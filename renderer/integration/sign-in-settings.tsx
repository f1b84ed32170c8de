import { callbackHosts, pkcePolicies, windowSurfaces } from '../../shared/choices.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { EndpointFields } from '../credentials/endpoint-fields.tsx';
import type { EndpointMistakes, TypedEndpoints } from '../credentials/typed-endpoints.ts';
import { CheckBox } from '../parts/check-box.tsx';
import { Choice } from '../parts/choice.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';

/** No choice of its own: as in the settings of the program. */
const usualChoice = 'usual' as const;

interface SignInSettingsProps {
  readonly options: IntegrationOptions;
  readonly onChange: (options: IntegrationOptions) => void;
  readonly endpoints: TypedEndpoints;
  readonly onEndpoints: (endpoints: TypedEndpoints) => void;
  readonly mistakes: EndpointMistakes | undefined;
}

/** How to sign in to this server. */
export function SignInSettings({ options, onChange, endpoints, onEndpoints, mistakes }: SignInSettingsProps) {
  const usual = useSnapshots((state) => state.app?.settings.signInSurface ?? 'popup');
  const usualHost = useSnapshots((state) => state.app?.settings.callbackHost ?? '127.0.0.1');
  const { signInSurface, ...rest } = options;
  const { callbackHost, ...withoutHost } = options;
  return (
    <>
      <Field label={words.integration.surface}>
        {(control) => (
          <Choice
            {...control}
            value={signInSurface ?? usualChoice}
            options={[
              { value: usualChoice, label: words.integration.surfaceUsual(words.settings.surfaces[usual]) },
              ...windowSurfaces.map((value) => ({ value, label: words.settings.surfaces[value] })),
            ]}
            onChoose={(value) => onChange(value === usualChoice ? rest : { ...rest, signInSurface: value })}
          />
        )}
      </Field>
      <Field label={words.integration.callbackHost} hint={words.integration.callbackHostHint}>
        {(control) => (
          <Choice
            {...control}
            value={callbackHost ?? usualChoice}
            options={[
              { value: usualChoice, label: words.integration.surfaceUsual(usualHost) },
              ...callbackHosts.map((value) => ({ value, label: value })),
            ]}
            onChoose={(value) => onChange(value === usualChoice ? withoutHost : { ...options, callbackHost: value })}
          />
        )}
      </Field>
      <Field label={words.integration.scope} hint={words.integration.scopeHint}>
        {(control) => (
          <TextInput
            {...control}
            mono
            maxLength={8_192}
            value={options.scope ?? ''}
            onChange={(event) => onChange({ ...options, scope: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.integration.pkce}>
        {(control) => (
          <Choice
            {...control}
            value={options.pkce}
            options={pkcePolicies.map((value) => ({ value, label: words.credentials.pkcePolicy[value] }))}
            onChoose={(pkce) => onChange({ ...options, pkce })}
          />
        )}
      </Field>
      <CheckBox
        checked={options.sendResource}
        onChange={(sendResource) => onChange({ ...options, sendResource })}
        label={words.integration.sendResource}
        hint={words.integration.sendResourceHint}
      />
      <CheckBox
        checked={options.legacyEndpoints}
        onChange={(legacyEndpoints) => onChange({ ...options, legacyEndpoints })}
        label={words.integration.legacy}
      />
      <Disclosure label={words.integration.endpoints} forceOpen={options.endpoints !== undefined}>
        <EndpointFields values={endpoints} onChange={onEndpoints} mistakes={mistakes} hint={words.endpoints.hint} />
      </Disclosure>
    </>
  );
}
