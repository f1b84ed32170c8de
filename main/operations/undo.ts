import { collectionUndoSeconds } from '../../shared/bounds.ts';
import type { Collection } from '../../shared/collection.ts';
import { collectionReference, maxCollections, titleOf } from '../../shared/entry-name.ts';
import { renameOtherCollection } from '../../shared/error-catalog/postern-errors.ts';
import type { RemovedCollection } from '../../shared/pending-deletion.ts';
import { withoutServer } from '../../shared/app-record.ts';
import type { AppReader } from '../apps/app-dependencies.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import {
  finishUndo,
  extendDeletions,
  isOverdue,
  newBatchId,
  undoDeletions,
  undoableUntil,
} from '../engine/removal/pending-deletions.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { CollectionLists, Collections } from '../gateway-ports.ts';
import type { Clock, Random } from '../ports.ts';
import { undoChanges } from './app-changes.ts';
import type { RestoredEntries, EntryChangeScope } from './app-changes.ts';
import { isTaken } from './collections.ts';

/**
 * Deletions that can be undone from any process: batches of servers (`main/engine/removal/` deletes them for good) and
 * collections, each with the app file changes to undo with it. Everything is in the settings file, so the first process
 * to write decides.
 */
export interface UndoScope extends EntryChangeScope {
  readonly ports: { readonly store: EnginePorts['store']; readonly clock: Clock };
  readonly collections: Collections;
}

