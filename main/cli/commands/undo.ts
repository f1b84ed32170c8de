import type { AppChange } from '../../../shared/app-view.ts';
import { findApp } from '../../apps/table/table.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { systemClock } from '../../host/system-ports.ts';
import { prepareUndo } from '../../operations/app-changes.ts';
import { listUndoable, requireRoom, undoBatch } from '../../operations/undo.ts';
import type { UndoResult, Undoable, UndoScope } from '../../operations/undo.ts';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { writeReference } from '../output/write-command.ts';
import { confirmChanges } from '../apps/confirm-changes.ts';
import { openCommandApps } from '../apps/open-command-apps.ts';
import { alignColumns, printableLine } from '../text.ts';

/**
 * `postern undo [ID]`: lists deletions and app changes that can be undone, or undoes one. Errors:
 * UNDO_TOO_LATE, UNDO_STALE, APP_FILE_*, NAME_TAKEN, COLLECTIONS_FULL, USAGE, CFG_*.
 */
export async function undo(context: CommandContext): Promise<CommandResult> {
  const { engine, store, collections } = await openCommandApps(context);
  const scope: UndoScope = {
    ports: { store, clock: systemClock },
    collections,
    apps: engine,
    openApps: async () => engine,
  };
  const [deletions, changes] = [await listUndoable(scope), await engine.backups.list()];
  const [id] = context.args.positionals;
  if (id === undefined) return describeAll(deletions, changes);
  const found = findById([...deletions, ...changes], id);
  if ('things' in found) return await undoDeletion(context, scope, found);
  return await confirmChanges(context, engine, [await prepareUndo(scope, { app: found.app, change: found.id })]);
}

/** By ID, or at least its first four characters. Errors: USAGE. */
function findById<Each extends { readonly id: string }>(all: readonly Each[], id: string): Each {
  const fitting = all.filter((each) => each.id === id || (id.length >= 4 && each.id.startsWith(id.toLowerCase())));
  const [found, ...others] = fitting;
  if (!found) throw new UsageError('Nothing to undo has that ID. “postern undo” lists the IDs.', 'undo');
  if (others.length === 0) return found;
  const ids = fitting.slice(0, 5).map((each) => each.id);
  throw new UsageError(`${fitting.length} IDs start with that: ${ids.join(', ')}.`, 'undo');
}

/**
 * Does not ask, because time is short and it only restores what the user removed. Errors: UNDO_TOO_LATE, those of the
 * operation.
 */
async function undoDeletion(
  { args, output }: CommandContext,
  scope: UndoScope,
  found: Undoable,
): Promise<CommandResult> {
  const undone = fieldsOf(found);
  if (args.options.has('dry-run')) {
    const [thing] = found.kind === 'removeCollection' && found.until !== undefined ? found.things : [];
    if (thing) requireRoom(await scope.collections.list(), thing.name);
    return { fields: { undone }, text: `Would undo: ${describeDeletion(found)}.` };
  }
  const taken = await undoBatch(scope, found.id);
  if (taken.restored.length === 0) throw new PosternError('UNDO_TOO_LATE', { stage: 'postern' });
  const named = (apps: UndoResult['entriesBack']): string[] => apps.map(({ name }) => name);
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

function describeTaken({ kind, things: all }: Undoable, taken: UndoResult): string {
  const { restored, entriesBack, entriesLeft } = taken;
  const things = all.filter(({ id }) => restored.includes(id));
  const names = namesOf(things);
  const whose = things.length === 1 ? 'Its entry' : 'Their entries';
  const back = {
    signOut: `Restored the sign-in of ${names}.`,
    remove: `Restored ${names}.`,
    removeCollection: `Restored the collection ${names}.`,
  }[kind];
  const list = (apps: UndoResult['entriesBack']): string => apps.map(({ name }) => printableLine(name)).join(', ');
  const commands = things.flatMap((each) =>
    Array.from(
      Map.groupBy(entriesLeft, ({ isHttp }) => isHttp),
      ([isHttp, apps]) => {
        const thing = writeReference(kind === 'removeCollection' ? each.id : each.name);
        const left = apps.map(({ app }) => writeReference(app)).join(' ');
        return `postern use ${thing} ${left}${isHttp ? ' --http' : ''}`;
      },
    ),
  );
  return [
    back,
    ...(entriesBack.length > 0
      ? [`${whose} ${things.length === 1 ? 'was' : 'were'} restored in ${list(entriesBack)}.`]
      : []),
    ...(entriesLeft.length > 0
      ? [`${whose} could not be restored in ${list(entriesLeft)}. Add them with: ${commands.join('; ')}`]
      : []),
  ].join(' ');
}

const kindTexts: Readonly<Record<Undoable['kind'], string>> = {
  signOut: 'signed out',
  remove: 'removed',
  removeCollection: 'collection removed',
};

function describeDeletion({ kind, things }: Undoable): string {
  return `${kindTexts[kind]}, ${namesOf(things)}`;
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
function describeAll(deletions: readonly Undoable[], changes: readonly AppChange[]): CommandResult {
  const now = Date.now();
  const rows = [
    ...deletions.map((deletion) => ({ at: deletion.since, cells: deletionCells(deletion, now) })),
    ...changes.map((change) => ({ at: change.at, cells: changeCells(change, now) })),
  ].toSorted((one, other) => other.at - one.at);
  return {
    fields: {
      changes: changes.map(({ id, at, app, path, action, names, undoneAt }) => ({
        id,
        at,
        app,
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
        : alignColumns([['ID', 'WHEN', 'APP', 'WHAT', 'ENTRIES', 'FILE'], ...rows.map(({ cells }) => cells)]),
  };
}

function deletionCells(deletion: Undoable, now: number): string[] {
  const { id, kind, since, until, things } = deletion;
  const left = until === undefined ? 'entries not restored yet' : describeTimeLeft(until - now);
  const names = printableLine(things.map(({ name }) => name).join(', '), 60);
  return [id, describeMoment(since, now), '–', `${kindTexts[kind]}, ${left}`, names, '–'];
}

function changeCells({ id, at, app, action, names, path, undoneAt }: AppChange, now: number): string[] {
  return [
    id,
    describeMoment(at, now),
    findApp(app)?.name ?? app,
    undoneAt === undefined ? action : 'undone',
    printableLine(names.join(', '), 60),
    printableLine(path, 200),
  ];
}

function describeTimeLeft(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'} left`;
}
