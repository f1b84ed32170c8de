import { useState } from 'react';
import type { FormEvent } from 'react';
import { clientAuthenticationMethods } from '../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../shared/choices.ts';
import { givenSecretEnd } from '../credentials/credential-values.ts';
import { IdAndSecret } from '../credentials/id-and-secret.tsx';
import { SecretEndField } from '../credentials/secret-end-field.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

const empty = { clientId: '', clientSecret: '', keepSecret: false, secretEnds: '' };

/** Other credentials for the next sign-in, e.g. after the secret was changed at the service (spec 7). */
export function CredentialsSettings({ id }: { readonly id: string }) {
  const [values, setValues] = useState(empty);
  const [authentication, setAuthentication] = useState<ClientAuthenticationMethod | 'auto'>('auto');
  const call = useCall<null>();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const { clientId, clientSecret, secretEnds } = values;
    // The secret is main's from here on.
    setValues(empty);
    void call.run(() =>
      postern.integration.setCredentials({
        id,
        clientId: clientId.trim(),
        ...(clientSecret.trim() !== '' && { clientSecret: clientSecret.trim() }),
        ...(authentication !== 'auto' && { clientAuthentication: authentication }),
        ...givenSecretEnd(secretEnds),
      }),
    );
  };
  return (
    <section className="section">
      <h2>{words.integration.credentialsTitle}</h2>
      <p className="soft">{words.integration.credentialsText}</p>
      <form className="form-narrow" onSubmit={save}>
        <IdAndSecret values={values} onChange={(changed) => setValues((before) => ({ ...before, ...changed }))} />
        <Field label={words.credentials.clientAuthentication}>
          {(control) => (
            <Choice
              {...control}
              value={authentication}
              options={(['auto', ...clientAuthenticationMethods] as const).map((value) => ({
                value,
                label: words.credentials.authentication[value],
              }))}
              onChoose={setAuthentication}
            />
          )}
        </Field>
        <SecretEndField
          value={values.secretEnds}
          onChange={(secretEnds) => setValues((before) => ({ ...before, secretEnds }))}
        />
        {call.error && <ErrorNotice error={call.error} />}
        <div className="row">
          <Button type="submit" busy={call.busy} disabled={values.clientId.trim() === ''}>
            {words.integration.credentialsSave}
          </Button>
          <span className="soft small" role="status">
            {call.value === null && words.integration.credentialsSaved}
          </span>
        </div>
      </form>
    </section>
  );
}
