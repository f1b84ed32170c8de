import type { AppView } from '../../shared/app-view.ts';
import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { postern } from '../postern.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { usePutOff } from './put-off.ts';

/** Says once that there is a newer version, or that it can start; nothing happens unless the person says so. */
export function UpdateToast({ app: { update } }: { readonly app: AppView }) {
  const onSettings = useView((state) => state.view.name === 'settings');
  const { state, version = '' } = update ?? {};
  const [isPutOff, putOff] = usePutOff(`update ${state} ${version}`);
  if (onSettings || (state !== 'available' && state !== 'ready') || isPutOff) return null;
  const isReady = state === 'ready';
  return (
    <Toast
      actions={
        <>
          <Button onClick={() => void (isReady ? postern.update.install() : postern.update.download())}>
            {isReady ? words.update.restart : words.update.download}
          </Button>
          <Button kind="quiet" onClick={putOff}>
            {words.update.later}
          </Button>
        </>
      }
    >
      <p>{isReady ? words.update.ready(version) : words.update.available(version)}</p>
      {isReady && <p>{words.update.readyText}</p>}
    </Toast>
  );
}
