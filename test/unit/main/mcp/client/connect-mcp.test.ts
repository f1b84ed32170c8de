import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { askFirst, connectMcp } from '../../../../../main/mcp/client/connect-mcp.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const url = asChecked('https://mcp.example/mcp');
const { signal } = new AbortController();

interface Wires {
  readonly modern: boolean;
  readonly legacy: boolean;
}

/** A server as far as its handshakes go: what came, and answers on the wires that it speaks. */
function serve(wires: Wires) {
  const came: string[] = [];
  const arrivals = Promise.withResolvers<void>();
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const message =
      typeof init?.body === 'string' ? (JSON.parse(init.body) as { id?: unknown; method: string }) : undefined;
    came.push(message?.method ?? init?.method ?? 'GET');
    if (init?.method === 'DELETE') return new Response(null, { status: 204 });
    if (!message) return new Response(null, { status: 405 });
    const answer = (result: object, headers = {}) =>
      Response.json({ jsonrpc: '2.0', id: message.id, result }, { headers });
    const implementation = { capabilities: {}, serverInfo: { name: 'test', version: '1' } };
    if (message.method === 'server/discover' && wires.modern) {
      // Only after the other question has arrived too: they must not wait for one another.
      if (wires.legacy) await arrivals.promise;
      return answer({
        ...implementation,
        supportedVersions: ['2026-07-28'],
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
    }
    if (message.method === 'initialize' && wires.legacy) {
      arrivals.resolve();
      return answer({ ...implementation, protocolVersion: '2025-11-25' }, { 'mcp-session-id': 'session-1' });
    }
    if (message.method.startsWith('notifications/')) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'no' } }, { status: 400 });
  };
  return { came, fetch };
}

describe('connectMcp', () => {
  it.each<[string, Wires, string]>([
    ['the newer of both wires', { modern: true, legacy: true }, 'modern'],
    ['the stateless wire alone (MCP 2026-07-28)', { modern: true, legacy: false }, 'modern'],
    ['initialize alone (MCP 2025-11-25)', { modern: false, legacy: true }, 'legacy'],
  ])('takes %s, asking on both at once while the era is not known', async (_, wires, era) => {
    const { came, fetch } = serve(wires);
    const connection = await connectMcp({ url, fetch, era: undefined, signal });
    expect(connection.era).toBe(era);
    expect(came.slice(0, 2).toSorted()).toEqual(['initialize', 'server/discover']);
    await connection.close();
  });

  it('ends the session that it does not need', async () => {
    const { came, fetch } = serve({ modern: true, legacy: true });
    await connectMcp({ url, fetch, era: undefined, signal });
    await expect.poll(() => came).toContain('DELETE');
  });

  it.each<['modern' | 'legacy', string, string]>([
    ['modern', 'server/discover', 'initialize'],
    ['legacy', 'initialize', 'server/discover'],
  ])('asks only on the wire that it remembers (%s)', async (era, wanted, unwanted) => {
    const { came, fetch } = serve({ modern: era === 'modern', legacy: era === 'legacy' });
    await connectMcp({ url, fetch, era, signal });
    expect(came).toContain(wanted);
    expect(came).not.toContain(unwanted);
  });

  it('finds a server that has moved to the stateless wire since', async () => {
    const { fetch } = serve({ modern: true, legacy: false });
    expect((await connectMcp({ url, fetch, era: 'legacy', signal })).era).toBe('modern');
  });

  it.each([undefined, 'legacy', 'modern'] as const)(
    'tells what our own fetch said, whichever wire it said it on (%s)',
    async (era) => {
      const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
      const fetch = () => Promise.reject(refused);
      await expect(connectMcp({ url, fetch, era, signal })).rejects.toBe(refused);
    },
  );

  it.each(['server/discover', 'initialize'])(
    'tells a refusal on one wire (of %s) before what the library makes of the answer on the other',
    async (refusing) => {
      const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
      const { fetch } = serve({ modern: false, legacy: false });
      const other: typeof fetch = async (input, init) => {
        if (typeof init?.body === 'string' && init.body.includes(`"${refusing}"`)) throw refused;
        return await fetch(input, init);
      };
      await expect(connectMcp({ url, fetch: other, era: undefined, signal })).rejects.toBe(refused);
    },
  );

  it('waits until the server has confirmed the notification: some hang on what comes before it', async () => {
    const { fetch } = serve({ modern: false, legacy: true });
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
    const connecting = connectMcp({ url, fetch: slow, era: 'legacy', signal }).then(() => (isConnected = true));
    await reached.promise;
    await new Promise(setImmediate);
    expect(isConnected).toBe(false);
    confirm.resolve();
    await connecting;
  });
});

describe('askFirst', () => {
  it.each(['legacy', 'modern'] as const)(
    'asks as the library does, so that nothing is asked twice (%s)',
    async (era) => {
      const { came, fetch } = serve({ modern: era === 'modern', legacy: era === 'legacy' });
      const headers: Headers[] = [];
      const noting: typeof fetch = async (input, init) => {
        headers.push(new Headers(init?.headers));
        return await fetch(input, init);
      };
      await connectMcp({ url, fetch: noting, era, signal });
      const [wanted] = headers.splice(0);
      const before = came.splice(0);
      await connectMcp({ url, fetch: askFirst(noting, url, [era], signal).fetch, era, signal });
      expect(came).toEqual(before);
      expect([...(headers[0] ?? [])]).toEqual([...(wanted ?? [])]);
    },
  );

  it('tells of a failure when the library asks, and asks anew what it asks anew', async () => {
    const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
    let isDown = true;
    const { fetch } = serve({ modern: false, legacy: true });
    const { fetch: asked } = askFirst(
      async (input, init) => (isDown ? Promise.reject(refused) : fetch(input, init)),
      url,
      ['legacy'],
      signal,
    );
    await expect(connectMcp({ url, fetch: asked, era: 'legacy', signal })).rejects.toBe(refused);
    isDown = false;
    expect((await connectMcp({ url, fetch: asked, era: 'legacy', signal })).era).toBe('legacy');
  });

  it('ends an answer whose stream stays open with the connection', async () => {
    const { fetch } = serve({ modern: false, legacy: true });
    const ends: AbortSignal[] = [];
    const streaming: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (typeof init?.body !== 'string' || !init.body.includes('"initialize"')) return response;
      if (init.signal) ends.push(init.signal);
      const event = new TextEncoder().encode(`event: message\ndata: ${await response.text()}\n\n`);
      const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(event) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'mcp-session-id': 'session-1' } });
    };
    const asked = askFirst(streaming, url, ['legacy'], signal);
    const connection = await connectMcp({ url, fetch: asked.fetch, era: 'legacy', signal });
    expect(ends.map(({ aborted }) => aborted)).toEqual([false]);
    await connection.close();
    expect(ends.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
