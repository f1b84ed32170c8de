import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/** An open session. `app`: record id. */
export interface CountedSession {
  readonly app: string | undefined;
  /** Ends it to make room. Only HTTP sessions can be ended so, since many apps never end one themselves. */
  readonly end?: () => void;
}

/** Limits open sessions, at the socket and over HTTP: per app and in total. */
export class SessionLimiter {
  /** The most recently used session is last. */
  readonly #open = new Set<CountedSession>();

  /**
   * Without room, ends the least recently used HTTP session: one of the same app, or else of the app that has the most.
   * Errors: GATEWAY_BUSY.
   */
  enter(one: CountedSession): void {
    const own = [...this.#open].filter(({ app }) => app !== undefined && app === one.app);
    if (own.length >= gatewaySession.sessionsOfApp) this.#endFirst(own);
    if (this.#open.size >= gatewaySession.sessions) this.#endFirst(this.#open);
    this.#open.add(one);
  }

  /** Marks it as used. */
  touch(one: CountedSession): void {
    if (this.#open.delete(one)) this.#open.add(one);
  }

  leave(one: CountedSession): void {
    this.#open.delete(one);
  }

  #endFirst(among: Iterable<CountedSession>): void {
    const byHttp = [...among].filter(({ end }) => end !== undefined);
    const [first] = ofLargestOwner(byHttp, ({ app }) => app);
    if (!first) throw new PosternError('GATEWAY_BUSY', { stage: 'gateway' });
    this.#open.delete(first);
    first.end?.();
  }
}

/** Items of the owner with the most, in their order; ties go to the first seen. */
function ofLargestOwner<One>(all: Iterable<One>, whose: (one: One) => string | undefined): readonly One[] {
  let most: readonly One[] = [];
  for (const theirs of Map.groupBy(all, whose).values()) if (theirs.length > most.length) most = theirs;
  return most;
}

interface PendingConnection {
  readonly end: () => void;
  readonly app: string | undefined;
}

/**
 * Connections that may use nothing yet, so they do not count as sessions. Each is closed after a while, and if there
 * are too many, the oldest of the app that has the most, so that no app keeps others from learning why they were
 * refused. Connections that wait for consent go last: an app that is refused again and again must not take the question
 * away.
 */
export class PendingConnections {
  readonly #clock: Pick<Clock, 'after'>;
  /** Oldest first. */
  readonly #refused = new Set<PendingConnection>();
  /** The same for connections that wait for consent. */
  readonly #awaitingConsent = new Set<PendingConnection>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** `app`: as the connection claims. Returns a function that removes it. */
  enter(app: string | undefined, hangUp: () => void, awaitsConsent = false): () => void {
    const connections = awaitsConsent ? this.#awaitingConsent : this.#refused;
    const leave = (): void => {
      stopWaiting();
      connections.delete(one);
    };
    const end = (): void => {
      leave();
      hangUp();
    };
    const one = { app, end };
    const stopWaiting = this.#clock.after(gatewaySession.refusedLifetime, end);
    connections.add(one);
    const [first] = ofLargestOwner(this.#refused.size > 0 ? this.#refused : this.#awaitingConsent, (each) => each.app);
    if (this.#refused.size + this.#awaitingConsent.size > gatewaySession.refusedSessions) first?.end();
    return leave;
  }
}
