import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { errorText, notificationText, resultText, rpcCode, tooLongText, unusableText } from '../answers/answers.ts';
import { cancelledId, exactMember, isObject, readEnvelope } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { lacksId } from '../permissions/offer-of.ts';
import { OlderRequests } from './older-requests.ts';
import type { OlderRequestsPorts } from './older-requests.ts';
import {
  cancelText,
  handshakeOf,
  readDiscovery,
  readProgram,
  requestText,
  withMeta,
  withoutReservedMeta,
} from './revisions.ts';

export interface BridgePorts extends OlderRequestsPorts {
  /** What the server is called where it does not say. */
  readonly name: string;
  /** The server takes this handshake itself, or does not say what it speaks. Never rejects. */
  readonly decline: (initialize: RequestEnvelope) => Promise<void>;
  /** Told that the server speaks the newer wire alone. */
  readonly onNewerAlone: () => void;
}

type State =
  | { readonly kind: 'unused' | 'declined' }
  /** The server is asked what it speaks, and what comes of the program meanwhile waits. */
  | { readonly kind: 'asking'; readonly id: string; readonly initialize: RequestEnvelope; readonly over: () => void }
  | { readonly kind: 'used'; readonly requests: OlderRequests; readonly subscribing: Subscribing };

/**
 * Lets a program that begins with `initialize` use a server that knows the wire without a handshake alone. It stands
 * between the program and its session, which then is one of a newer program. Each message is written anew.
 */
export class Bridge {
  readonly #ports: BridgePorts;
  #state: State = { kind: 'unused' };
  #asking: Promise<void> | undefined;

  constructor(ports: BridgePorts) {
    this.#ports = ports;
  }

  /** Whether it stands between the two, or is about to. */
  get isUsed(): boolean {
    return this.#state.kind === 'asking' || this.#state.kind === 'used';
  }

  /** Whether nothing of the program waits here. */
  get isIdle(): boolean {
    return this.#state.kind === 'used' ? this.#state.requests.isIdle : this.#state.kind !== 'asking';
  }

