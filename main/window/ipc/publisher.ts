import { snapshotsSchema } from '../../../shared/ipc-event.ts';
import type { IpcEvent, Snapshots, SnapshotSlice } from '../../../shared/ipc-event.ts';
import type { Clock } from '../../ports.ts';

/** Milliseconds in which changes are batched: discovery steps come in bursts. */
const batchDelay = 30;
/** Long lists take longer to publish: at most this share of the time is spent on it. */
const maxShare = 1 / 8;
/** Longest delay of a change, in milliseconds. */
const maxDelay = 1_000;

interface PublisherOptions {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** The current value of one slice. */
  readonly snapshot: <Slice extends SnapshotSlice>(slice: Slice) => Promise<Snapshots[Slice]>;
  readonly send: (event: IpcEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Publishes changed slices, whole and batched. A slice with the same value is not sent again. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #changed = new Set<SnapshotSlice>();
  readonly #sent = new Map<SnapshotSlice, string>();
  #isScheduled = false;
  #lastCost = 0;
  #publishing: Promise<void> = Promise.resolve();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  changed(slice: SnapshotSlice): void {
    this.#changed.add(slice);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const delay = Math.min(Math.max(batchDelay, this.#lastCost / maxShare), maxDelay);
    this.#options.clock.after(delay, () => {
      this.#isScheduled = false;
      // One at a time, or an older slice could arrive last.
      this.#publishing = this.#publishing.then(() => this.#publish());
    });
  }

  async #publish(): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    const names = [...this.#changed];
    this.#changed.clear();
    // A slice that fails does not block the others.
    const changedSlices = (await Promise.all(names.map(async (name) => await this.#takeChanged(name)))).flat();
    try {
      if (changedSlices.length > 0)
        this.#options.send({ event: 'snapshot', slices: Object.fromEntries(changedSlices) });
    } catch (error) {
      for (const name of names) this.#sent.delete(name);
      this.#options.onFailure(error);
    }
    this.#lastCost = clock.monotonic() - startedAt;
  }

  /** Empty if the value is unchanged, or failed. */
  async #takeChanged<Slice extends SnapshotSlice>(
    name: Slice,
  ): Promise<readonly (readonly [Slice, Snapshots[Slice]])[]> {
    try {
      const value = await this.#options.snapshot(name);
      const text = JSON.stringify(value);
      if (this.#sent.get(name) === text) return [];
      const checked = snapshotsSchema.shape[name].parse(value) as Snapshots[Slice];
      this.#sent.set(name, text);
      return [[name, checked]];
    } catch (error) {
      this.#sent.delete(name);
      this.#options.onFailure(error);
      return [];
    }
  }
}
