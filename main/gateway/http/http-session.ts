import { isOfEndedSession } from '../../mcp/ended-session.ts';
import { readRevision, readSessionId } from '../../mcp/message-headers.ts';
import { PosternError } from '../../postern-error.ts';
import { deadline } from '../../limits.ts';
import { isObject, withId } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { Places } from '../limits/places.ts';
import { readAnswer } from '../messages/read-answer.ts';
import { beforeSending } from '../server/before-sending.ts';

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
  readonly #initialize: RequestEnvelope;
  #initialized: string | undefined;
  #serverId: string | undefined;
  #version: string | undefined;
  #isReady = false;
  #connecting: Promise<void> | undefined;
  /** Whether the program has been told something that the server did not say. */
  isBehind = false;

  constructor(id: string, initialize: RequestEnvelope, send: SendToServer) {
    this.id = id;
    this.#initialize = initialize;
    this.send = send;
  }

  /** Notes `notifications/initialized`, for a handshake that has to be repeated. */
  noteInitialized(text: string): void {
    this.#initialized = text;
  }

  get isReady(): boolean {
    return this.#isReady;
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

  /** Takes the server's answer to the program's own handshake. */
  adopt(response: Response, result: unknown): void {
    if (!isObject(result)) return;
    this.#serverId = readSessionId(response.headers.get('mcp-session-id'));
    this.#version = readRevision(result['protocolVersion']);
    this.#isReady = true;
  }

  /** The first handshake is on its way: whoever comes meanwhile waits for it. */
  connectBy(handshake: Promise<unknown>): void {
    const connecting = handshake.then(() => {});
    connecting.catch(() => {});
    this.#connecting = connecting.finally(() => {
      this.#connecting = undefined;
    });
    this.#connecting.catch(() => {});
  }

  /** Repeats the program's handshake where the server's session is not there. Errors: PosternError. */
  async connect(): Promise<void> {
    await this.#connecting?.catch(() => {});
    if (this.#isReady) return;
    const again = this.#repeat();
    this.connectBy(again);
    await beforeSending(again);
  }

  async #repeat(): Promise<void> {
    const again = withId(this.#initialize, '"postern:1"').toString('utf8');
    const response = await this.send('POST', messageFields, { body: again, deadline: deadline.mcpHeaders });
    const answer = await readAnswer(response, '"postern:1"');
    this.adopt(response, answer?.message['result']);
    if (!this.#isReady) throw new PosternError('MCP_FAILED', { stage: 'connection' });
    if (this.#initialized === undefined) return;
    const told = await this.send('POST', { ...messageFields, ...this.fields }, { body: this.#initialized });
    await told.body?.cancel();
  }

  /** Ends it at the server; never rejects. */
  async end(): Promise<void> {
    if (this.#serverId === undefined) return;
    const response = await this.send('DELETE', this.fields).catch(() => undefined);
    await response?.body?.cancel();
  }
}
