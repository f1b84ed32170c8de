import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';

interface SecretEndFieldProps {
  /** As a date field has it: `2027-05-31`, or empty. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** When the service ends the secret, of which nothing but its page tells. */
export function SecretEndField({ value, onChange }: SecretEndFieldProps) {
  return (
    <Field label={words.credentials.secretEnds} hint={words.credentials.secretEndsHint}>
      {(control) => (
        <TextInput {...control} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
