// The server side of a session: handshake, reconnection and the server's own stream.

import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../errors/request-error.ts';
import { refusedHandshake, requireRevision } from '../responses/judge-failure.ts';
import { isSessionHandshake } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isList } from '../messages/lists.ts';
import { Connection } from './connection.ts';
import type { ConnectionOptions, SendOptions } from './connection.ts';
import type { OwnRequests } from './own-requests.ts';

/** The handshake of a session, repeated to open another one when the server has forgotten it. */
interface Handshake {
  readonly initialize: RequestEnvelope;
  /** `notifications/initialized`, once the app has sent it. */
  initialized?: Initialized;
}

type Initialized = Extract<Envelope, { kind: 'notification' }>;

export interface UpstreamOptions extends Omit<ConnectionOptions, 'closeSignal'> {
  /** Called before a request is sent for the app. Errors: PosternError. */
  readonly admit: () => void;
  readonly own: OwnRequests;
  /** A local process. */
  readonly isLocal: boolean;
  /** Closes the transport. Never rejects. */
  readonly onClosed: () => Promise<void>;
  /** Whether to open the server's own stream as soon as possible; otherwise once the app listens. */
  readonly listensAtOnce: boolean;
  /** Called when a new session was opened without the app asking for one. */
  readonly onReconnected: () => void;
}

