import type { FormEvent } from 'react';
import { clientAuthenticationMethods } from '../../shared/choices.ts';
import { givenSecretEnd } from '../credentials/credential-values.ts';
import { IdAndSecret } from '../credentials/id-and-secret.tsx';
import { SecretEndField } from '../credentials/secret-end-field.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Field } from '../parts/field.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { isTyped, noApp } from './settings-draft.ts';
import type { TypedApp } from './settings-draft.ts';

interface CredentialsSettingsProps {
  readonly id: string;
  readonly app: TypedApp;
  readonly onApp: (app: TypedApp) => void;
  readonly isOpen: boolean;
}

/** Other credentials for the next sign-in, e.g. after the secret was changed at the service (spec 7). */
export function CredentialsSettings({ id, app, onApp, isOpen }: CredentialsSettingsProps) {
  const call = useCall<null>();
  const change = (part: Partial<TypedApp>): void => onApp({ ...app, ...part });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const { clientId, clientSecret, clientAuthentication, secretEnds } = app;
    void call
      .run(() =>
        postern.integration.setCredentials({
          id,
          clientId: clientId.trim(),
          ...(clientSecret.trim() !== '' && { clientSecret: clientSecret.trim() }),
          ...(clientAuthentication !== 'auto' && { clientAuthentication }),
          ...givenSecretEnd(secretEnds),
        }),
      )
      // What main has taken stands here no longer; what it refused does.
      .then((taken) => taken === null && onApp(noApp));
  };
  return (
    <Disclosure label={words.integration.credentialsTitle} forceOpen={isOpen || isTyped(app)}>
      <p className="soft">{words.integration.credentialsText}</p>
      <form className="form-narrow" onSubmit={save}>
        <IdAndSecret values={app} onChange={change} />
        <Field label={words.credentials.clientAuthentication}>
          {(control) => (
            <Choice
              {...control}
              value={app.clientAuthentication}
              options={(['auto', ...clientAuthenticationMethods] as const).map((value) => ({
                value,
                label: words.credentials.authentication[value],
              }))}
              onChoose={(clientAuthentication) => change({ clientAuthentication })}
            />
          )}
        </Field>
        <SecretEndField value={app.secretEnds} onChange={(secretEnds) => change({ secretEnds })} />
        {call.error && <ErrorNotice error={call.error} />}
        <div className="row">
          <Button type="submit" busy={call.busy} disabled={app.clientId.trim() === ''}>
            {words.integration.credentialsSave}
          </Button>
          <span className="soft small" role="status">
            {call.value === null && words.integration.credentialsSaved}
          </span>
        </div>
      </form>
    </Disclosure>
  );
}
