import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** Pages of strangers would run without Chromium's sandbox. It goes once they open in the person's browser. */
export function SandboxBar() {
  const app = useSnapshots((state) => state.app);
  const call = useCall<null>();
  if (app === undefined || app.sandbox === 'on' || app.settings.signInSurface === 'browser') return null;
  const own = words.sandbox;
  return (
    <div className="bar stack-tight">
      <Notice
        tone="ask"
        title={own.title}
        actions={
          <Button
            busy={call.busy}
            onClick={() => void call.run(() => postern.settings.update({ signInSurface: 'browser' }))}
          >
            {own.useBrowser}
          </Button>
        }
      >
        <p>
          {own.why[app.sandbox]} {own.risk}
        </p>
      </Notice>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </div>
  );
}
