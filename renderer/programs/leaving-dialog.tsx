import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import type { ProgramPreviews } from '../../shared/program-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern, useCall } from '../postern.ts';
import { words } from '../words.ts';
import { ShownPreviews } from './preview-dialog.tsx';

interface BeforeLeaving {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  /** Looks at the entries that would lead nowhere, and asks about them where there are any. */
  readonly begin: () => Promise<void>;
  readonly dialog: ReactNode;
}

/**
 * Before something is deleted: which programs' entries would lead nowhere. `name`: of the server, where it is one
 * alone; `go`: with the tokens of the entries that go too; `onCancel`: the person leaves all as it is.
 */
export function useBeforeLeaving(
  what: IpcInput<'program:previewLeaving'>,
  name: string | undefined,
  go: (entries: string[]) => Promise<void>,
  onCancel: () => void = () => {},
): BeforeLeaving {
  const call = useCall<ProgramPreviews>();
  const [shown, setShown] = useState<ProgramPreviews>();
  const begin = async (): Promise<void> => {
    const found = await call.run(() => postern.program.previewLeaving(what));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0) return await go([]);
    setShown(found);
  };
  const cancel = (): void => {
    setShown(undefined);
    onCancel();
  };
  const answer = (entries: string[]): void => {
    setShown(undefined);
    void go(entries);
  };
  return {
    busy: call.busy,
    error: call.error,
    begin,
    dialog: shown && <LeavingDialog name={name} shown={shown} onClose={cancel} onAnswer={answer} />,
  };
}

interface LeavingDialogProps {
  readonly name: string | undefined;
  readonly shown: ProgramPreviews;
  readonly onClose: () => void;
  readonly onAnswer: (entries: string[]) => void;
}

function LeavingDialog({ name, shown, onClose, onAnswer }: LeavingDialogProps) {
  const { previews } = shown;
  return (
    <Dialog
      wide
      isText
      open
      title={words.programs.leaving(previews.length > 0, name)}
      description={words.programs.leavingText(previews.length > 0)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind={previews.length > 0 ? 'plain' : 'primary'} onClick={() => onAnswer([])}>
            {words.programs.leaveThere(previews.length > 0)}
          </Button>
          {previews.length > 0 && (
            <Button kind="primary" onClick={() => onAnswer(previews.map(({ token }) => token))}>
              {words.programs.takeOutFirst}
            </Button>
          )}
        </>
      }
    >
      {/* Deleting everything takes the copies too. */}
      <ShownPreviews shown={shown} keepsCopies={name !== undefined} />
    </Dialog>
  );
}