export interface UndoableBatch {
  /** ID of the batch. */
  readonly id: string;
  readonly kind: 'signOut' | 'remove' | 'removeCollection';
  /** Both in milliseconds since 1970. `until` is absent if only app entries are still to be restored. */
  readonly since: number;
  readonly until?: number;
  /** Servers, or the collection by its reference. */
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/** Everything that can still be undone, newest first. Errors: CFG_*. */
export async function listUndoable({
  ports,
  collections,
}: Pick<UndoScope, 'ports' | 'collections'>): Promise<readonly UndoableBatch[]> {
  const { store, clock } = ports;
  const pending = (await store.pendingDeletions()).filter((each) => !isOverdue(each, clock));
  const servers = Array.from(
    Map.groupBy(pending, ({ batch }) => batch),
    ([id, [first, ...others]]): UndoableBatch[] => {
      if (!first) return [];
      const all = [first, ...others];
      const isRestored = first.kind === 'back';
      return [
        {
          id,
          kind: first.kind === 'signOut' ? 'signOut' : 'remove',
          since: first.since,
          ...(!isRestored && { until: Math.min(...all.map(undoableUntil)) }),
          items: all.map(({ integration }) => ({ id: integration.id, name: integration.name })),
        },
      ];
    },
  ).flat();
  const removed = (await collections.removed()).filter((each) => !isUndoExpired(each, clock));
  return [
    ...servers,
    ...removed.map(({ batch, kind, since, until, collection }): UndoableBatch => ({
      id: batch,
      kind: 'removeCollection',
      since,
      ...(kind === 'remove' && { until }),
      items: [{ id: collectionReference(collection), name: titleOf(collection) }],
    })),
  ].toSorted((one, other) => other.since - one.since);
}

export interface UndoResult extends RestoredEntries {
  /** IDs of the restored servers, or the collection's reference; empty if it was too late. */
  readonly restored: readonly string[];
}

/**
 * Undoes a batch: first restores what was deleted, since entries point to it, then the app entries. A process that ends
 * in between leaves a record of the entries, and undoing again continues from there. After a failure the undo period
 * restarts. Errors: CFG_*, NAME_TAKEN and COLLECTIONS_FULL for a collection.
 */
export async function undoBatch(scope: UndoScope, id: string): Promise<UndoResult> {
  try {
    return await undoOnce(scope, id);
  } catch (error) {
    // Other processes rely on the file. If it cannot be written, nothing has changed for them either.
    await extendUndo(scope, id).catch(() => {});
    throw error;
  }
}

async function undoOnce(scope: UndoScope, id: string): Promise<UndoResult> {
  const collection = await restoreCollection(scope, id);
  const { servers, changes } = collection ?? (await undoDeletions(scope.ports, id));
  if (changes.length === 0) return { restored: servers, entriesRestored: [], entriesNotRestored: [] };
  // Includes what an earlier attempt restored before it failed at the entries.
  const items = (await listUndoable(scope)).find((each) => each.id === id)?.items ?? [];
  const restored = items.map((each) => each.id);
  const entries = await undoChanges(scope, changes, restored);
  await forgetUndo(scope, id);
  return { restored, ...entries };
}

/** Records that no app entry of a batch is left to restore. Errors: CFG_*. */
async function forgetUndo({ ports, collections }: UndoScope, id: string): Promise<void> {
  await finishUndo(ports, id);
  await collections.changeBoth((both) => withoutRemoved(both, ({ batch, kind }) => batch === id && kind === 'back'));
}

/**
 * Continues undos interrupted before app entries were restored. After an hour the entries stay removed, since the user
 * may have decided otherwise. Errors: CFG_*.
 */
export async function resumeUndo(scope: UndoScope): Promise<void> {
  const newest = scope.ports.clock.now() - collectionUndoSeconds * 1_000;
  for (const { id, since, until } of await listUndoable(scope)) {
    if (until !== undefined) continue;
    if (since >= newest) await undoBatch(scope, id);
    else await forgetUndo(scope, id);
  }
}

/** Restarts a batch's undo period for every process, after undoing it failed. Errors: CFG_*. */
async function extendUndo({ ports, collections }: UndoScope, id: string): Promise<void> {
  await extendDeletions(ports, id);
  const since = Math.trunc(ports.clock.now());
  await collections.changeBoth((both) => {
    const matches = (each: RemovedCollection): boolean => each.batch === id && each.kind === 'remove' && !each.isFinal;
    if (!both.removed.some(matches)) return both;
    const extended = (each: RemovedCollection) => ({ ...each, since, until: undoEnd(since) });
    return { ...both, removed: both.removed.map((each) => (matches(each) ? extended(each) : each)) };
  });
}

/** End of the undo period of a collection removed at `since`. */
const undoEnd = (since: number): number => since + collectionUndoSeconds * 1_000;

/** Removes a collection, undoable for an hour; returns the batch ID. Errors: CFG_*. */
export async function beginCollectionRemoval(
  {
    ports: { clock, random },
    collections,
  }: Pick<UndoScope, 'collections'> & {
    readonly ports: { readonly clock: Pick<Clock, 'now'>; readonly random: Random };
  },
  { name }: Collection,
  changes: readonly string[],
): Promise<string> {
  const batch = newBatchId(random);
  const since = Math.trunc(clock.now());
  await collections.changeBoth((both) => {
    const place = both.collections.findIndex((each) => each.name === name);
    const collection = both.collections[place];
    if (!collection) return both;
    const removed: RemovedCollection = {
      ...{ batch, kind: 'remove', since, until: undoEnd(since), collection, place },
      ...(changes.length > 0 && { changes: [...changes] }),
    };
    return { collections: both.collections.toSpliced(place, 1), removed: [...both.removed, removed] };
  });
  return batch;
}

interface FinishScope extends Pick<UndoScope, 'collections'> {
  readonly ports: { readonly clock: Pick<Clock, 'now'> };
  readonly apps: Pick<AppReader, 'records'>;
}

/**
 * Deletes app rights to removed collections, and secrets of apps left without any: from then on the removal cannot be
 * undone. `which`: defaults to those whose undo period has ended. Errors: CFG_*.
 */
export async function finishCollectionRemovals(
  { ports: { clock }, collections, apps }: FinishScope,
  filter: (removed: RemovedCollection) => boolean = (removed) => isUndoExpired(removed, clock),
): Promise<void> {
  const matches = (each: RemovedCollection): boolean => each.kind === 'remove' && filter(each);
  if (!(await collections.removed()).some(matches)) return;
  const final: RemovedCollection[] = [];
  await collections.changeBoth((both) => {
    const removed = both.removed.map((each) => (matches(each) ? { ...each, isFinal: true as const } : each));
    final.push(...removed.filter(({ isFinal }) => isFinal));
    return { ...both, removed };
  });
  await apps.records.change((records) =>
    final.reduce((left, { collection }) => withoutServer(left, collectionReference(collection)), records),
  );
  await collections.changeBoth((both) =>
    withoutRemoved(both, ({ batch }) => final.some((each) => each.batch === batch)),
  );
}

/**
 * Runs `finishCollectionRemovals` now and whenever an undo period ends, until stopped. Never rejects: the next run
 * tries again.
 */
export async function scheduleCollectionRemovals(scope: FinishScope & { readonly ports: { readonly clock: Clock } }) {
  let isStopped = false;
  let stopWaiting = (): void => {};
  const finish = async (): Promise<void> => {
    await finishCollectionRemovals(scope).catch(() => {});
    const removed = await scope.collections.removed().catch(() => []);
    const ends = removed.flatMap(({ kind, until }) => (kind === 'remove' ? [until] : []));
    stopWaiting();
    if (isStopped || ends.length === 0) return;
    const left = Math.max(1_000, Math.min(...ends) - scope.ports.clock.now());
    stopWaiting = scope.ports.clock.after(left, () => void finish());
  };
  await finish();
  return {
    /** Call after a removal, here or elsewhere. */
    reschedule: finish,
    stop(): void {
      isStopped = true;
      stopWaiting();
    },
  };
}

/** True if it can no longer be undone. */
function isUndoExpired({ kind, isFinal, since, until }: RemovedCollection, { now }: Pick<Clock, 'now'>): boolean {
  // A wall clock set back must not retain rights for a year.
  return kind === 'remove' && (isFinal === true || now() >= until || now() < since);
}

function withoutRemoved(both: CollectionLists, isGone: (removed: RemovedCollection) => boolean): CollectionLists {
  return both.removed.some(isGone) ? { ...both, removed: both.removed.filter((each) => !isGone(each)) } : both;
}

/** Checks that a collection with this title can be restored among these. Errors: NAME_TAKEN, COLLECTIONS_FULL. */
export function requireRoom(collections: readonly Collection[], title: string): void {
  if (isTaken(collections, title))
    throw new PosternError('NAME_TAKEN', {
      stage: 'postern',
      detail: { collection: title },
      remedy: renameOtherCollection,
    });
  if (collections.length >= maxCollections) throw new PosternError('COLLECTIONS_FULL', { stage: 'settings' });
}

/** `undefined`: the batch has no collection. Errors: NAME_TAKEN, COLLECTIONS_FULL, CFG_*. */
async function restoreCollection(
  { collections }: UndoScope,
  id: string,
): Promise<{ readonly servers: readonly string[]; readonly changes: readonly string[] } | undefined> {
  let found: { readonly servers: readonly string[]; readonly changes: readonly string[] } | undefined;
  await collections.changeBoth((both) => {
    const one = both.removed.find(({ batch }) => batch === id);
    if (!one) return both;
    const { kind, isFinal, collection, place, changes = [] } = one;
    found = { servers: [], changes: isFinal ? [] : changes };
    if (isFinal || kind === 'back') return both;
    requireRoom(both.collections, titleOf(collection));
    found = { servers: [collectionReference(collection)], changes };
    return {
      collections: both.collections.toSpliced(place, 0, collection),
      removed:
        changes.length === 0
          ? both.removed.filter((each) => each !== one)
          : both.removed.map((each) => (each === one ? { ...one, kind: 'back' as const } : each)),
    };
  });
  return found;
}
