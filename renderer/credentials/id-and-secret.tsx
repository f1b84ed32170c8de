import { useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import { isSecretKept } from './credential-values.ts';
import type { CredentialValues } from './credential-values.ts';
import { findMistake } from './looks-like-secret.ts';
import { SecretField } from './secret-field.tsx';

interface IdAndSecretProps {
  readonly values: Pick<CredentialValues, 'clientId' | 'clientSecret' | 'keepSecret'>;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  /** Main has the secret of the attempt before, which was with this id. */
  readonly keptFor?: string | undefined;
  /** Of the id. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** The two do not go together; which of them is wrong, nobody said. */
  readonly pairError?: { readonly message: string; readonly hint: string } | undefined;
}

export function IdAndSecret({ values, onChange, keptFor, error, hint, pairError }: IdAndSecretProps) {
  const [accepted, setAccepted] = useState<string>();
  const pairId = useId();
  const { clientId } = values;
  const mistake = clientId === accepted ? undefined : findMistake(clientId);
  const caught =
    mistake && (mistake === 'secret' ? words.credentials.looksLikeSecret : words.credentials.looksLikeAddress);
  const wrongBy = pairError && pairId;
  return (
    <>
      {pairError && (
        <div className="field" id={pairId}>
          <FieldError>{pairError.message}</FieldError>
          <p className="field-hint">{pairError.hint}</p>
        </div>
      )}
      <Field
        label={words.credentials.clientId}
        error={caught ?? error}
        hint={caught ? undefined : hint}
        wrongBy={wrongBy}
      >
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
      <SecretField
        value={values.clientSecret}
        isKept={isSecretKept(values, keptFor)}
        isOfOther={keptFor !== undefined && clientId.trim() !== keptFor}
        canKeep={keptFor !== undefined && clientId.trim() === keptFor}
        wrongBy={wrongBy}
        onChange={onChange}
      />
    </>
  );
}
