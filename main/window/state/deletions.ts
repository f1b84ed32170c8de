import { quitPatience, undoSeconds } from '../../../shared/bounds.ts';
import type { Collection } from '../../../shared/collection.ts';
import type { DeletionView } from '../../../shared/deletion-view.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { countByOutcome, summarizeServices } from '../../engine/removal/delete-everything.ts';
import {
  finishDeletions,
  finishLeftoverDeletions,
  completedDeletions,
  notifyServices,
} from '../../engine/removal/finish-deletions.ts';
import type { DeletionPorts, CompletedDeletion, ServiceNotification } from '../../engine/removal/finish-deletions.ts';
import { beginDeletions } from '../../engine/removal/pending-deletions.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import {
  beginCollectionRemoval,
  finishCollectionRemovals,
  scheduleCollectionRemovals,
  resumeUndo,
  undoBatch,
} from '../../operations/undo.ts';
import type { UndoResult, UndoScope } from '../../operations/undo.ts';

/** Dependencies for undoing and finishing deletions. */
export interface DeletionScope extends UndoScope {
  readonly ports: EnginePorts;
}

const nothingRestored: UndoResult = { restored: [], entriesRestored: [], entriesNotRestored: [] };

/**
 * Sign-outs and removals in this window, shown until they are finished or undone, here or by a command. The settings
 * file stores what can be undone and until when; this class tracks the progress of each.
 */
export class Deletions {
  readonly #scope: DeletionScope;
  readonly #ports: DeletionPorts;
  readonly #onChange: () => void;
  #batches: readonly Batch[] = [];
  #removals: Awaited<ReturnType<typeof scheduleCollectionRemovals>> | undefined;
  /** Aborted when waiting for services ends. */
  readonly #giveUpOnServices = new AbortController();

  constructor(scope: DeletionScope, onChange: () => void) {
    this.#scope = scope;
    this.#ports = { ...scope.ports, apps: scope.apps.records };
    this.#onChange = onChange;
  }

  views(): DeletionView[] {
    return this.#batches.map(describeBatch);
  }

  /**
   * Returns the id to undo it by; `undefined` if none of the servers exists any more. `changes`: ids of changes to app
   * files that an undo restores too. Errors: CFG_*.
   */
  async begin(
    kind: DeletionView['kind'],
    servers: readonly Pick<Integration, 'id'>[],
    changes: readonly string[] = [],
  ): Promise<string | undefined> {
    const deletions: PendingDeletion[] = [];
    const ids = servers.map(({ id }) => id);
    try {
      // An undo of a removal must not also undo an earlier sign-out.
      for (const id of ids) await this.finishOf(id);
      await beginDeletions(this.#ports, ids, kind, { changes, onBegun: (begun) => deletions.push(...begun) });
    } finally {
      const [first] = deletions;
      if (first) {
        const all = deletions.map(({ integration }) => integration);
        const view = { id: first.batch, kind, name: first.integration.name, servers: all.map(({ id }) => id) };
        this.#add({ ...view, deletions });
      }
    }
    return deletions[0]?.batch;
  }

  /** Same as `begin`, for a collection. Errors: CFG_*. */
  async beginCollection(collection: Collection, changes: readonly string[]): Promise<void> {
    const id = collectionReference(collection);
    const batch = await beginCollectionRemoval(this.#scope, collection, changes);
    this.#add({ id: batch, kind: 'remove', name: titleOf(collection), servers: [id], deletions: [] });
    // Commands can undo it for an hour, longer than the window offers it.
    await this.#removals?.reschedule();
  }

  #add(begun: Pick<Batch, 'id' | 'kind' | 'name' | 'servers' | 'deletions'>): void {
    const initial = {
      state: 'undoable',
      stopWaiting: () => {},
      completed: new Set<PendingDeletion>(),
      notified: [],
      supersededCount: 0,
    } as const;
    const batch: Batch = { ...begun, ...initial };
    this.#startUndoTimer(batch);
    this.#batches = [...this.#batches.filter((each) => each.state !== 'done' || hasFailed(each)), batch];
    this.#onChange();
  }

  #startUndoTimer(batch: Batch): void {
    // A command can still restore a collection, as long as the settings file allows.
    const onExpired = (): void => (isCollection(batch) ? this.#drop(batch) : void this.#finish(batch));
    batch.stopWaiting = this.#ports.clock.after(undoSeconds * 1_000, onExpired);
  }

  /** Errors: CFG_*, NAME_TAKEN, COLLECTIONS_FULL; the undo time then starts again. */
  async undo(id: string): Promise<UndoResult> {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'undoable');
    if (!batch || batch.undoing) return nothingRestored;
    batch.stopWaiting();
    const restoring = this.#restore(batch);
    batch.undoing = restoring.then(
      () => {},
      () => {},
    );
    const restored = await restoring;
    this.#drop(batch);
    return restored;
  }

