import type { Send } from '../../gateway-ports.ts';
import { modernVersion, sessionRevisions } from '../../oauth/wire/mcp-request.ts';
import { errorText, refused, resultText, rpcCode, underWay, unusableText } from '../answers/answers.ts';
import type { SendAbout } from '../answers/answers.ts';
import { changedOf, notificationOf, wants } from '../answers/subscriptions.ts';
import { cancelledId, exactMember, isObject, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { NewerRequests } from './newer-requests.ts';
import type { NewerRequestsPorts } from './newer-requests.ts';
import { askable, discoveryOf, requestText, reserved, revisionsFor } from './revisions.ts';

interface NewerProgramPorts extends NewerRequestsPorts {
  readonly send: SendAbout;
  readonly giveBack: Send;
}

interface Listener {
  readonly request: RequestEnvelope;
  readonly uris: readonly string[];
}

/**
 * Lets a program of the wire without a handshake use a collection, which speaks the older one: it stands between the
 * two, and each message is written anew. `about` is what a request is known by: its id, or, where several processes of
 * a program come in by one way, one that tells theirs apart.
 */
export class NewerProgram {
  readonly #ports: NewerProgramPorts;
  readonly #requests: NewerRequests;
  readonly #listeners = new Map<string, Listener>();
  /** Requests that wait for the handshake. */
  readonly #beginning = new Set<string>();
  /** What the collection is asked here, and not by the program. */
  readonly #own = new Map<string, (answer: AnswerEnvelope | undefined) => void>();
  #handshake: Promise<JsonObject> | undefined;
  #logLevel: unknown;

  constructor(ports: NewerProgramPorts) {
    this.#ports = ports;
    this.#requests = new NewerRequests(ports);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** A message of the program. Never rejects; resolves when the next may come. */
  async receive(message: Envelope, about?: string): Promise<void> {
    switch (message.kind) {
      case 'unusable':
        return await this.#ports.send(unusableText(message.id, message.reason), about);
      case 'request':
        // A collection may take its time for the first one.
        void this.#request(message, about ?? message.id);
        return;
      case 'notification':
        return message.method === 'notifications/cancelled' ? await this.cancel(cancelledId(message.bytes)) : undefined;
      case 'answer':
      // This wire has no questions that are answered so.
    }
  }

  /** The program no longer waits for this. Never rejects. */
  async cancel(about: string): Promise<void> {
    this.#beginning.delete(about);
    const listener = this.#listeners.get(about);
    this.#listeners.delete(about);
    if (!listener) return await this.#requests.cancel(about);
    const others = new Set([...this.#listeners.values()].flatMap(({ uris }) => uris));
    for (const uri of listener.uris) if (!others.has(uri)) void this.#ask('resources/unsubscribe', { uri });
  }

  /** A message of the collection. Never rejects. */
  async take(text: Buffer | string, about?: string): Promise<void> {
    const message = readEnvelope(Buffer.from(text));
    switch (message.kind) {
      case 'answer': {
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

  /** What has not left for a server. Never rejects. */
  async takeBack(bytes: Buffer): Promise<void> {
    const message = readEnvelope(bytes);
    if (message.kind !== 'request') return;
    const settle = this.#own.get(message.id);
    this.#own.delete(message.id);
    if (settle) return settle(undefined);
    const original = await this.#requests.takeBack(message.id);
    if (original) await this.#ports.giveBack(original);
  }

  async #request(request: RequestEnvelope, about: string): Promise<void> {
    const { id, method, params } = request;
    const refuse = (code: number, text: string, data?: JsonObject): Promise<void> =>
      this.#ports.send(errorText(id, code, text, data), about, data && refused);
    if (this.#requests.has(about) || this.#listeners.has(about) || this.#beginning.has(about))
      return await refuse(rpcCode.notARequest, underWay);
    if (statedRevision(params) !== modernVersion)
      return await refuse(rpcCode.unknownRevision, 'Unsupported protocol version', revisionsFor(params));
    const meta = params['_meta'] as JsonObject;
    this.#beginning.add(about);
    const handshake = await (this.#handshake ??= this.#shakeHands(meta));
    // Nobody waits for it any more.
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

  async #shakeHands(meta: JsonObject): Promise<JsonObject> {
    const [protocolVersion] = sessionRevisions;
    const clientInfo = meta[`${reserved}clientInfo`];
    const said = meta[`${reserved}clientCapabilities`];
    const answer = await this.#ask('initialize', {
      protocolVersion,
      clientInfo,
      capabilities: isObject(said) ? said : {},
    });
    return answer ? exactMember(answer.bytes, 'result') : {};
  }

  #setLevel(level: unknown): void {
    if (typeof level !== 'string' || level === this.#logLevel) return;
    this.#logLevel = level;
    void this.#ask('logging/setLevel', { level });
  }

  async #listen(request: RequestEnvelope, about: string): Promise<void> {
    const { notifications } = request.params;
    const asked: unknown = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    const uris = Array.isArray(asked) ? asked.filter((uri) => typeof uri === 'string') : [];
    // First: it may be let go of meanwhile.
    this.#listeners.set(about, { request, uris });
    const answers = await Promise.all(uris.map((uri) => this.#ask('resources/subscribe', { uri })));
    const agreed = uris.filter((_uri, at) => answers[at]?.hasError === false);
    const told = { ...changedOf(request), ...(agreed.length > 0 && { resourceSubscriptions: agreed }) };
    if (!this.#listeners.has(about)) return;
    const acknowledged = 'notifications/subscriptions/acknowledged';
    await this.#ports.send(notificationOf(request, acknowledged, { notifications: told }), about);
  }

  async #question(message: RequestEnvelope, about: string | undefined): Promise<void> {
    const { id, method } = message;
    if (method === 'ping') return await this.#ports.pass(Buffer.from(resultText(id, {})));
    if (askable[method] === undefined)
      return await this.#ports.pass(Buffer.from(errorText(id, rpcCode.unknownMethod, 'Method not found')));
    // The newer wire has no id of its own for a page that is to be opened.
    const { elicitationId: _id, task: _task, ...params } = exactMember(message.bytes, 'params');
    await this.#requests.ask({ id, method, params }, about);
  }

  /** `of`: which request, as the collection knows it. */
  async #notification(message: Extract<Envelope, { kind: 'notification' }>, of: string | undefined): Promise<void> {
    const { method, params } = message;
    const { send } = this.#ports;
    switch (method) {
      case 'notifications/cancelled':
        return this.#requests.dropQuestion(cancelledId(message.bytes));
      case 'notifications/progress': {
        const asked = this.#requests.progressOf(params['progressToken']);
        const said = { ...exactMember(message.bytes, 'params'), progressToken: asked?.token };
        return asked && (await send(JSON.stringify({ jsonrpc: '2.0', method, params: said }), asked.about));
      }
      case 'notifications/message': {
        const about = this.#requests.logsOf(of);
        return about === undefined ? undefined : await send(message.bytes, about);
      }
    }
    for (const [about, { request, uris }] of this.#listeners) {
      const isUpdate = method === 'notifications/resources/updated' && uris.includes(String(params['uri']));
      if (isUpdate || wants(request, method))
        await send(notificationOf(request, method, exactMember(message.bytes, 'params')), about);
    }
  }

  /** `undefined`: there is no answer. Never rejects. */
  async #ask(method: string, params: JsonObject): Promise<AnswerEnvelope | undefined> {
    const id = this.#ports.newId();
    const { promise, resolve } = Promise.withResolvers<AnswerEnvelope | undefined>();
    this.#own.set(id, resolve);
    await this.#ports.pass(requestText(id, method, params));
    return await promise;
  }
}
