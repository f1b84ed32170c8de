import type { CheckedAddress } from '../../address/check-address.ts';
import { gatewaySession, sessionEnd } from '../../limits.ts';
import { listenToServer } from '../../mcp/http/listen-to-server.ts';
import { McpEndpoint } from '../../mcp/http/mcp-endpoint.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { readRevision } from '../../mcp/messages/message-headers.ts';
import { readAtMost } from '../../mcp/messages/read-document.ts';
import { isObject, readEnvelope } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { exchange, tell } from './exchange.ts';
import type { Exchanged, Take } from './exchange.ts';
import type { SessionBuffer } from '../limits/session-buffer.ts';

export interface ConnectionOptions {
  readonly url: CheckedAddress;
  /** Sends with the credential of the integration. Errors: PosternError. */
  readonly fetch: McpFetch;
  readonly take: Take;
  readonly buffer: SessionBuffer;
  /** Ends all of it. */
  readonly end: AbortSignal;
  /** Of the sign-in that there is now. */
  readonly owner: () => string | undefined;
}

export interface Sending {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told before it is sent: until then the server cannot have acted on it. */
  readonly onLeaving?: () => void;
  /** Who gets what comes with the answer, where that is not the program. */
  readonly take?: Take;
}

/** One connection to the server: on the older wire a session of its own, once its handshake has been answered. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #endpoint: McpEndpoint;
  readonly #canResume: boolean;
  readonly #owner: string | undefined;
  #isAdopted = false;

  constructor(options: ConnectionOptions, wire: 'older' | 'newer') {
    this.#options = options;
    this.#endpoint = new McpEndpoint(options.url, options.fetch);
    this.#canResume = wire === 'older';
    this.#owner = options.owner();
  }

  /** Of the older wire: its handshake is answered, and to the sign-in that there is now. */
  get isReady(): boolean {
    return this.#isAdopted && this.#owner === this.#options.owner();
  }

  /** The server has forgotten it. */
  lose(): void {
    this.#isAdopted = false;
  }

  /** Resolves when all that comes with the answer has been taken. Errors: PosternError. */
  async request(request: RequestEnvelope, sending: Sending): Promise<Exchanged> {
    const { signal, headers, onLeaving, take = this.#options.take } = sending;
    signal.throwIfAborted();
    onLeaving?.();
    return await exchange(this.#endpoint, request, {
      take,
      buffer: this.#options.buffer,
      headers,
      signal: AbortSignal.any([signal, this.#options.end]),
      host: new URL(this.#options.url).host,
      canResume: this.#canResume,
    });
  }

  /** Errors: PosternError. */
  async tell(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // A server takes a notification at once; one that does not holds up what comes behind it.
    const inTime = AbortSignal.timeout(gatewaySession.telling);
    await tell(this.#endpoint, message, AbortSignal.any([inTime, this.#options.end]));
  }

  /** Takes the answer to `initialize`: what every further request says. An error makes nothing ready. */
  adopt(result: unknown): void {
    if (!isObject(result)) return;
    this.#endpoint.version = readRevision(result['protocolVersion']);
    this.#isAdopted = true;
  }

  /**
   * Reads what the server sends by itself, as long as it is `wanted`; a stream that ends says nothing about requests.
   */
  listen(wanted: () => boolean): void {
    const { take, buffer, end: signal } = this.#options;
    const takeOne = (data: Buffer): Promise<void> => take(readEnvelope(data));
    listenToServer(this.#endpoint, { take: takeOne, signal, wanted, holding: buffer.open() }).catch(() => {});
  }

  /**
   * Ends the session at the server (MCP 2025-11-25, session management 5), and all that is under way. Never rejects.
   */
  async close(): Promise<void> {
    if (this.#endpoint.sessionId !== undefined) {
      await this.#endpoint
        .request('DELETE', { signal: AbortSignal.timeout(sessionEnd) })
        .then((response) => readAtMost(response, 0))
        .catch(() => {});
    }
    this.#endpoint.end();
  }
}
