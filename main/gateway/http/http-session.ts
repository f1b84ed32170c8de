import { isOfEndedSession } from '../../mcp/ended-session.ts';
import { readRevision, readSessionId } from '../../mcp/message-headers.ts';
import { PosternError } from '../../postern-error.ts';
import { deadline, gatewaySession } from '../../limits.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import { notificationText } from '../answers/answers.ts';
import { isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import { Places } from '../limits/places.ts';
import { readAnswer } from '../messages/read-answer.ts';
import { beforeSending } from '../server/before-sending.ts';
import type { OwnRequests } from '../server/own-requests.ts';
import { Behind } from '../session/behind.ts';
import { ProgramStream } from './program-stream.ts';
import { whenGone } from './when-gone.ts';

/** Sends to the server with the credential of the integration. Errors: PosternError. */
export type SendToServer = (
  method: 'POST' | 'GET' | 'DELETE',
  headers: Readonly<Record<string, string>>,
  options?: { readonly body?: string; readonly signal?: AbortSignal; readonly deadline?: number | undefined },
) => Promise<Response>;

/** The fields that every message has (MCP 2025-11-25, streamable HTTP). */
export const messageFields = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/**
 * A session of the older wire by HTTP. Its id is ours, so that it can begin before the server has one, and go on with
 * another one.
 */
export class HttpSession {
  readonly id: string;
  /** Of its requests. */
  readonly places = new Places();
  /** To the server, as all that belongs to it. */
  readonly send: SendToServer;
  readonly behind = new Behind();
  readonly stream = new ProgramStream();
  readonly #initialize: RequestEnvelope;
  readonly #own: OwnRequests;
  #initialized: string | undefined;
  #serverId: string | undefined;
  #version: string | undefined;
  #state: 'none' | 'answered' | 'ready' = 'none';
  #connecting: Promise<void> | undefined;
  #reaching: Promise<void> | undefined;
  /** Streams that wait for the server. */
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  constructor(id: string, initialize: RequestEnvelope, send: SendToServer, own: OwnRequests) {
    this.id = id;
    this.#initialize = initialize;
    this.send = send;
    this.#own = own;
  }

  /** Notes `notifications/initialized`, for a handshake that has no answer yet, or has to be repeated. */
  noteInitialized(text: string): void {
    this.#initialized = text;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Ended by its program, or for another one. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the server is there the next time, after it was not; never once nobody waits any more. */
  reached(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    whenGone(signal, () => this.#waiting.delete(resolve));
    return promise;
  }

  /** What each request of it says of itself to the server. */
  get fields(): Readonly<Record<string, string>> {
    return {
      ...(this.#serverId !== undefined && { 'mcp-session-id': this.#serverId }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** The program is told so in the server's words, and starts a new session by itself. */
  isEndedBy(response: Response): boolean {
    return isOfEndedSession(response, this.#serverId);
  }

  /** Takes the server's answer to the program's own handshake. Answers whether it has a session for it. */
  adopt(response: Response, result: unknown): boolean {
    if (!isObject(result)) return false;
    this.#serverId = readSessionId(response.headers.get('mcp-session-id'));
    this.#version = readRevision(result['protocolVersion']);
    this.#state = 'answered';
    return this.#serverId !== undefined;
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

  /** Repeats the program's handshake where the server's session is not there. Errors: PosternError. */
  async connect(): Promise<void> {
    await this.#connecting?.catch(() => {});
    if (this.isReady) return;
    if (this.#isOver) throw new PosternError('SESSION_LOST', { stage: 'gateway' });
    await beforeSending(this.#connecting ?? this.connectBy(this.#repeat()));
    this.announce();
  }

  /** Finds out whether the server is there, and says then what may have changed. Errors: PosternError. */
  async reach(): Promise<void> {
    this.#reaching ??= this.#ask().finally(() => {
      this.#reaching = undefined;
    });
    await this.#reaching;
    this.announce();
  }

  /** The server itself has answered. */
  noteAnswer(request: RequestEnvelope, answer: AnswerEnvelope): void {
    this.#tell(this.behind.noteAnswer(request, answer));
  }

  /** Has the program ask again for what it was told without the server, or could not be told. */
  announce(): void {
    this.#tell(this.behind.end());
    this.#noteReached();
  }

  /** Ends it here: a handshake that is still on its way begins nothing. */
  close(): void {
    this.#isOver = true;
    this.#waiting.clear();
    this.stream.close();
  }

  /** Ends it at the server; never rejects. */
  async end(): Promise<void> {
    if (this.#serverId === undefined) return;
    const response = await this.send('DELETE', this.fields).catch(() => undefined);
    await response?.body?.cancel();
  }

  async #repeat(): Promise<void> {
    const { id, bytes } = this.#own.again(this.#initialize);
    const body = bytes.toString('utf8');
    const response = await this.send('POST', messageFields, { body, deadline: deadline.mcpHeaders });
    const answer = await readAnswer(response, id);
    this.adopt(response, answer?.message['result']);
    if (this.#state !== 'answered') {
      if (response.status >= 500) throw noMcp('connection', { status: response.status });
      throw new PosternError('MCP_FAILED', { stage: 'connection' });
    }
  }

  /** What belongs to a handshake that was answered late goes out before all else. */
  async #follow(): Promise<void> {
    if (this.#isOver) return await this.end();
    if (this.#state !== 'answered') return;
    if (this.#initialized !== undefined) {
      const fields = { ...messageFields, ...this.fields };
      // Whoever comes meanwhile waits for it.
      const told = await this.send('POST', fields, { body: this.#initialized, deadline: gatewaySession.telling });
      await told.body?.cancel();
    }
    this.#state = 'ready';
    this.#noteReached();
  }

  async #ask(): Promise<void> {
    if (!this.isReady) return await this.connect();
    const fields = { ...messageFields, ...this.fields };
    const ping = this.#own.ping().bytes.toString('utf8');
    const { status, body } = await this.send('POST', fields, { body: ping, deadline: deadline.mcpHeaders });
    await body?.cancel();
    if (status >= 500) throw noMcp('connection', { status });
  }

  #noteReached(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #tell(changes: Iterable<string>): void {
    for (const change of changes) this.stream.tellChange(notificationText(change));
  }
}
