import { gatewaySession } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { ofWhoHasMost } from './who-has-most.ts';

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
