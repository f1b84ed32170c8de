import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { flash } from '../view.ts';
import { words } from '../words.ts';

interface WaitingProps {
  readonly program: ProgramView;
  readonly servers: readonly string[];
  /** Shows the lines. Absent: they are in sight. */
  readonly onShow?: () => void;
  /** It is said beside it that the program waits. */
  readonly isTold?: boolean;
}

/** A program that uses servers once the user has pasted the lines, and whether they are there. */
export function Waiting({ program: { id, name, path, waiting = [] }, servers, onShow, isTold = false }: WaitingProps) {
  const check = useCall<IpcOutput<'program:pasted'>>();
  const isWaiting = (all: readonly string[]): boolean => servers.some((server) => all.includes(server));
  if (!isWaiting(waiting)) return null;
  const isMissing = check.value !== undefined && isWaiting(check.value.missing);
  const look = async (): Promise<void> => {
    const found = await check.run(() => postern.program.pasted({ program: id }));
    if (found && !isWaiting(found.missing)) flash(() => [words.programs.pasted(name)]);
  };
  return (
    <div className="stack-tight program-waiting">
      <p className="small" role="status">
        {isMissing ? words.programs.notPasted(path) : !isTold && words.programs.waitingOf(name)}
      </p>
      <div className="row">
        <Button aria-label={`${words.programs.havePasted} (${name})`} busy={check.busy} onClick={() => void look()}>
          {words.programs.havePasted}
        </Button>
        {onShow && (
          <Button kind="quiet" aria-label={`${words.programs.showLines} (${name})`} onClick={onShow}>
            {words.programs.showLines}
          </Button>
        )}
      </div>
      {check.error && <ErrorNotice error={check.error} actions={{ dismiss: check.clear }} />}
    </div>
  );
}
