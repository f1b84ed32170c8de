import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/**
 * Sessions that take no place among those that are open, since they may use nothing yet: each is hung up on after a
 * while, and of too many the one that has been there longest, so that nobody keeps others from hearing why.
 */
export class Bystanders {
  readonly #clock: Pick<Clock, 'after'>;
  /** How each is ended; the one that has been there longest first. */
  readonly #ends = new Set<() => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Answers what takes it out again. */
  enter(hangUp: () => void): () => void {
    const leave = (): void => {
      stopWaiting();
      this.#ends.delete(end);
    };
    const end = (): void => {
      leave();
      hangUp();
    };
    const stopWaiting = this.#clock.after(gatewaySession.refused, end);
    this.#ends.add(end);
    const [first] = this.#ends;
    if (this.#ends.size > gatewaySession.bystanders) first?.();
    return leave;
  }
}
