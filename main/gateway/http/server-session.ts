import { PosternError } from '../../errors/postern-error.ts';
import { deadline, gatewaySession } from '../../limits.ts';
import { isOfEndedSession } from '../../mcp/http/ended-session.ts';
import { readRevision, readSessionId } from '../../mcp/messages/message-headers.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';
import { refusedHandshake, requireRevision } from '../answers/judge-failure.ts';
import { isObject, readAnswer } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import type { OwnRequests } from '../server/own-requests.ts';
import { beforeSending } from '../server/upstream.ts';

/** Sends to the server with the credential of the integration. Errors: PosternError. */
export type SendToServer = (
  method: 'POST' | 'GET' | 'DELETE',
  headers: Readonly<Record<string, string>>,
  options?: { readonly body?: string | Buffer; readonly signal?: AbortSignal; readonly deadline?: number | undefined },
) => Promise<Response>;

/** The fields that every message has (MCP 2025-11-25, streamable HTTP). */
export const messageFields = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

export interface ServerSessionOptions {
  /** The handshake of the program. */
  readonly initialize: RequestEnvelope;
  /** All that belongs to the session. */
  readonly send: SendToServer;
  readonly own: OwnRequests;
  /** Of the server's address. */
  readonly host: string;
  /** Before anything of the program goes to the server. Errors: PosternError. */
  readonly admit: () => void;
  /** Of the sign-in that there is now. */
  readonly owner: () => string | undefined;
  readonly onReady: () => void;
}

/**
 * What a session by HTTP has at its server: begun with the program's own handshake, and with the same one again where
 * it never came about.
 */
export class ServerSession {
  readonly #options: ServerSessionOptions;
  #initialized: string | undefined;
  /** The server has still to hear it. */
  #isOwed = false;
  #id: string | undefined;
  #begun = 0;
  #version: string | undefined;
  #owner: string | undefined;
  #state: 'none' | 'answered' | 'ready' = 'none';
  #connecting: Promise<void> | undefined;
  #isOver = false;

  constructor(options: ServerSessionOptions) {
    this.#options = options;
  }

  get send(): SendToServer {
    return this.#options.send;
  }

  get isReady(): boolean {
    return this.#state === 'ready' && this.#owner === this.#options.owner();
  }

  /** What each of its requests says of itself. */
  get fields(): Readonly<Record<string, string>> {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** How many sessions the server has begun: which one a cursor of it is of. */
  get begun(): number {
    return this.#begun;
  }

  /** Sends in the session; `undefined`: the server has forgotten it, and not acted on that. Errors: those of `send`. */
  async inSession(send: () => Promise<Response>): Promise<Response | undefined> {
    const [id, begun] = [this.#id, this.#begun];
    const response = await send();
    if (!isOfEndedSession(response, id)) return response;
    await response.body?.cancel();
    // Another request may have found that before.
    if (this.#begun === begun) this.#state = 'none';
    return undefined;
  }

  /** Notes `notifications/initialized`, for a handshake that has no answer yet, or has to be repeated. */
  noteInitialized(text: string): void {
    this.#initialized = text;
    this.#isOwed = true;
  }

  /** It is on its way to the server. */
  settleInitialized(): void {
    this.#isOwed = false;
  }

  /** Says it to the server, where the program was paused when it said so. Errors: PosternError. */
  async tellInitialized(): Promise<void> {
    if (!this.#isOwed || this.#initialized === undefined) return;
    this.#isOwed = false;
    const told = await beforeSending(this.#post(this.#initialized, gatewaySession.telling));
    await told.body?.cancel();
  }

  /** Takes the server's answer to the program's own handshake. Answers whether it has a session for it. */
  adopt(response: Response, result: unknown): boolean {
    if (!isObject(result)) return false;
    this.#owner = this.#options.owner();
    this.#id = readSessionId(response.headers.get('mcp-session-id'));
    this.#version = readRevision(result['protocolVersion']);
    this.#state = 'answered';
    this.#begun += 1;
    return this.#id !== undefined;
  }

  /** A handshake is on its way: whoever comes meanwhile waits for it. Errors: its own, and of what follows it. */
  connectBy(handshake: Promise<unknown>): Promise<void> {
    const connecting = handshake.then(() => this.#follow());
    this.#connecting = connecting.finally(() => {
      this.#connecting = undefined;
    });
    this.#connecting.catch(() => {});
    return connecting;
  }

  /** Repeats the program's handshake where that has come to nothing; `false`: it had not. Errors: PosternError. */
  async connect(): Promise<boolean> {
    await this.#connecting?.catch(() => {});
    if (this.isReady) return false;
    if (this.#isOver) throw new PosternError('SESSION_LOST', { stage: 'gateway' });
    await beforeSending(this.#connecting ?? this.connectBy(this.#repeat()));
    return true;
  }

  /**
   * Finds out whether the server is there (MCP 2025-11-25, ping: any answer will do), and begins anew what it has
   * forgotten. Errors: PosternError.
   */
  async reach(): Promise<void> {
    const ping = this.#options.own.ping().bytes.toString('utf8');
    const answer = this.isReady && (await this.inSession(() => this.#post(ping, deadline.mcpHeaders)));
    if (!answer) return void (await this.connect());
    await answer.body?.cancel();
    if (answer.status >= 500) throw noMcp('connection', { status: answer.status });
  }

  /** A handshake that is still on its way begins nothing. */
  close(): void {
    this.#isOver = true;
  }

  /** Ends it at the server; never rejects. */
  async end(): Promise<void> {
    if (this.#id === undefined) return;
    const response = await this.send('DELETE', this.fields).catch(() => undefined);
    await response?.body?.cancel();
  }

  async #repeat(): Promise<void> {
    const { own, initialize, host } = this.#options;
    const { id, bytes } = own.again(initialize);
    const again = bytes.toString('utf8');
    const response = await this.send('POST', messageFields, { body: again, deadline: deadline.mcpHeaders });
    const answer = await readAnswer(response, { id, host });
    if (answer) requireRevision(answer, initialize, { host, status: response.status });
    this.adopt(response, answer?.message['result']);
    this.#isOwed = true;
    if (this.#state !== 'answered') {
      if (response.status >= 500) throw noMcp('connection', { host, status: response.status });
      throw answer
        ? refusedHandshake(answer, host)
        : new PosternError('MCP_FAILED', { stage: 'connection', detail: { host } });
    }
  }

  /** What belongs to a handshake that was answered late goes out before all else. */
  async #follow(): Promise<void> {
    if (this.#isOver) return await this.end();
    if (this.#state !== 'answered') return;
    // Whoever comes meanwhile waits for it.
    if (this.#mayTell()) await this.tellInitialized();
    this.#state = 'ready';
    this.#options.onReady();
  }

  #mayTell(): boolean {
    try {
      this.#options.admit();
      return true;
    } catch {
      return false;
    }
  }

  async #post(body: string, within: number): Promise<Response> {
    return await this.send('POST', { ...messageFields, ...this.fields }, { body, deadline: within });
  }
}
