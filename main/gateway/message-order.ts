import { gatewaySession } from '../limits.ts';

/**
 * When each message of a program goes out: one after the other until `notifications/initialized` (MCP 2025-11-25,
 * lifecycle), from then on at once, but for requests that would be too many at one time.
 */
export class MessageOrder {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #turn: Promise<void> | undefined;
  /** What goes out at once goes out after this. */
  #before: Promise<void> = Promise.resolve();

  /** Whether another request would have to wait behind too many that wait already. */
  get isFull(): boolean {
    return this.#waiting.length >= gatewaySession.waiting;
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

  /** The same for a request, which takes a place until it is over. Errors: those of `work`. */
  async request(work: () => Promise<void>): Promise<void> {
    await this.inTurn(async () => {
      if (this.#underWay >= gatewaySession.atOnce) {
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
      }
      this.#underWay += 1;
      try {
        await work();
      } finally {
        this.#underWay -= 1;
        this.#waiting.shift()?.();
      }
    });
  }
}
