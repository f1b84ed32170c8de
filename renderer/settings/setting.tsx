import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { SettingsSection } from '../../shared/settings.ts';
import { Button } from '../components/button.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import { settingsRows } from '../settings-rows.ts';
import type { SettingsRow } from '../settings-rows.ts';

interface SectionProps {
  readonly section: SettingsSection;
  readonly children: ReactNode;
}

/** A section of the settings, which links can lead to. */
export function Section({ section, children }: SectionProps) {
  const id = `settings-${section}`;
  return (
    <section className="section" id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{words.settings.sections[section]}</h2>
      {children}
    </section>
  );
}

interface SettingProps {
  readonly row: SettingsRow;
  readonly children: ReactNode;
  /** The value is text, not a control: align its top with the name. */
  readonly flush?: boolean;
}

/** A row of the settings: name and value. Links can lead to it. */
export function Setting({ row, children, flush = false }: SettingProps) {
  return (
    <div className="setting" id={`setting-${row}`} tabIndex={-1}>
      <div className={`setting-name${flush ? ' flush' : ''}`}>{settingsRows()[row][0]}</div>
      <div className="setting-value">{children}</div>
    </div>
  );
}

interface AddressSettingFormProps {
  /** For screen readers; the row shows it already. */
  readonly label: string;
  readonly hint: string;
  readonly setting: 'registry' | 'allowedOrigin';
  /** The saved value; empty if there is none. */
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  /** The address to save, or why it is invalid. */
  readonly read: (text: string) => { readonly address?: string | undefined; readonly why?: string | undefined };
  /** Label of the reset button; absent if it is the default. */
  readonly reset: string | undefined;
}

/** An address that is saved with a button, not on each keystroke: others are contacted at it, or may call from it. */
export function AddressSettingForm(props: AddressSettingFormProps) {
  const { label, hint, setting, value, placeholder, maxLength, read, reset } = props;
  const [{ text }, setDraft] = useRetainedState('page', `${setting} instead of ${value}`, { text: value });
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
        // The error is about what was submitted.
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
              onChange={(event) => setDraft({ text: event.target.value })}
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
  /** Names the unsaved input of this port. */
  readonly stateKey: string;
  /** For screen readers; the row shows it already. */
  readonly label: string;
  readonly hint: string;
  readonly port: number | undefined;
  readonly busy: boolean;
  readonly failure: PlainError | undefined;
  readonly onPort: (port: number) => void;
}

/** Others rely on the port, so it is saved with a button, not on each keystroke. */
export function PortForm({ stateKey, label, hint, port, busy, failure, onPort }: PortFormProps) {
  const before = port === undefined ? '' : String(port);
  const [{ text }, setDraft] = useRetainedState('page', `${stateKey} instead of ${before}`, { text: before });
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
  // The error is about what was submitted.
  const error = text === tried ? why : undefined;
  return (
    <form onSubmit={submit}>
      <Field label={<span className="hidden">{label}</span>} hint={hint} error={error}>
        {(control) => (
          <div className="row">
            <TextInput
              {...control}
              className="port-input"
              inputMode="numeric"
              maxLength={5}
              value={text}
              onChange={(event) => setDraft({ text: event.target.value })}
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
