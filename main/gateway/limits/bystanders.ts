import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { ofWhoHasMost } from './who-has-most.ts';

interface Bystander {
  readonly end: () => void;
  readonly program: string | undefined;
}

/**
 * Sessions that take no place among those that are open, since they may use nothing yet: each is hung up on after a
 * while, and of too many the one that has been there longest, of the program that has most of them, so that nobody keeps
 * others from hearing why. Those about which a person is asked go last: a program that is refused again and again must
 * not take the question away.
 */
export class Bystanders {
  readonly #clock: Pick<Clock, 'after'>;
  /** The one that has been there longest first. */
  readonly #refused = new Set<Bystander>();
  /** The same for those about which a person is asked. */
  readonly #asked = new Set<Bystander>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** `program`: by its own word. Answers what takes it out again. */
  enter(program: string | undefined, hangUp: () => void, isAsked = false): () => void {
    const those = isAsked ? this.#asked : this.#refused;
    const leave = (): void => {
      stopWaiting();
      those.delete(one);
    };
    const end = (): void => {
      leave();
      hangUp();
    };
    const one = { program, end };
    const stopWaiting = this.#clock.after(gatewaySession.refused, end);
    those.add(one);
    const [first] = ofWhoHasMost(this.#refused.size > 0 ? this.#refused : this.#asked, (each) => each.program);
    if (this.#refused.size + this.#asked.size > gatewaySession.bystanders) first?.end();
    return leave;
  }
}
