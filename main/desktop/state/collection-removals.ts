import { collectionNamed } from '../../../shared/collection-name.ts';
import { undoSeconds } from '../../../shared/deletion-bounds.ts';
import type { DeletionView } from '../../../shared/deletion-view.ts';
import { withoutServer } from '../../../shared/program-record.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import { removeCollection } from '../../integration/kept/collections.ts';
import type { Clock } from '../../ports.ts';
import type { UsedServer } from '../../programs/used-server.ts';

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
