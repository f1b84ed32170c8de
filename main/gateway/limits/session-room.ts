import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/** A session that is open. `program`: id of its record. */
export interface OpenOne {
  readonly program: string | undefined;
  /** How it is ended for another one; only those by HTTP are, since many programs never end one themselves. */
  readonly end?: () => void;
}

/** Counts open sessions, over the socket and HTTP: those of one program, and all of them. */
export class SessionRoom {
  /** The most recently used comes last. */
  readonly #open = new Set<OpenOne>();

  /**
   * Where there is no room, a session by HTTP ends that was not used for longest: one of the same program, or else of the
   * one that has most of them. Errors: GATEWAY_BUSY.
   */
  enter(one: OpenOne): void {
    const own = [...this.#open].filter(({ program }) => program !== undefined && program === one.program);
    if (own.length >= gatewaySession.sessionsOfProgram) this.#endFirst(own);
    if (this.#open.size >= gatewaySession.sessions) this.#endFirst(this.#open);
    this.#open.add(one);
  }

  /** It is used. */
  touch(one: OpenOne): void {
    if (this.#open.delete(one)) this.#open.add(one);
  }

  leave(one: OpenOne): void {
    this.#open.delete(one);
  }

  #endFirst(among: Iterable<OpenOne>): void {
    const byHttp = [...among].filter(({ end }) => end !== undefined);
    const [first] = ofWhoHasMost(byHttp, ({ program }) => program);
    if (!first) throw new PosternError('GATEWAY_BUSY', { stage: 'gateway' });
    this.#open.delete(first);
    first.end?.();
  }
}

/** Those of whoever has most of them, in their order; where several have as many, of whose came first. */
function ofWhoHasMost<One>(all: Iterable<One>, whose: (one: One) => string | undefined): readonly One[] {
  let most: readonly One[] = [];
  for (const theirs of Map.groupBy(all, whose).values()) if (theirs.length > most.length) most = theirs;
  return most;
}

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
