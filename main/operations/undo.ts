import { collectionUndoSeconds } from '../../shared/bounds.ts';
import type { Collection } from '../../shared/collection.ts';
import { collectionReference, mostCollections, titleOf } from '../../shared/entry-name.ts';
import { renameOtherCollection } from '../../shared/error-catalogue/app-errors.ts';
import type { RemovedCollection } from '../../shared/pending-deletion.ts';
import { withoutServer } from '../../shared/program-record.ts';
import type { ProgramsHere } from '../apps/program-engine.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import {
  endUndo,
  extendDeletions,
  isOverdue,
  newBatchId,
  undoDeletions,
  undoneUntil,
} from '../engine/leave/pending-deletions.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { CollectionLists, Collections } from '../gateway-ports.ts';
import type { Clock, Random } from '../ports.ts';
import { takeBackChanges } from './app-changes.ts';
import type { EntriesBack, EntriesScope } from './app-changes.ts';
import { isTaken } from './collections.ts';

/**
 * What a user has deleted and can take back, in whatever process: batches of servers (`main/engine/leave/` deletes them
 * for good) and collections, with the changes of app files that come back with each. All of it is in the settings file, so
 * that the first process to write decides.
 */
export interface UndoScope extends EntriesScope {
  readonly ports: { readonly store: EnginePorts['store']; readonly clock: Clock };
  readonly collections: Collections;
}

export interface Undoable {
  /** Of the batch. */
  readonly id: string;
  readonly kind: 'signOut' | 'remove' | 'removeCollection';
  /** Both in milliseconds since 1970; `until` is absent where only entries of apps are still to come back. */
  readonly since: number;
  readonly until?: number;
  /** Servers, or the collection by its reference. */
  readonly things: readonly { readonly id: string; readonly name: string }[];
}

/** All that can still be taken back, newest first. Errors: CFG_*. */
export async function listUndoable({
  ports,
  collections,
}: Pick<UndoScope, 'ports' | 'collections'>): Promise<readonly Undoable[]> {
  const { store, clock } = ports;
  const pending = (await store.pendingDeletions()).filter((each) => !isOverdue(each, clock));
  const servers = Array.from(
    Map.groupBy(pending, ({ batch }) => batch),
    ([id, [first, ...others]]): Undoable[] => {
      if (!first) return [];
      const all = [first, ...others];
      const isBack = first.kind === 'back';
      return [
        {
          id,
          kind: first.kind === 'signOut' ? 'signOut' : 'remove',
          since: first.since,
          ...(!isBack && { until: Math.min(...all.map(undoneUntil)) }),
          things: all.map(({ integration }) => ({ id: integration.id, name: integration.name })),
        },
      ];
    },
  ).flat();
  const removed = (await collections.removed()).filter((each) => !isOver(each, clock));
  return [
    ...servers,
    ...removed.map(({ batch, kind, since, until, collection }): Undoable => ({
      id: batch,
      kind: 'removeCollection',
      since,
      ...(kind === 'remove' && { until }),
      things: [{ id: collectionReference(collection), name: titleOf(collection) }],
    })),
  ].toSorted((one, other) => other.since - one.since);
}

export interface TakenBack extends EntriesBack {
  /** Ids of the servers, or the reference of the collection, that are back; none where it came too late. */
  readonly restored: readonly string[];
}

/**
 * Takes a batch back: what was deleted first, since entries lead to it, then the entries. A process that ends in between
 * leaves a note of the entries, and taking it back once more goes on from there. Where it fails, it can be tried again for
 * as long as at first. Errors: CFG_*, NAME_TAKEN and COLLECTIONS_FULL for a collection.
 */
export async function takeBack(scope: UndoScope, id: string): Promise<TakenBack> {
  try {
    return await takeBackOnce(scope, id);
  } catch (error) {
    // Other processes go by what the file says. Where it cannot be written, nothing has changed for them either.
    await extendUndo(scope, id).catch(() => {});
    throw error;
  }
}

async function takeBackOnce(scope: UndoScope, id: string): Promise<TakenBack> {
  const collection = await restoreCollection(scope, id);
  const { servers, changes } = collection ?? (await undoDeletions(scope.ports, id));
  if (changes.length === 0) return { restored: servers, entriesBack: [], entriesLeft: [] };
  // Also what an earlier try has brought back, which then failed at the entries.
  const things = (await listUndoable(scope)).find((each) => each.id === id)?.things ?? [];
  const restored = things.map((each) => each.id);
  const entries = await takeBackChanges(scope, changes, restored);
  await forgetUndo(scope, id);
  return { restored, ...entries };
}

/** No entry of a batch is still to come back. Errors: CFG_*. */
async function forgetUndo({ ports, collections }: UndoScope, id: string): Promise<void> {
  await endUndo(ports, id);
  await collections.changeBoth((both) => withoutRemoved(both, ({ batch, kind }) => batch === id && kind === 'back'));
}

