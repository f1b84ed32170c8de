// An app's requests to a server: order, limits, cached responses and failures.

import { isObject } from '../../../shared/json-object.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { localArrival, rpcCode, tooManyMessage, duplicateIdMessage, unusableResponse } from '../responses/responses.ts';
import type { Arrival } from '../responses/responses.ts';
import { RequestSlots } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { failureOf } from '../responses/call-log.ts';
import type { CallOutcome } from '../responses/call-log.ts';
import { emptyLastPage, isCacheable } from '../messages/catalog.ts';
import { isSessionHandshake } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope, Unusable } from '../messages/envelope.ts';
import { changeNotifications } from '../messages/lists.ts';
import { truncateResponse } from '../capabilities/filter-tools.ts';
import { LostCursor } from '../server/upstream.ts';
import { repairResponse } from '../server/repair-response.ts';
import {
  revealsProtocol,
  isHeaderError,
  isSessionProtocol,
  isStatelessError,
  isCompleteDiscovery,
  listsStatelessRevision,
  SessionsUnsupported,
  meansNoDiscovery,
} from '../server/revision-evidence.ts';
import type { AppSubscriptions } from './app-subscriptions.ts';
import { PendingRequest, PendingRequests } from './pending-requests.ts';
import type { MessageContext } from './pending-requests.ts';
import type { StaleResponses, SessionPorts } from './session-ports.ts';

/** An app's requests: each gets exactly one response, the server's or one of Postern's. */
export class AppRequests {
  readonly #ports: SessionPorts;
  readonly #order: MessageOrder;
  readonly #pending = new PendingRequests();
  readonly #stale: StaleResponses;
  readonly #subscriptions: AppSubscriptions;
  /** The last attempt to reach the server failed. */
  #isAway = false;
  #isDraining = false;
  #isClosed = false;

  constructor(ports: SessionPorts, order: MessageOrder, stale: StaleResponses, subscriptions: AppSubscriptions) {
    this.#ports = ports;
    this.#order = order;
    this.#stale = stale;
    this.#subscriptions = subscriptions;
  }

  get isIdle(): boolean {
    return this.#pending.isIdle;
  }

