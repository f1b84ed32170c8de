import type { AppBudget } from '../limits/message-budget.ts';
import { Places } from '../limits/places.ts';

/**
 * When each message of a program goes out: one after the other until `notifications/initialized` (MCP 2025-11-25,
 * lifecycle), from then on at once, but for requests that would be too many at one time.
 */
export class MessageOrder {
  readonly #places: Places;
  #turn: Promise<void> | undefined;
  /** What goes out at once goes out after this. */
  #before: Promise<void> = Promise.resolve();

  constructor(budget: AppBudget) {
    this.#places = new Places(budget);
  }

  /** Whether one more request of that many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#places.isFullFor(bytes);
  }

  /** From now on one after the other. */
  keep(): void {
    this.#turn ??= this.#before;
  }

  /** At once again. */
  release(): void {
    this.#turn = undefined;
  }

  /** Until what has come so far, and `last`, has gone out. */
  async keepUntil(last: () => Promise<void>): Promise<void> {
    const done = this.inTurn(last);
    // Those that come from now on wait for it, and not for each other: one may have to be answered before another is.
    this.#turn = undefined;
    this.#before = done.catch(() => {});
    await done;
  }

  /** Errors: those of `work`. */
  async inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#turn === undefined) {
      await this.#before;
      return await work();
    }
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    await done;
  }

  /** The same for a request of so many bytes, which takes a place until it is over. Errors: those of `work`. */
  async request(bytes: number, work: () => Promise<void>): Promise<void> {
    const place = this.#places.enter(bytes);
    try {
      await this.inTurn(async () => {
        await place.take();
        await work();
      });
    } finally {
      place.leave();
    }
  }
}
