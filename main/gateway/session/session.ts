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
import { isCatalogd } from '../messages/catalog.ts';
import { cancelledId, onOneLine, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isRequestMethod } from '../capabilities/method-rules.ts';
import { AppSubscriptions } from './app-subscriptions.ts';
import { MessageOrder, Requests } from './requests.ts';
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
  readonly #requests: Requests;
  readonly #questions = new OpenQuestions();
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
      (pending) => (message, arrival) => this.take(message, pending, arrival),
    );
    this.#requests = new Requests(ports, this.#order, this.#stale, this.#subscriptions);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Whether the app was answered without the server, or something could not be fetched. */
  get isStale(): boolean {
    return this.#stale.hasAny;
  }

  /** Handles a message of the app, without its line end. Never rejects; resolves when the next may come. */
  async receive(bytes: Buffer, context: MessageContext = {}): Promise<void> {
    const message = readEnvelope(bytes);
    if (this.#ports.capabilities.refuses(message, context.fields, context.isAmbiguous))
      return await this.#refuseAmbiguous(message, context);
    if (message.kind === 'notification' && isRequestMethod(message.method)) return this.#note(message, invalid);
    switch (message.kind) {
      case 'unusable':
        return await this.#ports.send(
          unusableText(message.id, message.reason),
          context.about ?? message.id,
          refusedArrival,
        );
      case 'request':
        if (isCatalogd(message.method) && statedRevision(message.params) !== undefined) this.#repeatable = message;
        return await this.#requests.begin(message, context);
      case 'notification':
        void this.#outgoing.track(message.bytes.byteLength, () => this.#sendInOrder(message));
        return await this.#outgoing.waitForRoom();
      case 'response':
        // Ignore responses that were not requested or come twice.
        if (!this.#questions.settle(message.id)) return this.#ports.onUnexpected('app-answer');
        // Not queued behind requests: a server may ask before it responds.
        void this.#outgoing.track(message.bytes.byteLength, () => this.#sendToServer(message));
        return await this.#outgoing.waitForRoom();
    }
  }

  /** `beginning`: all that is known of a message that is too long, as a rule enough to find its id. */
  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  /** The app has hung up on the request that this identifies, or has its response. */
  drop(about: string): void {
    this.#requests.drop(about);
  }

  /** The app listens. */
  listen(): void {
    this.#ports.upstream.listen();
  }

  /**
   * Handles a message of the server; `of`: the request whose exchange it came with. Resolves when the next may come.
   */
  async take(message: Envelope, of?: PendingRequest, arrival?: Arrival): Promise<void> {
    if (this.#isClosed) return;
    switch (message.kind) {
      case 'request':
        if (!this.#questions.open(message.id)) return await this.#refuseQuestion(message.id);
        return await this.#send(onOneLine(message.bytes), of);
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#questions.settle(cancelledId(message.bytes));
        // The subscription was repeated, so the server is back.
        if (this.#subscriptions.isRepeated(message, of)) return await this.announce();
        await this.#send(onOneLine(message.bytes), of);
        return await this.#subscriptions.sendQueued();
      case 'response':
        return await this.#requests.take(message, of, arrival);
      case 'unusable':
        if (message.id !== undefined) await this.#requests.takeUnusable(message.id, message.reason, of);
    }
  }

  /**
   * The server may be back: finds out, and notifies the app. The stateless form has no ping, and each request describes
   * its client (MCP 2026-07-28, request metadata), so there the app's last harmless request is repeated. Never rejects.
   */
  async catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const { upstream, succeedsAgain } = this.#ports;
    try {
      if (upstream.isSession || reason === 'signed-in') await upstream.reach();
      else if (!this.#repeatable) return this.#subscriptions.retry();
      else if (!(await succeedsAgain(this.#repeatable))) return;
    } catch {
      return;
    }
    await this.announce();
  }

  /** Tells the app to ask again for what was answered without the server. */
  async announce(): Promise<void> {
    await this.#requests.announce();
  }

  /** The user has changed the permissions: the app lists its tools again, if it has listed them before. */
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
        // A stateless request is cancelled by ending its stream; with sessions the server is notified and may respond
        // anyway.
        const { isSession } = this.#ports.upstream;
        const wasSent = this.#requests.wasSent(id);
        this.#requests.cancel(id, { stillSent: isSession });
        if (!isSession) return;
        // What was sent before a pause continues and can still be cancelled.
        return await (wasSent ? this.#sendToServer(message) : this.#sendAdmitted(message));
      }
      default:
        return await this.#order.inTurn(() => this.#sendAdmitted(message));
    }
  }

  /** A paused app sends nothing to the server; `initialized` goes out with the next request. */
  async #sendAdmitted(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    try {
      this.#ports.admit();
    } catch (error) {
      if (message.method === 'notifications/initialized') this.#ports.upstream.deferInitialized(message);
      return this.#note(message, error instanceof PosternError ? error.code : 'INTERNAL');
    }
    await this.#sendToServer(message);
  }

  #note(message: Extract<Envelope, { kind: 'notification' }>, outcome: CallOutcome): void {
    this.#ports.calls.begin(message).end(outcome, 0);
  }

  async #sendToServer(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // Best effort: the next request reports the failure.
    await this.#ports.upstream.sendOneWay(message).catch(() => {});
  }

  async #refuseAmbiguous(message: Envelope, { about }: MessageContext): Promise<void> {
    if (message.kind === 'request')
      await this.#ports.send(ambiguousText(message.id), about ?? message.id, refusedArrival);
    if (message.kind === 'notification') this.#note(message, invalid);
  }

  /** In place of the app, which has too many questions open, or this very one. */
  async #refuseQuestion(id: string): Promise<void> {
    const text = errorText(id, rpcCode.implementation, 'Too many questions are waiting for an answer.');
    const response = readEnvelope(Buffer.from(text));
    if (response.kind === 'response') await this.#sendToServer(response);
  }

  async #send(message: Buffer | string, of?: PendingRequest): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message, of?.about);
  }
}

/** Questions of a server that the app has not answered. Each is answered once, and their number is limited. */
class OpenQuestions {
  readonly #open = new Set<string>();

  /** `false`: too many are open, or this one is already. */
  open(id: string): boolean {
    const key = idKey(id);
    if (this.#open.size >= gatewaySession.serverRequests || this.#open.has(key)) return false;
    this.#open.add(key);
    return true;
  }

  /** It was answered or withdrawn. `false`: not open. */
  settle(id: string): boolean {
    return this.#open.delete(idKey(id));
  }
}

/** Notifications and responses of an app that the server has not taken yet. Beyond a limit the app has to wait. */
class OutgoingMessages {
  readonly #budget: AppBudget;
  #count = 0;
  #isLong = false;
  #taken = Promise.withResolvers<void>();

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Counts a message while `work` runs. Errors: those of `work`. */
  async track(bytes: number, work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    // Until a long message fits, nothing more is read from the app; short ones, such as a cancellation, do not wait.
    this.#isLong = bytes > messageBudget.short && !this.#budget.fits(bytes);
    const release = this.#budget.take(bytes);
    try {
      await work();
    } finally {
      this.#count -= 1;
      this.#isLong = false;
      release();
      this.#taken.resolve();
      this.#taken = Promise.withResolvers();
    }
  }

  /** Resolves when there is room for another message of any size. Never rejects. */
  async waitForRoom(): Promise<void> {
    while (this.#count >= gatewaySession.concurrentDeliveries || (this.#isLong && this.#count > 0))
      await this.#taken.promise;
  }
}
