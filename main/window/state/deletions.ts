import { quitPatience, undoSeconds } from '../../../shared/bounds.ts';
import type { DeletionView, PendingDeletion } from '../../../shared/deletion-view.ts';
import { collectionNamed } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { withoutServer } from '../../../shared/program-record.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import { removeCollection } from '../../integration/kept/collections.ts';
import { count, summariseServices } from '../../engine/leave/delete-everything.ts';
import { finishDeletions } from '../../engine/leave/finish-deletions.ts';
import type { DeletionPorts } from '../../engine/leave/finish-deletions.ts';
import { finishLeftDeletions, takenOf, tellServices } from '../../engine/leave/finish-left-deletions.ts';
import type { TakenDeletion, ToldServices } from '../../engine/leave/finish-left-deletions.ts';
import { beginDeletions, extendDeletions, undoDeletions } from '../../engine/leave/pending-deletions.ts';
import { toPlainError } from '../../plain-error.ts';
import type { Clock } from '../../ports.ts';
import type { UsedServer } from '../../apps/program-engine.ts';

/** What a person has signed out of or removed in this window: undone within seconds, or finished. */
export class Deletions {
  readonly #ports: DeletionPorts;
  readonly #onChange: () => void;
  #batches: readonly Batch[] = [];
  /** Aborted where no service is waited for any more. */
  readonly #patience = new AbortController();

  constructor(ports: DeletionPorts, onChange: () => void) {
    this.#ports = ports;
    this.#onChange = onChange;
  }

  views(): DeletionView[] {
    return this.#batches.map(describeBatch);
  }

  /**
   * Answers the id to undo it by; `undefined`: none of them is there any more. Errors: CFG_*; where none was begun, what
   * else was made is taken back.
   */
  async begin(
    kind: Batch['kind'],
    servers: readonly Pick<Integration, 'id'>[],
    takeBack: Batch['takeBack'] = async () => [],
  ): Promise<string | undefined> {
    const deletions: PendingDeletion[] = [];
    try {
      const ids = servers.map(({ id }) => id);
      // What it was signed out of is not what an undo of the removal brings back.
      for (const id of ids) await this.finishOf(id);
      await beginDeletions(this.#ports, ids, kind, (begun) => deletions.push(...begun));
    } catch (error) {
      if (deletions.length === 0) await takeBack();
      throw error;
    } finally {
      if (deletions.length > 0) this.#add({ kind, deletions, takeBack });
    }
    return deletions.length === 0 ? undefined : this.#batches.at(-1)?.id;
  }

  #add(begun: Pick<Batch, 'kind' | 'deletions' | 'takeBack'>): void {
    const fresh = {
      state: 'undoable',
      stopWaiting: () => {},
      over: new Set<PendingDeletion>(),
      told: [],
      kept: 0,
    } as const;
    const batch: Batch = { ...begun, ...fresh, id: crypto.randomUUID() };
    this.#wait(batch);
    this.#batches = [...this.#batches.filter((each) => each.state !== 'done' || hasFailed(each)), batch];
    this.#onChange();
  }

