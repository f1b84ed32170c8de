// One session: an app and a server, with messages passed in both directions.

import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession, messageBudget } from '../../limits.ts';
import { idKey } from '../../mcp/messages/message-headers.ts';
import {
  ambiguousText,
  errorText,
  refusedArrival,
  rpcCode,
  tooLongText,
  unusableText,
} from '../responses/responses.ts';
import type { Arrival } from '../responses/responses.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { CallOutcome } from '../responses/call-log.ts';
import { isCacheable } from '../messages/catalog.ts';
import { cancelledId, onOneLine, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isRequestMethod } from '../capabilities/method-rules.ts';
import { AppSubscriptions } from './app-subscriptions.ts';
import { MessageOrder, AppRequests } from './app-requests.ts';
import type { MessageContext, PendingRequest } from './pending-requests.ts';
import { StaleResponses } from './session-ports.ts';
import type { SessionPorts } from './session-ports.ts';

const invalid: CallOutcome = `${rpcCode.notARequest}`;

/** One app that uses one server: passes messages in both directions unchanged. */
export class Session {
  readonly #ports: SessionPorts;
  readonly #order: MessageOrder;
  readonly #stale = new StaleResponses();
  readonly #subscriptions: AppSubscriptions;
  readonly #requests: AppRequests;
  readonly #serverRequests = new ServerRequests();
  readonly #outgoing: OutgoingMessages;
  /** Of a stateless app: the last request that can be repeated without side effects. */
  #repeatable: RequestEnvelope | undefined;
  #isClosed = false;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#order = new MessageOrder(ports.budget);
    this.#outgoing = new OutgoingMessages(ports.budget);
    this.#subscriptions = new AppSubscriptions(
      ports,
      this.#stale,
      (pending) => (message, arrival) => this.handleServerMessage(message, pending, arrival),
    );
    this.#requests = new AppRequests(ports, this.#order, this.#stale, this.#subscriptions);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Whether the app has responses from the cache, or requests that failed. */
  get isStale(): boolean {
    return this.#stale.hasAny;
  }

  /** Handles a message from the app, without its line end; resolves when the next can be read. Never rejects. */
  async receive(bytes: Buffer, context: MessageContext = {}): Promise<void> {
    const message = readEnvelope(bytes);
    if (this.#ports.capabilities.mustBlock(message, context.fields, context.isAmbiguous))
      return await this.#refuseAmbiguous(message, context);
    if (message.kind === 'notification' && isRequestMethod(message.method)) return this.#log(message, invalid);
    switch (message.kind) {
      case 'unusable':
        return await this.#ports.send(
          unusableText(message.id, message.reason),
          context.requestKey ?? message.id,
          refusedArrival,
        );
      case 'request':
        if (isCacheable(message.method) && statedRevision(message.params) !== undefined) this.#repeatable = message;
        return await this.#requests.begin(message, context);
      case 'notification':
        void this.#outgoing.track(message.bytes.byteLength, () => this.#sendInOrder(message));
        return await this.#outgoing.waitForRoom();
      case 'response':
        // Ignore responses that match no request.
        if (!this.#serverRequests.settle(message.id)) return this.#ports.onUnexpected('app-answer');
        // Not queued behind requests: a server may need this before it can respond to one.
        void this.#outgoing.track(message.bytes.byteLength, () => this.#sendToServer(message));
        return await this.#outgoing.waitForRoom();
    }
  }

  /** Refuses a message over the size limit, given its beginning, which usually contains its id. */
  async refuseOversized(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  /** The app has disconnected from this request, or has its response. */
  drop(requestKey: string): void {
    this.#requests.drop(requestKey);
  }

  /** Opens the server's own stream, since the app listens. */
  listen(): void {
    this.#ports.upstream.listen();
  }

  /**
   * Handles a message from the server. `exchange`: the request on whose stream it arrived. Resolves when the next can
   * be read.
   */
  async handleServerMessage(message: Envelope, exchange?: PendingRequest, arrival?: Arrival): Promise<void> {
    if (this.#isClosed) return;
    switch (message.kind) {
      case 'request':
        if (!this.#serverRequests.open(message.id)) return await this.#refuseServerRequest(message.id);
        return await this.#send(onOneLine(message.bytes), exchange);
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#serverRequests.settle(cancelledId(message.bytes));
        // The subscription was repeated, so the server is back.
        if (this.#subscriptions.isRepeated(message, exchange)) return await this.notifyStale();
        await this.#send(onOneLine(message.bytes), exchange);
        return await this.#subscriptions.sendQueued();
      case 'response':
        return await this.#requests.handleResponse(message, exchange, arrival);
      case 'unusable':
        if (message.id !== undefined) await this.#requests.handleUnusable(message.id, message.reason, exchange);
    }
  }

  /**
   * Checks whether the server is back and notifies the app. Stateless revisions have no ping and each request describes
   * its client (MCP 2026-07-28, request metadata), so there the app's last side-effect-free request is repeated. Never
   * rejects.
   */
  async catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const { upstream, server } = this.#ports;
    try {
      if (upstream.isSession || reason === 'signed-in') await upstream.checkAlive();
      else if (!this.#repeatable) return this.#subscriptions.retry();
      else if (!(await upstream.requestOwn(server.own.repeat(this.#repeatable)))) return;
    } catch {
      return;
    }
    await this.notifyStale();
  }

  /** Notifies the app to repeat requests that were answered without the server. */
  async notifyStale(): Promise<void> {
    await this.#requests.notifyStale();
  }

  /** The user has changed the permissions: makes the app list tools again, if it has listed them before. */
  async notifyToolsChanged(): Promise<void> {
    if (!this.#isClosed) await this.#subscriptions.notify(this.#stale.toolsChanged());
  }

  /** Sends no further request to the server. Never rejects. */
  async drain(): Promise<void> {
    await this.#requests.drain();
  }

  /** Ends what is in flight. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ports.onClosed();
    this.#requests.close();
    await this.#ports.upstream.close();
  }

  async #sendInOrder(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    switch (message.method) {
      case 'notifications/initialized':
        return await this.#order.serializeUntil(() => this.#sendAdmitted(message));
      case 'notifications/cancelled': {
        const id = cancelledId(message.bytes);
        if (this.#requests.isRequeued(id)) return await this.#ports.requeue(message.bytes);
        // A stateless request is canceled by ending its stream. In a session, the server is notified and may respond anyway.
        const { isSession } = this.#ports.upstream;
        const wasSent = this.#requests.wasSent(id);
        this.#requests.cancel(id, { serverStillResponds: isSession });
        if (!isSession) return;
        // A request that was sent before a pause continues and can still be canceled.
        return await (wasSent ? this.#sendToServer(message) : this.#sendAdmitted(message));
      }
      default:
        return await this.#order.inOrder(() => this.#sendAdmitted(message));
    }
  }

  /** A paused app sends nothing to the server; `initialized` goes out with the next request. */
  async #sendAdmitted(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    try {
      this.#ports.admit();
    } catch (error) {
      if (message.method === 'notifications/initialized') this.#ports.upstream.deferInitialized(message);
      return this.#log(message, error instanceof PosternError ? error.code : 'INTERNAL');
    }
    await this.#sendToServer(message);
  }

  #log(message: Extract<Envelope, { kind: 'notification' }>, outcome: CallOutcome): void {
    this.#ports.calls.begin(message).end(outcome, 0);
  }

  async #sendToServer(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // Best effort: the next request reports the failure.
    await this.#ports.upstream.sendOneWay(message).catch(() => {});
  }

  async #refuseAmbiguous(message: Envelope, { requestKey }: MessageContext): Promise<void> {
    if (message.kind === 'request')
      await this.#ports.send(ambiguousText(message.id), requestKey ?? message.id, refusedArrival);
    if (message.kind === 'notification') this.#log(message, invalid);
  }

  /** Refuses a server's request: the app has too many open already, or one with this id. */
  async #refuseServerRequest(id: string): Promise<void> {
    const text = errorText(id, rpcCode.implementation, 'Too many questions are waiting for an answer.');
    const response = readEnvelope(Buffer.from(text));
    if (response.kind === 'response') await this.#sendToServer(response);
  }

  async #send(message: Buffer | string, exchange?: PendingRequest): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message, exchange?.requestKey);
  }
}

/** A server's requests to the app without a response. Each gets one response, and their number is limited. */
class ServerRequests {
  readonly #open = new Set<string>();

  /** Returns false if too many are open, or one with this id. */
  open(id: string): boolean {
    const key = idKey(id);
    if (this.#open.size >= gatewaySession.serverRequests || this.#open.has(key)) return false;
    this.#open.add(key);
    return true;
  }

  /** Closes a request that was answered or canceled. Returns false if it was not open. */
  settle(id: string): boolean {
    return this.#open.delete(idKey(id));
  }
}

/** Notifications and responses of an app that the server has not accepted yet. Beyond a limit, the app has to wait. */
class OutgoingMessages {
  readonly #budget: AppBudget;
  #count = 0;
  #hasLongMessage = false;
  #delivered = Promise.withResolvers<void>();

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Counts a message while `work` runs. Errors: those of `work`. */
  async track(bytes: number, work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    // Until a long message fits, nothing more is read from the app; short ones, such as a cancellation, do not wait.
    this.#hasLongMessage = bytes > messageBudget.short && !this.#budget.fits(bytes);
    const release = this.#budget.reserve(bytes);
    try {
      await work();
    } finally {
      this.#count -= 1;
      this.#hasLongMessage = false;
      release();
      this.#delivered.resolve();
      this.#delivered = Promise.withResolvers();
    }
  }

  /** Resolves when there is room for another message of any size. Never rejects. */
  async waitForRoom(): Promise<void> {
    while (this.#count >= gatewaySession.concurrentDeliveries || (this.#hasLongMessage && this.#count > 0))
      await this.#delivered.promise;
  }
}
