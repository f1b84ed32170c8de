import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/**
 * Sessions that take no place among those that are open, since they may use nothing yet: each is hung up on after a
 * while, and of too many the one that has been there longest, so that nobody keeps others from hearing why. Those about
 * which a person is asked go last: a program that is refused again and again must not take the question away.
 */
export class Bystanders {
  readonly #clock: Pick<Clock, 'after'>;
  /** How each is ended; the one that has been there longest first. */
  readonly #ends = new Set<() => void>();
  /** The same for those about which a person is asked. */
  readonly #asked = new Set<() => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Answers what takes it out again. */
  enter(hangUp: () => void, isAsked = false): () => void {
    const those = isAsked ? this.#asked : this.#ends;
    const leave = (): void => {
      stopWaiting();
      those.delete(end);
    };
    const end = (): void => {
      leave();
      hangUp();
    };
    const stopWaiting = this.#clock.after(gatewaySession.refused, end);
    those.add(end);
    const [first] = this.#ends.size > 0 ? this.#ends : this.#asked;
    if (this.#ends.size + this.#asked.size > gatewaySession.bystanders) first?.();
    return leave;
  }
}
