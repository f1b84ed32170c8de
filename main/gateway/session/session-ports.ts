// What a session needs from the gateway, and which of its responses are out of date.

import type { Send } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import type { HttpResponses, Refusal, SendToApp } from '../responses/responses.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { CallLog } from '../responses/call-log.ts';
import { differs, isHandshake } from '../messages/catalog.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import { changeNotifications, isList } from '../messages/lists.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { ServedServer, UnexpectedMessageType } from '../server/served-server.ts';
import type { Upstream } from '../server/upstream.ts';

/** What one session needs from the gateway. */
export interface SessionPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly upstream: Upstream;
  readonly server: ServedServer;
  readonly calls: Pick<CallLog, 'begin'>;
  /** Called before a message of the app is sent to the server. Errors: PosternError. */
  readonly admit: () => void;
  readonly capabilities: Capabilities;
  /** Shared by all sessions of the app. */
  readonly budget: AppBudget;
  readonly send: SendToApp;
  /** Absent at the socket. */
  readonly httpResponses?: HttpResponses | undefined;
  /** Shared by several processes of the app: a notification that none can receive is queued for the next. */
  readonly isShared: boolean;
  /** Requeues a message that was not sent to the server. */
  readonly requeue: Send;
  /** How to report a failure to the app; also notifies the user if only they can help. */
  readonly refuse: (error: unknown) => Refusal;
  /** Called when the session is closed. */
  readonly onClosed: () => void;
  /** Called for a message that was not expected and is ignored. */
  readonly onUnexpected: (type: UnexpectedMessageType) => void;
  /** Returns whether the bridge answers this handshake. `isKnown`: whether the server has refused it. */
  readonly tryBridge: (initialize: RequestEnvelope, isKnown: 'refused' | 'unknown') => boolean;
}

/** Responses from the cache, and failures: the app has to repeat those requests once the server is back. */
export class StaleResponses {
  /** Lists that this app has requested. */
  readonly #listed = new Set<string>();
  /** Requests answered from the cache but not yet by the server, with the cached response. */
  readonly #cached = new Map<RequestEnvelope, Buffer>();
  #isAway = false;

  get hasAny(): boolean {
    return this.#isAway || this.#cached.size > 0;
  }

  /** Records a response from the cache; the server has yet to respond. */
  noteCached(request: RequestEnvelope, cached: Buffer): void {
    this.noteListing(request);
    this.#cached.set(request, cached);
  }

  /**
   * Records the server's response. Returns the notifications for the app if that differs from what the app received,
   * which the cache may no longer contain.
   */
  noteResponse(request: RequestEnvelope, response: ResponseEnvelope): Iterable<string> {
    this.noteListing(request);
    const cached = this.#cached.get(request);
    this.#cached.delete(request);
    if (!cached || !differs(cached, request, response)) return [];
    return isHandshake(request.method) ? this.#changes() : changeNotifications([request.method]);
  }

  /** Records that the server will not respond. `isAway`: it was unreachable. */
  noteFailure(request: RequestEnvelope, isAway: boolean): void {
    const wasCached = this.#cached.delete(request);
    if (isAway || wasCached) this.markAway();
  }

  /** The server is unreachable, so the app's lists may become outdated. */
  markAway(): void {
    this.#isAway = true;
  }

  /** The notifications that make the app list again. Nothing counts as stale afterwards. */
  takeNotifications(): Iterable<string> {
    const changes = this.hasAny ? this.#changes() : [];
    this.#isAway = false;
    this.#cached.clear();
    return changes;
  }

  /** Records that the app has requested this list. */
  noteListing({ method }: RequestEnvelope): void {
    if (isList(method)) this.#listed.add(method);
  }

  /** Notifications for changed tools: none if the app has not listed them. */
  toolsChanged(): Iterable<string> {
    return this.#listed.has('tools/list') ? changeNotifications(['tools/list']) : [];
  }

  #changes(): Iterable<string> {
    return changeNotifications(this.#listed.size > 0 ? this.#listed : ['tools/list']);
  }
}
