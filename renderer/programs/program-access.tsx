import { useState } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { ProgramOutcomes, ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { flash, show, type Said } from '../view.ts';
import { words } from '../words.ts';
import { describeNotice } from './describe-program.ts';
import { PreviewDialog } from './preview-dialog.tsx';

/** Takes everything away from a program, of which main asks first, and then its entries. */
export function ProgramAccess({
  program: { id, name, path, uses, waiting, isRevoked },
}: {
  readonly program: ProgramView;
}) {
  const isOther = path === '';
  const hasNone = uses.length === 0 && waiting === undefined;
  const revoking = useCall<IpcOutput<'program:revoke'>>();
  const looking = useCall<ProgramPreviews>();
  const [shown, setShown] = useState<ProgramPreviews>();
  const look = async (said?: Said): Promise<void> => {
    const found = await looking.run(() => postern.program.previewLeaving({ program: id }));
    if (found && (found.previews.length > 0 || found.refused.length > 0)) setShown(found);
    else if (found) flash(() => [...(said?.() ?? []), words.programs.noEntries(name)]);
  };
  const revoke = async (): Promise<void> => {
    if (!(await revoking.run(() => postern.program.revoke({ program: id })))) return;
    if (isOther) {
      show({ name: 'programs' });
      return flash(() => [words.programs.other.revoked(name)]);
    }
    const said: Said = () => [words.programs.revokeDone(name)];
    flash(said);
    await look(said);
  };
  const done = ({ made }: ProgramOutcomes): void => {
    setShown(undefined);
    const [first] = made;
    if (first) flash(() => [words.programs.done([name]), describeNotice(first)]);
  };
  if (hasNone && !isRevoked && !isOther) return null;
  const isOver = hasNone && !isOther;
  const begin = isOver ? look : revoke;
  const error = revoking.error ?? looking.error;
  return (
    <section className="section" aria-labelledby="program-access">
      <h2 id="program-access">{words.programs.access}</h2>
      <p className="soft">
        {isOther
          ? words.programs.other.accessText(name)
          : isOver
            ? words.programs.entriesStay(name)
            : words.programs.accessText(name)}
      </p>
      {error && <ErrorNotice error={error} actions={{ retry: () => void begin() }} />}
      <div>
        <Button kind={isOver ? 'plain' : 'danger'} busy={revoking.busy || looking.busy} onClick={() => void begin()}>
          {isOver ? words.programs.takeEntriesOut : words.programs.revoke}
        </Button>
      </div>
      {shown && (
        <PreviewDialog
          title={words.programs.previewEntries(name)}
          shown={shown}
          onClose={() => setShown(undefined)}
          onDone={done}
        />
      )}
    </section>
  );
}
