import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { localArrival, rpcCode, tooManyMessage, duplicateIdMessage, unusableResponse } from '../responses/responses.ts';
import type { Arrival } from '../responses/responses.ts';
import { RequestSlots } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { failureOf } from '../responses/call-log.ts';
import type { CallOutcome } from '../responses/call-log.ts';
import { changesOf, emptyLastPage, isCatalogd } from '../messages/catalog.ts';
import { beginsSession, isObject } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope, Unusable } from '../messages/envelope.ts';
import { boundResponse } from '../capabilities/without-tools.ts';
import { LostCursor } from '../server/upstream.ts';
import { repairedResponse } from '../server/repaired-response.ts';
import {
  revealsProtocol,
  isAboutFields,
  isStatelessError,
  isWholeDiscovery,
  listsStatelessRevision,
  SessionFormRefused,
  saysNoDiscovery,
} from '../server/revision-evidence.ts';
import type { AppSubscriptions } from './app-subscriptions.ts';
import { PendingRequest, PendingRequests } from './pending-requests.ts';
import type { MessageContext } from './pending-requests.ts';
import type { StaleResponses, SessionPorts } from './session-ports.ts';

/** An app's requests: each gets exactly one response, the server's or one of Postern's. */
export class Requests {
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

  /** Handles a request. Never rejects; resolves when the next may come. */
  async begin(request: RequestEnvelope, context: MessageContext): Promise<void> {
    const { send, requeue, isSessionServer, calls } = this.#ports;
    if (this.#isDraining) return await requeue(request.bytes);
    const isFirst = beginsSession(request);
    if (isFirst && this.#ports.tryBridge(request, 'unknown')) return;
    const pending = new PendingRequest(request, context, calls.begin(request), send, () => {
      if (!isFirst) return;
      // After a failed handshake, nothing has to be in order.
      this.#ports.upstream.forgetHandshake();
      this.#order.release();
    });
    pending.owner = this.#ports.catalog.owner;
    const refused = immediateRefusal(request, {
      isDuplicate: context.about === undefined && this.#pending.has(request.id),
      isOlder: isSessionServer(),
      isFull: this.#order.isFullFor(request.bytes.byteLength),
    });
    if (refused) return await pending.answerError(refused.code, refused.message);
    if (isFirst) this.#order.serialize();
    this.#pending.add(pending);
    void this.#run(pending);
  }

  /**
   * Handles a response of the server; `of`: the request whose exchange it came with. Resolves when the next message may
   * come.
   */
  async take(given: ResponseEnvelope, of?: PendingRequest, arrival = localArrival): Promise<void> {
    const pending = of?.request.id === given.id ? of : this.#pending.get(given.id);
    // One response to each request, whatever a server sends.
    if (!pending || (!pending.isOpen && !pending.isFromCache)) return this.#ports.onUnexpected('server-answer');
    const bounded = await boundResponse(pending.request.method, given);
    if (bounded !== given) this.#ports.onUnexpected('long-listing');
    const response = await repairedResponse(pending.request, bounded, this.#ports.onUnusable);
    const { catalog, onTools, onProtocol } = this.#ports;
    const { request } = pending;
    if (response.hasError) return await this.#takeError(pending, response, arrival);
    // Another account's data goes to no app.
    if (isCatalogd(request.method) && pending.owner !== catalog.owner)
      return await this.#refuse(pending, new PosternError('SESSION_LOST', { stage: 'gateway' }));
    if (request.method === 'tools/list') await onTools(response.bytes);
    if (request.method === 'server/discover' && listsStatelessRevision(response.message['result']))
      onProtocol('stateless');
    if (isCatalogd(request.method)) {
      await catalog.store(request, response, pending.owner);
      const changes = this.#stale.noteResponse(request, response);
      if (pending.isFromCache) {
        pending.settle();
        return await this.#subscriptions.notify(changes);
      }
    }
    await pending.pass(response, arrival, await this.#ports.capabilities.filterResponse(request, response.bytes));
  }

  /** Handles a response that cannot be parsed. */
  async takeUnusable(id: string, reason: Unusable, of?: PendingRequest): Promise<void> {
    const pending = of?.request.id === id ? of : this.#pending.get(id);
    if (pending) await this.#endWithFailure(pending, unusableResponse(reason));
  }

  /**
   * The app no longer waits: it gets no response (MCP 2026-07-28, cancellation), or the server's own if that is
   * `stillSent`.
   */
  cancel(id: string, { stillSent }: { readonly stillSent: boolean }): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (stillSent && pending.wasSent) return pending.noteCancelled();
    pending.end('cancelled');
    this.#pending.remove(pending);
    this.#ports.answers?.end(pending.about);
  }

  /** The app has hung up, or has its response. Handshakes and lists still complete, for the cache. */
  drop(about: string): void {
    const pending = this.#pending.of(about);
    if (!pending?.isOpen) return;
    if (isCatalogd(pending.request.method)) return pending.noteCancelled();
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
    for (const { bytes } of this.#pending.takeUnsent()) await this.#ports.requeue(bytes);
  }

  /** Tells the app to ask again for what was answered without the server. */
  async announce(): Promise<void> {
    if (!this.#stale.hasAny || this.#isClosed) return;
    this.#isAway = false;
    await this.#subscriptions.notify(this.#stale.takeNotifications());
    this.#subscriptions.retry();
  }

  close(): void {
    this.#isClosed = true;
    this.#pending.end('SESSION_LOST');
  }

  async #run(pending: PendingRequest): Promise<void> {
    const stop = this.#answerInTime(pending);
    try {
      await this.#order.request(pending.request.bytes.byteLength, () => this.#subscriptions.forward(pending));
      this.#isAway = false;
      if (pending.isOpen) await this.#endWithFailure(pending, undefined);
    } catch (error) {
      if (error instanceof LostCursor) await this.#restartList(pending);
      else if (!pending.signal.aborted) await this.#fail(pending, error);
    } finally {
      stop();
      this.#pending.remove(pending); // No response will come any more.
      this.#stale.noteFailure(pending.request, false);
    }
  }

  /** Handshakes and lists do not wait for a slow server; calls do not wait long for one that was away. */
  #answerInTime(pending: PendingRequest): () => void {
    const { clock, upstream, isLocal } = this.#ports;
    if (isCatalogd(pending.request.method)) {
      return clock.after(gatewaySession.responseWait, () => void this.#answerFromCache(pending));
    }
    if (!this.#isAway || isLocal) return () => {};
    return clock.after(gatewaySession.offlineCallWait, () => {
      if (!pending.isOpen || !upstream.needsHandshake) return;
      void this.#refuse(pending, new PosternError('SERVER_OFFLINE', { stage: 'gateway' })).then(pending.abort);
    });
  }

  async #answerFromCache(pending: PendingRequest): Promise<boolean> {
    const cached = pending.isOpen ? await this.#ports.catalog.lookUp(pending.request) : undefined;
    // The server may have answered meanwhile.
    if (!cached || !pending.isOpen) return false;
    this.#stale.noteCached(pending.request, cached);
    await pending.answerFromCache(await this.#ports.capabilities.filterResponse(pending.request, cached));
    return true;
  }

  async #fail(pending: PendingRequest, error: unknown): Promise<void> {
    const { tryBridge, isStatelessServer, judge } = this.#ports;
    const isOlder = beginsSession(pending.request) && isStatelessServer();
    if (judge(error).isAway) {
      this.#isAway = true;
      this.#stale.markAway();
      if (isCatalogd(pending.request.method) && (await this.#answerFromCache(pending))) return;
      if (isOlder && tryBridge(pending.request, 'refused')) return pending.dismiss();
    } else if (isOlder) return await this.#refuseSession(pending);
    await this.#endWithFailure(pending, error);
  }

  /** The app lists again, in the current session. */
  async #restartList(pending: PendingRequest): Promise<void> {
    const { request } = pending;
    await pending.answerWithSubstitute(emptyLastPage(request), 'SESSION_LOST');
    await this.#subscriptions.notify(changesOf([request.method]));
  }

  /** The app's part of a list is still good without the page that failed. */
  async #endWithFailure(pending: PendingRequest, error: unknown): Promise<void> {
    const { isAway, isStoppedHere, refusal } = this.#ports.judge(error);
    if (isStoppedHere || !(await this.#endListEarly(pending, refusal.code))) return await this.#refuse(pending, error);
    // Only the user or the next attempt can help.
    if (isAway) this.#ports.refuse(error);
  }

  /** `false`: this was not a further page of a list. */
  async #endListEarly(pending: PendingRequest, outcome: CallOutcome): Promise<boolean> {
    const last = pending.isOpen && (await this.#ports.catalog.lastPage(pending.request, pending.owner));
    if (!last) return false;
    this.#ports.onUnusable(last.missing);
    await pending.answerWithSubstitute(last.response, outcome);
    return true;
  }

  async #takeError(pending: PendingRequest, response: ResponseEnvelope, arrival: Arrival): Promise<void> {
    const { request, context } = pending;
    const { error } = response.message;
    const code = isObject(error) ? error['code'] : undefined;
    if (context.fields && isAboutFields(arrival.status)) return await pending.pass(response, arrival);
    if (isStatelessError(code) && revealsProtocol(request)) this.#ports.onProtocol('stateless');
    if (pending.isFromCache) return pending.settle();
    const isMissing = code === rpcCode.headerMismatch && request.method === 'tools/call';
    // An HTTP app has header fields of its own.
    if (isMissing && !context.fields && !pending.wantsHeaders) {
      pending.wantsHeaders = true;
      return;
    }
    if (beginsSession(request) && (this.#ports.isStatelessServer() || isStatelessError(code))) {
      return await this.#refuseSession(pending);
    }
    if (await this.#endListEarly(pending, failureOf(response))) return;
    if (!saysNoDiscovery(request, code)) return await pending.pass(response, arrival);
    // A process has no status: its transport has refused an id that is in flight.
    const isOfTransport = this.#ports.isLocal && arrival.status === 400;
    if (isWholeDiscovery(request) && !isOfTransport) this.#ports.onProtocol('session');
    await pending.answerError(rpcCode.unknownMethod, 'Method not found');
  }

  async #refuseSession(pending: PendingRequest): Promise<void> {
    if (this.#ports.tryBridge(pending.request, 'refused')) return pending.dismiss();
    await this.#refuse(pending, new SessionFormRefused());
  }

  async #refuse(pending: PendingRequest, error: unknown): Promise<void> {
    await pending.refuseWith(this.#ports.refuse(error));
  }
}

/**
 * Order in which an app's messages are sent: one by one until `notifications/initialized` (MCP 2025-11-25, lifecycle),
 * then at once, except for requests beyond the limit.
 */
export class MessageOrder {
  readonly #slots: RequestSlots;
  #turn: Promise<void> | undefined;
  /** Messages that are sent at once wait only for this. */
  #before: Promise<void> = Promise.resolve();

  constructor(budget: AppBudget) {
    this.#slots = new RequestSlots(budget);
  }

  /** Whether one more request of this many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#slots.isFullFor(bytes);
  }

  /** From now on, one by one. */
  serialize(): void {
    this.#turn ??= this.#before;
  }

  /** Back to sending at once. */
  release(): void {
    this.#turn = undefined;
  }

  /** One by one until everything so far, and `last`, is sent. */
  async serializeUntil(last: () => Promise<void>): Promise<void> {
    const done = this.inTurn(last);
    // Later messages wait for it but not for each other: one may have to be answered before another is.
    this.#turn = undefined;
    this.#before = done.catch(() => {});
    await done;
  }

  /** Errors: those of `work`. */
  async inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#turn === undefined) {
      await this.#before;
      return await work();
    }
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    await done;
  }

  /** The same for a request of this many bytes, which holds a slot until it is over. Errors: those of `work`. */
  async request(bytes: number, work: () => Promise<void>): Promise<void> {
    const slot = this.#slots.enter(bytes);
    try {
      await this.inTurn(async () => {
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
  readonly isOlder: boolean;
  /** Too much is waiting. */
  readonly isFull: boolean;
}

/** Why a request is refused, as a JSON-RPC error; `undefined` if it is handled. */
function immediateRefusal({ method }: RequestEnvelope, { isDuplicate, isOlder, isFull }: RequestConditions) {
  if (isDuplicate) return { code: rpcCode.notARequest, message: duplicateIdMessage };
  // Makes apps of both protocol forms fall back to `initialize`.
  if (method === 'server/discover' && isOlder) return { code: rpcCode.unknownMethod, message: 'Method not found' };
  if (isFull) return { code: rpcCode.implementation, message: tooManyMessage };
  return undefined;
}
