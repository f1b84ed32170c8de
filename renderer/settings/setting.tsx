import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import { Button } from '../parts/button.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';

interface SettingProps {
  readonly name: string;
  readonly children: ReactNode;
  /** The value is text, not a control: it begins at the same height as the name. */
  readonly flush?: boolean;
}

/** One line of the settings: its name, and what it is set to. */
export function Setting({ name, children, flush = false }: SettingProps) {
  return (
    <div className="setting">
      <div className={`setting-name${flush ? ' flush' : ''}`}>{name}</div>
      <div className="setting-value">{children}</div>
    </div>
  );
}

interface AddressSettingFormProps {
  /** The row that it stands in shows it; this is for those who cannot see that. */
  readonly label: string;
  readonly hint: string;
  readonly setting: 'registry' | 'allowedOrigin';
  /** As it is saved; empty where there is none. */
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  /** What would be saved, or why nothing is. */
  readonly read: (text: string) => { readonly address?: string | undefined; readonly why?: string | undefined };
  /** Resets it to the default; absent where it is the default. */
  readonly reset: string | undefined;
}

/** An address that changes with a button and not with a keystroke: others are asked at it, or may ask. */
export function AddressSettingForm(props: AddressSettingFormProps) {
  const { label, hint, setting, value, placeholder, maxLength, read, reset } = props;
  const [{ text }, keep] = useKept('page', `${setting} instead of ${value}`, { text: value });
  const [tried, setTried] = useState<string>();
  const call = useCall<null>();
  const update = (address: string | null): void => void call.run(() => postern.settings.update({ [setting]: address }));
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const { address } = read(text);
    setTried(text);
    if (address !== undefined) update(address);
  };
  const why =
    read(tried ?? value).why ??
    (call.error && `${words.errors.message(call.error)} ${words.errors.nextStep(call.error.remedy)}`);
  return (
    <form onSubmit={save}>
      <Field
        label={<span className="hidden">{label}</span>}
        hint={hint}
        // It was said of what was tried.
        error={tried === undefined || text === tried ? why : undefined}
      >
        {(control) => (
          <div className="row">
            <TextInput
              {...control}
              className="origin-input"
              inputMode="url"
              maxLength={maxLength}
              placeholder={placeholder}
              value={text}
              onChange={(event) => keep({ text: event.target.value })}
            />
            <Button type="submit" busy={call.busy} disabled={text.trim() === value}>
              {words.common.save}
            </Button>
            {reset !== undefined && (
              <Button kind="quiet" disabled={call.busy} onClick={() => update(null)}>
                {reset}
              </Button>
            )}
          </div>
        )}
      </Field>
    </form>
  );
}

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