  /** Answers this handshake from what the server says of itself, or declines it. `false`: it has been here before. */
  begin(initialize: RequestEnvelope): boolean {
    if (this.#state.kind !== 'unused') return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asking = promise;
    const id = this.#ports.own.newId();
    this.#state = { kind: 'asking', id, initialize, over: resolve };
    const about = withMeta({}, readProgram(initialize.params), undefined);
    // Whoever calls this may still let go of the handshake.
    queueMicrotask(() => void this.#ports.pass(requestText(id, 'server/discover', about)));
    return true;
  }

  /** A message of the program. Never rejects; resolves when the next may come. */
  async takeOfProgram(bytes: Buffer): Promise<void> {
    await this.#asking;
    if (this.#state.kind !== 'used') return await this.#ports.pass(bytes);
    const { requests, subscribing } = this.#state;
    const message = readEnvelope(bytes);
    switch (message.kind) {
      case 'request':
        return await this.#request(message, requests, subscribing);
      case 'notification':
        if (lacksId(message.method)) return await this.#ports.pass(bytes);
        if (message.method === 'notifications/initialized') void subscribing.listen();
        // The newer wire has no other one of a client.
        if (message.method === 'notifications/cancelled') await requests.cancel(cancelledId(message.bytes));
        return;
      case 'answer':
        return requests.takeAnswer(message);
      case 'unusable':
        return await this.#ports.send(unusableText(message.id, message.reason), message.id);
    }
  }

  /** By HTTP: the program has hung up on this request, or has its answer. */
  drop(about: string): void {
    if (this.#state.kind === 'used') void this.#state.requests.cancel(about);
  }

  /** Of a message that is too long only the beginning is there. Never rejects. */
  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#ports.send(tooLongText(beginning));
  }

  /** A message for the program, as a newer one would get it. Never rejects. */
  async takeForProgram(text: Buffer | string): Promise<void> {
    const state = this.#state;
    const message = readEnvelope(typeof text === 'string' ? Buffer.from(text) : text);
    switch (message.kind) {
      case 'answer':
        return await this.#answer(message, state);
      case 'notification':
        return await this.#notification(message, state);
      case 'request':
        // The newer wire has no questions but in answers.
        return await this.#ports.pass(Buffer.from(errorText(message.id, rpcCode.unknownMethod, 'Method not found')));
      case 'unusable':
        return await this.#ports.send(text);
    }
  }

  /** What has not left, as it came from the program; `undefined`: it did not. */
  takeBack(bytes: Buffer): Buffer | undefined {
    const state = this.#state;
    const message = this.isUsed ? readEnvelope(bytes) : undefined;
    if (message?.kind !== 'request') return bytes;
    if (state.kind === 'asking' && state.id === message.id) return state.initialize.bytes;
    return state.kind === 'used' ? state.requests.takeBack(message.id) : undefined;
  }

  close(): void {
    if (this.#state.kind === 'asking') this.#state.over();
    if (this.#state.kind !== 'used') return;
    this.#state.requests.close();
    this.#state.subscribing.close();
  }

  async #request(request: RequestEnvelope, requests: OlderRequests, subscribing: Subscribing): Promise<void> {
    const { id, method, params } = request;
    const { uri, level } = params;
    const send = (text: string): Promise<void> => this.#ports.send(text, id);
    const tellDone = (): Promise<void> => send(resultText(id, {}));
    const refuse = (): Promise<void> =>
      send(errorText(id, rpcCode.wrongParameters, 'The server does not take these parameters.'));
    switch (method) {
      case 'ping':
        return await tellDone();
      case 'initialize':
        return await send(errorText(id, rpcCode.notARequest, 'This session has begun already.'));
      case 'logging/setLevel':
        if (typeof level !== 'string') return await refuse();
        requests.logLevel = level;
        return await tellDone();
      case 'resources/subscribe':
        if (typeof uri !== 'string') return await refuse();
        // The server may take its time, and other messages go on meanwhile.
        void subscribing.subscribe(uri).then((isAgreed) => (isAgreed ? tellDone() : refuse()));
        return;
      case 'resources/unsubscribe':
        if (typeof uri === 'string') void subscribing.unsubscribe(uri);
        return await tellDone();
      default:
        await requests.begin(request);
    }
  }

  async #answer(answer: AnswerEnvelope, state: State): Promise<void> {
    if (state.kind === 'asking' && answer.id === state.id) return await this.#decide(answer, state);
    if (state.kind !== 'used') return;
    const { error } = answer.hasError ? answer.message : {};
    if (state.subscribing.takeEnd(answer.id, isObject(error) ? error['code'] : undefined)) return;
    await state.requests.take(answer);
  }

  async #decide(answer: AnswerEnvelope, { initialize, over }: Extract<State, { kind: 'asking' }>): Promise<void> {
    const discovered = exactMember(answer.bytes, 'result');
    const says = answer.hasError ? 'unknown' : readDiscovery(discovered);
    this.#asking = undefined;
    if (says === 'newer-alone') {
      const { send, name } = this.#ports;
      const program = readProgram(initialize.params);
      this.#ports.onNewerAlone();
      const requests = new OlderRequests(this.#ports, program);
      this.#state = { kind: 'used', requests, subscribing: this.#subscribing(discovered, program) };
      await send(resultText(initialize.id, handshakeOf(discovered, program, name)), initialize.id);
    } else {
      this.#state = { kind: 'declined' };
      await this.#ports.decline(initialize);
    }
    over();
  }

  #subscribing({ capabilities }: JsonObject, program: ReturnType<typeof readProgram>): Subscribing {
    const { clock, own, pass } = this.#ports;
    return new Subscribing(
      {
        clock,
        newId: () => own.newId(),
        ask: (id, params) => void pass(requestText(id, 'subscriptions/listen', withMeta(params, program, undefined))),
        cancel: (id) => void pass(Buffer.from(cancelText(id))),
      },
      capabilities,
    );
  }

  async #notification(message: Extract<Envelope, { kind: 'notification' }>, state: State): Promise<void> {
    if (state.kind !== 'used') return;
    const { method } = message;
    const params = exactMember(message.bytes, 'params');
    if (method === 'notifications/subscriptions/acknowledged') return state.subscribing.acknowledge(params);
    const plain = withoutReservedMeta(params);
    const about = method === 'notifications/progress' ? state.requests.withToken(params['progressToken']) : undefined;
    await this.#ports.send(notificationText(method, Object.keys(plain).length > 0 ? plain : undefined), about);
  }
}

/** What older programs are told by themselves, with the capability that says so and the member that asks for it. */
const changes = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const;

interface Listen {
  readonly id: string;
  readonly acknowledged: PromiseWithResolvers<boolean>;
}

interface SubscribingPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** An id that no other request has, as JSON text. */
  readonly newId: () => string;
  readonly ask: (id: string, params: JsonObject) => void;
  /** Lets go of a request. */
  readonly cancel: (id: string) => void;
}

