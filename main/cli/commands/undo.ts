import type { AppChange } from '../../../shared/app-view.ts';
import { findApp } from '../../apps/table/apps.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { systemClock } from '../../host/system-ports.ts';
import { proposeUndo } from '../../operations/app-changes.ts';
import { listUndoable, requireRoom, undoBatch } from '../../operations/undo.ts';
import type { UndoResult, UndoableBatch, UndoScope } from '../../operations/undo.ts';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { quoteForShell } from '../output/write-command.ts';
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
  const selected = findById([...deletions, ...changes], id);
  if ('items' in selected) return await undoDeletion(context, scope, selected);
  return await confirmChanges(context, engine, [await proposeUndo(scope, { app: selected.app, change: selected.id })]);
}

/** By ID, or at least its first four characters. Errors: USAGE. */
function findById<Each extends { readonly id: string }>(all: readonly Each[], id: string): Each {
  const matches = all.filter((each) => each.id === id || (id.length >= 4 && each.id.startsWith(id.toLowerCase())));
  const [found, ...others] = matches;
  if (!found) throw new UsageError('Nothing to undo has that ID. “postern undo” lists the IDs.', 'undo');
  if (others.length === 0) return found;
  const ids = matches.slice(0, 5).map((each) => each.id);
  throw new UsageError(`${matches.length} IDs start with that: ${ids.join(', ')}.`, 'undo');
}

/**
 * Does not ask, because time is short and it only restores what the user removed. Errors: UNDO_TOO_LATE, those of the
 * operation.
 */
async function undoDeletion(
  { args, output }: CommandContext,
  scope: UndoScope,
  batch: UndoableBatch,
): Promise<CommandResult> {
  const undone = fieldsOf(batch);
  if (args.options.has('dry-run')) {
    const [collection] = batch.kind === 'removeCollection' && batch.until !== undefined ? batch.items : [];
    if (collection) requireRoom(await scope.collections.list(), collection.name);
    return { fields: { undone }, text: `Would undo: ${describeDeletion(batch)}.` };
  }
  const result = await undoBatch(scope, batch.id);
  if (result.restored.length === 0) throw new PosternError('UNDO_TOO_LATE', { stage: 'postern' });
  const namesOfApps = (apps: UndoResult['entriesRestored']): string[] => apps.map(({ name }) => name);
  return {
    fields: {
      undone,
      restored: result.restored.length,
      entriesRestored: namesOfApps(result.entriesRestored),
      entriesNotRestored: namesOfApps(result.entriesNotRestored),
    },
    text: output.advise(describeRestored(batch, result)),
  };
}

function describeRestored({ kind, items: all }: UndoableBatch, result: UndoResult): string {
  const { restored, entriesRestored: restoredIn, entriesNotRestored: missingIn } = result;
  const items = all.filter(({ id }) => restored.includes(id));
  const names = namesOf(items);
  const subject = items.length === 1 ? 'Its entry' : 'Their entries';
  const headline = {
    signOut: `Restored the sign-in of ${names}.`,
    remove: `Restored ${names}.`,
    removeCollection: `Restored the collection ${names}.`,
  }[kind];
  const list = (apps: UndoResult['entriesRestored']): string => apps.map(({ name }) => printableLine(name)).join(', ');
  const commands = items.flatMap((each) =>
    Array.from(
      Map.groupBy(missingIn, ({ isHttp }) => isHttp),
      ([isHttp, apps]) => {
        const reference = quoteForShell(kind === 'removeCollection' ? each.id : each.name);
        const appNames = apps.map(({ app }) => quoteForShell(app)).join(' ');
        return `postern use ${reference} ${appNames}${isHttp ? ' --http' : ''}`;
      },
    ),
  );
  return [
    headline,
    ...(restoredIn.length > 0
      ? [`${subject} ${items.length === 1 ? 'was' : 'were'} restored in ${list(restoredIn)}.`]
      : []),
    ...(missingIn.length > 0
      ? [`${subject} could not be restored in ${list(missingIn)}. Add them with: ${commands.join('; ')}`]
      : []),
  ].join(' ');
}

const kindTexts: Readonly<Record<UndoableBatch['kind'], string>> = {
  signOut: 'signed out',
  remove: 'removed',
  removeCollection: 'collection removed',
};

function describeDeletion({ kind, items }: UndoableBatch): string {
  return `${kindTexts[kind]}, ${namesOf(items)}`;
}

function namesOf(items: UndoableBatch['items']): string {
  const names = items.slice(0, 5).map(({ name }) => `“${printableLine(name, 60)}”`);
  return [...names, ...(items.length > 5 ? [`${items.length - 5} more`] : [])].join(', ');
}

const kindFields: Readonly<Record<UndoableBatch['kind'], string>> = {
  signOut: 'sign-out',
  remove: 'remove',
  removeCollection: 'remove-collection',
};

function fieldsOf({ id, kind, since, until, items }: UndoableBatch) {
  return {
    id,
    kind: kindFields[kind],
    at: since,
    until: until ?? null,
    removed: items.map((each) => ({ id: each.id, name: each.name })),
  };
}

/** Newest first. */
function describeAll(deletions: readonly UndoableBatch[], changes: readonly AppChange[]): CommandResult {
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

function deletionCells(deletion: UndoableBatch, now: number): string[] {
  const { id, kind, since, until, items } = deletion;
  const left = until === undefined ? 'entries not restored yet' : describeTimeLeft(until - now);
  const names = printableLine(items.map(({ name }) => name).join(', '), 60);
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
