import { quitPatience, undoSeconds } from '../../../shared/bounds.ts';
import type { Collection } from '../../../shared/collection.ts';
import type { DeletionView } from '../../../shared/deletion-view.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { count, summariseServices } from '../../engine/removal/delete-everything.ts';
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

const nothingRestored: UndoResult = { restored: [], entriesBack: [], entriesLeft: [] };

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
    await this.#removals?.again();
  }

  #add(begun: Pick<Batch, 'id' | 'kind' | 'name' | 'servers' | 'deletions'>): void {
    const fresh = {
      state: 'undoable',
      stopWaiting: () => {},
      completed: new Set<PendingDeletion>(),
      notified: [],
      kept: 0,
    } as const;
    const batch: Batch = { ...begun, ...fresh };
    this.#wait(batch);
    this.#batches = [...this.#batches.filter((each) => each.state !== 'done' || hasFailed(each)), batch];
    this.#onChange();
  }

  #wait(batch: Batch): void {
    // A command can still restore a collection, as long as the settings file allows.
    const end = (): void => (isCollection(batch) ? this.#drop(batch) : void this.#finish(batch));
    batch.stopWaiting = this.#ports.clock.after(undoSeconds * 1_000, end);
  }

  /** Errors: CFG_*, NAME_TAKEN, COLLECTIONS_FULL; the undo time then starts again. */
  async undo(id: string): Promise<UndoResult> {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'undoable');
    if (!batch || batch.undoing) return nothingRestored;
    batch.stopWaiting();
    const taking = this.#restore(batch);
    batch.undoing = taking.then(
      () => {},
      () => {},
    );
    const taken = await taking;
    this.#drop(batch);
    return taken;
  }

  async #restore(batch: Batch): Promise<UndoResult> {
    try {
      return await undoBatch(this.#scope, batch.id);
    } catch (error) {
      batch.undoing = undefined;
      if (!batch.deleting) this.#wait(batch);
      throw error;
    }
  }

  /** Finishes now. Retries what failed before. */
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
    const concerned = this.#batches.filter(
      ({ state, deletions }) => state !== 'done' && deletions.some(({ integration }) => integration.id === id),
    );
    for (const batch of concerned) await this.#delete(batch);
  }

  dismiss(id: string): void {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'done');
    if (batch) this.#drop(batch);
  }

  /** Drops what a command has undone or finished. Never rejects. */
  async review(): Promise<void> {
    // A command may also have removed a collection.
    await this.#removals?.again();
    const isOpen = ({ state, undoing }: Batch): boolean => state === 'undoable' && undoing === undefined;
    const open = this.#batches.filter(isOpen);
    if (open.length === 0) return;
    const there = await this.#pending().catch(() => undefined);
    if (!there) return;
    for (const batch of open.filter((each) => isOpen(each) && !there.has(each.id))) {
      batch.stopWaiting();
      this.#drop(batch);
    }
  }

  /** Ids of the batches that the settings file has. Errors: CFG_*. */
  async #pending(): Promise<ReadonlySet<string>> {
    const { ports, collections } = this.#scope;
    const all = [...(await ports.store.pendingDeletions()), ...(await collections.removed())];
    // Includes batches whose app entries are not restored yet: their undo can be retried.
    return new Set(all.map(({ batch }) => batch));
  }

  /** Finishes deletions and undos that an earlier run left. Never rejects: the next start tries again. */
  async finishLeftovers(): Promise<void> {
    const note = (error: unknown): void =>
      this.#ports.log.write('deletion-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
    await resumeUndo(this.#scope).catch(note);
    this.#removals = await scheduleCollectionRemovals(this.#scope);
    const own = new Set(this.#batches.flatMap(({ deletions }) => deletions.map(({ integration }) => integration.id)));
    const isLeft = ({ integration }: PendingDeletion): boolean => !own.has(integration.id);
    await (
      await finishLeftoverDeletions(this.#ports, isLeft, this.#giveUpOnServices.signal)
    ).notifying;
  }

  /** Deletes all of them locally. Services are notified in the background. Never rejects. */
  async finishAllLocally(): Promise<void> {
    for (const batch of this.#batches) await this.#delete(batch);
  }

  /** Finishes all of them before exit, with little time for services. Never rejects. */
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
    const here = await deleteLocally(this.#ports, batch);
    // A command finished it first.
    if (here.isOver && batch.notified.length === 0) return this.#drop(batch);
    batch.notifying = notifyAndRecord(this.#ports, batch, here, this.#giveUpOnServices.signal).then(this.#onChange);
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
  /** Those of `deletions` that are deleted locally. */
  readonly completed: Set<PendingDeletion>;
  /** Outcomes of notifying their services so far. */
  notified: readonly ServiceNotification[];
  /** How many did not have to be deleted any more. */
  kept: number;
  /** Resolves when all is deleted locally. */
  deleting?: Promise<void> | undefined;
  /** Resolves when its services have been notified, or could not be. */
  notifying?: Promise<void>;
}

const isCollection = ({ deletions }: Pick<Batch, 'deletions'>): boolean => deletions.length === 0;

/** A failed batch stays visible when the next deletion begins. */
const hasFailed = ({ outcome }: Pick<Batch, 'outcome'>): boolean => outcome?.failure !== undefined;

function describeBatch({ id, kind, name, servers, state, outcome }: Batch): DeletionView {
  const about = { id, kind, name, servers, state };
  return outcome ? { ...about, outcome } : about;
}

/** Deletes the remaining ones locally. Those that fail can be retried. */
async function deleteLocally(
  ports: DeletionPorts,
  batch: Batch,
): Promise<{
  readonly taken: readonly CompletedDeletion[];
  readonly failure: unknown;
  /** True if none of them had to be deleted any more. */
  readonly isOver: boolean;
}> {
  const open = batch.deletions.filter((deletion) => !batch.completed.has(deletion));
  const finished = await finishDeletions(ports, open);
  for (const [index, deletion] of open.entries()) if (finished[index]?.kind !== 'failed') batch.completed.add(deletion);
  batch.kept += finished.filter(({ kind }) => kind === 'superseded').length;
  return {
    taken: completedDeletions(open, finished),
    failure: finished.find((each) => each.kind === 'failed')?.error,
    isOver: finished.every(({ kind }) => kind === 'no-longer-pending'),
  };
}

/** Notifies the services and records the outcome. Never rejects. */
async function notifyAndRecord(
  ports: DeletionPorts,
  batch: Batch,
  { taken, failure }: Pick<Awaited<ReturnType<typeof deleteLocally>>, 'taken' | 'failure'>,
  signal: AbortSignal,
): Promise<void> {
  batch.notified = [...batch.notified, ...(await notifyServices(ports, taken, signal))];
  const [only] = batch.deletions.length === 1 ? batch.notified : [];
  batch.outcome = {
    ...summariseServices({
      revocations: count(batch.notified.map(({ revocation }) => revocation)),
      registrations: count(batch.notified.map(({ registration }) => registration)),
    }),
    ...only,
    kept: batch.kept,
    ...(failure !== undefined && { failure: toPlainError(failure) }),
  };
  batch.state = 'done';
}
