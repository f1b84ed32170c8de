import { snapshotsSchema } from '../../../shared/ipc-event.ts';
import type { IpcEvent, Snapshots, SnapshotSlice } from '../../../shared/ipc-event.ts';
import type { Clock } from '../../ports.ts';

/** Milliseconds in which changes are gathered: steps of a discovery come in bursts. */
const gathering = 30;
/** A thousand entries take longer to publish than one: at most this share of the time goes into it. */
const share = 1 / 8;
/** Milliseconds that a change is held back at most. */
const longestGathering = 1_000;

export interface PublisherOptions {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** One slice as it is now. */
  readonly snapshot: <Slice extends SnapshotSlice>(slice: Slice) => Promise<Snapshots[Slice]>;
  readonly send: (event: IpcEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Publishes slices that have changed, whole and several at once; one that came out the same is not sent again. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #changed = new Set<SnapshotSlice>();
  readonly #sent = new Map<SnapshotSlice, string>();
  #planned = false;
  #lastCost = 0;
  #publishing: Promise<void> = Promise.resolve();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  changed(slice: SnapshotSlice): void {
    this.#changed.add(slice);
    if (this.#planned) return;
    this.#planned = true;
    const wait = Math.min(Math.max(gathering, this.#lastCost / share), longestGathering);
    this.#options.clock.after(wait, () => {
      this.#planned = false;
      // One after the other, or an older slice could arrive last.
      this.#publishing = this.#publishing.then(() => this.#publish());
    });
  }

  async #publish(): Promise<void> {
    const { clock } = this.#options;
    const begin = clock.monotonic();
    const names = [...this.#changed];
    this.#changed.clear();
    // One that cannot be made holds up no other.
    const made = (await Promise.all(names.map(async (name) => await this.#make(name)))).flat();
    try {
      if (made.length > 0) this.#options.send({ event: 'snapshot', slices: Object.fromEntries(made) });
    } catch (error) {
      for (const name of names) this.#sent.delete(name);
      this.#options.onFailure(error);
    }
    this.#lastCost = clock.monotonic() - begin;
  }

  /** Nothing where it came out the same, or not at all. */
  async #make<Slice extends SnapshotSlice>(name: Slice): Promise<readonly (readonly [Slice, Snapshots[Slice]])[]> {
    try {
      const value = snapshotsSchema.shape[name].parse(await this.#options.snapshot(name)) as Snapshots[Slice];
      const text = JSON.stringify(value);
      if (this.#sent.get(name) === text) return [];
      this.#sent.set(name, text);
      return [[name, value]];
    } catch (error) {
      this.#sent.delete(name);
      this.#options.onFailure(error);
      return [];
    }
  }
}
