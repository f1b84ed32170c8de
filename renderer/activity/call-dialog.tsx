import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { useIntegration } from '../store.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { explainOutcome, nameOfProgram, wholeTime } from './describe-call.ts';
import type { NumberedCall } from './use-activity.ts';

interface CallDialogProps {
  readonly call: NumberedCall;
  readonly server: string;
  readonly onClose: () => void;
}

/** All that is known of one call. */
export function CallDialog({ call, server, onClose }: CallDialogProps) {
  const { facts, wires, bytes, milliseconds, open, close } = words.activity;
  const integration = useIntegration(call.integration);
  return (
    <Dialog
      open
      title={call.tool ?? call.method}
      isText
      description={explainOutcome(call)}
      onClose={onClose}
      footer={
        <>
          {integration && <Button onClick={() => showIntegration(integration.id)}>{open(integration.name)}</Button>}
          <Button kind="primary" onClick={onClose}>
            {close}
          </Button>
        </>
      }
    >
      <div className="call-facts">
        <Facts
          facts={[
            { term: facts.time, value: wholeTime(call.at) },
            { term: facts.program, value: nameOfProgram(call) },
            { term: facts.server, value: server },
            { term: facts.method, value: call.method },
            call.tool !== undefined && { term: facts.tool, value: call.tool },
            { term: facts.outcome, value: call.outcome },
            { term: facts.took, value: milliseconds(call.ms) },
            { term: facts.asked, value: bytes(call.bytesIn) },
            { term: facts.answered, value: bytes(call.bytesOut) },
            { term: facts.wire, value: wires[call.era] },
          ]}
        />
      </div>
    </Dialog>
  );
}
