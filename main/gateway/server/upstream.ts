import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../errors/request-error.ts';
import { refusedHandshake, requireRevision } from '../answers/judge-failure.ts';
import { changeOf } from '../messages/catalogue.ts';
import { beginsSession } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { Connection } from './exchange.ts';
import type { ConnectionOptions, Sending } from './exchange.ts';
import type { OwnRequests } from './own-requests.ts';

/** How a session of the older wire began: what opens another one when the server has forgotten it. */
interface Handshake {
  readonly initialize: RequestEnvelope;
  /** `notifications/initialized`, once the program has sent it. */
  initialized?: Initialized;
}

type Initialized = Extract<Envelope, { kind: 'notification' }>;

export interface UpstreamOptions extends Omit<ConnectionOptions, 'end'> {
  /** Before a request is sent in the name of the program. Errors: PosternError. */
  readonly admit: () => void;
  readonly own: OwnRequests;
  /** A process of ours. */
  readonly isLocal: boolean;
  /** Ends the way to the server. Never rejects. */
  readonly onClosed: () => Promise<void>;
  /** What the server sends by itself is wanted as soon as it can be had; else once the app listens. */
  readonly listensAtOnce: boolean;
  /** Told that the older wire has a connection again that the program did not ask for. */
  readonly onReconnected: () => void;
}

