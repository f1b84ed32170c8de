import { quitPatience, undoSeconds } from '../../../shared/deletion-bounds.ts';
import type { DeletionView } from '../../../shared/deletion-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { count } from '../../integration/leave/delete-everything.ts';
import { finishLeftDeletions, tellServices } from '../../integration/leave/finish-left-deletions.ts';
import type { TakenDeletion } from '../../integration/leave/finish-left-deletions.ts';
import type { DeletionPorts } from '../../integration/leave/pending-deletions.ts';
import { beginDeletions, finishDeletion, undoDeletions } from '../../integration/leave/pending-deletions.ts';
import { summariseServices } from '../../integration/leave/summarise-deleted.ts';
import { toPlainError } from '../../plain-error.ts';

/** Those that are deleted together. */
interface Batch {
  readonly id: string;
  readonly kind: PendingDeletion['kind'];
  readonly deletions: readonly PendingDeletion[];
  /** What else comes back with them; answers the programs whose entries do not. */
  readonly takeBack: () => Promise<readonly string[]>;
  stopWaiting: () => void;
  /** A second click has nothing to take back. */
  isUndoing?: boolean;
  state: DeletionView['state'];
  outcome?: DeletionView['outcome'];
  /** Resolves when nothing of it is here any more. */
  deleting?: Promise<void>;
  /** And when its services have been told, as far as they can be. */
  telling?: Promise<void>;
}

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
    return this.#batches.map(({ id, kind, deletions, state, outcome }) => ({
      id,
      kind,
      name: deletions[0]?.integration.name ?? '',
      count: deletions.length,
      state,
      ...(outcome && { outcome }),
    }));
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
    const batch: Batch = { ...begun, id: crypto.randomUUID(), state: 'undoable', stopWaiting: () => {} };
    this.#wait(batch);
    this.#batches = [...this.#batches.filter(({ state }) => state !== 'done'), batch];
    this.#onChange();
  }

  #wait(batch: Batch): void {
    batch.stopWaiting = this.#ports.clock.after(undoSeconds * 1_000, () => void this.#finish(batch));
  }

  /** Errors: CFG_*; then nothing has come back, and it can be tried again for as long as at first. */
  async undo(id: string): Promise<{ restored: number; entriesLeft: string[] }> {
    const batch = this.#batches.find((each) => each.id === id && each.state === 'undoable');
    if (!batch || batch.isUndoing) return { restored: 0, entriesLeft: [] };
    batch.stopWaiting();
    batch.isUndoing = true;
    let restored: number;
    try {
      restored = await undoDeletions(this.#ports, batch.deletions);
    } catch (error) {
      batch.isUndoing = false;
      if (!batch.deleting) this.#wait(batch);
      throw error;
    }
    this.#drop(batch);
    return { restored, entriesLeft: restored === 0 ? [] : [...(await batch.takeBack())] };
  }

  async finish(id: string): Promise<void> {
    const batch = this.#batches.find((each) => each.id === id);
    if (batch) await this.#finish(batch);
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
    const taken: TakenDeletion[] = [];
    let failure: unknown;
    for (const deletion of batch.deletions) {
      try {
        const secrets = await finishDeletion(this.#ports, deletion);
        if (secrets) taken.push([deletion, secrets]);
      } catch (error) {
        failure ??= error;
      }
    }
    batch.telling = this.#tell(batch, taken, failure);
  }

  async #tell(batch: Batch, taken: readonly TakenDeletion[], failure: unknown): Promise<void> {
    const told = await tellServices(this.#ports, taken, this.#patience.signal);
    const [only] = batch.deletions.length === 1 ? told : [];
    batch.outcome = {
      ...summariseServices({
        revocations: count(told.map(({ revocation }) => revocation)),
        registrations: count(told.map(({ registration }) => registration)),
      }),
      ...only,
      ...(failure !== undefined && { failure: toPlainError(failure) }),
    };
    batch.state = 'done';
    this.#onChange();
  }

  #drop(batch: Batch): void {
    this.#batches = this.#batches.filter((each) => each !== batch);
    this.#onChange();
  }
}
