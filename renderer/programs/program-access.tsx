import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { flash } from '../view.ts';
import { words } from '../words.ts';

/** Takes everything away from a program. Main asks first. */
export function ProgramAccess({ program: { id, name } }: { readonly program: ProgramView }) {
  const call = useCall<IpcOutput<'program:revoke'>>();
  const revoke = async (): Promise<void> => {
    if (await call.run(() => postern.program.revoke({ program: id }))) flash(words.programs.revokeDone(name));
  };
  return (
    <section className="section" aria-labelledby="program-access">
      <h2 id="program-access">{words.programs.access}</h2>
      <p className="soft">{words.programs.accessText(name)}</p>
      {call.error && <ErrorNotice error={call.error} actions={{ retry: () => void revoke() }} />}
      <div>
        <Button kind="danger" busy={call.busy} onClick={() => void revoke()}>
          {words.programs.revoke}
        </Button>
      </div>
    </section>
  );
}
