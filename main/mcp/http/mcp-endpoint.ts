import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { CheckedAddress } from '../../address/check-address.ts';
import { messageHeaders } from '../messages/message-headers.ts';

export interface McpRequestInit extends RequestInit {
  /** Milliseconds for this answer, where that is not the usual time of whoever sends. */
  readonly deadline?: number | undefined;
  /** The address whose own event stream named this one as its endpoint (MCP 2024-11-05). */
  readonly namedBy?: CheckedAddress;
}

/** What a message is, as text. */
export function textOf(body: RequestInit['body']): string {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return typeof body === 'string' ? body : '';
}

/** As the global one, for checked addresses alone. */
export type McpFetch = (address: CheckedAddress, init?: McpRequestInit) => Promise<Response>;

export interface EndpointRequest {
  readonly message?: JSONRPCMessage;
  /** The message as it is to go out, where that is not ours to write; no copy of it is made. */
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What an app that speaks HTTP says in its own fields, where those go on in the place of ours. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** After which event of a stream the rest is asked for. */
  readonly lastEventId?: string;
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The one address that the messages of a connection go to, with what each request says of the connection. */
export class McpEndpoint {
  sessionId: string | undefined;
  version: string | undefined;
  readonly #end = new AbortController();
  readonly #address: CheckedAddress;
  readonly #fetch: McpFetch;

  constructor(address: CheckedAddress, fetchFrom: McpFetch) {
    this.#address = address;
    this.#fetch = fetchFrom;
  }

  get host(): string {
    return new URL(this.#address).host;
  }

  /** Aborts when the connection has ended. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends every request that is under way. */
  end(): void {
    this.#end.abort();
  }

  async request(
    method: 'GET' | 'POST' | 'DELETE',
    { message, bytes, headers, fields, lastEventId, deadline, signal }: EndpointRequest = {},
  ): Promise<Response> {
    const isHandshake = message !== undefined && 'method' in message && message.method === 'initialize';
    return await this.#fetch(this.#address, {
      method,
      headers: {
        ...headers,
        ...(message && { 'content-type': 'application/json' }),
        accept: message ? 'application/json, text/event-stream' : 'text/event-stream',
        ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
        ...(this.sessionId !== undefined && !isHandshake && { 'mcp-session-id': this.sessionId }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        ...(message && (fields ?? messageHeaders(message))),
      },
      ...(message && { body: (bytes as Uint8Array<ArrayBuffer> | undefined) ?? JSON.stringify(message) }),
      deadline,
      signal: signal ? AbortSignal.any([this.signal, signal]) : this.signal,
    });
  }
}
