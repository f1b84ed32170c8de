import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** A port is registered with services, so it changes with a button and not with a keystroke. */
export function PortForm({ port }: { readonly port: number | undefined }) {
  const [text, setText] = useState(port === undefined ? '' : String(port));
  const [isWrong, setWrong] = useState(false);
  const call = useCall<null>();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const callbackPort = Number(text);
    const isPort = Number.isInteger(callbackPort) && callbackPort >= 1_024 && callbackPort <= 65_535;
    setWrong(!isPort);
    if (isPort) void call.run(() => postern.settings.update({ callbackPort }));
  };
  const error = isWrong
    ? words.settings.callbackPortWrong
    : call.error && `${call.error.message} ${words.errors.nextStep(call.error.remedy)}`;
  return (
    <form onSubmit={save}>
      <Field
        label={<span className="hidden">{words.settings.callbackPort}</span>}
        hint={words.settings.callbackPortHint}
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
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit" busy={call.busy} disabled={text === (port === undefined ? '' : String(port))}>
              {words.common.save}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
