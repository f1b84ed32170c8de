import type { ProgramChange } from '../../../shared/program-view.ts';
import { findProgram } from '../../apps/table/table.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { systemClock } from '../../host/system-ports.ts';
import { wantedUndo } from '../../operations/app-changes.ts';
import { listUndoable, requireRoom, takeBack } from '../../operations/undo.ts';
import type { TakenBack, Undoable, UndoScope } from '../../operations/undo.ts';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeReference } from '../output/write-command.ts';
import { confirmChanges } from '../programs/confirm-changes.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import { alignColumns, printableLine } from '../text.ts';

/**
 * `postern undo [ID]`: lists what can be taken back, deletions and changes of app files, or takes one back. Errors:
 * UNDO_TOO_LATE, UNDO_STALE, PROGRAM_FILE_*, NAME_TAKEN, COLLECTIONS_FULL, USAGE, CFG_*.
 */
export async function undo(context: CommandContext): Promise<Answer> {
  const { engine, store, collections } = await openCommandPrograms(context);
  const scope: UndoScope = {
    ports: { store, clock: systemClock },
    collections,
    programs: engine,
    openPrograms: async () => engine,
  };
  const [deletions, changes] = [await listUndoable(scope), await engine.backups.list()];
  const [id] = context.args.positionals;
  if (id === undefined) return describeAll(deletions, changes);
  const found = findById([...deletions, ...changes], id);
  if ('things' in found) return await undoDeletion(context, scope, found);
  return await confirmChanges(context, engine, [await wantedUndo(scope, { program: found.program, change: found.id })]);
}

/** By its id, or how that begins. Errors: USAGE. */
function findById<Each extends { readonly id: string }>(all: readonly Each[], id: string): Each {
  const fitting = all.filter((each) => each.id === id || (id.length >= 4 && each.id.startsWith(id.toLowerCase())));
  const [found, ...others] = fitting;
  if (!found) throw new UsageError('Nothing that can be undone has that id. “postern undo” lists it.', 'undo');
  if (others.length === 0) return found;
  const ids = fitting.slice(0, 5).map((each) => each.id);
  throw new UsageError(`${fitting.length} of them have an id that begins so: ${ids.join(', ')}.`, 'undo');
}

/**
 * Asks nothing: the seconds run, and what comes back in the files of apps is what the user had taken out of them. Errors:
 * UNDO_TOO_LATE, those of `takeBack`.
 */
async function undoDeletion({ args, output }: CommandContext, scope: UndoScope, found: Undoable): Promise<Answer> {
  const undone = fieldsOf(found);
  if (args.options.has('dry-run')) {
    const [thing] = found.kind === 'removeCollection' && found.until !== undefined ? found.things : [];
    if (thing) requireRoom(await scope.collections.list(), thing.name);
    return { fields: { undone }, text: `Would undo: ${sayWhat(found)}.` };
  }
  const taken = await takeBack(scope, found.id);
  if (taken.restored.length === 0) throw new PosternError('UNDO_TOO_LATE', { stage: 'app' });
  const named = (apps: TakenBack['entriesBack']): string[] => apps.map(({ name }) => name);
  return {
    fields: {
      undone,
      restored: taken.restored.length,
      entriesBack: named(taken.entriesBack),
      entriesLeft: named(taken.entriesLeft),
    },
    text: output.advise(describeTaken(found, taken)),
  };
}

function describeTaken({ kind, things: all }: Undoable, taken: TakenBack): string {
  const { restored, entriesBack, entriesLeft } = taken;
  const things = all.filter(({ id }) => restored.includes(id));
  const names = namesOf(things);
  const whose = things.length === 1 ? 'Its entry' : 'Their entries';
  const back = {
    signOut: `Signed in again: ${names}.`,
    remove: `Restored ${names}.`,
    removeCollection: `Restored the collection ${names}.`,
  }[kind];
  const list = (apps: TakenBack['entriesBack']): string => apps.map(({ name }) => printableLine(name)).join(', ');
  const commands = things.flatMap((each) =>
    Array.from(
      Map.groupBy(entriesLeft, ({ isHttp }) => isHttp),
      ([isHttp, apps]) => {
        const thing = writeReference(kind === 'removeCollection' ? each.id : each.name);
        const left = apps.map(({ program }) => writeReference(program)).join(' ');
        return `postern use ${thing} ${left}${isHttp ? ' --http' : ''}`;
      },
    ),
  );
  return [
    back,
    ...(entriesBack.length > 0 ? [`${whose} ${things.length === 1 ? 'is' : 'are'} back in ${list(entriesBack)}.`] : []),
    ...(entriesLeft.length > 0
      ? [`${whose} could not be put back in ${list(entriesLeft)}. Add what is missing with: ${commands.join('; ')}`]
      : []),
  ].join(' ');
}

const whatWords: Readonly<Record<Undoable['kind'], string>> = {
  signOut: 'signed out',
  remove: 'removed',
  removeCollection: 'collection removed',
};

function sayWhat({ kind, things }: Undoable): string {
  return `${whatWords[kind]}, ${namesOf(things)}`;
}

function namesOf(things: Undoable['things']): string {
  const shown = things.slice(0, 5).map(({ name }) => `“${printableLine(name, 60)}”`);
  return [...shown, ...(things.length > 5 ? [`${things.length - 5} more`] : [])].join(', ');
}

const kindFields: Readonly<Record<Undoable['kind'], string>> = {
  signOut: 'sign-out',
  remove: 'remove',
  removeCollection: 'remove-collection',
};

function fieldsOf({ id, kind, since, until, things }: Undoable) {
  return {
    id,
    kind: kindFields[kind],
    at: since,
    until: until ?? null,
    removed: things.map((each) => ({ id: each.id, name: each.name })),
  };
}

/** Newest first. */
function describeAll(deletions: readonly Undoable[], changes: readonly ProgramChange[]): Answer {
  const now = Date.now();
  const rows = [
    ...deletions.map((deletion) => ({ at: deletion.since, cells: deletionCells(deletion, now) })),
    ...changes.map((change) => ({ at: change.at, cells: changeCells(change, now) })),
  ].toSorted((one, other) => other.at - one.at);
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
      ...(deletions.length > 0 && { deletions: deletions.map(fieldsOf) }),
    },
    text:
      rows.length === 0
        ? 'There is nothing to undo.'
        : alignColumns([['ID', 'WHEN', 'PROGRAM', 'WHAT', 'ENTRIES', 'FILE'], ...rows.map(({ cells }) => cells)]),
  };
}

function deletionCells(deletion: Undoable, now: number): string[] {
  const { id, kind, since, until, things } = deletion;
  const left = until === undefined ? 'its entries are still to come back' : sayTimeLeft(until - now);
  const names = printableLine(things.map(({ name }) => name).join(', '), 60);
  return [id, describeMoment(since, now), '–', `${whatWords[kind]}, ${left}`, names, '–'];
}

function changeCells({ id, at, program, action, names, path, undoneAt }: ProgramChange, now: number): string[] {
  return [
    id,
    describeMoment(at, now),
    findProgram(program)?.name ?? program,
    undoneAt === undefined ? action : 'undone',
    printableLine(names.join(', '), 60),
    printableLine(path, 200),
  ];
}

function sayTimeLeft(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'} left`;
}