/**
 * The server's side of one session: the program's messages go out as they came, and the server's come in as they are.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #end = new AbortController();
  #handshake: Handshake | undefined;
  #connection: Connection;
  #connecting: Promise<Connection> | undefined;
  readonly #lists = new ListCursors();
  #isListening: boolean;
  /** Still to be said to the server that has answered the handshake. */
  #owed: Initialized | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#isListening = options.listensAtOnce;
    this.#connection = this.#newConnection();
  }

  /** The older wire begins with a handshake, and needs another one after it has been lost. */
  get needsHandshake(): boolean {
    return this.#handshake !== undefined && !this.#connection.isReady;
  }

  /** Whether the program speaks the wire with sessions. */
  get isOlder(): boolean {
    return this.#handshake !== undefined;
  }

  /**
   * Sends a request; resolves when its answer has been taken or cannot come any more. A session that the server has
   * forgotten is opened again and the request sent once more (MCP 2025-11-25, session management 4).
   * Errors: PosternError, SESSION_LOST where that one is forgotten too; LostCursor.
   */
  async request(request: RequestEnvelope, sending: Sending): Promise<void> {
    if (beginsSession(request)) {
      // Whoever is paused goes on later with this handshake.
      this.#handshake = { initialize: request };
      this.#options.admit();
      return await this.#initialize(request, sending);
    }
    const connection = await this.#connectedFor(request);
    this.#lists.check(request, connection);
    if ((await connection.request(request, sending)) !== 'session-ended') return;
    const other = this.#handshake && (await this.#connectedFor(request, connection));
    if (other) this.#lists.check(request, other);
    const again = await other?.request(request, sending);
    if (again !== 'taken') throw new PosternError('SESSION_LOST', { stage: 'gateway' });
  }

  /** Sends a notification or an answer of the program. Errors: PosternError. */
  async tell(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    const isInitialized = message.kind === 'notification' && message.method === 'notifications/initialized';
    if (isInitialized && this.#handshake) this.#handshake.initialized = message;
    if (isInitialized) this.#owed = undefined;
    // Sent with the next handshake, where it is this one; anything else is about a session that is not there.
    if (this.needsHandshake && this.#connecting === undefined) return;
    const connection = await this.#connected();
    await connection.tell(message);
    if (isInitialized) this.#listen(connection);
  }

  /** The app listens to what the server sends by itself. */
  listen(): void {
    this.#isListening = true;
    // With the handshake.
    if (this.#handshake && (!this.#connection.isReady || !this.#handshake.initialized || this.#owed)) return;
    try {
      this.#options.admit();
    } catch {
      // With the next request.
      return;
    }
    this.#listen(this.#connection, true);
  }

  /** Notes `notifications/initialized` of a program that may not say it now: it goes out before the next request. */
  noteInitialized(message: Initialized): void {
    if (this.#handshake) this.#handshake.initialized = message;
    this.#owed = message;
  }

  /** Asks a question of our own: its answer, or `undefined` for an error. Errors: PosternError. */
  async ask(question: RequestEnvelope): Promise<AnswerEnvelope | undefined> {
    let result: AnswerEnvelope | undefined;
    const connection = await this.#connectedFor(question);
    await connection.request(question, {
      signal: this.#end.signal,
      take: async (message) => {
        if (message.kind !== 'answer' || message.id !== question.id) return await this.#options.take(message);
        if (!message.hasError) result = message;
      },
    });
    return result;
  }

  /**
   * Finds out on the older wire whether the server is there, and opens a connection that is lost. Errors: PosternError.
   */
  async reach(): Promise<void> {
    const isThere = !this.needsHandshake;
    const { own, take } = this.#options;
    const ping = own.ping();
    const connection = await this.#connectedFor(ping);
    if (!isThere || !this.isOlder) return;
    const asked = await connection.request(ping, {
      signal: this.#end.signal,
      take: async (message) => {
        if (message.kind !== 'answer' || message.id !== ping.id) await take(message);
      },
    });
    if (asked === 'session-ended') await this.#connectedFor(ping, connection);
    else this.#listen(connection, true);
  }

  /** The handshake failed: the next attempt may use the wire without one. */
  forgetHandshake(): void {
    this.#handshake = undefined;
    this.#owed = undefined;
    this.#connecting = undefined;
    this.#connection = this.#newConnection();
  }

  /** Ends all that is under way, and the session at the server. Never rejects. */
  async close(): Promise<void> {
    const connecting = this.#connecting;
    if (!connecting || this.#options.isLocal) return await this.#close();
    // A session that begins late ends late, and nobody waits for that.
    void connecting.catch(() => {}).then(() => this.#close());
  }

  async #close(): Promise<void> {
    this.#end.abort(new PosternError('USER_CANCELLED', { stage: 'connection' }));
    await this.#connection.close();
    await this.#options.onClosed();
  }

  #newConnection(): Connection {
    const wire = this.#handshake ? 'older' : 'newer';
    return new Connection({ ...this.#options, end: this.#end.signal }, wire);
  }

  async #connected(): Promise<Connection> {
    if (!this.#handshake || this.#connection.isReady) return this.#connection;
    return await beforeSending(this.#begunAnew(this.#handshake, this.#connection));
  }

  /**
   * The same for a request, other than the one that is `lost`. What may be asked is looked at again after the wait for
   * it; a ping asks the server nothing, so it only opens no connection. Errors: PosternError.
   */
  async #connectedFor({ method }: RequestEnvelope, lost?: Connection): Promise<Connection> {
    if (lost && this.#connection === lost) lost.lose();
    const { admit } = this.#options;
    if (method !== 'ping' || this.needsHandshake) admit();
    const connection = await this.#connected();
    if (method === 'ping') return connection;
    admit();
    if (this.#owed) await beforeSending(this.tell(this.#owed));
    if (this.#handshake?.initialized) this.#listen(connection);
    return connection;
  }

  /** With the program's own handshake; whoever else needs it meanwhile waits for that one. */
  async #begunAnew(handshake: Handshake, lost: Connection): Promise<Connection> {
    if (this.#connection !== lost && this.#connection.isReady) return this.#connection;
    lost.lose();
    this.#connecting ??= this.#repeat(handshake).finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  async #repeat({ initialize, initialized }: Handshake): Promise<Connection> {
    const connection = this.#newConnection();
    const { host } = new URL(this.#options.url);
    const again = this.#options.own.again(initialize);
    await this.#shakeHands(connection, again, {
      signal: this.#end.signal,
      take: async (message) => {
        if (message.kind !== 'answer' || message.id !== again.id) return await this.#options.take(message);
        if (message.hasError) throw refusedHandshake(message, host);
      },
    });
    if (!connection.isReady) throw new PosternError('MCP_FAILED', { stage: 'connection', detail: { host } });
    if (initialized) {
      this.#owed = undefined;
      await connection.tell(initialized);
    }
    this.#connection = connection;
    if (initialized) this.#listen(connection);
    this.#options.onReconnected();
    return connection;
  }

  async #initialize(request: RequestEnvelope, { onLeaving, ...sending }: Sending): Promise<void> {
    onLeaving?.();
    const connection = this.#newConnection();
    this.#connection = connection;
    // It has to be known what came of it: nobody may cancel it (MCP 2025-11-25, cancellation).
    const opening = this.#shakeHands(connection, request, { ...sending, signal: this.#end.signal });
    // What the program sends next waits for it.
    const connecting = opening.then(() => connection);
    connecting.catch(() => {});
    this.#connecting = connecting;
    try {
      await opening;
    } finally {
      if (this.#connecting === connecting) this.#connecting = undefined;
    }
  }

  async #shakeHands(
    connection: Connection,
    request: RequestEnvelope,
    { take = this.#options.take, ...sending }: Sending,
  ): Promise<void> {
    await connection.request(request, {
      ...sending,
      take: async (message, arrival) => {
        if (message.kind === 'answer' && message.id === request.id) {
          requireRevision(message, request, new URL(this.#options.url));
          connection.adopt(message.message['result']);
        }
        await take(message, arrival);
      },
    });
  }

  #listen(connection: Connection, isAgain = false): void {
    if (!this.#isListening) return;
    const isWanted = (): boolean => this.#connection === connection;
    void connection.listen(isWanted, isAgain).then(async (isRefused) => {
      // The server may have forgotten the session, which a ping says for certain.
      if (isRefused && isWanted() && this.isOlder) await this.reach().catch(() => {});
    });
  }
}

/**
 * What has to be done before a request can be sent: where that has failed, the request itself has surely not left.
 * Errors: those of the work.
 */
async function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LostRequest)) throw error;
    throw new UnsentRequest(error.code, { ...error.options, cause: error });
  }
}

/** A further page of a list that was begun in another session: its cursor is none of this one's (MCP 2025-11-25, pagination). */
export class LostCursor extends PosternError {
  constructor() {
    super('SESSION_LOST', { stage: 'gateway' });
  }
}

/** In which session of the server an app began each of its lists. */
export class ListCursors {
  readonly #begun = new Map<string, unknown>();

  /** `session`: what it is known by. Errors: LostCursor. */
  check({ method, params }: RequestEnvelope, session: unknown): void {
    if (changeOf(method) === undefined) return;
    const isNextPage = params['cursor'] !== undefined && this.#begun.has(method);
    const begun = isNextPage ? this.#begun.get(method) : session;
    this.#begun.set(method, begun);
    if (begun !== session) throw new LostCursor();
  }
}