  /** Handles a request; resolves when the next can be read. Never rejects. */
  async begin(request: RequestEnvelope, context: MessageContext): Promise<void> {
    const { send, requeue, server, calls } = this.#ports;
    if (this.#isDraining) return await requeue(request.bytes);
    const isFirst = isSessionHandshake(request);
    if (isFirst && this.#ports.tryBridge(request, 'unknown')) return;
    const pending = new PendingRequest(request, context, calls.begin(request), send, () => {
      if (!isFirst) return;
      // After a failed handshake, order no longer matters.
      this.#ports.upstream.forgetHandshake();
      this.#order.release();
    });
    pending.owner = server.catalog.owner;
    const refused = immediateRefusal(request, {
      isDuplicate: context.requestKey === undefined && this.#pending.has(request.id),
      isSessionServer: isSessionProtocol(server.integration.protocol),
      isFull: this.#order.isFullFor(request.bytes.byteLength),
    });
    if (refused) return await pending.respondWithError(refused.code, refused.message);
    if (isFirst) this.#order.serialize();
    this.#pending.add(pending);
    void this.#process(pending);
  }

  /**
   * Handles a response from the server. `exchange`: the request on whose stream it arrived. Resolves when the next
   * message can be read.
   */
  async handleResponse(original: ResponseEnvelope, exchange?: PendingRequest, arrival = localArrival): Promise<void> {
    const pending = exchange?.request.id === original.id ? exchange : this.#pending.get(original.id);
    // A request gets one response, even if the server sends several.
    if (!pending || (!pending.isOpen && !pending.isFromCache)) return this.#ports.onUnexpected('server-answer');
    const bounded = await truncateResponse(pending.request.method, original);
    if (bounded !== original) this.#ports.onUnexpected('long-listing');
    const { server } = this.#ports;
    const { catalog } = server;
    const { request } = pending;
    const response = await repairResponse(request, bounded, server.noteUnusable);
    if (response.hasError) return await this.#handleError(pending, response, arrival);
    // The sign-in changed meanwhile: never show an app another account's data.
    if (isCacheable(request.method) && pending.owner !== catalog.owner)
      return await this.#refuse(pending, new PosternError('SESSION_LOST', { stage: 'gateway' }));
    if (request.method === 'tools/list') await server.tools.learn(response.bytes);
    if (request.method === 'server/discover' && listsStatelessRevision(response.message['result']))
      void server.noteProtocol('stateless');
    if (isCacheable(request.method)) {
      await catalog.store(request, response, pending.owner);
      const changes = this.#stale.noteResponse(request, response);
      if (pending.isFromCache) {
        pending.settle();
        return await this.#subscriptions.notify(changes);
      }
    }
    await pending.forward(response, arrival, await this.#ports.capabilities.filterResponse(request, response.bytes));
  }

  /** Handles a response that cannot be parsed. */
  async handleUnusable(id: string, reason: Unusable, exchange?: PendingRequest): Promise<void> {
    const pending = exchange?.request.id === id ? exchange : this.#pending.get(id);
    if (pending) await this.#endWithFailure(pending, unusableResponse(reason));
  }

  /**
   * The app has canceled: it gets no response (MCP 2026-07-28, cancellation), except the server's own if
   * `serverStillResponds`.
   */
  cancel(id: string, { serverStillResponds }: { readonly serverStillResponds: boolean }): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (serverStillResponds && pending.wasSent) return pending.markCancelled();
    pending.end('cancelled');
    this.#pending.remove(pending);
    this.#ports.httpResponses?.end(pending.requestKey);
  }

  /** The app has disconnected, or has its response. Handshakes and lists still complete, for the cache. */
  drop(requestKey: string): void {
    const pending = this.#pending.findByKey(requestKey);
    if (!pending?.isOpen) return;
    if (isCacheable(pending.request.method)) return pending.markCancelled();
    pending.end('cancelled');
    this.#pending.remove(pending);
  }

  /** Whether this request was sent to the server. */
  wasSent(id: string): boolean {
    return this.#pending.get(id)?.wasSent === true;
  }

  /** Whether this request was requeued. */
  isRequeued(id: string): boolean {
    return this.#isDraining && !this.#pending.has(id);
  }

  /** Sends nothing more: unsent and later requests are requeued. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const { bytes } of this.#pending.removeUnsent()) await this.#ports.requeue(bytes);
  }

  /** Notifies the app to repeat requests that were answered without the server. */
  async notifyStale(): Promise<void> {
    if (!this.#stale.hasAny || this.#isClosed) return;
    this.#isAway = false;
    await this.#subscriptions.notify(this.#stale.takeNotifications());
    this.#subscriptions.retry();
  }

  close(): void {
    this.#isClosed = true;
    this.#pending.end('SESSION_LOST');
  }

  async #process(pending: PendingRequest): Promise<void> {
    const stop = this.#limitWait(pending);
    try {
      await this.#order.request(pending.request.bytes.byteLength, () => this.#subscriptions.forward(pending));
      this.#isAway = false;
      if (pending.isOpen) await this.#endWithFailure(pending, undefined);
    } catch (error) {
      if (error instanceof LostCursor) await this.#restartList(pending);
      else if (!pending.signal.aborted) await this.#handleFailure(pending, error);
    } finally {
      stop();
      this.#pending.remove(pending); // No response will come any more.
      this.#stale.noteFailure(pending.request, false);
    }
  }

  /** Handshakes and lists fall back to the cache if the server is slow; calls fail early if it was offline. */
  #limitWait(pending: PendingRequest): () => void {
    const { clock, upstream, server } = this.#ports;
    if (isCacheable(pending.request.method)) {
      return clock.after(gatewaySession.responseWait, () => void this.#respondFromCache(pending));
    }
    if (!this.#isAway || server.isLocal) return () => {};
    return clock.after(gatewaySession.offlineCallWait, () => {
      if (!pending.isOpen || !upstream.needsHandshake) return;
      void this.#refuse(pending, new PosternError('SERVER_OFFLINE', { stage: 'gateway' })).then(pending.abort);
    });
  }

  async #respondFromCache(pending: PendingRequest): Promise<boolean> {
    const cached = pending.isOpen ? await this.#ports.server.catalog.lookUp(pending.request) : undefined;
    // The server may have answered meanwhile.
    if (!cached || !pending.isOpen) return false;
    this.#stale.noteCached(pending.request, cached);
    await pending.respondFromCache(await this.#ports.capabilities.filterResponse(pending.request, cached));
    return true;
  }

  async #handleFailure(pending: PendingRequest, error: unknown): Promise<void> {
    const { tryBridge, server } = this.#ports;
    const needsBridge = isSessionHandshake(pending.request) && server.integration.protocol === 'stateless';
    if (server.judge(error).isAway) {
      this.#isAway = true;
      this.#stale.markAway();
      if (isCacheable(pending.request.method) && (await this.#respondFromCache(pending))) return;
      if (needsBridge && tryBridge(pending.request, 'refused')) return pending.dismiss();
    } else if (needsBridge) return await this.#refuseSession(pending);
    await this.#endWithFailure(pending, error);
  }

  /** Ends the list and notifies the app to list again, in the current session. */
  async #restartList(pending: PendingRequest): Promise<void> {
    const { request } = pending;
    await pending.respondWithSubstitute(emptyLastPage(request), 'SESSION_LOST');
    await this.#subscriptions.notify(changeNotifications([request.method]));
  }

  /** Fails the request; a list that has begun ends early instead, since its earlier pages are valid. */
  async #endWithFailure(pending: PendingRequest, error: unknown): Promise<void> {
    const { isAway, isStoppedHere, refusal } = this.#ports.server.judge(error);
    if (isStoppedHere || !(await this.#endListEarly(pending, refusal.code))) return await this.#refuse(pending, error);
    // Still report it: only the user or a later attempt can help.
    if (isAway) this.#ports.refuse(error);
  }

  /** Returns false if this was not a later page of a list. */
  async #endListEarly(pending: PendingRequest, outcome: CallOutcome): Promise<boolean> {
    const last = pending.isOpen && (await this.#ports.server.catalog.lastPage(pending.request, pending.owner));
    if (!last) return false;
    this.#ports.server.noteUnusable(last.missing);
    await pending.respondWithSubstitute(last.response, outcome);
    return true;
  }

  async #handleError(pending: PendingRequest, response: ResponseEnvelope, arrival: Arrival): Promise<void> {
    const { request, context } = pending;
    const { server } = this.#ports;
    const { error } = response.message;
    const code = isObject(error) ? error['code'] : undefined;
    if (context.fields && isHeaderError(arrival.status)) return await pending.forward(response, arrival);
    if (isStatelessError(code) && revealsProtocol(request)) void server.noteProtocol('stateless');
    if (pending.isFromCache) return pending.settle();
    const lacksHeaders = code === rpcCode.headerMismatch && request.method === 'tools/call';
    // An HTTP app sends its own header fields.
    if (lacksHeaders && !context.fields && !pending.needsHeaders) {
      pending.needsHeaders = true;
      return;
    }
    if (isSessionHandshake(request) && (server.integration.protocol === 'stateless' || isStatelessError(code))) {
      return await this.#refuseSession(pending);
    }
    if (await this.#endListEarly(pending, failureOf(response))) return;
    if (!meansNoDiscovery(request, code)) return await pending.forward(response, arrival);
    // Local processes have no status: their transport reports a duplicate id as 400.
    const isTransportError = server.isLocal && arrival.status === 400;
    if (isCompleteDiscovery(request) && !isTransportError) void server.noteProtocol('session');
    await pending.respondWithError(rpcCode.unknownMethod, 'Method not found');
  }

  async #refuseSession(pending: PendingRequest): Promise<void> {
    if (this.#ports.tryBridge(pending.request, 'refused')) return pending.dismiss();
    await this.#refuse(pending, new SessionsUnsupported());
  }

  async #refuse(pending: PendingRequest, error: unknown): Promise<void> {
    await pending.refuse(this.#ports.refuse(error));
  }
}

/**
 * The order in which an app's messages are sent: one by one until `notifications/initialized` (MCP 2025-11-25,
 * lifecycle), then concurrently, up to the request limit.
 */
export class MessageOrder {
  readonly #slots: RequestSlots;
  #queue: Promise<void> | undefined;
  /** Concurrent messages wait only for this. */
  #barrier: Promise<void> = Promise.resolve();

  constructor(budget: AppBudget) {
    this.#slots = new RequestSlots(budget);
  }

  /** Whether another request of this size would exceed a limit. */
  isFullFor(bytes: number): boolean {
    return this.#slots.isFullFor(bytes);
  }

  /** Sends one by one from now on. */
  serialize(): void {
    this.#queue ??= this.#barrier;
  }

  /** Sends concurrently again. */
  release(): void {
    this.#queue = undefined;
  }

  /** Sends one by one until all earlier messages and `last` are sent. */
  async serializeUntil(last: () => Promise<void>): Promise<void> {
    const done = this.inOrder(last);
    // Later messages wait for it, but not for each other: one response may depend on another.
    this.#queue = undefined;
    this.#barrier = done.catch(() => {});
    await done;
  }

  /** Runs `work` when it is its turn. Errors: those of `work`. */
  async inOrder(work: () => Promise<void>): Promise<void> {
    if (this.#queue === undefined) {
      await this.#barrier;
      return await work();
    }
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    await done;
  }

  /** Like `inOrder`, for a request of this many bytes: it occupies a slot until it is over. Errors: those of `work`. */
  async request(bytes: number, work: () => Promise<void>): Promise<void> {
    const slot = this.#slots.enter(bytes);
    try {
      await this.inOrder(async () => {
        await slot.acquire();
        await work();
      });
    } finally {
      slot.release();
    }
  }
}

interface RequestConditions {
  /** Another request has the same id. */
  readonly isDuplicate: boolean;
  /** The server is known to need sessions. */
  readonly isSessionServer: boolean;
  /** Too many requests are waiting. */
  readonly isFull: boolean;
}

/** The JSON-RPC error if a request is refused at once. */
function immediateRefusal({ method }: RequestEnvelope, { isDuplicate, isSessionServer, isFull }: RequestConditions) {
  if (isDuplicate) return { code: rpcCode.notARequest, message: duplicateIdMessage };
  // Makes apps that support both kinds of revisions fall back to `initialize`.
  if (method === 'server/discover' && isSessionServer)
    return { code: rpcCode.unknownMethod, message: 'Method not found' };
  if (isFull) return { code: rpcCode.implementation, message: tooManyMessage };
  return undefined;
}
