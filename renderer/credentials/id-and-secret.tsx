import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { CredentialValues } from './credential-values.ts';
import { findMistake } from './looks-like-secret.ts';

interface IdAndSecretProps {
  readonly values: Pick<CredentialValues, 'clientId' | 'clientSecret' | 'keepSecret'>;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  /** Main has the secret of the attempt before. */
  readonly secretKept: boolean;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
}

export function IdAndSecret({ values, onChange, secretKept, error, hint }: IdAndSecretProps) {
  const [accepted, setAccepted] = useState<string>();
  const { clientId, clientSecret, keepSecret } = values;
  const mistake = clientId === accepted ? undefined : findMistake(clientId);
  const caught =
    mistake && (mistake === 'secret' ? words.credentials.looksLikeSecret : words.credentials.looksLikeAddress);
  return (
    <>
      <Field label={words.credentials.clientId} error={caught ?? error} hint={caught ? undefined : hint}>
        {(control) => (
          <TextInput
            {...control}
            mono
            // A secret that was pasted here by mistake is covered before anybody else reads it.
            type={mistake === 'secret' ? 'password' : 'text'}
            maxLength={4_096}
            value={clientId}
            onChange={(event) => onChange({ clientId: event.target.value })}
          />
        )}
      </Field>
      {mistake === 'secret' && (
        <div className="row">
          <Button onClick={() => onChange({ clientId: '', clientSecret: clientId.trim(), keepSecret: false })}>
            {words.credentials.move}
          </Button>
          <Button kind="quiet" onClick={() => setAccepted(clientId)}>
            {words.credentials.useAnyway}
          </Button>
        </div>
      )}
      {keepSecret ? (
        <div className="field">
          <span className="field-label">{words.credentials.clientSecret}</span>
          <div className="row">
            <span className="chip">{words.credentials.secretKept}</span>
            <span className="soft small">{words.credentials.secretKeptText}</span>
            <Button kind="quiet" onClick={() => onChange({ keepSecret: false })}>
              {words.credentials.replace}
            </Button>
          </div>
        </div>
      ) : (
        <Field label={words.credentials.clientSecret} aside={words.common.optional} hint={words.credentials.secretHint}>
          {(control) => (
            <div className="row nowrap">
              <TextInput
                {...control}
                type="password"
                mono
                maxLength={8_192}
                autoComplete="new-password"
                value={clientSecret}
                onChange={(event) => onChange({ clientSecret: event.target.value })}
              />
              {secretKept && (
                <Button kind="quiet" onClick={() => onChange({ keepSecret: true, clientSecret: '' })}>
                  {words.credentials.keep}
                </Button>
              )}
            </div>
          )}
        </Field>
      )}
    </>
  );
}
