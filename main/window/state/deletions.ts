import { quitPatience, undoSeconds } from '../../../shared/bounds.ts';
import type { Collection } from '../../../shared/collection.ts';
import type { DeletionView } from '../../../shared/deletion-view.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { count, summariseServices } from '../../engine/leave/delete-everything.ts';
import { finishDeletions, finishLeftDeletions, takenOf, tellServices } from '../../engine/leave/finish-deletions.ts';
import type { DeletionPorts, TakenDeletion, ToldServices } from '../../engine/leave/finish-deletions.ts';
import { beginDeletions } from '../../engine/leave/pending-deletions.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import {
  beginCollectionRemoval,
  finishCollectionRemovals,
  keepFinishingRemovals,
  resumeUndo,
  takeBack,
} from '../../operations/undo.ts';
import type { TakenBack, UndoScope } from '../../operations/undo.ts';

/** What deletions in a window need: to be taken back as in any process, and to be finished. */
export interface DeletionScope extends UndoScope {
  readonly ports: EnginePorts;
}

const nothingBack: TakenBack = { restored: [], entriesBack: [], entriesLeft: [] };

/**
 * What a user has signed out of or removed in this window, shown until it is undone, here or by a command, or finished.
 * The settings file has what can be undone, and for how long; this has how far each is.
 */
export class Deletions {
  readonly #scope: DeletionScope;
  readonly #ports: DeletionPorts;
  readonly #onChange: () => void;
  #batches: readonly Batch[] = [];
  #removals: Awaited<ReturnType<typeof keepFinishingRemovals>> | undefined;
  /** Aborted where no service is waited for any more. */
  readonly #patience = new AbortController();

  constructor(scope: DeletionScope, onChange: () => void) {
    this.#scope = scope;
    this.#ports = { ...scope.ports, programs: scope.programs.records };
    this.#onChange = onChange;
  }

  views(): DeletionView[] {
    return this.#batches.map(describeBatch);
  }

