import { gatewaySession, messageBudget } from '../../limits.ts';
import type { AppBudget } from './message-budget.ts';

/** What a program has said in one session and the server has not taken yet. Beyond a bound the program has to wait. */
export class Untold {
  readonly #budget: AppBudget;
  #count = 0;
  #isLong = false;
  #taken = Promise.withResolvers<void>();

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Counts a message as long as `work` takes. Errors: those of `work`. */
  async during(bytes: number, work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    // Until it fits, whoever has sent it is read no further; a short one, such as a cancellation, does not wait for that.
    this.#isLong = bytes > messageBudget.short && !this.#budget.fits(bytes);
    const giveBack = this.#budget.take(bytes);
    try {
      await work();
    } finally {
      this.#count -= 1;
      this.#isLong = false;
      giveBack();
      this.#taken.resolve();
      this.#taken = Promise.withResolvers();
    }
  }

  /** Resolves when there is room for another, of any size. Never rejects. */
  async room(): Promise<void> {
    while (this.#count >= gatewaySession.atOnce || (this.#isLong && this.#count > 0)) await this.#taken.promise;
  }
}
