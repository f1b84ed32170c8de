// Lets an app that uses sessions (`initialize`) talk to a stateless server (MCP 2026-07-28).

import { isObject } from '../../../shared/json-object.ts';
import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import {
  cancelText,
  errorText,
  notificationText,
  requestText,
  resultText,
  rpcCode,
  tooLongText,
  unusableText,
} from '../responses/responses.ts';
import { asObject, cancelledId, exactMember, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { listChanges } from '../messages/lists.ts';
import { isRequestMethod } from '../capabilities/method-rules.ts';
import { SessionAppRequests } from './session-app-requests.ts';
import type { SessionAppRequestsPorts } from './session-app-requests.ts';
import { toInitializeResult, readDiscovery, readSessionApp, withMeta, withoutReservedMeta } from './revisions.ts';

export interface SessionAppBridgePorts extends SessionAppRequestsPorts {
  /** Display name of the server, if it reports none. */
  readonly name: string;
  /** Sends this handshake to the server instead of bridging it. Never rejects. */
  readonly decline: (initialize: RequestEnvelope) => Promise<void>;
  /** The server is stateless only. */
  readonly onStatelessOnly: () => void;
}

type State =
  | { readonly kind: 'unused' | 'declined' }
  /** Waiting for `server/discover`; the app's messages are queued until then. */
  | {
      readonly kind: 'discovering';
      readonly id: string;
      readonly initialize: RequestEnvelope;
      readonly done: () => void;
    }
  | { readonly kind: 'active'; readonly requests: SessionAppRequests; readonly subscription: Subscription };

/**
 * Sits between a session app and its `Session` and rewrites every message, so that to the `Session` the app looks
 * stateless.
 */
export class SessionAppBridge {
  readonly #ports: SessionAppBridgePorts;
  #state: State = { kind: 'unused' };
  #discovering: Promise<void> | undefined;

  constructor(ports: SessionAppBridgePorts) {
    this.#ports = ports;
  }

  /** Whether it rewrites messages, or may soon. */
  get isActive(): boolean {
    return this.#state.kind === 'discovering' || this.#state.kind === 'active';
  }

  /** Whether no request of the app is waiting here. */
  get isIdle(): boolean {
    return this.#state.kind === 'active' ? this.#state.requests.isIdle : this.#state.kind !== 'discovering';
  }

  /** Answers this handshake from `server/discover`, or declines it. Returns false if that was tried before. */
  begin(initialize: RequestEnvelope): boolean {
    if (this.#state.kind !== 'unused') return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#discovering = promise;
    const id = this.#ports.own.newId();
    this.#state = { kind: 'discovering', id, initialize, done: resolve };
    const params = withMeta({}, readSessionApp(initialize.params), undefined);
    // Deferred: the caller may still drop the handshake.
    queueMicrotask(() => void this.#ports.sendToServer(requestText(id, 'server/discover', params)));
    return true;
  }

  /** Handles a message from the app; resolves when the next can be read. Never rejects. */
  async handleAppMessage(bytes: Buffer): Promise<void> {
    await this.#discovering;
    if (this.#state.kind !== 'active') return await this.#ports.sendToServer(bytes);
    const { requests, subscription } = this.#state;
    const message = readEnvelope(bytes);
    switch (message.kind) {
      case 'request':
        return await this.#handleRequest(message, requests, subscription);
      case 'notification':
        if (isRequestMethod(message.method)) return await this.#ports.sendToServer(bytes);
        if (message.method === 'notifications/initialized') void subscription.listen();
        // The only client notification in stateless revisions.
        if (message.method === 'notifications/cancelled') await requests.cancel(cancelledId(message.bytes));
        return;
      case 'response':
        return requests.handleInput(message);
      case 'unusable':
        return await this.#ports.sendToApp(unusableText(message.id, message.reason), message.id);
    }
  }

  /** Over HTTP: the app has disconnected from this request, or has its response. */
  drop(requestId: string): void {
    if (this.#state.kind === 'active') void this.#state.requests.cancel(requestId);
  }

  /** Refuses a message over the size limit, given its beginning. Never rejects. */
  async refuseOversized(beginning: Buffer): Promise<void> {
    await this.#ports.sendToApp(tooLongText(beginning));
  }

  /** Converts a stateless message for the app and sends it on. Never rejects. */
  async handleServerMessage(text: Buffer | string): Promise<void> {
    const state = this.#state;
    const message = readEnvelope(typeof text === 'string' ? Buffer.from(text) : text);
    switch (message.kind) {
      case 'response':
        return await this.#handleResponse(message, state);
      case 'notification':
        return await this.#handleNotification(message, state);
      case 'request':
        // Stateless servers request input only within responses.
        return await this.#ports.sendToServer(
          Buffer.from(errorText(message.id, rpcCode.unknownMethod, 'Method not found')),
        );
      case 'unusable':
        return await this.#ports.sendToApp(text);
    }
  }

  /** The app's original of a message that was not sent; `undefined` if the message is not the app's. */
  originalOf(bytes: Buffer): Buffer | undefined {
    const state = this.#state;
    const message = this.isActive ? readEnvelope(bytes) : undefined;
    if (message?.kind !== 'request') return bytes;
    if (state.kind === 'discovering' && state.id === message.id) return state.initialize.bytes;
    return state.kind === 'active' ? state.requests.originalOf(message.id) : undefined;
  }

  close(): void {
    if (this.#state.kind === 'discovering') this.#state.done();
    if (this.#state.kind !== 'active') return;
    this.#state.requests.close();
    this.#state.subscription.close();
  }

  async #handleRequest(
    request: RequestEnvelope,
    requests: SessionAppRequests,
    subscription: Subscription,
  ): Promise<void> {
    const { id, method, params } = request;
    const { uri, level } = params;
    const send = (text: string): Promise<void> => this.#ports.sendToApp(text, id);
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
        // Not awaited: the server may be slow, and other messages must not wait.
        void subscription.subscribe(uri).then((isAccepted) => (isAccepted ? succeed() : refuse()));
        return;
      case 'resources/unsubscribe':
        if (typeof uri === 'string') void subscription.unsubscribe(uri);
        return await succeed();
      default:
        await requests.begin(request);
    }
  }

  async #handleResponse(response: ResponseEnvelope, state: State): Promise<void> {
    if (state.kind === 'discovering' && response.id === state.id) return await this.#handleDiscovery(response, state);
    if (state.kind !== 'active') return;
    const { error } = response.hasError ? response.message : {};
    if (state.subscription.handleEnd(response.id, isObject(error) ? error['code'] : undefined)) return;
    await state.requests.handleResponse(response);
  }

  async #handleDiscovery(
    response: ResponseEnvelope,
    { initialize, done }: Extract<State, { kind: 'discovering' }>,
  ): Promise<void> {
    const discovered = exactMember(response.bytes, 'result');
    const support = response.hasError ? 'unknown' : readDiscovery(discovered);
    this.#discovering = undefined;
    if (support === 'stateless-only') {
      const { sendToApp, name } = this.#ports;
      const app = readSessionApp(initialize.params);
      this.#ports.onStatelessOnly();
      const requests = new SessionAppRequests(this.#ports, app);
      this.#state = { kind: 'active', requests, subscription: this.#newSubscription(discovered, app) };
      await sendToApp(resultText(initialize.id, toInitializeResult(discovered, app, name)), initialize.id);
    } else {
      this.#state = { kind: 'declined' };
      await this.#ports.decline(initialize);
    }
    done();
  }

  #newSubscription({ capabilities }: JsonObject, app: ReturnType<typeof readSessionApp>): Subscription {
    const { clock, own, sendToServer } = this.#ports;
    return new Subscription(
      {
        clock,
        newId: () => own.newId(),
        sendListen: (id, params) =>
          void sendToServer(requestText(id, 'subscriptions/listen', withMeta(params, app, undefined))),
        cancel: (id) => void sendToServer(Buffer.from(cancelText(id))),
      },
      capabilities,
    );
  }

  async #handleNotification(message: Extract<Envelope, { kind: 'notification' }>, state: State): Promise<void> {
    if (state.kind !== 'active') return;
    const { method } = message;
    const params = exactMember(message.bytes, 'params');
    if (method === 'notifications/subscriptions/acknowledged') return state.subscription.acknowledge(params);
    const appParams = withoutReservedMeta(params);
    const requestId =
      method === 'notifications/progress' ? state.requests.requestIdForToken(params['progressToken']) : undefined;
    await this.#ports.sendToApp(
      notificationText(method, Object.keys(appParams).length > 0 ? appParams : undefined),
      requestId,
    );
  }
}

