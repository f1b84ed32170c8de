import { describe, expect, it } from 'vitest';
import { connectMcp } from '../../../../main/mcp/connect-mcp.ts';
import { PosternError } from '../../../../main/postern-error.ts';

const url = 'https://mcp.example/mcp';
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

  it('tells what our own fetch said, whichever wire it said it on', async () => {
    const refused = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
    const fetch = () => Promise.reject(refused);
    await expect(connectMcp({ url, fetch, era: undefined, signal })).rejects.toBe(refused);
  });
});

/** A server with sessions that confirms the notification only when it is told to, and may refuse what comes before. */
function serveSlowGreeting(early: 'taken' | 'refused' | 'refused with 400') {
  const came: string[] = [];
  const confirm = Promise.withResolvers<void>();
  let greeted = false;
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    if (typeof init?.body !== 'string') return new Response(null, { status: 405 });
    const { id, method } = JSON.parse(init.body) as { id?: unknown; method: string };
    came.push(method);
    const answer = (content: object, status = 200) =>
      Response.json({ jsonrpc: '2.0', id, ...content }, { status, headers: { 'mcp-session-id': 'session-1' } });
    if (method === 'initialize') {
      const serverInfo = { name: 'test', version: '1' };
      return answer({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
    }
    if (method === 'notifications/initialized') {
      await confirm.promise;
      greeted = true;
      return new Response(null, { status: 202 });
    }
    if (!greeted && early !== 'taken') {
      // As some servers say it: the list of tools before the notification is a mistake of the client.
      const refusal = answer({ error: { code: -32_602, message: 'no' } }, early === 'refused' ? 200 : 400);
      confirm.resolve();
      return refusal;
    }
    if (method === 'tools/list')
      return answer({ result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
    return answer({ result: { content: [] } });
  };
  return { came, confirm: () => confirm.resolve(), fetch };
}

describe('listTools', () => {
  it('does not wait for the notification to be confirmed (MCP 2025-11-25, lifecycle)', async () => {
    const { came, confirm, fetch } = serveSlowGreeting('taken');
    const connection = await connectMcp({ url, fetch, era: 'legacy', signal });
    expect((await connection.listTools(signal)).map(({ name }) => name)).toEqual(['echo']);
    expect(came).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    confirm();
    await connection.close();
  });

  it.each(['refused', 'refused with 400'] as const)(
    'asks again after the notification where a server %s what came before it',
    async (early) => {
      const { came, fetch } = serveSlowGreeting(early);
      const connection = await connectMcp({ url, fetch, era: 'legacy', signal });
      expect(await connection.listTools(signal)).toHaveLength(1);
      expect(came).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/list']);
      await connection.close();
    },
  );

  it('lets a tool call wait, since that may not come twice', async () => {
    const { came, confirm, fetch } = serveSlowGreeting('taken');
    const connection = await connectMcp({ url, fetch, era: 'legacy', signal });
    const call = connection.client.callTool({ name: 'echo', arguments: {} });
    await connection.listTools(signal);
    expect(came).not.toContain('tools/call');
    confirm();
    await call;
    expect(came.at(-1)).toBe('tools/call');
    await connection.close();
  });

  it('says what became of a notification that failed', async () => {
    const { fetch } = serveSlowGreeting('taken');
    const refused = new PosternError('TOKEN_REJECTED', { stage: 'connection' });
    const refusing: typeof fetch = async (input, init) => {
      if (typeof init?.body === 'string' && init.body.includes('notifications/initialized')) throw refused;
      if (typeof init?.body === 'string' && init.body.includes('tools/list'))
        return new Response('no', { status: 400 });
      return await fetch(input, init);
    };
    const connection = await connectMcp({ url, fetch: refusing, era: 'legacy', signal });
    await expect(connection.listTools(signal)).rejects.toBe(refused);
  });
});
