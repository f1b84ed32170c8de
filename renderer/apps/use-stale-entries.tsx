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
  const [appPreviews, setAppPreviews] = useState<AppPreviews>();
  const begin = async (): Promise<void> => {
    const found = await call.run(() => postern.app.previewLeaving(what));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0) return await onConfirm([]);
    setAppPreviews(found);
  };
  const cancel = (): void => {
    setAppPreviews(undefined);
    onCancel();
  };
  const confirm = (entries: string[]): void => {
    setAppPreviews(undefined);
    void onConfirm(entries);
  };
  return {
    busy: call.busy,
    error: call.error,
    begin,
    dialog: appPreviews && (
      <StaleEntriesDialog name={name} appPreviews={appPreviews} onClose={cancel} onChoose={confirm} />
    ),
  };
}

interface StaleEntriesDialogProps {
  readonly name: string | undefined;
  readonly appPreviews: AppPreviews;
  readonly onClose: () => void;
  readonly onChoose: (entries: string[]) => void;
}

function StaleEntriesDialog({ name, appPreviews, onClose, onChoose }: StaleEntriesDialogProps) {
  const { previews } = appPreviews;
  return (
    <Dialog
      wide
      isText
      open
      title={words.apps.staleTitle(previews.length > 0, name)}
      description={words.apps.staleText(previews.length > 0)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind={previews.length > 0 ? 'plain' : 'primary'} onClick={() => onChoose([])}>
            {words.apps.leaveEntries(previews.length > 0)}
          </Button>
          {previews.length > 0 && (
            <Button kind="primary" onClick={() => onChoose(previews.map(({ token }) => token))}>
              {words.apps.removeEntriesFirst}
            </Button>
          )}
        </>
      }
    >
      {/* Deleting everything deletes the backups too. */}
      <PreviewList appPreviews={appPreviews} keepsBackups={name !== undefined} />
    </Dialog>
  );
}