  /**
   * Answers the id to undo it by; `undefined`: none of them is there any more. `changes`: ids of changes of app files that
   * come back with them. Errors: CFG_*.
   */
  async begin(
    kind: DeletionView['kind'],
    servers: readonly Pick<Integration, 'id'>[],
    changes: readonly string[] = [],
  ): Promise<string | undefined> {
    const deletions: PendingDeletion[] = [];
    const ids = servers.map(({ id }) => id);
    try {
      // What it was signed out of is not what an undo of the removal brings back.
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

  /** The same of a collection. Errors: CFG_*. */
  async beginCollection(collection: Collection, changes: readonly string[]): Promise<void> {
    const id = collectionReference(collection);
    const batch = await beginCollectionRemoval(this.#scope, collection, changes);
    this.#add({ id: batch, kind: 'remove', name: titleOf(collection), servers: [id], deletions: [] });
    // Its hour is longer than the seconds of the undo here.
    await this.#removals?.again();
  }

  #add(begun: Pick<Batch, 'id' | 'kind' | 'name' | 'servers' | 'deletions'>): void {
    const fresh = {
      state: 'undoable',
      stopWaiting: () => {},
      over: new Set<PendingDeletion>(),
      told: [],
      kept: 0,
    } as const;
    const batch: Batch = { ...begun, ...fresh };
    this.#wait(batch);
    this.#batches = [...this.#batches.filter((each) => each.state !== 'done' || hasFailed(each)), batch];
    this.#onChange();
  }

  #wait(batch: Batch): void {
    // A collection can still be taken back by a command, for as long as the settings file says.
    const end = (): void => (isCollection(batch) ? this.#drop(batch) : void this.#finish(batch));
    batch.stopWaiting = this.#ports.clock.after(undoSeconds * 1_000, end);
  }

  /** Errors: CFG_*, NAME_TAKEN, COLLECTIONS_FULL; it can then be tried again for as long as at first. */
  async undo(id: string): Promise<TakenBack> {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'undoable');
    if (!batch || batch.undoing) return nothingBack;
    batch.stopWaiting();
    const taking = this.#takeBack(batch);
    batch.undoing = taking.then(
      () => {},
      () => {},
    );
    const taken = await taking;
    this.#drop(batch);
    return taken;
  }

  async #takeBack(batch: Batch): Promise<TakenBack> {
    try {
      return await takeBack(this.#scope, batch.id);
    } catch (error) {
      batch.undoing = undefined;
      if (!batch.deleting) this.#wait(batch);
      throw error;
    }
  }

  /** Once more, where something is still here. */
  async finish(id: string): Promise<void> {
    const batch = this.#batches.find((each) => each.id === id);
    if (!batch) return;
    if (hasFailed(batch)) {
      batch.deleting = undefined;
      batch.outcome = undefined;
    }
    await this.#finish(batch);
  }

  /** Before something new is made of this server. The services are told meanwhile. */
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

  /** What a command has taken back, or finished, is not shown any more. Never rejects. */
  async review(): Promise<void> {
    // A command may have removed a collection too.
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
    // Also one whose entries of apps are still to come back: its undo can be tried again.
    return new Set(all.map(({ batch }) => batch));
  }

  /** What an earlier run has left, of an undo too. Never rejects: the next start tries again. */
  async finishLeft(): Promise<void> {
    const note = (error: unknown): void =>
      this.#ports.log.write('deletion-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
    await resumeUndo(this.#scope).catch(note);
    this.#removals = await keepFinishingRemovals(this.#scope);
    const own = new Set(this.#batches.flatMap(({ deletions }) => deletions.map(({ integration }) => integration.id)));
    const isLeft = ({ integration }: PendingDeletion): boolean => !own.has(integration.id);
    await (
      await finishLeftDeletions(this.#ports, isLeft, this.#patience.signal)
    ).telling;
  }

  /** All of them, here. The services are told meanwhile. Never rejects. */
  async finishHere(): Promise<void> {
    for (const batch of this.#batches) await this.#delete(batch);
  }

  /** All of them before the program ends; the services get little time then. Never rejects. */
  async close(): Promise<void> {
    this.#removals?.stop();
    for (const batch of this.#batches) if (!isCollection(batch)) await this.#delete(batch);
    const stopWaiting = this.#ports.clock.after(quitPatience, () => this.#patience.abort());
    await Promise.all(this.#batches.flatMap(({ telling }) => telling ?? []));
    stopWaiting();
  }

  async #finish(batch: Batch): Promise<void> {
    await this.#delete(batch);
    await batch.telling;
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
    const here = await deleteHere(this.#ports, batch);
    // A command was first, and this window has not heard of it yet.
    if (here.isOver && batch.told.length === 0) return this.#drop(batch);
    batch.telling = tellOf(this.#ports, batch, here, this.#patience.signal).then(this.#onChange);
  }

  /** Where it cannot be written, whoever starts next finishes it: no service has to hear of it. */
  async #endCollection(batch: Batch): Promise<void> {
    await finishCollectionRemovals(this.#scope, (removed) => removed.batch === batch.id).catch(() => {});
    this.#drop(batch);
  }

  #drop(batch: Batch): void {
    this.#batches = this.#batches.filter((each) => each !== batch);
    this.#onChange();
  }
}

/** Those that are deleted together, or a collection. */
interface Batch extends Pick<DeletionView, 'id' | 'kind' | 'name' | 'servers'> {
  /** None of a collection. */
  readonly deletions: readonly PendingDeletion[];
  stopWaiting: () => void;
  /** Resolves when it is known whether they are back. A second click has nothing to take back. */
  undoing?: Promise<void> | undefined;
  state: DeletionView['state'];
  outcome?: DeletionView['outcome'] | undefined;
  /** Those of `deletions` that are deleted here. */
  readonly over: Set<PendingDeletion>;
  /** What their services have said so far. */
  told: readonly ToldServices[];
  /** How many were not to be deleted any more. */
  kept: number;
  /** Resolves when nothing of it is here any more. */
  deleting?: Promise<void> | undefined;
  /** And when its services have been told, as far as they can be. */
  telling?: Promise<void>;
}

const isCollection = ({ deletions }: Pick<Batch, 'deletions'>): boolean => deletions.length === 0;

/** What could not be deleted is not forgotten for what is deleted next. */
const hasFailed = ({ outcome }: Pick<Batch, 'outcome'>): boolean => outcome?.failure !== undefined;

function describeBatch({ id, kind, name, servers, state, outcome }: Batch): DeletionView {
  const about = { id, kind, name, servers, state };
  return outcome ? { ...about, outcome } : about;
}

/** What is left of them, here: those that fail are left for another try. */
async function deleteHere(
  ports: DeletionPorts,
  batch: Batch,
): Promise<{
  readonly taken: readonly TakenDeletion[];
  readonly failure: unknown;
  /** None of them was to be deleted here any more. */
  readonly isOver: boolean;
}> {
  const open = batch.deletions.filter((deletion) => !batch.over.has(deletion));
  const finished = await finishDeletions(ports, open);
  for (const [index, deletion] of open.entries()) if (finished[index]?.kind !== 'failed') batch.over.add(deletion);
  batch.kept += finished.filter(({ kind }) => kind === 'kept').length;
  return {
    taken: takenOf(open, finished),
    failure: finished.find((each) => each.kind === 'failed')?.error,
    isOver: finished.every(({ kind }) => kind === 'over'),
  };
}

/** Tells the services, and notes how each deletion ended. Never rejects. */
async function tellOf(
  ports: DeletionPorts,
  batch: Batch,
  { taken, failure }: Pick<Awaited<ReturnType<typeof deleteHere>>, 'taken' | 'failure'>,
  signal: AbortSignal,
): Promise<void> {
  batch.told = [...batch.told, ...(await tellServices(ports, taken, signal))];
  const [only] = batch.deletions.length === 1 ? batch.told : [];
  batch.outcome = {
    ...summariseServices({
      revocations: count(batch.told.map(({ revocation }) => revocation)),
      registrations: count(batch.told.map(({ registration }) => registration)),
    }),
    ...only,
    kept: batch.kept,
    ...(failure !== undefined && { failure: toPlainError(failure) }),
  };
  batch.state = 'done';
}
