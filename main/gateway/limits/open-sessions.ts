// Limits on open sessions, and on connections that may not use anything yet.

import type { AppRecord } from '../../../shared/app-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/** An open session. */
interface OpenSession {
  readonly app: Pick<AppRecord, 'id'> | undefined;
  /** Whether it counts toward the limit; `evictable`: also closed to make room, since many HTTP apps never end one. */
  readonly limit: 'none' | 'counted' | 'evictable';
  /** Closes the connection of its app. */
  readonly hangUp: () => void;
}

/** All open sessions, at the socket and over HTTP. Limits them per app and in total. */
export class OpenSessions<Session extends OpenSession> implements Iterable<Session> {
  /** The most recently used session is last. */
  readonly #open = new Set<Session>();

  [Symbol.iterator](): Iterator<Session> {
    return this.#open.values();
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Makes room for another session that counts. Evicts the least recently used HTTP session: of the same app if it has
   * too many, otherwise of the app that has the most. Errors: GATEWAY_BUSY.
   */
  makeRoom(app: OpenSession['app']): void {
    const own = this.#counted().filter((session) => app !== undefined && session.app?.id === app.id);
    if (own.length >= gatewaySession.sessionsOfApp) this.#evictFirst(own);
    const all = this.#counted();
    if (all.length >= gatewaySession.sessions) this.#evictFirst(all);
  }

  add(session: Session): void {
    this.#open.add(session);
  }

  /** Marks a session as used. */
  touch(session: Session): void {
    if (this.#open.delete(session)) this.#open.add(session);
  }

  delete(session: Session): void {
    this.#open.delete(session);
  }

  #counted(): readonly Session[] {
    return [...this.#open].filter(({ limit }) => limit !== 'none');
  }

  #evictFirst(candidates: readonly Session[]): void {
    const evictable = candidates.filter(({ limit }) => limit === 'evictable');
    const [first] = ofLargestOwner(evictable, ({ app }) => app?.id);
    if (!first) throw new PosternError('GATEWAY_BUSY', { stage: 'gateway' });
    this.#open.delete(first);
    first.hangUp();
  }
}

/** Items of the owner with the most, in their order; ties go to the first seen. */
function ofLargestOwner<One>(all: Iterable<One>, ownerOf: (one: One) => string | undefined): readonly One[] {
  let largest: readonly One[] = [];
  for (const group of Map.groupBy(all, ownerOf).values()) if (group.length > largest.length) largest = group;
  return largest;
}

interface PendingConnection {
  readonly end: () => void;
  readonly app: string | undefined;
}

/**
 * Connections without permission, which do not count as sessions: refused ones, and ones that wait for consent. Each
 * is closed after a while. If there are too many, the oldest of the app with the most is closed first, so that no app
 * keeps others from seeing why they were refused. Connections that wait for consent are closed last: an app that is
 * refused repeatedly must not remove another app's consent request.
 */
export class PendingConnections {
  readonly #clock: Pick<Clock, 'after'>;
  /** Oldest first. */
  readonly #refused = new Set<PendingConnection>();
  /** Connections that wait for consent, oldest first. */
  readonly #awaitingConsent = new Set<PendingConnection>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** `app`: claimed record id. Returns a function that removes the connection. */
  enter(app: string | undefined, hangUp: () => void, awaitsConsent = false): () => void {
    const connections = awaitsConsent ? this.#awaitingConsent : this.#refused;
    const leave = (): void => {
      stopWaiting();
      connections.delete(session);
    };
    const end = (): void => {
      leave();
      hangUp();
    };
    const session = { app, end };
    const stopWaiting = this.#clock.after(gatewaySession.refusedLifetime, end);
    connections.add(session);
    const [first] = ofLargestOwner(this.#refused.size > 0 ? this.#refused : this.#awaitingConsent, (each) => each.app);
    if (this.#refused.size + this.#awaitingConsent.size > gatewaySession.refusedSessions) first?.end();
    return leave;
  }
}
