import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { errorText, notificationText, resultText, rpcCode, tooLongText, unusableText } from '../responses/responses.ts';
import { cancelledId, exactMember, isObject, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { isRequestMethod } from '../capabilities/method-rules.ts';
import { SessionRequests } from './session-requests.ts';
import type { SessionRequestsPorts } from './session-requests.ts';
import {
  cancelText,
  handshakeOf,
  readDiscovery,
  readApp,
  requestText,
  withMeta,
  withoutReservedMeta,
} from './revisions.ts';

export interface BridgePorts extends SessionRequestsPorts {
  /** Display name of the server, if it reports none. */
  readonly name: string;
  /** The server handles this handshake itself, or does not report which versions it speaks. Never rejects. */
  readonly decline: (initialize: RequestEnvelope) => Promise<void>;
  /** The server is stateless only. */
  readonly onStatelessOnly: () => void;
}

type State =
  | { readonly kind: 'unused' | 'declined' }
  /** Waiting for `server/discover`; messages of the app are held meanwhile. */
  | { readonly kind: 'asking'; readonly id: string; readonly initialize: RequestEnvelope; readonly over: () => void }
  | { readonly kind: 'used'; readonly requests: SessionRequests; readonly subscription: Subscription };

/**
 * Lets an app that starts with `initialize` use a stateless server. It is between the app and its session, which then
 * looks like that of a stateless app. Every message is rewritten.
 */
export class Bridge {
  readonly #ports: BridgePorts;
  #state: State = { kind: 'unused' };
  #asking: Promise<void> | undefined;

  constructor(ports: BridgePorts) {
    this.#ports = ports;
  }

  /** Whether it translates, or is about to. */
  get isUsed(): boolean {
    return this.#state.kind === 'asking' || this.#state.kind === 'used';
  }

  /** Whether none of the app waits here. */
  get isIdle(): boolean {
    return this.#state.kind === 'used' ? this.#state.requests.isIdle : this.#state.kind !== 'asking';
  }

  /** Answers this handshake from `server/discover`, or declines it. `false`: this was tried before. */
  begin(initialize: RequestEnvelope): boolean {
    if (this.#state.kind !== 'unused') return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asking = promise;
    const id = this.#ports.own.newId();
    this.#state = { kind: 'asking', id, initialize, over: resolve };
    const about = withMeta({}, readApp(initialize.params), undefined);
    // Deferred: the caller may still drop the handshake.
    queueMicrotask(() => void this.#ports.pass(requestText(id, 'server/discover', about)));
    return true;
  }

  /** Handles a message of the app. Never rejects; resolves when the next may come. */
  async takeFromApp(bytes: Buffer): Promise<void> {
    await this.#asking;
    if (this.#state.kind !== 'used') return await this.#ports.pass(bytes);
    const { requests, subscription } = this.#state;
    const message = readEnvelope(bytes);
    switch (message.kind) {
      case 'request':
        return await this.#request(message, requests, subscription);
      case 'notification':
        if (isRequestMethod(message.method)) return await this.#ports.pass(bytes);
        if (message.method === 'notifications/initialized') void subscription.listen();
        // The only client notification that the stateless form has.
        if (message.method === 'notifications/cancelled') await requests.cancel(cancelledId(message.bytes));
        return;
      case 'response':
        return requests.takeResponse(message);
      case 'unusable':
        return await this.#ports.send(unusableText(message.id, message.reason), message.id);
    }
  }

  /** Over HTTP: the app has hung up on this request, or has its response. */
  drop(about: string): void {
    if (this.#state.kind === 'used') void this.#state.requests.cancel(about);
  }

  /** `beginning`: all that is known of a message that is too long. Never rejects. */
  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#ports.send(tooLongText(beginning));
  }

  /** Handles a message for the app, as a stateless app would get it. Never rejects. */
  async takeForApp(text: Buffer | string): Promise<void> {
    const state = this.#state;
    const message = readEnvelope(typeof text === 'string' ? Buffer.from(text) : text);
    switch (message.kind) {
      case 'response':
        return await this.#response(message, state);
      case 'notification':
        return await this.#notification(message, state);
      case 'request':
        // Stateless servers ask only within responses.
        return await this.#ports.pass(Buffer.from(errorText(message.id, rpcCode.unknownMethod, 'Method not found')));
      case 'unusable':
        return await this.#ports.send(text);
    }
  }

  /** The app's own form of a message that was not sent; `undefined` if it is not the app's. */
  originalOf(bytes: Buffer): Buffer | undefined {
    const state = this.#state;
    const message = this.isUsed ? readEnvelope(bytes) : undefined;
    if (message?.kind !== 'request') return bytes;
    if (state.kind === 'asking' && state.id === message.id) return state.initialize.bytes;
    return state.kind === 'used' ? state.requests.originalOf(message.id) : undefined;
  }

  close(): void {
    if (this.#state.kind === 'asking') this.#state.over();
    if (this.#state.kind !== 'used') return;
    this.#state.requests.close();
    this.#state.subscription.close();
  }

  async #request(request: RequestEnvelope, requests: SessionRequests, subscription: Subscription): Promise<void> {
    const { id, method, params } = request;
    const { uri, level } = params;
    const send = (text: string): Promise<void> => this.#ports.send(text, id);
    const succeed = (): Promise<void> => send(resultText(id, {}));
    const refuse = (): Promise<void> =>
      send(errorText(id, rpcCode.wrongParameters, 'The server does not accept these parameters.'));
    switch (method) {
      case 'ping':
        return await succeed();
      case 'initialize':
        return await send(errorText(id, rpcCode.notARequest, 'This session is already initialized.'));
      case 'logging/setLevel':
        if (typeof level !== 'string') return await refuse();
        requests.logLevel = level;
        return await succeed();
      case 'resources/subscribe':
        if (typeof uri !== 'string') return await refuse();
        // Not awaited: the server may take its time, and other messages continue meanwhile.
        void subscription.subscribe(uri).then((isAgreed) => (isAgreed ? succeed() : refuse()));
        return;
      case 'resources/unsubscribe':
        if (typeof uri === 'string') void subscription.unsubscribe(uri);
        return await succeed();
      default:
        await requests.begin(request);
    }
  }

  async #response(response: ResponseEnvelope, state: State): Promise<void> {
    if (state.kind === 'asking' && response.id === state.id) return await this.#decide(response, state);
    if (state.kind !== 'used') return;
    const { error } = response.hasError ? response.message : {};
    if (state.subscription.takeEnd(response.id, isObject(error) ? error['code'] : undefined)) return;
    await state.requests.take(response);
  }

  async #decide(response: ResponseEnvelope, { initialize, over }: Extract<State, { kind: 'asking' }>): Promise<void> {
    const discovered = exactMember(response.bytes, 'result');
    const support = response.hasError ? 'unknown' : readDiscovery(discovered);
    this.#asking = undefined;
    if (support === 'stateless-only') {
      const { send, name } = this.#ports;
      const app = readApp(initialize.params);
      this.#ports.onStatelessOnly();
      const requests = new SessionRequests(this.#ports, app);
      this.#state = { kind: 'used', requests, subscription: this.#newSubscription(discovered, app) };
      await send(resultText(initialize.id, handshakeOf(discovered, app, name)), initialize.id);
    } else {
      this.#state = { kind: 'declined' };
      await this.#ports.decline(initialize);
    }
    over();
  }

  #newSubscription({ capabilities }: JsonObject, app: ReturnType<typeof readApp>): Subscription {
    const { clock, own, pass } = this.#ports;
    return new Subscription(
      {
        clock,
        newId: () => own.newId(),
        ask: (id, params) => void pass(requestText(id, 'subscriptions/listen', withMeta(params, app, undefined))),
        cancel: (id) => void pass(Buffer.from(cancelText(id))),
      },
      capabilities,
    );
  }

  async #notification(message: Extract<Envelope, { kind: 'notification' }>, state: State): Promise<void> {
    if (state.kind !== 'used') return;
    const { method } = message;
    const params = exactMember(message.bytes, 'params');
    if (method === 'notifications/subscriptions/acknowledged') return state.subscription.acknowledge(params);
    const plain = withoutReservedMeta(params);
    const about = method === 'notifications/progress' ? state.requests.withToken(params['progressToken']) : undefined;
    await this.#ports.send(notificationText(method, Object.keys(plain).length > 0 ? plain : undefined), about);
  }
}

/** Changes that session apps are notified of: the server capability, and the member that subscribes to it. */
const changes = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const;

interface ListenRequest {
  readonly id: string;
  readonly acknowledged: PromiseWithResolvers<boolean>;
}

interface SubscriptionPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** An id that no other request has, as JSON text. */
  readonly newId: () => string;
  readonly ask: (id: string, params: JsonObject) => void;
  /** Cancels a request. */
  readonly cancel: (id: string) => void;
}

/**
 * Notifications for a session app: a single `subscriptions/listen` at the server covers them all (MCP 2026-07-28,
 * subscriptions) and is replaced when the app's subscriptions change.
 */
class Subscription {
  readonly #ports: SubscriptionPorts;
  readonly #changes: JsonObject;
  readonly #resources = new Set<string>();
  #listen: ListenRequest | undefined;
  #stopWaiting: () => void = () => {};
  #isOver = false;

  /** `capabilities`: of the server. */
  constructor(ports: SubscriptionPorts, capabilities: unknown) {
    this.#ports = ports;
    const declared = isObject(capabilities) ? capabilities : {};
    const reported = changes.filter(([name]) => isObject(declared[name]) && declared[name]['listChanged'] === true);
    this.#changes = Object.fromEntries(reported.map(([, member]) => [member, true]));
  }

  /**
   * Subscribes, or subscribes again; the previous request ends once the new one is acknowledged. Returns whether the
   * server agreed.
   */
  async listen(): Promise<boolean> {
    this.#stopWaiting();
    const before = this.#listen;
    if (this.#isOver || (Object.keys(this.#changes).length === 0 && this.#resources.size === 0)) {
      this.#listen = undefined;
      if (before) this.#ports.cancel(before.id);
      return true;
    }
    const resources = this.#resources.size > 0 && { resourceSubscriptions: [...this.#resources] };
    const listen: ListenRequest = { id: this.#ports.newId(), acknowledged: Promise.withResolvers<boolean>() };
    this.#listen = listen;
    this.#ports.ask(listen.id, { notifications: { ...this.#changes, ...resources } });
    const isAgreed = await listen.acknowledged.promise;
    before?.acknowledged.resolve(isAgreed);
    if (before) this.#ports.cancel(before.id);
    return isAgreed;
  }

  /** `false`: the server does not report changes of this resource. */
  async subscribe(uri: string): Promise<boolean> {
    if (this.#resources.has(uri)) return true;
    this.#resources.add(uri);
    if (await this.listen()) return true;
    this.#resources.delete(uri);
    return false;
  }

  async unsubscribe(uri: string): Promise<void> {
    if (this.#resources.delete(uri)) await this.listen();
  }

  /** Handles an acknowledgement. */
  acknowledge({ _meta }: JsonObject): void {
    const id = isObject(_meta) ? JSON.stringify(_meta['io.modelcontextprotocol/subscriptionId']) : undefined;
    if (id === undefined || id === this.#listen?.id) this.#listen?.acknowledged.resolve(true);
  }

  /** Handles the end of a subscription; returns whether it was one. A server without this method is not asked again. */
  takeEnd(id: string, code: unknown): boolean {
    const listen = this.#listen;
    if (listen?.id !== id) return false;
    this.#listen = undefined;
    listen.acknowledged.resolve(false);
    if (code === rpcCode.unknownMethod || this.#isOver) return true;
    this.#stopWaiting = this.#ports.clock.after(gatewaySession.retryInterval, () => void this.listen());
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#listen?.acknowledged.resolve(false);
  }
}