  #wait(batch: Batch): void {
    batch.stopWaiting = this.#ports.clock.after(undoSeconds * 1_000, () => void this.#finish(batch));
  }

  /** Errors: CFG_*; then nothing has come back, and it can be tried again for as long as at first. */
  async undo(id: string): Promise<{ restored: number; entriesLeft: string[] }> {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'undoable');
    if (!batch || batch.undoing) return { restored: 0, entriesLeft: [] };
    batch.stopWaiting();
    const taking = this.#takeBack(batch);
    batch.undoing = taking.then(
      () => {},
      () => {},
    );
    const restored = await taking;
    this.#drop(batch);
    return { restored, entriesLeft: restored === 0 ? [] : [...(await batch.takeBack())] };
  }

  async #takeBack(batch: Batch): Promise<number> {
    try {
      return await undoDeletions(this.#ports, batch.deletions);
    } catch (error) {
      // Other processes go by what the file says. Where it cannot be written, nothing has changed for them either.
      batch.deletions = await extendDeletions(this.#ports, batch.deletions).catch(() => batch.deletions);
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

  /** What an earlier run has left. */
  async finishLeft(): Promise<void> {
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
    await this.finishHere();
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
    const here = await deleteHere(this.#ports, batch);
    batch.telling = tellOf(this.#ports, batch, here, this.#patience.signal).then(this.#onChange);
  }

  #drop(batch: Batch): void {
    this.#batches = this.#batches.filter((each) => each !== batch);
    this.#onChange();
  }
}

/** Those that are deleted together. */
interface Batch {
  readonly id: string;
  readonly kind: PendingDeletion['kind'];
  /** As they stand in the settings. */
  deletions: readonly PendingDeletion[];
  /** What else comes back with them; answers the programs whose entries do not. */
  readonly takeBack: () => Promise<readonly string[]>;
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

/** What could not be deleted is not forgotten for what is deleted next. */
const hasFailed = ({ outcome }: Pick<Batch, 'outcome'>): boolean => outcome?.failure !== undefined;

function describeBatch({ id, kind, deletions, state, outcome }: Batch): DeletionView {
  const servers = deletions.map(({ integration }) => integration);
  const about = { id, kind, name: servers[0]?.name ?? '', servers: servers.map((each) => each.id), state };
  return outcome ? { ...about, outcome } : about;
}

/** What is left of them, here: those that fail are left for another try. */
async function deleteHere(
  ports: DeletionPorts,
  batch: Batch,
): Promise<{ readonly taken: readonly TakenDeletion[]; readonly failure: unknown }> {
  const open = batch.deletions.filter((deletion) => !batch.over.has(deletion));
  const finished = await finishDeletions(ports, open);
  for (const [index, deletion] of open.entries()) if (finished[index]?.kind !== 'failed') batch.over.add(deletion);
  batch.kept += finished.filter(({ kind }) => kind === 'kept').length;
  return { taken: takenOf(open, finished), failure: finished.find((each) => each.kind === 'failed')?.error };
}

/** Tells the services, and notes how each deletion ended. Never rejects. */
async function tellOf(
  ports: DeletionPorts,
  batch: Batch,
  { taken, failure }: Awaited<ReturnType<typeof deleteHere>>,
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

interface RemovalPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly collections: Collections;
  readonly programs: { readonly records: ProgramRecords };
}

interface Removal {
  readonly id: string;
  readonly collection: UsedServer;
  /** Brings entries of programs back; answers the names of those where that does not work. */
  readonly takeBack: () => Promise<readonly string[]>;
  readonly stopWaiting: () => void;
}

/** Collections that a person has removed in this window: kept and not shown until that cannot be undone any more. */
export class CollectionRemovals {
  readonly #ports: RemovalPorts;
  readonly #changed: (slice: 'deletions' | 'collections') => void;
  #removals: readonly Removal[] = [];

  constructor(ports: RemovalPorts, changed: (slice: 'deletions' | 'collections') => void) {
    this.#ports = ports;
    this.#changed = changed;
  }

  views(): DeletionView[] {
    return this.#removals.map(({ id, collection }) => ({
      id,
      kind: 'remove',
      name: collection.name,
      servers: [collection.id],
      state: 'undoable',
    }));
  }

  isRemoved(id: string): boolean {
    return this.#removals.some(({ collection }) => collection.id === id);
  }

  begin(collection: UsedServer, takeBack: Removal['takeBack']): void {
    const id = crypto.randomUUID();
    const stopWaiting = this.#ports.clock.after(undoSeconds * 1_000, () => void this.finish(id));
    this.#removals = [...this.#removals, { id, collection, takeBack, stopWaiting }];
    this.#onChange();
  }

  /** `undefined`: it is none of these. */
  async undo(id: string): Promise<{ restored: number; entriesLeft: string[] } | undefined> {
    const removal = this.#take(id);
    return removal && { restored: 1, entriesLeft: [...(await removal.takeBack())] };
  }

  /** Without waiting any longer. Never rejects: where it cannot be written the collection is there again. */
  async finish(id: string): Promise<void> {
    const removal = this.#removals.find((each) => each.id === id);
    if (!removal) return;
    removal.stopWaiting();
    await this.#remove(removal.collection).catch(() => {});
    this.#take(id);
  }

  async close(): Promise<void> {
    for (const { id } of this.#removals) await this.finish(id);
  }

  /** The right of programs first, with the secrets of those that may use nothing else. Errors: CFG_*. */
  async #remove({ id }: UsedServer): Promise<void> {
    const { collections, programs } = this.#ports;
    await programs.records.change((records) => withoutServer(records, id));
    await removeCollection(collections, collectionNamed(id) ?? id);
  }

  #onChange(): void {
    this.#changed('deletions');
    this.#changed('collections');
  }

  #take(id: string): Removal | undefined {
    const removal = this.#removals.find((each) => each.id === id);
    if (!removal) return undefined;
    removal.stopWaiting();
    this.#removals = this.#removals.filter((each) => each !== removal);
    this.#onChange();
    return removal;
  }
}
