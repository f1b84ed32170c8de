import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { GatewaySession, Send } from '../../gateway-ports.ts';
import type { Refusal } from '../responses/responses.ts';
import { refusedHandshake } from '../responses/judge-failure.ts';
import { extensionsIn, requestText } from '../bridge/revisions.ts';
import type { SessionApp } from '../bridge/revisions.ts';
import { exactMember, isObject, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject } from '../messages/envelope.ts';

/** The app that a collection represents. */
export interface AppContext {
  readonly app: SessionApp;
  readonly logLevel: string | undefined;
}

/** One server of a collection, with its session, which opens when needed. */
export class Member {
  readonly #ports: MemberPorts;
  #session: MemberSession | undefined;
  #opening: Promise<boolean> | undefined;
  #handshake: JsonObject | undefined;
  #refusal: Refusal | undefined;
  #appContext: AppContext | undefined;
  #isClosed = false;
  readonly #own = new Map<string, (response: ResponseEnvelope | undefined) => void>();

  constructor(ports: MemberPorts) {
    this.#ports = ports;
  }

  get id(): string {
    return this.#ports.integration.id;
  }

  get name(): string {
    return this.#ports.integration.name;
  }

  get alias(): string {
    return this.#ports.integration.alias ?? this.id;
  }

  get isIdle(): boolean {
    return this.#session?.appSession.isIdle ?? true;
  }

  /** Whether it has this capability, if it has declared any. */
  hasCapability(capability: string): boolean {
    const { capabilities } = this.#handshake ?? {};
    // A server that declares nothing may still have tools.
    return isObject(capabilities)
      ? isObject(capabilities[capability])
      : this.#handshake !== undefined && capability === 'tools';
  }

  /** Names of its extensions, if it has declared any. */
  get extensions(): readonly string[] {
    const { capabilities } = this.#handshake ?? {};
    return Object.keys(extensionsIn(isObject(capabilities) ? capabilities : undefined));
  }

  /** Its handshake in this session; `undefined`: none yet. */
  get handshake(): JsonObject | undefined {
    return this.#handshake;
  }

