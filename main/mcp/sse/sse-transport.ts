import type { CheckedAddress } from '../../address/check-address.ts';
import { RequestError, UnsentRequest } from '../../errors/request-error.ts';
import { deadline } from '../../limits.ts';
import { postRefusalStatuses } from '../../oauth/discovery/probe-response.ts';
import { bodyText } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { peekForSseTransport } from '../http/mcp-fetch.ts';
import { SseSession, sessionHeader } from './sse-session.ts';
import type { SseSessionOptions } from './sse-session.ts';

/** The known transport of a server: `unknown` until it has answered the handshake. */
type KnownTransport = 'sse' | 'streamable-http' | 'unknown';

export interface SseFallback {
  readonly fetch: McpFetch;
  readonly transport: KnownTransport;
  /** Ends the HTTP+SSE session, if there is one. */
  close(): void;
}

interface SseFallbackOptions extends Omit<SseSessionOptions, 'address'> {
  /** From the last connection. A server that has switched to streamable HTTP since then is followed there. */
  readonly known: 'sse' | 'unknown';
  /** Called when the transport becomes known or changes. */
  readonly onTransport?: (transport: 'sse' | 'streamable-http') => void;
}

/**
 * The fetch of one connection to a server that may use HTTP+SSE (MCP 2024-11-05). Callers use streamable HTTP, and
 * every request goes through `fetch`, with its credential gate, policy and limits. If a server with `unknown` transport
 * refuses the POST of `initialize` with 400, 404 or 405, its stream is requested (MCP 2025-11-25, backwards
 * compatibility). The stream is the session: once it ends, requests for that session get 404, so that a new one is
 * started (session management 3 and 4).
 */
export function withSseFallback({ known, onTransport, ...options }: SseFallbackOptions): SseFallback {
  const { fetch } = options;
  let transport: KnownTransport = known;
  let session: SseSession | undefined;

  function setTransport(detected: 'sse' | 'streamable-http'): void {
    if (transport === detected) return;
    transport = detected;
    onTransport?.(detected);
  }

  async function openSession(
    address: CheckedAddress,
    signal: McpRequestInit['signal'],
  ): Promise<SseSession | 'none' | 'silent'> {
    session?.close();
    const opening = new SseSession({ ...options, address });
    session = opening;
    const abort = (): void => opening.close(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    try {
      const opened = await opening.open();
      return opened === 'open' ? opening : opened;
    } catch (error) {
      opening.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** For a server not known to use HTTP+SSE. */
  async function detectTransport(address: CheckedAddress, init: McpRequestInit): Promise<Response> {
    const response = await peekForSseTransport(await fetch(address, init));
    if (response instanceof Response && !postRefusalStatuses.has(response.status)) {
      if (response.ok) setTransport('streamable-http');
      return response;
    }
    const opened = await openSession(address, init.signal).catch((error: unknown) => {
      // The stream request itself failed; report why the handshake did.
      if (error instanceof RequestError) return undefined;
      throw error;
    });
    if (opened instanceof SseSession) {
      if (response instanceof Response) await response.body?.cancel();
      setTransport('sse');
      return await opened.post(init, true);
    }
    if (response instanceof Response) return response;
    throw response;
  }

  async function performHandshake(address: CheckedAddress, init: McpRequestInit): Promise<Response> {
    if (transport !== 'sse') return await detectTransport(address, init);
    const opened = await openSession(address, init.signal);
    if (opened instanceof SseSession) return await opened.post(init, true);
    const response = await fetch(address, init);
    if (response.ok) setTransport('streamable-http');
    if (response.ok || opened !== 'silent') return response;
    await response.body?.cancel();
    const detail = { host: new URL(address).host, seconds: deadline.sseEndpoint / 1_000 };
    throw new UnsentRequest('DEADLINE', { stage: 'connection', detail });
  }

  async function useSession(address: CheckedAddress, init: McpRequestInit, id: string): Promise<Response> {
    const open = session?.id === id && !session.isOver ? session : undefined;
    if (!open) return new Response(null, { status: 404 });
    switch (init.method) {
      case 'POST':
        return await open.post(init);
      case 'DELETE':
        open.close();
        return new Response(null, { status: 200 });
      default:
        return open.listen(init);
    }
  }

  return {
    get transport() {
      return transport;
    },
    async fetch(address, init = {}) {
      if (transport === 'streamable-http') return await fetch(address, init);
      const id = new Headers(init.headers).get(sessionHeader);
      if (id === null && init.method === 'POST' && isInitialize(init)) return await performHandshake(address, init);
      if (transport === 'unknown') return await fetch(address, init);
      // HTTP+SSE has no requests outside a session.
      return id === null ? new Response(null, { status: 400 }) : await useSession(address, init, id);
    },
    close: () => session?.close(),
  };
}

function isInitialize({ body }: McpRequestInit): boolean {
  const text = bodyText(body);
  // Do not parse a long message without that word.
  const message: unknown = text.includes('"initialize"') ? JSON.parse(text) : undefined;
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}