/** The server side of one session: passes messages in both directions unchanged. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #closing = new AbortController();
  #handshake: Handshake | undefined;
  #connection: Connection;
  #connecting: Promise<Connection> | undefined;
  readonly #lists = new ListCursors();
  #isListening: boolean;
  /** `notifications/initialized` that was not sent yet, because the app was paused. */
  #deferredInitialized: Initialized | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#isListening = options.listensAtOnce;
    this.#connection = this.#newConnection();
  }

  /** True if the session was lost, so that the handshake has to be repeated. */
  get needsHandshake(): boolean {
    return this.#handshake !== undefined && !this.#connection.isReady;
  }

  /** Whether the app uses sessions. */
  get isSession(): boolean {
    return this.#handshake !== undefined;
  }

  /**
   * Sends a request; resolves when its response is handled or can no longer arrive. If the server has lost the session,
   * opens a new one and sends the request once more (MCP 2025-11-25, session management 4). Errors:
   * PosternError, SESSION_LOST if the new session is lost too; LostCursor.
   */
  async request(request: RequestEnvelope, sending: SendOptions): Promise<void> {
    if (isSessionHandshake(request)) {
      // A paused app will continue with this handshake.
      this.#handshake = { initialize: request };
      this.#options.admit();
      return await this.#initialize(request, sending);
    }
    const connection = await this.#connectionFor(request);
    this.#lists.check(request, connection);
    if ((await connection.request(request, sending)) !== 'session-ended') return;
    const other = this.#handshake && (await this.#connectionFor(request, connection));
    if (other) this.#lists.check(request, other);
    const outcome = await other?.request(request, sending);
    if (outcome !== 'completed') throw new PosternError('SESSION_LOST', { stage: 'gateway' });
  }

  /** Sends a notification or response of the app. Errors: PosternError. */
  async sendOneWay(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    const isInitialized = message.kind === 'notification' && message.method === 'notifications/initialized';
    if (isInitialized && this.#handshake) this.#handshake.initialized = message;
    if (isInitialized) this.#deferredInitialized = undefined;
    // `initialized` is sent with the next handshake; anything else belongs to a session that no longer exists.
    if (this.needsHandshake && this.#connecting === undefined) return;
    const connection = await this.#currentConnection();
    await connection.sendOneWay(message);
    if (isInitialized) this.#listen(connection);
  }

  /** Opens the server's own stream, since the app listens. */
  listen(): void {
    this.#isListening = true;
    // The handshake opens it.
    if (this.#handshake && (!this.#connection.isReady || !this.#handshake.initialized || this.#deferredInitialized))
      return;
    try {
      this.#options.admit();
    } catch {
      // Paused: the next request opens it.
      return;
    }
    this.#listen(this.#connection, true);
  }

  /** Defers `notifications/initialized` of a paused app until the next request. */
  deferInitialized(message: Initialized): void {
    if (this.#handshake) this.#handshake.initialized = message;
    this.#deferredInitialized = message;
  }

  /**
   * Sends one of Postern's own requests; resolves to the response, or `undefined` for an error. Errors: PosternError.
   */
  async requestOwn(request: RequestEnvelope): Promise<ResponseEnvelope | undefined> {
    let result: ResponseEnvelope | undefined;
    const connection = await this.#connectionFor(request);
    await connection.request(request, {
      signal: this.#closing.signal,
      onMessage: async (message) => {
        if (message.kind !== 'response' || message.id !== request.id) return await this.#options.onMessage(message);
        if (!message.hasError) result = message;
      },
    });
    return result;
  }

  /** In a session: pings the server, and reopens a lost session. Errors: PosternError. */
  async checkAlive(): Promise<void> {
    const wasConnected = !this.needsHandshake;
    const { own, onMessage } = this.#options;
    const ping = own.ping();
    const connection = await this.#connectionFor(ping);
    if (!wasConnected || !this.isSession) return;
    const outcome = await connection.request(ping, {
      signal: this.#closing.signal,
      onMessage: async (message) => {
        if (message.kind !== 'response' || message.id !== ping.id) await onMessage(message);
      },
    });
    if (outcome === 'session-ended') await this.#connectionFor(ping, connection);
    else this.#listen(connection, true);
  }

  /** The handshake failed, so the next attempt may be stateless. */
  forgetHandshake(): void {
    this.#handshake = undefined;
    this.#deferredInitialized = undefined;
    this.#connecting = undefined;
    this.#connection = this.#newConnection();
  }

  /** Ends everything in flight, and the session at the server. Never rejects. */
  async close(): Promise<void> {
    const connecting = this.#connecting;
    if (!connecting || this.#options.isLocal) return await this.#close();
    // A session that is still being opened is closed afterwards, without waiting.
    void connecting.catch(() => {}).then(() => this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort(new PosternError('USER_CANCELLED', { stage: 'connection' }));
    await this.#connection.close();
    await this.#options.onClosed();
  }

  #newConnection(): Connection {
    const protocol = this.#handshake ? 'session' : 'stateless';
    return new Connection({ ...this.#options, closeSignal: this.#closing.signal }, protocol);
  }

  async #currentConnection(): Promise<Connection> {
    if (!this.#handshake || this.#connection.isReady) return this.#connection;
    return await beforeSending(this.#reconnect(this.#handshake, this.#connection));
  }

  /**
   * The connection for a request, other than the `lost` one. Admission is checked again after the wait. A ping needs
   * admission only if it would open a connection. Errors: PosternError.
   */
  async #connectionFor({ method }: RequestEnvelope, lost?: Connection): Promise<Connection> {
    if (lost && this.#connection === lost) lost.markLost();
    const { admit } = this.#options;
    if (method !== 'ping' || this.needsHandshake) admit();
    const connection = await this.#currentConnection();
    if (method === 'ping') return connection;
    admit();
    if (this.#deferredInitialized) await beforeSending(this.sendOneWay(this.#deferredInitialized));
    if (this.#handshake?.initialized) this.#listen(connection);
    return connection;
  }

  /** Reopens the session with the app's own handshake, once for all requests that wait for it. */
  async #reconnect(handshake: Handshake, lost: Connection): Promise<Connection> {
    if (this.#connection !== lost && this.#connection.isReady) return this.#connection;
    lost.markLost();
    this.#connecting ??= this.#reopen(handshake).finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  async #reopen({ initialize, initialized }: Handshake): Promise<Connection> {
    const connection = this.#newConnection();
    const { host } = new URL(this.#options.url);
    const again = this.#options.own.repeat(initialize);
    await this.#handshakeWithServer(connection, again, {
      signal: this.#closing.signal,
      onMessage: async (message) => {
        if (message.kind !== 'response' || message.id !== again.id) return await this.#options.onMessage(message);
        if (message.hasError) throw refusedHandshake(message, host);
      },
    });
    if (!connection.isReady) throw new PosternError('MCP_FAILED', { stage: 'connection', detail: { host } });
    if (initialized) {
      this.#deferredInitialized = undefined;
      await connection.sendOneWay(initialized);
    }
    this.#connection = connection;
    if (initialized) this.#listen(connection);
    this.#options.onReconnected();
    return connection;
  }

  async #initialize(request: RequestEnvelope, { onBeforeSend, ...sending }: SendOptions): Promise<void> {
    onBeforeSend?.();
    const connection = this.#newConnection();
    this.#connection = connection;
    // Not aborted with the request: `initialize` must not be canceled (MCP 2025-11-25, cancellation).
    const opening = this.#handshakeWithServer(connection, request, { ...sending, signal: this.#closing.signal });
    // Later messages of the app wait for this.
    const connecting = opening.then(() => connection);
    connecting.catch(() => {});
    this.#connecting = connecting;
    try {
      await opening;
    } finally {
      if (this.#connecting === connecting) this.#connecting = undefined;
    }
  }

  async #handshakeWithServer(
    connection: Connection,
    request: RequestEnvelope,
    { onMessage = this.#options.onMessage, ...sending }: SendOptions,
  ): Promise<void> {
    await connection.request(request, {
      ...sending,
      onMessage: async (message, arrival) => {
        if (message.kind === 'response' && message.id === request.id) {
          requireRevision(message, request, new URL(this.#options.url));
          connection.adopt(message.message['result']);
        }
        await onMessage(message, arrival);
      },
    });
  }

  #listen(connection: Connection, reopen = false): void {
    if (!this.#isListening) return;
    const isWanted = (): boolean => this.#connection === connection;
    void connection.listen(isWanted, reopen).then(async (isRefused) => {
      // The server may have lost the session: a ping finds out.
      if (isRefused && isWanted() && this.isSession) await this.checkAlive().catch(() => {});
    });
  }
}

/** Runs work that precedes a request: if it fails, the request was not sent. Errors: those of `work`. */
async function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LostRequest)) throw error;
    throw new UnsentRequest(error.code, { ...error.options, cause: error });
  }
}

/**
 * The next page of a list that began in another session, where the cursor is not valid (MCP 2025-11-25, pagination).
 */
export class LostCursor extends PosternError {
  constructor() {
    super('SESSION_LOST', { stage: 'gateway' });
  }
}

/** The session in which an app began each of its lists. */
export class ListCursors {
  readonly #begun = new Map<string, unknown>();

  /** `session`: any value that identifies it. Errors: LostCursor. */
  check({ method, params }: RequestEnvelope, session: unknown): void {
    if (!isList(method)) return;
    const isNextPage = params['cursor'] !== undefined && this.#begun.has(method);
    const begun = isNextPage ? this.#begun.get(method) : session;
    this.#begun.set(method, begun);
    if (begun !== session) throw new LostCursor();
  }
}
