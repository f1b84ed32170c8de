import type { AppView } from '../../shared/app-view.ts';
import { ErrorLine } from '../errors/error-line.tsx';
import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { PortToast } from './port-toast.tsx';
import { usePutOff } from './put-off.ts';

/** What concerns every program: that they are paused, and, with the first one, whether Postern starts at login. */
export function BackgroundToast({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  const [isPutOff, putOff] = usePutOff('paused');
  const own = words.background;
  const startAtLogin = (on: boolean) => void call.run(() => postern.settings.update({ startAtLogin: on }));
  const failure = call.error && <ErrorLine error={call.error} />;
  return (
    <>
      {app.programsPaused && !isPutOff && (
        <Toast
          tone="ask"
          actions={
            <>
              <Button
                busy={call.busy}
                onClick={() => void call.run(() => postern.settings.update({ programsPaused: false }))}
              >
                {own.resume}
              </Button>
              <Button kind="quiet" onClick={putOff}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          <p>{own.paused}</p>
          <p>{own.pausedText}</p>
          {failure}
        </Toast>
      )}
      {app.httpTrouble && <PortToast trouble={app.httpTrouble} />}
      {app.offersStartAtLogin && (
        <Toast
          actions={
            <>
              <Button busy={call.busy} onClick={() => startAtLogin(true)}>
                {own.accept}
              </Button>
              <Button kind="quiet" onClick={() => startAtLogin(false)}>
                {own.decline}
              </Button>
            </>
          }
        >
          <p>{own.offer}</p>
          <p>{own.offerText}</p>
          {failure}
        </Toast>
      )}
    </>
  );
}