  /** Performs the handshake if needed. Returns whether the member can be used. Never rejects. */
  async begin(appContext: AppContext): Promise<boolean> {
    this.#appContext = appContext;
    this.#opening ??= this.#begin(appContext).then((isThere) => {
      if (!isThere) this.#opening = undefined;
      return isThere;
    });
    return await this.#opening;
  }

  /** Sends a request of the collection. `undefined`: there is no response. Never rejects. */
  async ask(method: string, params: JsonObject): Promise<ResponseEnvelope | undefined> {
    const session = this.#session;
    if (!session || this.#isClosed) return undefined;
    const id = session.newId();
    const { promise, resolve } = Promise.withResolvers<ResponseEnvelope | undefined>();
    this.#own.set(id, resolve);
    await session.appSession.receive(requestText(id, method, params));
    return await promise;
  }

  /** One page of a list, as the app may see it; `undefined`: there is none. Never rejects. */
  async list(method: string, cursor: string | undefined): Promise<JsonObject | undefined> {
    const response = await this.ask(method, cursor === undefined ? {} : { cursor });
    return response && !response.hasError ? exactMember(response.bytes, 'result') : undefined;
  }

  /** The same from the cache. Never rejects. */
  async cached(method: string, { app }: AppContext, cursor?: string): Promise<JsonObject | undefined> {
    return await this.#open()?.cached(method, app, cursor);
  }

  /** Passes on a message of the app. Never rejects. */
  async receive(message: Buffer): Promise<void> {
    await this.#session?.appSession.receive(message);
  }

  /** The same for a message that can be dropped if there is no session. */
  async notify(message: Buffer): Promise<void> {
    if (this.#handshake) await this.receive(message);
  }

  /** Why it cannot be used. */
  get refusal(): Refusal {
    return this.#refusal ?? this.#ports.refuse(new PosternError('SESSION_LOST', { stage: 'gateway' }));
  }

  /** Never rejects. */
  async drain(): Promise<void> {
    await this.#session?.appSession.drain();
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const settle of this.#own.values()) settle(undefined);
    this.#own.clear();
    await this.#session?.appSession.close();
  }

  async #begin({ app, logLevel }: AppContext): Promise<boolean> {
    const { revision, clientInfo, capabilities } = app;
    this.#refusal = undefined;
    if (!this.#open()) return false;
    const response = await this.ask('initialize', { protocolVersion: revision, clientInfo, capabilities });
    if (!response || this.#isClosed) return false;
    if (response.hasError) {
      this.#refusal ??= this.#ports.refuse(refusedHandshake(response, new URL(this.#ports.integration.url).host));
      return false;
    }
    this.#handshake = exactMember(response.bytes, 'result');
    await this.#session?.appSession.receive(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    if (logLevel !== undefined && this.hasCapability('logging')) void this.ask('logging/setLevel', { level: logLevel });
    return true;
  }

  #open(): MemberSession | undefined {
    if (this.#isClosed) return undefined;
    try {
      this.#session ??= this.#ports.open({
        send: (message, about) => this.#take(readEnvelope(Buffer.from(message)), about),
        requeue: (message) => this.#requeue(readEnvelope(Buffer.from(message))),
        onRefusal: (refusal) => (this.#refusal = refusal),
        catchUp: (reason) => this.#catchUp(reason),
        isStale: () => this.#opening === undefined && this.#appContext !== undefined,
      });
    } catch (error) {
      this.#refusal = this.#ports.refuse(error);
    }
    // The collection itself may have been ended to make room.
    if (this.#isClosed) void this.#session?.appSession.close();
    return this.#session;
  }

  async #take(message: Envelope, about: string | undefined): Promise<void> {
    if (message.kind === 'unusable' || this.#isClosed) return;
    const settle = message.kind === 'response' ? this.#own.get(message.id) : undefined;
    if (!settle || message.kind !== 'response') return await this.#ports.take(message, about);
    this.#own.delete(message.id);
    settle(message);
  }

  async #requeue(message: Envelope): Promise<void> {
    if (message.kind !== 'request') return;
    const settle = this.#own.get(message.id);
    if (!settle) return await this.#ports.requeue(message.id);
    this.#own.delete(message.id);
    settle(undefined);
  }

  /** Repeats a failed handshake; otherwise the session finds out. */
  async #catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const appContext = this.#appContext;
    if (this.#opening || !appContext) return await this.#session?.catchUp(reason);
    if (await this.begin(appContext)) this.#ports.onAvailable();
  }
}

/** What a member's session needs of the member. */
export interface MemberCallbacks {
  /** Sends to the AI app. `about`: id of its request that this belongs to, if known. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly requeue: Send;
  /** Called with what is reported to the app in the server's place. */
  readonly onRefusal: (refusal: Refusal) => void;
  /** The server may be back. Never rejects. */
  readonly catchUp: (reason: 'signed-in' | 'perhaps') => Promise<void>;
  readonly isStale: () => boolean;
}

/** A session with one server, like that of an app with an older revision that uses this server alone. */
export interface MemberSession {
  readonly appSession: GatewaySession;
  /** The cached result, as this app may see it. Never rejects. */
  cached(method: string, app: SessionApp, cursor?: string): Promise<JsonObject | undefined>;
  /** An id that is unique in this session, as JSON text. */
  newId(): string;
  catchUp(reason: 'signed-in' | 'perhaps'): Promise<void>;
}

export interface MemberPorts {
  readonly integration: Pick<Integration, 'id' | 'name' | 'alias' | 'url'>;
  /** Errors: PosternError. */
  readonly open: (callbacks: MemberCallbacks) => MemberSession;
  readonly refuse: (error: unknown) => Refusal;
  /** Handles a message for the app; `about`: the request it belongs to, if known. Never rejects. */
  readonly take: (message: Exclude<Envelope, { kind: 'unusable' }>, about?: string) => Promise<void>;
  /** The app's request was not sent to the server. Never rejects. */
  readonly requeue: (id: string) => Promise<void>;
  /** It was missing and can be used now. */
  readonly onAvailable: () => void;
}
