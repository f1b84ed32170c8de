import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { PortNotice } from './port-notice.tsx';

/** What concerns every program: that they are paused, and, with the first one, whether Postern starts at login. */
export function BackgroundBar() {
  const app = useSnapshots((state) => state.app);
  const call = useCall<null>();
  if (app === undefined || !(app.programsPaused || app.offersStartAtLogin || app.httpTrouble)) return null;
  const own = words.background;
  const startAtLogin = (on: boolean) => void call.run(() => postern.settings.update({ startAtLogin: on }));
  return (
    <div className="bar stack-tight">
      {app.programsPaused && (
        <Notice
          tone="ask"
          title={own.paused}
          actions={
            <Button
              busy={call.busy}
              onClick={() => void call.run(() => postern.settings.update({ programsPaused: false }))}
            >
              {own.resume}
            </Button>
          }
        >
          <p>{own.pausedText}</p>
        </Notice>
      )}
      {app.httpTrouble && <PortNotice trouble={app.httpTrouble} />}
      {app.offersStartAtLogin && (
        <Notice
          title={own.offer}
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
          <p>{own.offerText}</p>
        </Notice>
      )}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </div>
  );
}
