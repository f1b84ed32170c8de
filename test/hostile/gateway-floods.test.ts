import { describe, expect, it } from 'vitest';
import { manyObjects, startFloodedGateway } from '../support/flooding.ts';
import type { FloodedGateway } from '../support/flooding.ts';
import { shakeHands } from '../support/line-app.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';

/** An app or a server whose messages cost much more than their text, at a gateway with little memory. */

const heap = 192;
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'flood', version: '1' },
};

/** Answers `add`, and never `hold`. */
async function startSilent(protocol: 'session' | 'stateless' = 'session') {
  return await startRawServer(
    protocol,
    [
      { name: 'hold', inputSchema },
      { name: 'add', inputSchema },
    ],
    (request) => {
      if (request.message.method !== 'tools/call') return false;
      if (!request.message.params?.name?.endsWith('hold')) sendJson(request, textResult('5'));
      return true;
    },
  );
}

const calls = { sessions: 8, each: 20 };
const call = (id: number, params: string, name = 'hold') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"all":${manyObjects}}${params}}}`;
const refusals = (lines: readonly string[]) => lines.filter((line) => line.includes('Too many requests')).length;

/** The bystander uses its server all the while; each of its calls is answered. */
async function useMeanwhile({ open, hasEnded }: FloodedGateway, isOver: () => boolean): Promise<number> {
  const bystander = open('bystander', 's1');
  await shakeHands(bystander);
  let count = 0;
  do {
    expect(await bystander.request((count += 1), 'tools/call', { name: 'add' })).toHaveProperty('result.content');
  } while (!isOver() || count < 20);
  expect(hasEnded()).toBe(false);
  return count;
}

describe('an app that floods', () => {
  it.each([
    ['a session of 2025-11-25', 's0', ''],
    ['requests of 2026-07-28', 's0', `,"_meta":${JSON.stringify(_meta)}`],
    ['an older app at a newer server', 's2', ''],
    ['a collection', '+all', ''],
  ])('GW-76 blocks no other app, and ends nothing: %s', async (_what, server, params) => {
    const servers = await Promise.all([startSilent(), startSilent(), startSilent('stateless')]);
    const flooded = await startFloodedGateway(
      servers.map(({ url }) => url),
      heap,
    );
    let answerCount = 0;
    const attack = Array.from({ length: calls.sessions }, async () => {
      const session = flooded.open('attacker', server);
      // Each attacker waits for a response first. Otherwise all write in one go, and the bystander, in this same
      // process, could not connect before the gateway disconnects them.
      if (params === '') await shakeHands(session);
      else await session.request('first', 'ping', { _meta });
      for (let id = 1; id <= calls.each; id += 1)
        session.write(call(id, params, server === '+all' ? 's0_hold' : 'hold'));
      // What does not fit is rejected at once; the session survives.
      session.write(`{"jsonrpc":"2.0","id":"last","method":"ping","params":{${params.slice(1)}}}`);
      await session.response('last');
      answerCount += refusals(session.lines);
    });
    let isOver = false;
    await Promise.all([Promise.all(attack).then(() => (isOver = true)), useMeanwhile(flooded, () => isOver)]);
    expect(answerCount).toBeGreaterThan((calls.sessions * calls.each) / 2);
  });

  it('GW-76 blocks no other app, and ends nothing: by HTTP', async () => {
    const servers = await Promise.all([startSilent(), startSilent()]);
    const flooded = await startFloodedGateway(
      servers.map(({ url }) => url),
      heap,
    );
    const { url, authorization } = flooded.http;
    const leave = new AbortController();
    const send = () =>
      fetch(url('s0'), {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
        },
        body: call(1, `,"_meta":${JSON.stringify(_meta)}`),
        signal: leave.signal,
      }).then((response) => response.text());
    const sent = Array.from({ length: calls.sessions * 8 }, () => send().catch(() => 'gone'));
    let count = 0;
    await useMeanwhile(flooded, () => (count += 1) > 100);
    leave.abort();
    await Promise.all(sent);
    // Its memory budget is free again.
    await useMeanwhile(flooded, () => true);
  });

  it('GW-77 uses no more than its budget with unfinished messages', async () => {
    const servers = await Promise.all([startSilent(), startSilent()]);
    const flooded = await startFloodedGateway(
      servers.map(({ url }) => url),
      heap,
    );
    const piece = 'x'.repeat(4 * 1_024 * 1_024);
    for (let session = 0; session < 40; session += 1) {
      const attacker = flooded.open('attacker', 's0');
      await shakeHands(attacker);
      attacker.writePartial(`{"jsonrpc":"2.0","id":1,"x":"${piece}`);
    }
    let count = 0;
    await useMeanwhile(flooded, () => (count += 1) > 100);
  });
});

describe('a server that floods', () => {
  it.each([
    ['a session of 2025-11-25', 'session', {}],
    ['requests of 2026-07-28', 'stateless', { _meta }],
  ] as const)('GW-78 blocks no other app with an endless list: %s', async (_what, protocol, params) => {
    const tools = Array.from({ length: 240_000 }, (_, at) => ({
      name: `tool-${at}`,
      inputSchema: { type: 'object' },
    }));
    const text = JSON.stringify({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools });
    let isFlooding = false;
    const floods = await startRawServer(protocol, [], ({ message, response }) => {
      if (message.method !== 'tools/list' || !isFlooding) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${text}}`);
      return true;
    });
    const servers = await Promise.all([startSilent(), startSilent()]);
    const flooded = await startFloodedGateway(
      [...servers, floods].map(({ url }) => url),
      heap,
    );
    isFlooding = true;
    const victim = flooded.open('attacker', 's2');
    if (protocol === 'session') await shakeHands(victim);
    let isOver = false;
    const listing = async (): Promise<void> => {
      // Like an app that is notified again and again that the list has changed.
      for (let id = 1; id <= 10; id += 1) {
        const { result } = (await victim.request(id, 'tools/list', params)) as {
          result: { tools: unknown[]; _meta: Record<string, unknown> };
        };
        expect(result.tools).toHaveLength(5_000);
        expect(result._meta).toHaveProperty(['dev.postern/left-out', 'entriesPassedOn'], 5_000);
      }
      isOver = true;
    };
    await Promise.all([listing(), useMeanwhile(flooded, () => isOver)]);
  });
});
