import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { show, useView } from '../view.ts';
import { words } from '../words.ts';

/** Trouble with the keychain or the settings stands above everything, with what to do about it. */
export function StorageBanner() {
  const app = useSnapshots((state) => state.app);
  const onSettings = useView((state) => state.view.name === 'settings');
  const test = useCall<unknown>();
  if (app === undefined) return null;
  const { storage, notices } = app;
  const troubled = storage.state === 'trouble' || storage.memoryOnly;
  if (!troubled && notices.length === 0) return null;
  return (
    <div className="bar stack-tight">
      {troubled && (
        <Notice
          tone="ask"
          title={
            storage.memoryOnly ? words.banner.memoryOnlyTitle : (storage.error?.message ?? words.banner.troubleTitle)
          }
          actions={
            <>
              <Button busy={test.busy} onClick={() => void test.run(() => postern.storage.selfTest())}>
                {words.banner.test}
              </Button>
              {!onSettings && (
                <Button kind="quiet" onClick={() => show({ name: 'settings', section: 'storage' })}>
                  {words.banner.details}
                </Button>
              )}
            </>
          }
        >
          {storage.memoryOnly && <p>{storage.error?.message ?? words.banner.memoryOnlyText}</p>}
          {storage.error && <p>{words.errors.nextStep(storage.error.remedy)}</p>}
        </Notice>
      )}
      {notices.map((notice) => (
        <Notice
          key={notice.id}
          tone="ask"
          title={notice.message}
          actions={
            <Button kind="quiet" onClick={() => void postern.app.dismissNotice({ id: notice.id })}>
              {words.common.dismiss}
            </Button>
          }
        >
          <p>{words.errors.nextStep(notice.remedy)}</p>
        </Notice>
      ))}
    </div>
  );
}
