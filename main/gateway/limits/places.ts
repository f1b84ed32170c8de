import { gatewaySession } from '../../limits.ts';
import type { AppBudget } from './message-budget.ts';

/** One request, from the moment that it has come. */
export interface Place {
  /** Resolves when it may go out. Never rejects. */
  take(): Promise<void>;
  /** It is over; once. */
  leave(): void;
}

/** The requests of one session: so many at once, so many that wait behind them, and what their app may have in all. */
export class Places {
  readonly #budget: AppBudget;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Whether another one of so many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#waiting.length >= gatewaySession.waiting || !this.#budget.fits(bytes);
  }

  enter(bytes: number): Place {
    const giveBack = this.#budget.take(bytes);
    let isTaken = false;
    return {
      take: async () => {
        if (this.#underWay < gatewaySession.atOnce) this.#underWay += 1;
        // Takes the place of whoever leaves.
        else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
        isTaken = true;
      },
      leave: () => {
        giveBack();
        if (!isTaken) return;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#underWay -= 1;
      },
    };
  }
}
