import { isObject } from '../../../shared/json-object.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { unlimited } from '../../gateway-ports.ts';
import { notificationText, requestText } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { refusedHandshake } from '../responses/judge-failure.ts';
import { extensionsIn, resultForSession, toInitializeResult, withMeta } from '../bridge/revisions.ts';
import type { SessionApp } from '../bridge/revisions.ts';
import { exactMember, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject } from '../messages/envelope.ts';
import { AwaitedResponses } from '../server/own-requests.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/open-session.ts';
import type { OpenSessionPorts, ServerSession, SessionOptions } from '../session/open-session.ts';
import type { MessageContext } from '../session/pending-requests.ts';

/** The app on whose behalf a member is used. */
export interface AppContext {
  readonly app: SessionApp;
  readonly logLevel: string | undefined;
}

/** What a collection does with what its member sends. */
export interface MemberEvents {
  /** Handles a message for the app. `requestId`: the request that it belongs to, if known. Never rejects. */
  readonly onMessage: (message: Exclude<Envelope, { kind: 'unusable' }>, requestId?: string) => Promise<void>;
  /** Requeues a request that was not sent to the server. Never rejects. */
  readonly requeue: (id: string) => Promise<void>;
  /** Called when it is available again. */
  readonly onRecovered: () => void;
}

export interface MemberPorts extends OpenSessionPorts {
  /** The server of this integration, as it was last stored. */
  readonly serve: (integration: Integration) => ServedServer;
}

/** The app that uses the collection, and its permission. */
export type MemberSide = Pick<SessionOptions, 'app' | 'record' | 'access' | 'isOnce' | 'isAtSocket' | 'hangUp'>;

/**
 * One server of a collection. Its session opens when needed and is like that of an app that uses the server alone:
 * limits, logs and permissions are the same.
 */
export class Member {
  readonly #ports: MemberPorts;
  readonly #integration: Integration;
  readonly #side: MemberSide;
  readonly #events: MemberEvents;
  #session: ServerSession | undefined;
  #connecting: Promise<boolean> | undefined;
  #handshake: JsonObject | undefined;
  #refusal: Refusal | undefined;
  #appContext: AppContext | undefined;
  #isClosed = false;
  readonly #ownRequests = new AwaitedResponses();

  constructor(ports: MemberPorts, integration: Integration, side: MemberSide, events: MemberEvents) {
    this.#ports = ports;
    this.#integration = integration;
    this.#side = side;
    this.#events = events;
  }

  get id(): string {
    return this.#integration.id;
  }

  get name(): string {
    return this.#integration.name;
  }

