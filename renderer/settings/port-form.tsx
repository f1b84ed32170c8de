import { useState } from 'react';
import type { FormEvent } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';

interface PortFormProps {
  /** Where something else leads the focus to it. */
  readonly id?: string;
  /** Which port it is, for what is typed and not saved. */
  readonly place: string;
  /** The row that it stands in shows it; this is for those who cannot see that. */
  readonly label: string;
  readonly hint: string;
  readonly port: number | undefined;
  readonly busy: boolean;
  readonly failure: PlainError | undefined;
  readonly onPort: (port: number) => void;
}

/** A port is known to others, so it changes with a button and not with a keystroke. */
export function PortForm({ id, place, label, hint, port, busy, failure, onPort }: PortFormProps) {
  const before = port === undefined ? '' : String(port);
  const [{ text }, keep] = useKept('page', `${place} instead of ${before}`, { text: before });
  const [tried, setTried] = useState(before);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(text);
    if (isPort(text)) onPort(Number(text));
  };
  const why =
    tried !== before && !isPort(tried)
      ? words.settings.callbackPortWrong
      : failure && `${words.errors.message(failure)} ${words.errors.nextStep(failure.remedy)}`;
  // It was said of what was tried.
  const error = text === tried ? why : undefined;
  return (
    <form onSubmit={submit}>
      <Field
        {...(id !== undefined && { id })}
        label={<span className="hidden">{label}</span>}
        hint={hint}
        error={error}
      >
        {(control) => (
          <div className="row">
            <TextInput
              {...control}
              className="port-input"
              inputMode="numeric"
              maxLength={5}
              value={text}
              onChange={(event) => keep({ text: event.target.value })}
            />
            <Button type="submit" busy={busy} disabled={text === before}>
              {words.common.save}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}

function isPort(text: string): boolean {
  const port = Number(text);
  return Number.isInteger(port) && port >= 1_024 && port <= 65_535;
}
