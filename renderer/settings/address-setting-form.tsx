import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';

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
