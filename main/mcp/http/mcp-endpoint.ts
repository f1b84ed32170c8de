import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { CheckedAddress } from '../../address/check-address.ts';
import { messageHeaders } from '../messages/message-headers.ts';

export interface McpRequestInit extends RequestInit {
  /** Milliseconds to wait for this response. Default: the sender's. */
  readonly deadline?: number | undefined;
  /** The address whose event stream named this one as its endpoint (MCP 2024-11-05). */
  readonly namedBy?: CheckedAddress;
}

/** A request body as text. */
export function bodyText(body: RequestInit['body']): string {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return typeof body === 'string' ? body : '';
}

/** Like the global fetch, but only for checked addresses. */
export type McpFetch = (address: CheckedAddress, init?: McpRequestInit) => Promise<Response>;

interface EndpointRequest {
  readonly message?: JSONRPCMessage;
  /** The exact bytes to send, if they are not ours to serialize; not copied. */
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The MCP header fields of an HTTP app, instead of our own. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Resumes the stream after this event. */
  readonly lastEventId?: string;
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The endpoint of one connection, with the headers that every request carries. */
export class McpEndpoint {
  sessionId: string | undefined;
  version: string | undefined;
  readonly #end = new AbortController();
  readonly #address: CheckedAddress;
  readonly #fetch: McpFetch;

  constructor(address: CheckedAddress, fetch: McpFetch) {
    this.#address = address;
    this.#fetch = fetch;
  }

  get host(): string {
    return new URL(this.#address).host;
  }

  /** Aborts when the connection ends. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Aborts every request in flight. */
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