/**
 * Goes on where a process ended before entries of apps were back; after an hour the user may have chosen otherwise, and
 * they stay out. Errors: CFG_*.
 */
export async function resumeUndo(scope: UndoScope): Promise<void> {
  const newest = scope.ports.clock.now() - collectionUndoSeconds * 1_000;
  for (const { id, since, until } of await listUndoable(scope)) {
    if (until !== undefined) continue;
    if (since >= newest) await takeBack(scope, id);
    else await forgetUndo(scope, id);
  }
}

/** Gives a batch as much time again as it had, for every process: undoing it has failed. Errors: CFG_*. */
async function extendUndo({ ports, collections }: UndoScope, id: string): Promise<void> {
  await extendDeletions(ports, id);
  const since = Math.trunc(ports.clock.now());
  await collections.changeBoth((both) => {
    const isMeant = (each: RemovedCollection): boolean => each.batch === id && each.kind === 'remove' && !each.isFinal;
    if (!both.removed.some(isMeant)) return both;
    const extended = (each: RemovedCollection) => ({ ...each, since, until: untilOf(since) });
    return { ...both, removed: both.removed.map((each) => (isMeant(each) ? extended(each) : each)) };
  });
}

/** When a collection that was removed then cannot be taken back any more, wherever that was. */
const untilOf = (since: number): number => since + collectionUndoSeconds * 1_000;

/** Removes a collection so that it can be taken back for an hour; answers the id to do so by. Errors: CFG_*. */
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
      ...{ batch, kind: 'remove', since, until: untilOf(since), collection, place },
      ...(changes.length > 0 && { changes: [...changes] }),
    };
    return { collections: both.collections.toSpliced(place, 1), removed: [...both.removed, removed] };
  });
  return batch;
}

interface FinishScope extends Pick<UndoScope, 'collections'> {
  readonly ports: { readonly clock: Pick<Clock, 'now'> };
  readonly programs: Pick<ProgramsHere, 'records'>;
}

/**
 * Ends the rights to removed collections, with the secrets of apps that may use nothing else: from then on they cannot be
 * taken back. `which`: left out, those whose time has passed. Errors: CFG_*.
 */
export async function finishCollectionRemovals(
  { ports: { clock }, collections, programs }: FinishScope,
  which: (removed: RemovedCollection) => boolean = (removed) => isOver(removed, clock),
): Promise<void> {
  const isMeant = (each: RemovedCollection): boolean => each.kind === 'remove' && which(each);
  if (!(await collections.removed()).some(isMeant)) return;
  const final: RemovedCollection[] = [];
  await collections.changeBoth((both) => {
    const removed = both.removed.map((each) => (isMeant(each) ? { ...each, isFinal: true as const } : each));
    final.push(...removed.filter(({ isFinal }) => isFinal));
    return { ...both, removed };
  });
  await programs.records.change((records) =>
    final.reduce((left, { collection }) => withoutServer(left, collectionReference(collection)), records),
  );
  await collections.changeBoth((both) =>
    withoutRemoved(both, ({ batch }) => final.some((each) => each.batch === batch)),
  );
}

/**
 * The same now, and again whenever the time of one has passed, until it is stopped. Never rejects: the next one tries
 * again.
 */
export async function keepFinishingRemovals(scope: FinishScope & { readonly ports: { readonly clock: Clock } }) {
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
    /** After something has been removed, here or elsewhere. */
    again: finish,
    stop(): void {
      isStopped = true;
      stopWaiting();
    },
  };
}

/** Whether nobody waits any more for it to be taken back. */
function isOver({ kind, isFinal, since, until }: RemovedCollection, { now }: Pick<Clock, 'now'>): boolean {
  // A wall clock that was set back must not keep rights for a year.
  return kind === 'remove' && (isFinal === true || now() >= until || now() < since);
}

function withoutRemoved(both: CollectionLists, isGone: (removed: RemovedCollection) => boolean): CollectionLists {
  return both.removed.some(isGone) ? { ...both, removed: both.removed.filter((each) => !isGone(each)) } : both;
}

/** Whether a collection with this title can be put back among these. Errors: NAME_TAKEN, COLLECTIONS_FULL. */
export function requireRoom(collections: readonly Collection[], title: string): void {
  if (isTaken(collections, title))
    throw new PosternError('NAME_TAKEN', {
      stage: 'app',
      detail: { collection: title },
      remedy: renameOtherCollection,
    });
  if (collections.length >= mostCollections) throw new PosternError('COLLECTIONS_FULL', { stage: 'settings' });
}

/** `undefined`: the batch is none of a collection. Errors: NAME_TAKEN, COLLECTIONS_FULL, CFG_*. */
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
