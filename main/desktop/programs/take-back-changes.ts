import type { ProgramOutcomes } from '../../../shared/program-view.ts';
import { PosternError } from '../../postern-error.ts';
import { makeChange } from '../../programs/change/make-change.ts';
import { planUndo } from '../../programs/plan/plan-undo.ts';
import { knownPrograms } from '../../programs/records/other-program.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { noteUndone } from './shown-changes.ts';

/**
 * Takes back changes of programs that were made for something that is itself undone, the last one first. Answers the
 * names of the programs whose file has changed since, or cannot be written: those stay as they are.
 */
export async function takeBackChanges(
  { ports, programs, openPrograms, changed }: DesktopContext,
  made: ProgramOutcomes['made'],
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { program: id, name, change: changeId } of made.toReversed()) {
    if (changeId === undefined) continue;
    try {
      const engine = await openPrograms();
      const program = (await knownPrograms(programs)).find((each) => each.id === id);
      const change = (await programs.backups.list()).find((each) => each.id === changeId);
      if (!program || !change) throw new PosternError('UNDO_STALE', { stage: 'programs' });
      await makeChange(engine, await planUndo(engine, program, change, await ports.store.list()));
      await noteUndone(engine, change);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      left.push(name);
    }
  }
  changed('programs');
  return left;
}
