import { gatewaySession } from '../../limits.ts';

/** One request, from the moment that it has come. */
export interface Place {
  /** Resolves when it may go out. Never rejects. */
  take(): Promise<void>;
  /** It is over; once. */
  leave(): void;
}

/** The requests of one session: so many at once, so many that wait behind them, so many bytes of all of them. */
export class Places {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #bytes = 0;

  /** Whether another one of so many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#waiting.length >= gatewaySession.waiting || this.#bytes + bytes > gatewaySession.buffer;
  }

  enter(bytes: number): Place {
    this.#bytes += bytes;
    let isTaken = false;
    return {
      take: async () => {
        if (this.#underWay < gatewaySession.atOnce) this.#underWay += 1;
        // Takes the place of whoever leaves.
        else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
        isTaken = true;
      },
      leave: () => {
        this.#bytes -= bytes;
        if (!isTaken) return;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#underWay -= 1;
      },
    };
  }
}