interface ListenRequest {
  readonly id: string;
  readonly acknowledged: PromiseWithResolvers<boolean>;
}

interface SubscriptionPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** An id that no other request has, as JSON text. */
  readonly newId: () => string;
  readonly sendListen: (id: string, params: JsonObject) => void;
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
  #current: ListenRequest | undefined;
  #stopRetry: () => void = () => {};
  #isClosed = false;

  /** `capabilities`: of the server. */
  constructor(ports: SubscriptionPorts, capabilities: unknown) {
    this.#ports = ports;
    const declared = asObject(capabilities);
    const reported = listChanges.filter(({ capability: name }) => {
      const capability = declared[name];
      return isObject(capability) && capability['listChanged'] === true;
    });
    this.#changes = Object.fromEntries(reported.map(({ subscription }) => [subscription, true]));
  }

  /**
   * Subscribes, or replaces the subscription: the previous request is canceled once the new one is acknowledged.
   * Returns whether the server accepted.
   */
  async listen(): Promise<boolean> {
    this.#stopRetry();
    const previous = this.#current;
    if (this.#isClosed || (Object.keys(this.#changes).length === 0 && this.#resources.size === 0)) {
      this.#current = undefined;
      if (previous) this.#ports.cancel(previous.id);
      return true;
    }
    const resources = this.#resources.size > 0 && { resourceSubscriptions: [...this.#resources] };
    const listen: ListenRequest = { id: this.#ports.newId(), acknowledged: Promise.withResolvers<boolean>() };
    this.#current = listen;
    this.#ports.sendListen(listen.id, { notifications: { ...this.#changes, ...resources } });
    const isAccepted = await listen.acknowledged.promise;
    previous?.acknowledged.resolve(isAccepted);
    if (previous) this.#ports.cancel(previous.id);
    return isAccepted;
  }

  /** Returns false if the server does not report changes of this resource. */
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
    if (id === undefined || id === this.#current?.id) this.#current?.acknowledged.resolve(true);
  }

  /** Handles the end of the subscription; returns whether this was one. Not retried if the method is unknown. */
  handleEnd(id: string, code: unknown): boolean {
    const listen = this.#current;
    if (listen?.id !== id) return false;
    this.#current = undefined;
    listen.acknowledged.resolve(false);
    if (code === rpcCode.unknownMethod || this.#isClosed) return true;
    this.#stopRetry = this.#ports.clock.after(gatewaySession.retryInterval, () => void this.listen());
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopRetry();
    this.#current?.acknowledged.resolve(false);
  }
}
