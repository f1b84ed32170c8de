import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { CredentialValues } from './credential-values.ts';

interface SecretFieldProps {
  readonly value: string;
  /** Main goes on with the secret that it has. */
  readonly isKept: boolean;
  readonly canKeep: boolean;
  /** The secret that main has was for another id. */
  readonly isOfOther: boolean;
  readonly wrongBy?: string | undefined;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
}

export function SecretField({ value, isKept, canKeep, isOfOther, wrongBy, onChange }: SecretFieldProps) {
  if (isKept) {
    return (
      <div className="field">
        <span className="field-label">{words.credentials.clientSecret}</span>
        <div className="row">
          <span className={`chip${wrongBy ? ' wrong' : ''}`}>{words.credentials.secretKept}</span>
          <span className="soft small">{words.credentials.secretKeptText}</span>
          <Button kind="quiet" onClick={() => onChange({ keepSecret: false })}>
            {words.credentials.replace}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Field
      label={words.credentials.clientSecret}
      aside={words.common.optional}
      hint={isOfOther ? words.credentials.secretOfOther : words.credentials.secretHint}
      wrongBy={wrongBy}
    >
      {(control) => (
        <div className="row nowrap">
          <TextInput
            {...control}
            type="password"
            mono
            maxLength={8_192}
            autoComplete="new-password"
            value={value}
            onChange={(event) => onChange({ clientSecret: event.target.value })}
          />
          {canKeep && (
            <Button kind="quiet" onClick={() => onChange({ keepSecret: true, clientSecret: '' })}>
              {words.credentials.keep}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
