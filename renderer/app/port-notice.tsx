import type { PlainError } from '../../shared/error-codes.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** The port that entries of programs hold could not be opened. It goes once it is open. */
export function PortNotice({ trouble }: { readonly trouble: PlainError }) {
  const call = useCall<{ isOpen: boolean }>();
  const own = words.background;
  return (
    <>
      <Notice
        tone="ask"
        title={trouble.message}
        actions={
          <>
            <Button busy={call.busy} onClick={() => void call.run(() => postern.program.openPort())}>
              {own.tryPort}
            </Button>
            <Button kind="quiet" onClick={() => show({ name: 'settings', section: 'gateway-port' })}>
              {own.choosePort}
            </Button>
          </>
        }
      >
        <p>{own.portText}</p>
        <p role="status">{call.value?.isOpen === false && !call.busy ? own.portStill : ''}</p>
      </Notice>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </>
  );
}
