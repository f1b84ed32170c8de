import type { ProgramChange } from '../../../shared/program-view.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { planUndo } from '../../apps/plan/plan-undo.ts';
import { usedServers } from '../../apps/program-engine.ts';
import { findProgram } from '../../apps/table/table.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { confirmChanges } from '../programs/confirm-changes.ts';
import { namedProgram } from '../programs/named-program.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import { printableLine } from '../text/printable.ts';
import { alignColumns } from '../text/text-table.ts';

/** `postern undo [CHANGE]`: lists the changes, or takes one back. Errors: UNDO_STALE, PROGRAM_FILE_*, USAGE, CFG_*. */
export async function undo(context: CommandContext): Promise<Answer> {
  const { engine, store, collections } = await openCommandPrograms(context);
  const changes = await engine.backups.list();
  const [id] = context.args.positionals;
  if (id === undefined) return describeChanges(changes);
  const change = findChange(changes, id);
  const planned = await planUndo(
    engine,
    await namedProgram(change.program, engine.records),
    change,
    usedServers(await store.list(), await collections.list()),
  );
  const answer = await confirmChanges(context, engine, [planned]);
  if (answer.failure || hasOption(context.args, 'dry-run')) return answer;
  await engine.backups.note({ ...change, undoneAt: Date.now() }).catch((error: unknown) => {
    // The newest changes alone are kept: this one may have gone for the one that took it back.
    if (!(error instanceof PosternError)) throw error;
  });
  return answer;
}

/** By its id, or how that begins. Errors: USAGE. */
function findChange(changes: readonly ProgramChange[], id: string): ProgramChange {
  const fitting = changes.filter((each) => each.id === id || (id.length >= 4 && each.id.startsWith(id.toLowerCase())));
  const [change, ...others] = fitting;
  if (!change) throw new UsageError('There is no change with that id. “postern undo” lists them.', 'undo');
  if (others.length === 0) return change;
  const ids = fitting.slice(0, 5).map((each) => each.id);
  throw new UsageError(`${fitting.length} changes have an id that begins so: ${ids.join(', ')}.`, 'undo');
}

function describeChanges(changes: readonly ProgramChange[]): Answer {
  const now = Date.now();
  const rows = changes.map(({ id, at, program, action, names, path, undoneAt }) => [
    id,
    describeMoment(at, now),
    findProgram(program)?.name ?? program,
    undoneAt === undefined ? action : 'undone',
    printableLine(names.join(', '), 60),
    printableLine(path, 200),
  ]);
  return {
    fields: {
      changes: changes.map(({ id, at, program, path, action, names, undoneAt }) => ({
        id,
        at,
        program,
        path,
        action,
        names,
        undoneAt: undoneAt ?? null,
      })),
    },
    text:
      rows.length === 0
        ? 'Postern has changed no program.'
        : alignColumns([['CHANGE', 'WHEN', 'PROGRAM', 'WHAT', 'ENTRIES', 'FILE'], ...rows]),
  };
}