  get alias(): string {
    return this.#integration.alias ?? this.id;
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
    return await this.#ownRequests.request(this.#server.own.newId(), (id) =>
      session.receive(requestText(id, method, params)),
    );
  }

  /** One page of a list, as the app may see it; `undefined`: there is none. Never rejects. */
  async list(method: string, cursor: string | undefined): Promise<JsonObject | undefined> {
    const response = await this.request(method, cursor === undefined ? {} : { cursor });
    return response && !response.hasError ? exactMember(response.bytes, 'result') : undefined;
  }

  /** The cached result of a handshake or list. Never rejects. */
  async cached(method: string, { app }: AppContext, cursor?: string): Promise<JsonObject | undefined> {
    const session = this.#open();
    return session && (await cachedResult(session, this.#server, { method, app, cursor }));
  }

  /** Forwards a message of the app. Never rejects. */
  async receive(message: Buffer, context?: MessageContext): Promise<void> {
    await this.#session?.receive(message, context);
  }

  /** Forwards a notification, unless there is no session. */
  async notify(message: Buffer): Promise<void> {
    if (this.#handshake) await this.receive(message);
  }

  /** Why it is not available. */
  get refusal(): Refusal {
    return this.#refusal ?? this.#refuse(new PosternError('SESSION_LOST', { stage: 'gateway' }));
  }

  /** Never rejects. */
  async drain(): Promise<void> {
    await this.#session?.drain();
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ownRequests.close();
    await this.#session?.close();
  }

  async #connect({ app, logLevel }: AppContext): Promise<boolean> {
    const { revision, clientInfo, capabilities } = app;
    this.#refusal = undefined;
    if (!this.#open()) return false;
    const response = await this.request('initialize', { protocolVersion: revision, clientInfo, capabilities });
    if (!response || this.#isClosed) return false;
    if (response.hasError) {
      this.#refusal ??= this.#refuse(refusedHandshake(response, new URL(this.#integration.url).host));
      return false;
    }
    this.#handshake = exactMember(response.bytes, 'result');
    await this.#session?.receive(Buffer.from(notificationText('notifications/initialized')));
    if (logLevel !== undefined && this.hasCapability('logging'))
      void this.request('logging/setLevel', { level: logLevel });
    return true;
  }

  get #server(): ServedServer {
    return this.#ports.serve(this.#integration);
  }

  #refuse(error: unknown): Refusal {
    return this.#server.refuse(this.#side.app?.name, error);
  }

  #open(): ServerSession | undefined {
    if (this.#isClosed) return undefined;
    const isStale = (): boolean => this.#connecting === undefined && this.#appContext !== undefined;
    try {
      this.#session ??= openSession(
        this.#ports,
        this.#server,
        {
          ...this.#side,
          isMember: true,
          send: (message, requestId) => this.#handleMessage(readEnvelope(Buffer.from(message)), requestId),
          requeue: (message) => this.#requeue(readEnvelope(Buffer.from(message))),
          onRefusal: (refusal) => (this.#refusal = refusal),
          viewAs: (session) => ({
            get isIdle() {
              return session.isIdle;
            },
            get isStale() {
              return session.isStale || isStale();
            },
            catchUp: (reason) => this.#catchUp(reason),
            close: () => session.close(),
          }),
        },
        // The collection has accounted for its messages, and it is evicted with its collection.
        unlimited,
      );
    } catch (error) {
      this.#refusal = this.#refuse(error);
    }
    // The collection itself may have been evicted meanwhile.
    if (this.#isClosed) void this.#session?.close();
    return this.#session;
  }

  async #handleMessage(message: Envelope, requestId: string | undefined): Promise<void> {
    if (message.kind === 'unusable' || this.#isClosed) return;
    if (message.kind === 'response' && this.#ownRequests.settle(message.id, message)) return;
    await this.#events.onMessage(message, requestId);
  }

  async #requeue(message: Envelope): Promise<void> {
    if (message.kind === 'request' && !this.#ownRequests.settle(message.id)) await this.#events.requeue(message.id);
  }

  /** Repeats a failed handshake; otherwise lets the session check the server. */
  async #catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const appContext = this.#appContext;
    if (this.#connecting || !appContext) return await this.#session?.catchUp(reason);
    if (await this.connect(appContext)) this.#events.onRecovered();
  }
}

/** The cached session result, or else the cached stateless result, converted. */
async function cachedResult(
  { cached }: ServerSession,
  { integration }: ServedServer,
  { method, app, cursor }: { method: string; app: SessionApp; cursor: string | undefined },
): Promise<JsonObject | undefined> {
  const isHandshake = method === 'initialize';
  const page = cursor === undefined ? {} : { cursor };
  const session = await cachedResponse(cached, method, isHandshake ? { protocolVersion: app.revision } : page);
  if (session) return session;
  const stateless = await cachedResponse(
    cached,
    isHandshake ? 'server/discover' : method,
    withMeta(page, app, undefined),
  );
  if (!stateless) return undefined;
  return isHandshake
    ? toInitializeResult(stateless, app, integration.alias ?? integration.name)
    : resultForSession(method, stateless);
}

async function cachedResponse(
  cached: ServerSession['cached'],
  method: string,
  params: JsonObject,
): Promise<JsonObject | undefined> {
  const request = readEnvelope(requestText('0', method, params));
  const response = request.kind === 'request' ? await cached(request) : undefined;
  const message = response && readEnvelope(response);
  return message?.kind === 'response' && !message.hasError ? exactMember(message.bytes, 'result') : undefined;
}
