import { quitPatience, undoSeconds } from '../../../shared/deletion-bounds.ts';
import type { DeletionView } from '../../../shared/deletion-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { finishLeftDeletions } from '../../integration/leave/finish-left-deletions.ts';
import type { DeletionPorts } from '../../integration/leave/finish-deletions.ts';
import { beginDeletions, extendDeletions, undoDeletions } from '../../integration/leave/pending-deletions.ts';
import type { Batch } from './deletion-batch.ts';
import { deleteHere, describeBatch, hasFailed, tellOf } from './deletion-batch.ts';

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
