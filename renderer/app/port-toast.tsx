import type { PlainError } from '../../shared/error-codes.ts';
import { ErrorLine } from '../errors/error-line.tsx';
import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** The port that entries of programs hold could not be opened. It goes once it is open. */
export function PortToast({ trouble }: { readonly trouble: PlainError }) {
  const call = useCall<{ isOpen: boolean }>();
  const own = words.background;
  return (
    <Toast
      tone="ask"
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
      <p>{words.errors.message(trouble)}</p>
      <p>{own.portText}</p>
      {call.value?.isOpen === false && !call.busy && <p>{own.portStill}</p>}
      {call.error && <ErrorLine error={call.error} />}
    </Toast>
  );
}
