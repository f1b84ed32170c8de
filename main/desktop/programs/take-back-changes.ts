import type { ProgramOutcomes } from '../../../shared/program-view.ts';
import { type ProgramRecord, withoutServer } from '../../../shared/program-record.ts';
import { PosternError } from '../../postern-error.ts';
import { makeChange } from '../../programs/change/make-change.ts';
import { planUndo } from '../../programs/plan/plan-undo.ts';
import { knownPrograms } from '../../programs/records/other-program.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { allUsed } from '../state/read-server.ts';
import { noteUndone } from './shown-changes.ts';

/**
 * Takes back the removal of entries that led to these servers, the last one first. Answers the names of the programs
 * whose file has changed since, or cannot be written: those stay as they are, without a right that no entry uses.
 */
export async function takeBackChanges(
  context: DesktopContext,
  made: ProgramOutcomes['made'],
  servers: readonly string[],
): Promise<readonly string[]> {
  const { programs, openPrograms, changed } = context;
  const left: { readonly id: string; readonly name: string }[] = [];
  const back = new Set<string>();
  for (const { program: id, name, change: changeId } of made.toReversed()) {
    if (changeId === undefined) continue;
    try {
      const engine = await openPrograms();
      const program = (await knownPrograms(programs)).find((each) => each.id === id);
      const change = (await programs.backups.list()).find((each) => each.id === changeId);
      if (!program || !change) throw new PosternError('UNDO_STALE', { stage: 'programs' });
      await makeChange(engine, await planUndo(engine, program, change, await allUsed(context)));
      await noteUndone(engine, change);
      back.add(id);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      left.push({ id, name });
    }
  }
  const withoutEntry = left.filter(({ id }) => !back.has(id));
  const withoutRights = (records: readonly ProgramRecord[]): readonly ProgramRecord[] =>
    withoutEntry.reduce((known, { id }) => servers.reduce((now, each) => withoutServer(now, each, id), known), records);
  if (withoutEntry.length > 0) await programs.records.change(withoutRights);
  changed('programs');
  return [...new Set(left.map(({ name }) => name))];
}
