import type { CheckedAddress } from '../../address/check-address.ts';
import { RequestError, UnsentRequest } from '../../errors/request-error.ts';
import { deadline } from '../../limits.ts';
import { refusalsOfPost } from '../../oauth/discovery/probe-answer.ts';
import { textOf } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { beginsAsOld } from '../http/mcp-fetch.ts';
import { OldSession, sessionField } from './old-session.ts';
import type { OldSessionOptions } from './old-session.ts';

/** What is known of a server's transport: `unknown` until its handshake was answered. */
export type Transport = 'old' | 'newer' | 'unknown';

export interface EitherTransport {
  readonly fetch: McpFetch;
  readonly transport: Transport;
  /** Ends the session of the old transport, where there is one. */
  close(): void;
}

interface EitherOptions extends Omit<OldSessionOptions, 'address'> {
  /** From the last connection. One that has moved to the newer transport since is followed there. */
  readonly known: 'old' | 'unknown';
  /** Called with what the server speaks, once that is known or changes. */
  readonly onTransport?: (transport: 'old' | 'newer') => void;
}

/**
 * A fetch of one connection to a server that may speak the old transport, HTTP+SSE (MCP 2024-11-05): whoever uses it
 * speaks streamable HTTP, and every request goes through `fetch`, with its gate, policy and limits. Where a server
 * whose transport is `unknown` refuses the POST of `initialize` with 400, 404 or 405, it is asked for its stream (MCP
 * 2025-11-25, backwards compatibility). The stream is the session: after its end all that names it is answered 404, so
 * that a new one is begun (session management 3 and 4).
 */
export function eitherTransport({ known, onTransport, ...options }: EitherOptions): EitherTransport {
  const { fetch } = options;
  let transport: Transport = known;
  let session: OldSession | undefined;

  function learn(spoken: 'old' | 'newer'): void {
    if (transport === spoken) return;
    transport = spoken;
    onTransport?.(spoken);
  }

  async function openSession(
    address: CheckedAddress,
    signal: McpRequestInit['signal'],
  ): Promise<OldSession | 'none' | 'silent'> {
    session?.close();
    const opening = new OldSession({ ...options, address });
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

  /** Of a server that is not known to have the old transport. */
  async function ask(address: CheckedAddress, init: McpRequestInit): Promise<Response> {
    const answer = await beginsAsOld(await fetch(address, init));
    if (answer instanceof Response && !refusalsOfPost.has(answer.status)) {
      if (answer.ok) learn('newer');
      return answer;
    }
    const opened = await openSession(address, init.signal).catch((error: unknown) => {
      // That question failed by itself; what is told is why the handshake did.
      if (error instanceof RequestError) return undefined;
      throw error;
    });
    if (opened instanceof OldSession) {
      if (answer instanceof Response) await answer.body?.cancel();
      learn('old');
      return await opened.post(init, true);
    }
    if (answer instanceof Response) return answer;
    throw answer;
  }

  async function shakeHands(address: CheckedAddress, init: McpRequestInit): Promise<Response> {
    if (transport !== 'old') return await ask(address, init);
    const opened = await openSession(address, init.signal);
    if (opened instanceof OldSession) return await opened.post(init, true);
    const answer = await fetch(address, init);
    if (answer.ok) learn('newer');
    if (answer.ok || opened !== 'silent') return answer;
    await answer.body?.cancel();
    const detail = { host: new URL(address).host, seconds: deadline.oldEndpoint / 1_000 };
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
      if (transport === 'newer') return await fetch(address, init);
      const id = new Headers(init.headers).get(sessionField);
      if (id === null && init.method === 'POST' && beginsSession(init)) return await shakeHands(address, init);
      if (transport === 'unknown') return await fetch(address, init);
      // Outside of a session that transport has nothing.
      return id === null ? new Response(null, { status: 400 }) : await useSession(address, init, id);
    },
    close: () => session?.close(),
  };
}

function beginsSession({ body }: McpRequestInit): boolean {
  const text = textOf(body);
  // Of a long message nothing is built that has no such word in it.
  const message: unknown = text.includes('"initialize"') ? JSON.parse(text) : undefined;
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}
