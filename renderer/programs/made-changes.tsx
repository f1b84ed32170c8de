import { useState } from 'react';
import { create } from 'zustand';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { ProgramOutcomes, ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { ErrorLines, ErrorNotice, PasteLines } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { flash } from '../view.ts';
import { words } from '../words.ts';
import { describeNotice, PreviewDialog } from './preview-dialog.tsx';

interface Made extends ProgramOutcomes {
  /** Lines that a person puts into the file of a program. */
  readonly pasted: ProgramPreviews['previews'];
}

/** By the servers that it was for, what was last changed at once; as long as the window is there. */
const useMade = create<Readonly<Record<string, Made | undefined>>>()(() => ({}));

const keyOf = (servers: readonly string[]): string => servers.toSorted().join(' ');

export const useMadeFor = (servers: readonly string[]): Made | undefined => useMade((state) => state[keyOf(servers)]);

export function noteMade(servers: readonly string[], outcomes: ProgramOutcomes, { previews }: ProgramPreviews): void {
  const made = outcomes.made.filter(({ action }) => action !== 'none');
  const pasted = previews.filter(
    ({ program, action }) => action === 'paste' && made.some((each) => each.program === program),
  );
  const isWorthSaying = made.length > 0 || outcomes.refused.length > 0;
  useMade.setState({ [keyOf(servers)]: isWorthSaying ? { made, refused: outcomes.refused, pasted } : undefined });
}

/** Which programs were changed and which were not, with one undo for all that was written. */
export function MadeChanges({ servers }: { readonly servers: readonly string[] }) {
  const made = useMadeFor(servers);
  const programs = useSnapshots((state) => state.programs) ?? [];
  const undo = useCall<ProgramPreviews>();
  const [shown, setShown] = useState<ProgramPreviews>();
  if (!made) return null;
  const clear = (): void => useMade.setState({ [keyOf(servers)]: undefined });
  const written = made.made.filter(({ change }) => change !== undefined);
  const names = written.map(({ name }) => name);
  const ask = async (): Promise<void> => {
    const changes = written.flatMap(({ program, change }) => (change === undefined ? [] : [{ program, change }]));
    setShown(await undo.run(() => postern.program.previewUndo({ changes })));
  };
  const undone = (outcomes: ProgramOutcomes): void => {
    setShown(undefined);
    const isBack = (program: string) => outcomes.made.some((each) => each.program === program);
    const back = written.filter(({ program }) => isBack(program)).map(({ name }) => name);
    const left = made.made.filter(({ program }) => !isBack(program));
    const isOver = written.every(({ program }) => isBack(program));
    useMade.setState({ [keyOf(servers)]: isOver ? undefined : { ...made, made: left, refused: outcomes.refused } });
    flash(() => [words.programs.undone(back)]);
  };
  return (
    <div className="stack-tight" role="status">
      {made.made.length > 0 && (
        <Notice
          title={written.length > 0 ? words.programs.done(names) : words.programs.toPaste}
          actions={
            <>
              {written.length > 0 && (
                <Button busy={undo.busy} onClick={() => void ask()}>
                  {written.length === 1 ? words.programs.undo : words.programs.undoAll}
                </Button>
              )}
              <Button kind="quiet" onClick={clear}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          {[...new Map(written.map((each) => [each.program, each])).values()].map((each) => (
            <p key={each.program}>{describeNotice(each)}</p>
          ))}
          {made.pasted.map(({ program, name, path, after, token }) => (
            <div className="stack-tight" key={token}>
              <p>{words.programs.paste(name)}</p>
              <PasteLines path={path === '' ? undefined : path} lines={after} token={token} />
              {programs
                .filter(({ id }) => id === program)
                .map((each) => (
                  <Waiting key={each.id} program={each} servers={servers} />
                ))}
            </div>
          ))}
        </Notice>
      )}
      {made.refused.map(({ name, error }, index) => (
        <Notice
          key={index}
          tone="stop"
          title={words.programs.notChanged(name)}
          actions={
            made.made.length === 0 && (
              <Button kind="quiet" onClick={clear}>
                {words.common.dismiss}
              </Button>
            )
          }
        >
          <p>
            {words.errors.message(error)} {words.errors.nextStep(error.remedy)}
          </p>
          <ErrorLines error={error} />
        </Notice>
      ))}
      {undo.error && <ErrorNotice error={undo.error} actions={{ dismiss: undo.clear }} />}
      {shown && (
        <PreviewDialog
          title={words.programs.previewUndoOf(names)}
          shown={shown}
          onClose={() => setShown(undefined)}
          onDone={undone}
        />
      )}
    </div>
  );
}

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