  async #restore(batch: Batch): Promise<UndoResult> {
    try {
      return await undoBatch(this.#scope, batch.id);
    } catch (error) {
      batch.undoing = undefined;
      if (!batch.deleting) this.#startUndoTimer(batch);
      throw error;
    }
  }

  /** Finishes a batch now. Retries a failed one. */
  async finish(id: string): Promise<void> {
    const batch = this.#batches.find((each) => each.id === id);
    if (!batch) return;
    if (hasFailed(batch)) {
      batch.deleting = undefined;
      batch.outcome = undefined;
    }
    await this.#finish(batch);
  }

  /** Finishes deletions of this server before it is used again. Services are notified in the background. */
  async finishOf(id: string): Promise<void> {
    const affected = this.#batches.filter(
      ({ state, deletions }) => state !== 'done' && deletions.some(({ integration }) => integration.id === id),
    );
    for (const batch of affected) await this.#delete(batch);
  }

  dismiss(id: string): void {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'done');
    if (batch) this.#drop(batch);
  }

  /** Drops batches that a command has undone or finished. Never rejects. */
  async review(): Promise<void> {
    // A command may also have removed a collection.
    await this.#removals?.reschedule();
    const isOpen = ({ state, undoing }: Batch): boolean => state === 'undoable' && undoing === undefined;
    const open = this.#batches.filter(isOpen);
    if (open.length === 0) return;
    const pendingIds = await this.#pendingIds().catch(() => undefined);
    if (!pendingIds) return;
    for (const batch of open.filter((each) => isOpen(each) && !pendingIds.has(each.id))) {
      batch.stopWaiting();
      this.#drop(batch);
    }
  }

  /** Ids of the batches in the settings file. Errors: CFG_*. */
  async #pendingIds(): Promise<ReadonlySet<string>> {
    const { ports, collections } = this.#scope;
    const all = [...(await ports.store.pendingDeletions()), ...(await collections.removed())];
    // Includes batches whose app entries are not restored yet: their undo can be retried.
    return new Set(all.map(({ batch }) => batch));
  }

  /** Finishes deletions and undos of an earlier run. Never rejects: the next start tries again. */
  async finishLeftovers(): Promise<void> {
    const log = (error: unknown): void =>
      this.#ports.log.write('deletion-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
    await resumeUndo(this.#scope).catch(log);
    this.#removals = await scheduleCollectionRemovals(this.#scope);
    const own = new Set(this.#batches.flatMap(({ deletions }) => deletions.map(({ integration }) => integration.id)));
    const isLeftover = ({ integration }: PendingDeletion): boolean => !own.has(integration.id);
    await (
      await finishLeftoverDeletions(this.#ports, isLeftover, this.#giveUpOnServices.signal)
    ).notifying;
  }

  /** Deletes all batches locally. Services are notified in the background. Never rejects. */
  async finishAllLocally(): Promise<void> {
    for (const batch of this.#batches) await this.#delete(batch);
  }

  /** Finishes all batches before exit, with little time for services. Never rejects. */
  async close(): Promise<void> {
    this.#removals?.stop();
    for (const batch of this.#batches) if (!isCollection(batch)) await this.#delete(batch);
    const stopWaiting = this.#ports.clock.after(quitPatience, () => this.#giveUpOnServices.abort());
    await Promise.all(this.#batches.flatMap(({ notifying }) => notifying ?? []));
    stopWaiting();
  }

  async #finish(batch: Batch): Promise<void> {
    await this.#delete(batch);
    await batch.notifying;
  }

  async #delete(batch: Batch): Promise<void> {
    batch.deleting ??= this.#deleteOnce(batch);
    await batch.deleting;
  }

  async #deleteOnce(batch: Batch): Promise<void> {
    batch.stopWaiting();
    batch.state = 'deleting';
    this.#onChange();
    await batch.undoing;
    if (isCollection(batch)) return await this.#endCollection(batch);
    const deleted = await deleteLocally(this.#ports, batch);
    // A command finished it first.
    if (deleted.wasFinished && batch.notified.length === 0) return this.#drop(batch);
    batch.notifying = notifyAndRecord(this.#ports, batch, deleted, this.#giveUpOnServices.signal).then(this.#onChange);
  }

  /** Best effort: no service is involved, and the next start finishes what could not be written. */
  async #endCollection(batch: Batch): Promise<void> {
    await finishCollectionRemovals(this.#scope, (removed) => removed.batch === batch.id).catch(() => {});
    this.#drop(batch);
  }

  #drop(batch: Batch): void {
    this.#batches = this.#batches.filter((each) => each !== batch);
    this.#onChange();
  }
}

/** Servers that are deleted together, or one collection. */
interface Batch extends Pick<DeletionView, 'id' | 'kind' | 'name' | 'servers'> {
  /** Empty for a collection. */
  readonly deletions: readonly PendingDeletion[];
  stopWaiting: () => void;
  /** Resolves when the undo has succeeded or failed. While it is set, a second click is ignored. */
  undoing?: Promise<void> | undefined;
  state: DeletionView['state'];
  outcome?: DeletionView['outcome'] | undefined;
  /** Members of `deletions` that are deleted locally. */
  readonly completed: Set<PendingDeletion>;
  /** Outcomes of notifying their services so far. */
  notified: readonly ServiceNotification[];
  /** How many a later sign-in has superseded, so that they were not deleted. */
  supersededCount: number;
  /** Resolves when all is deleted locally. */
  deleting?: Promise<void> | undefined;
  /** Resolves when its services have been notified, or could not be. */
  notifying?: Promise<void>;
}

const isCollection = ({ deletions }: Pick<Batch, 'deletions'>): boolean => deletions.length === 0;

/** A failed batch stays visible when the next deletion begins. */
const hasFailed = ({ outcome }: Pick<Batch, 'outcome'>): boolean => outcome?.failure !== undefined;

function describeBatch({ id, kind, name, servers, state, outcome }: Batch): DeletionView {
  const view = { id, kind, name, servers, state };
  return outcome ? { ...view, outcome } : view;
}

/** Deletes the remaining ones locally. Failed ones can be retried. */
async function deleteLocally(
  ports: DeletionPorts,
  batch: Batch,
): Promise<{
  readonly completed: readonly CompletedDeletion[];
  readonly failure: unknown;
  /** True if none was still pending. */
  readonly wasFinished: boolean;
}> {
  const open = batch.deletions.filter((deletion) => !batch.completed.has(deletion));
  const finished = await finishDeletions(ports, open);
  for (const [index, deletion] of open.entries()) if (finished[index]?.kind !== 'failed') batch.completed.add(deletion);
  batch.supersededCount += finished.filter(({ kind }) => kind === 'superseded').length;
  return {
    completed: completedDeletions(open, finished),
    failure: finished.find((each) => each.kind === 'failed')?.error,
    wasFinished: finished.every(({ kind }) => kind === 'no-longer-pending'),
  };
}

/** Notifies the services and records the outcome. Never rejects. */
async function notifyAndRecord(
  ports: DeletionPorts,
  batch: Batch,
  { completed, failure }: Pick<Awaited<ReturnType<typeof deleteLocally>>, 'completed' | 'failure'>,
  signal: AbortSignal,
): Promise<void> {
  batch.notified = [...batch.notified, ...(await notifyServices(ports, completed, signal))];
  const [only] = batch.deletions.length === 1 ? batch.notified : [];
  batch.outcome = {
    ...summarizeServices({
      revocations: countByOutcome(batch.notified.map(({ revocation }) => revocation)),
      registrations: countByOutcome(batch.notified.map(({ registration }) => registration)),
    }),
    ...only,
    notDeleted: batch.supersededCount,
    ...(failure !== undefined && { failure: toPlainError(failure) }),
  };
  batch.state = 'done';
}
