import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { connectMcp } from '../../../../../main/mcp/client/connect-mcp.ts';
import { sendOpeningRequests } from '../../../../../main/mcp/client/opening-requests.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const url = asChecked('https://mcp.example/mcp');
const { signal } = new AbortController();

interface Protocols {
  readonly stateless: boolean;
  readonly session: boolean;
}

/** A server that supports only the handshakes of these protocols, and what it received. */
function serve(protocols: Protocols) {
  const received: string[] = [];
  const arrivals = Promise.withResolvers<void>();
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const message =
      typeof init?.body === 'string' ? (JSON.parse(init.body) as { id?: unknown; method: string }) : undefined;
    received.push(message?.method ?? init?.method ?? 'GET');
    if (init?.method === 'DELETE') return new Response(null, { status: 204 });
    if (!message) return new Response(null, { status: 405 });
    const responseWith = (result: object, headers = {}) =>
      Response.json({ jsonrpc: '2.0', id: message.id, result }, { headers });
    const implementation = { capabilities: {}, serverInfo: { name: 'test', version: '1' } };
    if (message.method === 'server/discover' && protocols.stateless) {
      // Only after the other request has arrived: the two must not wait for each other.
      if (protocols.session) await arrivals.promise;
      return responseWith({
        ...implementation,
        supportedVersions: ['2026-07-28'],
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
    }
    if (message.method === 'initialize' && protocols.session) {
      arrivals.resolve();
      return responseWith({ ...implementation, protocolVersion: '2025-11-25' }, { 'mcp-session-id': 'session-1' });
    }
    if (message.method.startsWith('notifications/')) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'no' } }, { status: 400 });
  };
  return { received, fetch };
}

describe('connectMcp', () => {
  it.each<[string, Protocols, string]>([
    ['the newer of both protocols', { stateless: true, session: true }, 'stateless'],
    ['only the stateless protocol (MCP 2026-07-28)', { stateless: true, session: false }, 'stateless'],
    ['only initialize (MCP 2025-11-25)', { stateless: false, session: true }, 'session'],
  ])('uses %s, and tries both at once while the protocol is unknown', async (_, protocols, protocol) => {
    const { received, fetch } = serve(protocols);
    const connection = await connectMcp({ url, fetch, protocol: undefined, signal });
    expect(connection.protocol).toBe(protocol);
    expect(received.slice(0, 2).toSorted()).toEqual(['initialize', 'server/discover']);
    await connection.close();
  });

  it('ends the session that it does not need', async () => {
    const { received, fetch } = serve({ stateless: true, session: true });
    await connectMcp({ url, fetch, protocol: undefined, signal });
    await expect.poll(() => received).toContain('DELETE');
  });

  it.each<['stateless' | 'session', string, string]>([
    ['stateless', 'server/discover', 'initialize'],
    ['session', 'initialize', 'server/discover'],
  ])('tries only the remembered protocol (%s)', async (protocol, wanted, unwanted) => {
    const { received, fetch } = serve({ stateless: protocol === 'stateless', session: protocol === 'session' });
    await connectMcp({ url, fetch, protocol, signal });
    expect(received).toContain(wanted);
    expect(received).not.toContain(unwanted);
  });

  it('detects a server that has moved to the stateless protocol', async () => {
    const { fetch } = serve({ stateless: true, session: false });
    expect((await connectMcp({ url, fetch, protocol: 'session', signal })).protocol).toBe('stateless');
  });

  it.each([undefined, 'session', 'stateless'] as const)(
    'rethrows the error of our own fetch, whichever protocol it used (%s)',
    async (protocol) => {
      const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
      const fetch = () => Promise.reject(refused);
      await expect(connectMcp({ url, fetch, protocol, signal })).rejects.toBe(refused);
    },
  );

  it.each(['server/discover', 'initialize'])(
    'prefers a refusal of one protocol (of %s) to the library’s error for the other',
    async (refusing) => {
      const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
      const { fetch } = serve({ stateless: false, session: false });
      const other: typeof fetch = async (input, init) => {
        if (typeof init?.body === 'string' && init.body.includes(`"${refusing}"`)) throw refused;
        return await fetch(input, init);
      };
      await expect(connectMcp({ url, fetch: other, protocol: undefined, signal })).rejects.toBe(refused);
    },
  );

  it('waits for the server to confirm the notification, since some hang on earlier requests', async () => {
    const { fetch } = serve({ stateless: false, session: true });
    const confirm = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow: typeof fetch = async (input, init) => {
      if (typeof init?.body !== 'string' || !init.body.includes('notifications/initialized'))
        return await fetch(input, init);
      reached.resolve();
      await confirm.promise;
      return new Response(null, { status: 202 });
    };
    let isConnected = false;
    const connecting = connectMcp({ url, fetch: slow, protocol: 'session', signal }).then(() => (isConnected = true));
    await reached.promise;
    await new Promise(setImmediate);
    expect(isConnected).toBe(false);
    confirm.resolve();
    await connecting;
  });
});

describe('sendOpeningRequests', () => {
  it.each(['session', 'stateless'] as const)(
    'sends the same requests as the library, and none twice (%s)',
    async (protocol) => {
      const { received, fetch } = serve({ stateless: protocol === 'stateless', session: protocol === 'session' });
      const headers: Headers[] = [];
      const noting: typeof fetch = async (input, init) => {
        headers.push(new Headers(init?.headers));
        return await fetch(input, init);
      };
      await connectMcp({ url, fetch: noting, protocol, signal });
      const [expected] = headers.splice(0);
      const before = received.splice(0);
      await connectMcp({ url, fetch: sendOpeningRequests(noting, url, [protocol], signal).fetch, protocol, signal });
      expect(received).toEqual(before);
      expect([...(headers[0] ?? [])]).toEqual([...(expected ?? [])]);
    },
  );

  it('throws when the library sends the failed request, and retries when the library does', async () => {
    const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
    let isDown = true;
    const { fetch } = serve({ stateless: false, session: true });
    const { fetch: opening } = sendOpeningRequests(
      async (input, init) => (isDown ? Promise.reject(refused) : fetch(input, init)),
      url,
      ['session'],
      signal,
    );
    await expect(connectMcp({ url, fetch: opening, protocol: 'session', signal })).rejects.toBe(refused);
    isDown = false;
    expect((await connectMcp({ url, fetch: opening, protocol: 'session', signal })).protocol).toBe('session');
  });

  it('cancels an open response stream when the connection closes', async () => {
    const { fetch } = serve({ stateless: false, session: true });
    const ends: AbortSignal[] = [];
    const streaming: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (typeof init?.body !== 'string' || !init.body.includes('"initialize"')) return response;
      if (init.signal) ends.push(init.signal);
      const event = new TextEncoder().encode(`event: message\ndata: ${await response.text()}\n\n`);
      const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(event) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'mcp-session-id': 'session-1' } });
    };
    const opening = sendOpeningRequests(streaming, url, ['session'], signal);
    const connection = await connectMcp({ url, fetch: opening.fetch, protocol: 'session', signal });
    expect(ends.map(({ aborted }) => aborted)).toEqual([false]);
    await connection.close();
    expect(ends.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
