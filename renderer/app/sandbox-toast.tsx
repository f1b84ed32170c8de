import type { AppView } from '../../shared/app-view.ts';
import { ErrorLine } from '../errors/error-line.tsx';
import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/**
 * Pages of strangers would run without Chromium's sandbox. It goes once they open in the person's browser, and not by
 * itself: nothing else says it.
 */
export function SandboxToast({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  if (app.sandbox === 'on' || app.settings.signInSurface === 'browser') return null;
  const own = words.sandbox;
  return (
    <Toast
      tone="ask"
      actions={
        <Button
          busy={call.busy}
          onClick={() => void call.run(() => postern.settings.update({ signInSurface: 'browser' }))}
        >
          {own.useBrowser}
        </Button>
      }
    >
      <p>{own.title}</p>
      <p>
        {own.why[app.sandbox]} {own.risk}
      </p>
      {call.error && <ErrorLine error={call.error} />}
    </Toast>
  );
}
