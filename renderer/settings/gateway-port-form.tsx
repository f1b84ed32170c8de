import { useState } from 'react';
import type { FormEvent } from 'react';
import type { ProgramPreviews } from '../../shared/program-view.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { PreviewDialog } from '../programs/preview-dialog.tsx';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** The port stands in entries of programs, which are shown and renewed before it changes. */
export function GatewayPortForm({ port }: { readonly port: number }) {
  const [text, setText] = useState(String(port));
  const [isWrong, setWrong] = useState(false);
  const [shown, setShown] = useState<ProgramPreviews>();
  const looking = useCall<ProgramPreviews>();
  const saving = useCall<null>();
  const save = async (): Promise<void> => {
    setShown(undefined);
    await saving.run(() => postern.settings.update({ gatewayPort: Number(text) }));
  };
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = Number(text);
    const isPort = Number.isInteger(wanted) && wanted >= 1_024 && wanted <= 65_535;
    setWrong(!isPort);
    if (!isPort) return;
    const found = await looking.run(() => postern.program.previewPort({ port: wanted }));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0) await save();
    else setShown(found);
  };
  const failure = looking.error ?? saving.error;
  const error = isWrong
    ? words.settings.callbackPortWrong
    : failure && `${failure.message} ${words.errors.nextStep(failure.remedy)}`;
  return (
    <form onSubmit={(event) => void ask(event)}>
      <Field
        label={<span className="hidden">{words.settings.gatewayPort}</span>}
        hint={words.settings.gatewayPortHint}
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
            <Button type="submit" busy={looking.busy || saving.busy} disabled={text === String(port)}>
              {words.common.save}
            </Button>
          </div>
        )}
      </Field>
      {shown && (
        <PreviewDialog
          title={words.settings.gatewayPortRenew}
          shown={shown}
          onClose={() => setShown(undefined)}
          onDone={() => void save()}
        />
      )}
    </form>
  );
}