/**
 * What an older program hears without asking again: one `subscriptions/listen` at the server stands for all of it (MCP
 * 2026-07-28, subscriptions), and is replaced when the program subscribes to more or to less.
 */
class Subscribing {
  readonly #ports: SubscribingPorts;
  readonly #changes: JsonObject;
  readonly #resources = new Set<string>();
  #listen: Listen | undefined;
  #stopWaiting: () => void = () => {};
  #isOver = false;

  /** `capabilities`: of the server. */
  constructor(ports: SubscribingPorts, capabilities: unknown) {
    this.#ports = ports;
    const said = isObject(capabilities) ? capabilities : {};
    const told = changes.filter(([name]) => isObject(said[name]) && said[name]['listChanged'] === true);
    this.#changes = Object.fromEntries(told.map(([, member]) => [member, true]));
  }

  /** Begins, or begins anew: the one before ends once this one stands. Answers whether the server agreed. */
  async listen(): Promise<boolean> {
    this.#stopWaiting();
    const before = this.#listen;
    if (this.#isOver || (Object.keys(this.#changes).length === 0 && this.#resources.size === 0)) {
      this.#listen = undefined;
      if (before) this.#ports.cancel(before.id);
      return true;
    }
    const resources = this.#resources.size > 0 && { resourceSubscriptions: [...this.#resources] };
    const listen: Listen = { id: this.#ports.newId(), acknowledged: Promise.withResolvers<boolean>() };
    this.#listen = listen;
    this.#ports.ask(listen.id, { notifications: { ...this.#changes, ...resources } });
    const isAgreed = await listen.acknowledged.promise;
    before?.acknowledged.resolve(isAgreed);
    if (before) this.#ports.cancel(before.id);
    return isAgreed;
  }

  /** `false`: the server does not tell of changes of this resource. */
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

  /** Takes what acknowledges one. */
  acknowledge({ _meta }: JsonObject): void {
    const id = isObject(_meta) ? JSON.stringify(_meta['io.modelcontextprotocol/subscriptionId']) : undefined;
    if (id === undefined || id === this.#listen?.id) this.#listen?.acknowledged.resolve(true);
  }

  /** Takes the end of one: whether it was one. A server that knows no such request is asked no more. */
  takeEnd(id: string, code: unknown): boolean {
    const listen = this.#listen;
    if (listen?.id !== id) return false;
    this.#listen = undefined;
    listen.acknowledged.resolve(false);
    if (code === rpcCode.unknownMethod || this.#isOver) return true;
    this.#stopWaiting = this.#ports.clock.after(gatewaySession.lookAgain, () => void this.listen());
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#listen?.acknowledged.resolve(false);
  }
}
