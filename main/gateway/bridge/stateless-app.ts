import type { Send } from '../../gateway-ports.ts';
import { statelessRevision, sessionRevisions } from '../../oauth/http/mcp-request.ts';
import {
  errorText,
  refusedArrival,
  resultText,
  rpcCode,
  duplicateIdMessage,
  unusableText,
} from '../responses/responses.ts';
import type { SendToApp } from '../responses/responses.ts';
import { requestedChanges, notificationOf, subscribesTo } from '../responses/subscriptions.ts';
import { cancelledId, exactMember, isObject, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { StatelessRequests } from './stateless-requests.ts';
import type { StatelessRequestsPorts } from './stateless-requests.ts';
import { askableMethods, discoveryOf, requestText, reserved, revisionsFor } from './revisions.ts';

interface StatelessAppPorts extends StatelessRequestsPorts {
  readonly send: SendToApp;
  readonly requeue: Send;
}

interface Listener {
  readonly request: RequestEnvelope;
  readonly uris: readonly string[];
}

/**
 * Lets a stateless app use a collection, which uses sessions: it is between the two, and every message is rewritten.
 * `about` identifies a request: its id, or, if several processes of an app share a connection, a key that is unique
 * among them.
 */
export class StatelessApp {
  readonly #ports: StatelessAppPorts;
  readonly #requests: StatelessRequests;
  readonly #listeners = new Map<string, Listener>();
  /** Requests that wait for the handshake. */
  readonly #beginning = new Set<string>();
  /** Requests to the collection that are made here, not by the app. */
  readonly #own = new Map<string, (response: ResponseEnvelope | undefined) => void>();
  #handshake: Promise<JsonObject> | undefined;
  #logLevel: unknown;

  constructor(ports: StatelessAppPorts) {
    this.#ports = ports;
    this.#requests = new StatelessRequests(ports);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Handles a message of the app. Never rejects; resolves when the next may come. */
  async receive(message: Envelope, about?: string): Promise<void> {
    switch (message.kind) {
      case 'unusable':
        return await this.#ports.send(unusableText(message.id, message.reason), about);
      case 'request':
        // Not awaited: a collection may need time for its first request.
        void this.#request(message, about ?? message.id);
        return;
      case 'notification':
        return message.method === 'notifications/cancelled' ? await this.cancel(cancelledId(message.bytes)) : undefined;
      case 'response':
      // Stateless apps have no responses to send.
    }
  }

  /** The app no longer waits for this. Never rejects. */
  async cancel(about: string): Promise<void> {
    this.#beginning.delete(about);
    const listener = this.#listeners.get(about);
    this.#listeners.delete(about);
    if (!listener) return await this.#requests.cancel(about);
    const others = new Set([...this.#listeners.values()].flatMap(({ uris }) => uris));
    for (const uri of listener.uris) if (!others.has(uri)) void this.#ask('resources/unsubscribe', { uri });
  }

  /** Handles a message of the collection. Never rejects. */
  async take(text: Buffer | string, about?: string): Promise<void> {
    const message = readEnvelope(Buffer.from(text));
    switch (message.kind) {
      case 'response': {
        const settle = this.#own.get(message.id);
        this.#own.delete(message.id);
        return settle ? settle(message) : await this.#requests.take(message);
      }
      case 'request':
        return await this.#question(message, about);
      case 'notification':
        return await this.#notification(message, about);
      case 'unusable':
    }
  }

  /** A message that was not sent to a server. Never rejects. */
  async requeue(bytes: Buffer): Promise<void> {
    const message = readEnvelope(bytes);
    if (message.kind !== 'request') return;
    const settle = this.#own.get(message.id);
    this.#own.delete(message.id);
    if (settle) return settle(undefined);
    const original = await this.#requests.originalOf(message.id);
    if (original) await this.#ports.requeue(original);
  }

  async #request(request: RequestEnvelope, about: string): Promise<void> {
    const { id, method, params } = request;
    const refuse = (code: number, text: string, data?: JsonObject): Promise<void> =>
      this.#ports.send(errorText(id, code, text, data), about, data && refusedArrival);
    if (this.#requests.has(about) || this.#listeners.has(about) || this.#beginning.has(about))
      return await refuse(rpcCode.notARequest, duplicateIdMessage);
    if (statedRevision(params) !== statelessRevision)
      return await refuse(rpcCode.unknownRevision, 'Unsupported protocol version', revisionsFor(params));
    const meta = params['_meta'] as JsonObject;
    this.#beginning.add(about);
    const handshake = await (this.#handshake ??= this.#initialize(meta));
    // Cancelled meanwhile.
    if (!this.#beginning.delete(about)) return;
    switch (method) {
      case 'server/discover':
        return await this.#ports.send(resultText(id, discoveryOf(handshake)), about);
      case 'subscriptions/listen':
        return await this.#listen(request, about);
      case 'initialize':
      case 'ping':
      case 'logging/setLevel':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return await refuse(rpcCode.unknownMethod, 'Method not found');
      default:
        this.#setLevel(meta[`${reserved}logLevel`]);
        return await this.#requests.begin(request, about);
    }
  }

  async #initialize(meta: JsonObject): Promise<JsonObject> {
    const [protocolVersion] = sessionRevisions;
    const clientInfo = meta[`${reserved}clientInfo`];
    const declared = meta[`${reserved}clientCapabilities`];
    const response = await this.#ask('initialize', {
      protocolVersion,
      clientInfo,
      capabilities: isObject(declared) ? declared : {},
    });
    return response ? exactMember(response.bytes, 'result') : {};
  }

  #setLevel(level: unknown): void {
    if (typeof level !== 'string' || level === this.#logLevel) return;
    this.#logLevel = level;
    void this.#ask('logging/setLevel', { level });
  }

  async #listen(request: RequestEnvelope, about: string): Promise<void> {
    const { notifications } = request.params;
    const requested: unknown = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    const uris = Array.isArray(requested) ? requested.filter((uri) => typeof uri === 'string') : [];
    // Registered first: it may be cancelled meanwhile.
    this.#listeners.set(about, { request, uris });
    const answers = await Promise.all(uris.map((uri) => this.#ask('resources/subscribe', { uri })));
    const agreed = uris.filter((_uri, at) => answers[at]?.hasError === false);
    const agreedChanges = { ...requestedChanges(request), ...(agreed.length > 0 && { resourceSubscriptions: agreed }) };
    if (!this.#listeners.has(about)) return;
    const acknowledged = 'notifications/subscriptions/acknowledged';
    await this.#ports.send(notificationOf(request, acknowledged, { notifications: agreedChanges }), about);
  }

  async #question(message: RequestEnvelope, about: string | undefined): Promise<void> {
    const { id, method } = message;
    if (method === 'ping') return await this.#ports.pass(Buffer.from(resultText(id, {})));
    if (askableMethods[method] === undefined)
      return await this.#ports.pass(Buffer.from(errorText(id, rpcCode.unknownMethod, 'Method not found')));
    // The stateless form has no elicitation id.
    const { elicitationId: _id, task: _task, ...params } = exactMember(message.bytes, 'params');
    await this.#requests.ask({ id, method, params }, about);
  }

  /** `of`: the request, by its id at the collection. */
  async #notification(message: Extract<Envelope, { kind: 'notification' }>, of: string | undefined): Promise<void> {
    const { method, params } = message;
    const { send } = this.#ports;
    switch (method) {
      case 'notifications/cancelled':
        return this.#requests.dropQuestion(cancelledId(message.bytes));
      case 'notifications/progress': {
        const target = this.#requests.progressOf(params['progressToken']);
        const translated = { ...exactMember(message.bytes, 'params'), progressToken: target?.token };
        return target && (await send(JSON.stringify({ jsonrpc: '2.0', method, params: translated }), target.about));
      }
      case 'notifications/message': {
        const about = this.#requests.logsOf(of);
        return about === undefined ? undefined : await send(message.bytes, about);
      }
    }
    for (const [about, { request, uris }] of this.#listeners) {
      const isUpdate = method === 'notifications/resources/updated' && uris.includes(String(params['uri']));
      if (isUpdate || subscribesTo(request, method))
        await send(notificationOf(request, method, exactMember(message.bytes, 'params')), about);
    }
  }

  /** `undefined`: there is no response. Never rejects. */
  async #ask(method: string, params: JsonObject): Promise<ResponseEnvelope | undefined> {
    const id = this.#ports.newId();
    const { promise, resolve } = Promise.withResolvers<ResponseEnvelope | undefined>();
    this.#own.set(id, resolve);
    await this.#ports.pass(requestText(id, method, params));
    return await promise;
  }
}
