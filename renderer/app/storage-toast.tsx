import type { AppView } from '../../shared/app-view.ts';
import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show, useView } from '../view.ts';
import { words } from '../words.ts';
import { usePutOff } from './put-off.ts';

/** Trouble with the keychain or the settings, with what to do about it. */
export function StorageToast({ app: { storage, notices } }: { readonly app: AppView }) {
  const onSettings = useView((state) => state.view.name === 'settings');
  const test = useCall<unknown>();
  const title = storage.memoryOnly
    ? words.banner.memoryOnlyTitle
    : ((storage.error && words.errors.message(storage.error)) ?? words.banner.troubleTitle);
  const [isPutOff, putOff] = usePutOff(`storage ${title}`);
  const isTroubled = storage.state === 'trouble' || storage.memoryOnly;
  return (
    <>
      {isTroubled && !isPutOff && (
        <Toast
          tone="ask"
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
              <Button kind="quiet" onClick={putOff}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          <p>{title}</p>
          {storage.memoryOnly && (
            <p>{(storage.error && words.errors.message(storage.error)) ?? words.banner.memoryOnlyText}</p>
          )}
          {storage.error && <p>{words.errors.nextStep(storage.error.remedy)}</p>}
        </Toast>
      )}
      {notices.map((notice) => (
        <Toast
          key={notice.id}
          tone="ask"
          actions={
            <Button kind="quiet" onClick={() => void postern.app.dismissNotice({ id: notice.id })}>
              {words.common.dismiss}
            </Button>
          }
        >
          <p>{words.errors.message(notice)}</p>
          <p>{words.errors.nextStep(notice.remedy)}</p>
        </Toast>
      ))}
    </>
  );
}
