import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { GatewaySession, Send } from '../../gateway-ports.ts';
import { notificationText, requestText } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { refusedHandshake } from '../responses/judge-failure.ts';
import { extensionsIn } from '../bridge/revisions.ts';
import type { SessionApp } from '../bridge/revisions.ts';
import { exactMember, isObject, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { AwaitedResponses } from '../server/own-requests.ts';

/** The app on whose behalf a member is used. */
export interface AppContext {
  readonly app: SessionApp;
  readonly logLevel: string | undefined;
}

/** One server of a collection, with a session that opens when needed. */
export class Member {
  readonly #ports: MemberPorts;
  #session: MemberSession | undefined;
  #connecting: Promise<boolean> | undefined;
  #handshake: JsonObject | undefined;
  #refusal: Refusal | undefined;
  #appContext: AppContext | undefined;
  #isClosed = false;
  readonly #ownRequests = new AwaitedResponses();

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

  /** Whether it has declared this capability. */
  hasCapability(capability: string): boolean {
    const { capabilities } = this.#handshake ?? {};
    // A server that declares nothing may still have tools.
    return isObject(capabilities)
      ? isObject(capabilities[capability])
      : this.#handshake !== undefined && capability === 'tools';
  }

  /** Names of the extensions that it has declared. */
  get extensions(): readonly string[] {
    const { capabilities } = this.#handshake ?? {};
    return Object.keys(extensionsIn(isObject(capabilities) ? capabilities : undefined));
  }

  /** Its `initialize` result in this session, if any yet. */
  get handshake(): JsonObject | undefined {
    return this.#handshake;
  }

  /** Opens the session if needed. Returns whether the member is available. Never rejects. */
  async connect(appContext: AppContext): Promise<boolean> {
    this.#appContext = appContext;
    this.#connecting ??= this.#connect(appContext).then((isAvailable) => {
      if (!isAvailable) this.#connecting = undefined;
      return isAvailable;
    });
    return await this.#connecting;
  }

  /** Sends one of Postern's own requests. `undefined`: there is no response. Never rejects. */
  async request(method: string, params: JsonObject): Promise<ResponseEnvelope | undefined> {
    const session = this.#session;
    if (!session || this.#isClosed) return undefined;
    return await this.#ownRequests.request(session.newId(), (id) =>
      session.appSession.receive(requestText(id, method, params)),
    );
  }

  /** One page of a list, as the app may see it; `undefined`: there is none. Never rejects. */
  async list(method: string, cursor: string | undefined): Promise<JsonObject | undefined> {
    const response = await this.request(method, cursor === undefined ? {} : { cursor });
    return response && !response.hasError ? exactMember(response.bytes, 'result') : undefined;
  }

  /** The cached result of a handshake or list. Never rejects. */
  async cached(method: string, { app }: AppContext, cursor?: string): Promise<JsonObject | undefined> {
    return await this.#open()?.cached(method, app, cursor);
  }

  /** Forwards a message of the app. Never rejects. */
  async receive(message: Buffer): Promise<void> {
    await this.#session?.appSession.receive(message);
  }

  /** Forwards a notification, unless there is no session. */
  async notify(message: Buffer): Promise<void> {
    if (this.#handshake) await this.receive(message);
  }

  /** Why it is not available. */
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
    this.#ownRequests.close();
    await this.#session?.appSession.close();
  }

  async #connect({ app, logLevel }: AppContext): Promise<boolean> {
    const { revision, clientInfo, capabilities } = app;
    this.#refusal = undefined;
    if (!this.#open()) return false;
    const response = await this.request('initialize', { protocolVersion: revision, clientInfo, capabilities });
    if (!response || this.#isClosed) return false;
    if (response.hasError) {
      this.#refusal ??= this.#ports.refuse(refusedHandshake(response, new URL(this.#ports.integration.url).host));
      return false;
    }
    this.#handshake = exactMember(response.bytes, 'result');
    await this.#session?.appSession.receive(Buffer.from(notificationText('notifications/initialized')));
    if (logLevel !== undefined && this.hasCapability('logging'))
      void this.request('logging/setLevel', { level: logLevel });
    return true;
  }

  #open(): MemberSession | undefined {
    if (this.#isClosed) return undefined;
    try {
      this.#session ??= this.#ports.open({
        send: (message, requestId) => this.#handleMessage(readEnvelope(Buffer.from(message)), requestId),
        requeue: (message) => this.#requeue(readEnvelope(Buffer.from(message))),
        onRefusal: (refusal) => (this.#refusal = refusal),
        catchUp: (reason) => this.#catchUp(reason),
        isStale: () => this.#connecting === undefined && this.#appContext !== undefined,
      });
    } catch (error) {
      this.#refusal = this.#ports.refuse(error);
    }
    // The collection itself may have been evicted meanwhile.
    if (this.#isClosed) void this.#session?.appSession.close();
    return this.#session;
  }

  async #handleMessage(message: Envelope, requestId: string | undefined): Promise<void> {
    if (message.kind === 'unusable' || this.#isClosed) return;
    if (message.kind === 'response' && this.#ownRequests.settle(message.id, message)) return;
    await this.#ports.onMessage(message, requestId);
  }

  async #requeue(message: Envelope): Promise<void> {
    if (message.kind === 'request' && !this.#ownRequests.settle(message.id)) await this.#ports.requeue(message);
  }

  /** Repeats a failed handshake; otherwise lets the session check the server. */
  async #catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const appContext = this.#appContext;
    if (this.#connecting || !appContext) return await this.#session?.catchUp(reason);
    if (await this.connect(appContext)) this.#ports.onRecovered();
  }
}

/** Callbacks from a member's session. */
export interface MemberCallbacks {
  /** Sends to the app. `requestId`: its request that the message belongs to, if known. */
  readonly send: (message: Buffer | string, requestId?: string) => Promise<void>;
  readonly requeue: Send;
  /** Called with each failure that is reported to the app. */
  readonly onRefusal: (refusal: Refusal) => void;
  /** Checks whether the server is back. Never rejects. */
  readonly catchUp: (reason: 'signed-in' | 'perhaps') => Promise<void>;
  readonly isStale: () => boolean;
}

/** A session with one server, like that of a session app that uses this server alone. */
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
  /** Handles a message for the app. `requestId`: the request that it belongs to, if known. Never rejects. */
  readonly onMessage: (message: Exclude<Envelope, { kind: 'unusable' }>, requestId?: string) => Promise<void>;
  /** Requeues a request that was not sent to the server. Never rejects. */
  readonly requeue: (forwarded: RequestEnvelope) => Promise<void>;
  /** Called when it is available again. */
  readonly onRecovered: () => void;
}
