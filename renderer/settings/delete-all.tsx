import { useState } from 'react';
import type { DeletedView } from '../../shared/deleted-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';
import { DeletionScope } from './deletion-scope.tsx';

/** Deletes all that is kept on this computer. Once it runs it goes to its end, and says so instead of closing. */
export function DeleteAll() {
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const [asking, setAsking] = useState(false);
  const call = useCall<DeletedView>();
  const outcome = call.value;
  const error = call.error ?? outcome?.failure;
  const remove = async (): Promise<void> => {
    const deleted = await call.run(() => postern.storage.deleteEverything());
    setAsking(false);
    if (!deleted || deleted.failure) return;
    show({ name: 'connect' });
    flash(words.deletion.done(deleted.signIns), ...describeServices(deleted));
  };
  return (
    <div className="stack-tight">
      <p>{words.deletion.settingText}</p>
      {error && (
        <div className="stack-tight" role="status">
          {outcome && (
            <p>
              {[words.deletion.partly(outcome.servers, outcome.signIns), ...describeServices(outcome)].join(' ').trim()}
            </p>
          )}
          <ErrorNotice error={error} actions={{ retry: () => setAsking(true) }} />
        </div>
      )}
      <div>
        <Button kind="quiet" busy={call.busy} onClick={() => setAsking(true)}>
          {words.deletion.open}
        </Button>
      </div>
      <Dialog
        open={asking}
        wide
        title={words.deletion.title}
        description={words.deletion.text}
        onClose={() => !call.busy && setAsking(false)}
        footer={
          <>
            {call.busy ? (
              <span className="soft" role="status">
                {words.deletion.left(integrations.length)} {words.deletion.cannotStop}
              </span>
            ) : (
              <Button onClick={() => setAsking(false)}>{words.common.cancel}</Button>
            )}
            <Button kind="danger" busy={call.busy} onClick={() => void remove()}>
              {call.busy ? words.deletion.running : words.deletion.confirm}
            </Button>
          </>
        }
      >
        <DeletionScope integrations={integrations} />
      </Dialog>
    </div>
  );
}

function describeServices({ ended, endsByItself, registrationsLeft }: DeletedView): string[] {
  return [
    words.deletion.ended(ended),
    words.deletion.endsByItself(endsByItself),
    words.deletion.registrations(registrationsLeft),
  ];
}
