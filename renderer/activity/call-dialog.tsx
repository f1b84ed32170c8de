import { Pause, Play } from 'lucide-react';
import type { ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { useIntegration, useSnapshots } from '../store.ts';
import { usePause } from '../use-pause.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { explainOutcome, nameOfProgram, wholeTime } from './describe-call.ts';
import type { NumberedCall } from './use-activity.ts';

interface CallDialogProps {
  readonly call: NumberedCall;
  readonly server: string;
  readonly onClose: () => void;
}

function PauseButton({ program }: { readonly program: ProgramView }) {
  const { pauseOf, resumeOf } = words.programs.pausing;
  const { busy, error, turn } = usePause(program);
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <Button icon={program.isPaused ? Play : Pause} busy={busy} onClick={turn}>
        {program.isPaused ? resumeOf(program.name) : pauseOf(program.name)}
      </Button>
    </>
  );
}

/** All that is known of one call. */
export function CallDialog({ call, server, onClose }: CallDialogProps) {
  const { facts, wires, bytes, milliseconds, open, close } = words.activity;
  const integration = useIntegration(call.integration);
  const program = useSnapshots((state) => state.programs?.find(({ id }) => id === call.program));
  return (
    <Dialog
      open
      title={call.tool ?? call.method}
      isText
      description={explainOutcome(call)}
      onClose={onClose}
      footer={
        <>
          {program && <PauseButton program={program} />}
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
