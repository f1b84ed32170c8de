import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import type { AppPreviews } from '../../shared/app-view.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { postern, useCall } from '../postern.ts';
import { words } from '../words.ts';
import { PreviewList } from './preview-dialog.tsx';

interface StaleEntriesCheck {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  /** Previews the app entries that would stop working, and asks about them if there are any. */
  readonly begin: () => Promise<void>;
  readonly dialog: ReactNode;
}

/**
 * Before a deletion: finds app entries that would stop working. `name`: the server, if only one is deleted. `onConfirm`
 * gets the tokens of the entries to remove too. `onCancel`: the user changed nothing.
 */
export function useStaleEntries(
  what: IpcInput<'app:previewLeaving'>,
  name: string | undefined,
  onConfirm: (entries: string[]) => Promise<void>,
  onCancel: () => void = () => {},
): StaleEntriesCheck {
  const call = useCall<AppPreviews>();
  const [shown, setShown] = useState<AppPreviews>();
  const begin = async (): Promise<void> => {
    const found = await call.run(() => postern.app.previewLeaving(what));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0) return await onConfirm([]);
    setShown(found);
  };
  const cancel = (): void => {
    setShown(undefined);
    onCancel();
  };
  const confirm = (entries: string[]): void => {
    setShown(undefined);
    void onConfirm(entries);
  };
  return {
    busy: call.busy,
    error: call.error,
    begin,
    dialog: shown && <StaleEntriesDialog name={name} shown={shown} onClose={cancel} onAnswer={confirm} />,
  };
}

interface StaleEntriesDialogProps {
  readonly name: string | undefined;
  readonly shown: AppPreviews;
  readonly onClose: () => void;
  readonly onAnswer: (entries: string[]) => void;
}

function StaleEntriesDialog({ name, shown, onClose, onAnswer }: StaleEntriesDialogProps) {
  const { previews } = shown;
  return (
    <Dialog
      wide
      isText
      open
      title={words.apps.leaving(previews.length > 0, name)}
      description={words.apps.leavingText(previews.length > 0)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind={previews.length > 0 ? 'plain' : 'primary'} onClick={() => onAnswer([])}>
            {words.apps.leaveThere(previews.length > 0)}
          </Button>
          {previews.length > 0 && (
            <Button kind="primary" onClick={() => onAnswer(previews.map(({ token }) => token))}>
              {words.apps.takeOutFirst}
            </Button>
          )}
        </>
      }
    >
      {/* Deleting everything deletes the backups too. */}
      <PreviewList shown={shown} keepsBackups={name !== undefined} />
    </Dialog>
  );
}
