// Lets a stateless app (MCP 2026-07-28) use a collection, which uses sessions.

import { isObject } from '../../../shared/json-object.ts';
import type { Send } from '../../gateway-ports.ts';
import { statelessRevision, sessionRevisions } from '../../oauth/http/mcp-request.ts';
import {
  errorText,
  notificationText,
  refusedArrival,
  requestText,
  resultText,
  rpcCode,
  duplicateIdMessage,
  tooManyMessage,
  unusableText,
} from '../responses/responses.ts';
import type { SendToApp } from '../responses/responses.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { requestedChanges, notificationOf, subscribesTo } from '../responses/subscriptions.ts';
import { asObject, cancelledId, exactMember, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { AwaitedResponses } from '../server/own-requests.ts';
import { StatelessAppRequests } from './stateless-app-requests.ts';
import type { StatelessAppRequestsPorts } from './stateless-app-requests.ts';
import { inputRequestCapabilities, toDiscoverResult, reservedPrefix, unsupportedRevisionData } from './revisions.ts';

interface StatelessAppBridgePorts extends StatelessAppRequestsPorts {
  /** Shared by all sessions of the app. */
  readonly budget: AppBudget;
  readonly sendToApp: SendToApp;
  readonly requeue: Send;
}

interface Listener {
  readonly request: RequestEnvelope;
  readonly uris: readonly string[];
  /** Returns its memory to the budget. */
  readonly release: () => void;
}

/**
 * Sits between a stateless app and a `CollectionSession` and rewrites every message. `requestKey` identifies a request:
 * its id or, if several processes of an app share a connection, a key that is unique among them.
 */
export class StatelessAppBridge {
  readonly #ports: StatelessAppBridgePorts;
  readonly #requests: StatelessAppRequests;
  readonly #listeners = new Map<string, Listener>();
  /** Requests that wait for the handshake, with what returns their memory to the budget. */
  readonly #awaitingHandshake = new Map<string, () => void>();
  /** Requests to the collection that Postern makes itself. */
  readonly #ownRequests = new AwaitedResponses();
  #handshake: Promise<JsonObject> | undefined;
  #logLevel: unknown;

  constructor(ports: StatelessAppBridgePorts) {
    this.#ports = ports;
    this.#requests = new StatelessAppRequests(ports);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Handles a message from the app; resolves when the next can be read. Never rejects. */
  async handleAppMessage(message: Envelope, requestKey?: string): Promise<void> {
    switch (message.kind) {
      case 'unusable':
        return await this.#ports.sendToApp(unusableText(message.id, message.reason), requestKey);
      case 'request':
        // Not awaited: a collection's first request may be slow.
        void this.#handleRequest(message, requestKey ?? message.id);
        return;
      case 'notification':
        return message.method === 'notifications/cancelled' ? await this.cancel(cancelledId(message.bytes)) : undefined;
      case 'response':
      // Stateless apps send no responses.
    }
  }

  /** The app has canceled this request. Never rejects. */
  async cancel(requestKey: string): Promise<void> {
    this.#awaitingHandshake.get(requestKey)?.();
    this.#awaitingHandshake.delete(requestKey);
    const listener = this.#listeners.get(requestKey);
    this.#listeners.delete(requestKey);
    if (!listener) return await this.#requests.cancel(requestKey);
    listener.release();
    const others = new Set([...this.#listeners.values()].flatMap(({ uris }) => uris));
    for (const uri of listener.uris) if (!others.has(uri)) void this.#requestOwn('resources/unsubscribe', { uri });
  }

  /** Handles a message from the collection, for its request `collectionRequestId`. Never rejects. */
  async handleCollectionMessage(text: Buffer | string, collectionRequestId?: string): Promise<void> {
    const message = readEnvelope(Buffer.from(text));
    switch (message.kind) {
      case 'response':
        if (this.#ownRequests.settle(message.id, message)) return;
        return await this.#requests.handleResponse(message);
      case 'request':
        return await this.#handleServerRequest(message, collectionRequestId);
      case 'notification':
        return await this.#handleNotification(message, collectionRequestId);
      case 'unusable':
    }
  }

  /** Requeues a message that was not sent to a server. Never rejects. */
  async requeue(bytes: Buffer): Promise<void> {
    const message = readEnvelope(bytes);
    if (message.kind !== 'request') return;
    if (this.#ownRequests.settle(message.id)) return;
    const original = await this.#requests.originalOf(message.id);
    if (original) await this.#ports.requeue(original);
  }

  /** Ends what waits here. */
  close(): void {
    for (const release of this.#awaitingHandshake.values()) release();
    for (const { release } of this.#listeners.values()) release();
    this.#awaitingHandshake.clear();
    this.#listeners.clear();
    this.#ownRequests.close();
  }

  async #handleRequest(request: RequestEnvelope, requestKey: string): Promise<void> {
    const { id, method, params } = request;
    const refuse = (code: number, text: string, data?: JsonObject): Promise<void> =>
      this.#ports.sendToApp(errorText(id, code, text, data), requestKey, data && refusedArrival);
    if (this.#requests.has(requestKey) || this.#listeners.has(requestKey) || this.#awaitingHandshake.has(requestKey))
      return await refuse(rpcCode.notARequest, duplicateIdMessage);
    if (statedRevision(params) !== statelessRevision)
      return await refuse(rpcCode.unknownRevision, 'Unsupported protocol version', unsupportedRevisionData(params));
    const { budget } = this.#ports;
    const { byteLength } = request.bytes;
    // The collection does not count it yet, and never counts a subscription.
    if (!budget.fits(byteLength)) return await refuse(rpcCode.implementation, tooManyMessage);
    const meta = params['_meta'] as JsonObject;
    const release = budget.reserve(byteLength);
    this.#awaitingHandshake.set(requestKey, release);
    const handshake = await (this.#handshake ??= this.#initialize(meta));
    // Canceled meanwhile.
    if (this.#awaitingHandshake.get(requestKey) !== release) return;
    this.#awaitingHandshake.delete(requestKey);
    if (method === 'subscriptions/listen') return await this.#listen(request, requestKey, release);
    release();
    switch (method) {
      case 'server/discover':
        return await this.#ports.sendToApp(resultText(id, toDiscoverResult(handshake)), requestKey);
      case 'initialize':
      case 'ping':
      case 'logging/setLevel':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return await refuse(rpcCode.unknownMethod, 'Method not found');
      default:
        this.#setLevel(meta[`${reservedPrefix}logLevel`]);
        return await this.#requests.begin(request, requestKey);
    }
  }

  async #initialize(meta: JsonObject): Promise<JsonObject> {
    const [protocolVersion] = sessionRevisions;
    const clientInfo = meta[`${reservedPrefix}clientInfo`];
    const declared = meta[`${reservedPrefix}clientCapabilities`];
    const response = await this.#requestOwn('initialize', {
      protocolVersion,
      clientInfo,
      capabilities: asObject(declared),
    });
    return response ? exactMember(response.bytes, 'result') : {};
  }

  #setLevel(level: unknown): void {
    if (typeof level !== 'string' || level === this.#logLevel) return;
    this.#logLevel = level;
    void this.#requestOwn('logging/setLevel', { level });
  }

  async #listen(request: RequestEnvelope, requestKey: string, release: () => void): Promise<void> {
    const { notifications } = request.params;
    const requested: unknown = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    const uris = Array.isArray(requested) ? requested.filter((uri) => typeof uri === 'string') : [];
    // Registered first: it may be canceled meanwhile.
    this.#listeners.set(requestKey, { request, uris, release });
    const responses = await Promise.all(uris.map((uri) => this.#requestOwn('resources/subscribe', { uri })));
    const agreed = uris.filter((_uri, at) => responses[at]?.hasError === false);
    const agreedChanges = { ...requestedChanges(request), ...(agreed.length > 0 && { resourceSubscriptions: agreed }) };
    if (!this.#listeners.has(requestKey)) return;
    const acknowledged = 'notifications/subscriptions/acknowledged';
    await this.#ports.sendToApp(notificationOf(request, acknowledged, { notifications: agreedChanges }), requestKey);
  }

  async #handleServerRequest(message: RequestEnvelope, collectionRequestId: string | undefined): Promise<void> {
    const { id, method } = message;
    if (method === 'ping') return await this.#ports.sendToCollection(Buffer.from(resultText(id, {})));
    if (inputRequestCapabilities[method] === undefined)
      return await this.#ports.sendToCollection(Buffer.from(errorText(id, rpcCode.unknownMethod, 'Method not found')));
    // Stateless revisions have no elicitation id.
    const { elicitationId: _id, task: _task, ...params } = exactMember(message.bytes, 'params');
    await this.#requests.requestInput({ id, method, params }, collectionRequestId);
  }

  /** `collectionRequestId`: id of the request at the collection that this belongs to. */
  async #handleNotification(
    message: Extract<Envelope, { kind: 'notification' }>,
    collectionRequestId: string | undefined,
  ): Promise<void> {
    const { method, params } = message;
    const { sendToApp } = this.#ports;
    switch (method) {
      case 'notifications/cancelled':
        return this.#requests.withdrawInputRequest(cancelledId(message.bytes));
      case 'notifications/progress': {
        const target = this.#requests.findByProgressToken(params['progressToken']);
        const translated = { ...exactMember(message.bytes, 'params'), progressToken: target?.token };
        return target && (await sendToApp(notificationText(method, translated), target.requestKey));
      }
      case 'notifications/message': {
        const requestKey = this.#requests.logRequestKey(collectionRequestId);
        return requestKey === undefined ? undefined : await sendToApp(message.bytes, requestKey);
      }
    }
    for (const [requestKey, { request, uris }] of this.#listeners) {
      const isUpdate = method === 'notifications/resources/updated' && uris.includes(String(params['uri']));
      if (isUpdate || subscribesTo(request, method))
        await sendToApp(notificationOf(request, method, exactMember(message.bytes, 'params')), requestKey);
    }
  }

  /** Sends one of Postern's own requests; `undefined`: there is no response. Never rejects. */
  async #requestOwn(method: string, params: JsonObject): Promise<ResponseEnvelope | undefined> {
    const { newId, sendToCollection } = this.#ports;
    return await this.#ownRequests.request(newId(), (id) => sendToCollection(requestText(id, method, params)));
  }
}
