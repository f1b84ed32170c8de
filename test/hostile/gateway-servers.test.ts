import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatewaySession, mcpDepth } from '../../main/limits.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import type { LineApp } from '../support/line-app.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { event, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

type OnCall = (request: RawRequest) => void;

/** A server that lists one tool, and whose calls the test answers. */
async function start(onCall: OnCall) {
  let respond = onCall;
  const server = await startRawServer('session', [{ name: 'look', inputSchema: { type: 'object' } }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    respond(request);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const open = async (): Promise<LineApp> => {
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    return app;
  };
  return { server, engine, integration, served, open, app: await open(), set: (next: OnCall) => (respond = next) };
}

type World = Awaited<ReturnType<typeof start>>;

const honest: OnCall = (request) => sendJson(request, textResult('honest'));
const call = (app: LineApp, id: number | string) => app.request(id, 'tools/call', { name: 'look' });
const stream = ({ response }: RawRequest) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const answersTo = (app: LineApp, id: unknown) =>
  app.lines
    .map((line) => JSON.parse(line) as { id?: unknown; method?: string })
    .filter((one) => one.id === id && !one.method);

/** Proves that session and gateway still work. */
async function expectAlive({ app, open, set }: World): Promise<void> {
  set(honest);
  expect(JSON.stringify(await call(app, 'again'))).toContain('honest');
  expect(JSON.stringify(await call(await open(), 'again'))).toContain('honest');
}

const brokenAnswers: readonly (readonly [how: string, onCall: OnCall])[] = [
  ['ends', (request) => void request.response.end()],
  ['breaks off', (request) => void request.response.destroy()],
  ['begins a message and ends', (request) => void stream(request).end('data: {"jsonrpc":"2.0","id":1,"res')],
  [
    'begins a message and breaks off',
    (request) => void stream(request).write('data: {', () => request.response.destroy()),
  ],
  ['is a page', (request) => void request.response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
  ['is of a wrong status', (request) => void request.response.writeHead(500).end('[['.repeat(30_000))],
  [
    'is an error nested deeply',
    (request) => void request.response.writeHead(400).end(`{"error":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`),
  ],
];

describe('a hostile server of an app', () => {
  it('gets one response passed on per request, whatever IDs it uses: twice, of others, null, none, ours (GW-10)', async () => {
    const ids = [1, 1, '1', 'other', null, 'postern:1', 'postern:tools', 2 ** 60, {}, [1], true, ''];
    const world = await start((request) => {
      stream(request);
      for (const id of ids) request.response.write(event({ id, result: { from: JSON.stringify(id) } }));
      request.response.end(event({ result: {} }) + event({ id: 1, error: { code: 1, message: 'late' } }));
    });
    const { app } = world;
    expect(await call(app, 1)).toMatchObject({ result: { from: '1' } });
    await expectAlive(world);
    expect(answersTo(app, 1)).toHaveLength(1);
    const strangers = app.lines.filter((line) => !/^\{"jsonrpc":"2.0","id":(?:0|1|"again"),/u.test(line));
    expect(strangers).toEqual([]);
  });

  it('gets one response passed on per request, also from the stream of another (GW-10)', async () => {
    const held: RawRequest[] = [];
    const world = await start((request) => void held.push(request));
    const first = call(world.app, 1);
    await expect.poll(() => held.length).toBe(1);
    world.set((request) => {
      const twice = event({ id: 1, result: { from: 'first' } }) + event({ id: 1, result: { from: 'second' } });
      stream(request).end(twice + event({ id: 2, ...textResult('done') }));
    });
    await call(world.app, 2);
    for (const request of held) honest(request);
    expect(await first).toHaveProperty('result.from', 'first');
    await expectAlive(world);
    expect(answersTo(world.app, 1)).toHaveLength(1);
  });

  it('answers no request of another session (GW-10)', async () => {
    const held: RawRequest[] = [];
    const world = await start((request) => void held.push(request));
    const other = await world.open();
    const mine = call(world.app, 7);
    await expect.poll(() => held.length).toBe(1);
    world.set((request) => {
      stream(request);
      request.response.end(event({ id: 7, result: { from: 'other' } }));
    });
    expect(await call(other, 8)).toHaveProperty('result.isError', true);
    expect(other.lines.filter((line) => line.includes('"from"'))).toEqual([]);
    honest(held[0]!);
    expect(JSON.stringify(await mine)).toContain('honest');
  });

  it.for([
    ['nested too deeply', `{"deep":${'['.repeat(mcpDepth)}${']'.repeat(mcpDepth)}}`, 'JSON_DEPTH'],
    ['of too many values', `[${'1,'.repeat(1_100_000)}1]`, 'RESULT_TOO_LARGE'],
    ['longer than a message may be', `{"text":"${'x'.repeat(17 * 1_024 * 1_024)}"}`, 'RESULT_TOO_LARGE'],
    ['that is no JSON', '{"open":', 'JSON_INVALID'],
    ['of control characters', '"\u0000\u0001"', 'JSON_INVALID'],
  ] as const)('has its result %s replaced with an error, by JSON and by stream (GW-16)', async ([, result, code]) => {
    const refused = { isError: true, _meta: { 'dev.postern/error': { code } } };
    const world = await start((request) => {
      request.response.writeHead(200, { 'content-type': 'application/json' });
      request.response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(request.message.id)},"result":${result}}`);
    });
    expect(await call(world.app, 1)).toMatchObject({ result: refused });
    world.set((request) => {
      stream(request).end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(request.message.id)},"result":${result}}\n\n`);
    });
    expect(await call(world.app, 2)).toMatchObject({ result: refused });
    expect(Math.max(...world.app.lines.map((line) => line.length))).toBeLessThan(2_000);
    await expectAlive(world);
  });

  it.for(brokenAnswers)('whose response %s makes the call fail with Postern’s error (GW-09)', async ([, onCall]) => {
    const world = await start(onCall);
    expect(await call(world.app, 1)).toHaveProperty('result.isError', true);
    await expectAlive(world);
  });

  it('has at most a hundred requests to an app open, each of them once (GW-14)', async () => {
    let refused: readonly unknown[] = [];
    const world: World = await start((request) => {
      stream(request);
      for (let id = 0; id < 130; id += 1)
        request.response.write(event({ id: `q${id}`, method: 'elicitation/create', params: {} }));
      request.response.write(event({ id: 'q0', method: 'elicitation/create', params: {} }));
      refused = [];
      void expect
        .poll(() => answersUp().length)
        .toBe(31)
        .then(() => {
          refused = answersUp();
          request.response.end(event({ id: request.message.id, ...textResult('done') }));
        });
    });
    const answersUp = (): readonly unknown[] =>
      world.server.received
        .map(({ message }) => message as { id?: unknown; error?: unknown; method?: string })
        .filter(({ id, method }) => String(id).startsWith('q') && method === undefined);
    await call(world.app, 1);
    const elicitations = world.app.lines.filter((line) => line.includes('elicitation/create'));
    expect(elicitations).toHaveLength(gatewaySession.serverRequests);
    expect(refused.every((response) => (response as { error?: unknown }).error !== undefined)).toBe(true);
    // Answered ones make room; a second response, or one to an unknown request, is dropped.
    world.app.write('{"jsonrpc":"2.0","id":"q1","result":{"yes":1}}');
    world.app.write('{"jsonrpc":"2.0","id":"q1","result":{"yes":2}}');
    world.app.write('{"jsonrpc":"2.0","id":"q999","result":{"yes":3}}');
    world.set((request) => {
      stream(request).end(
        event({ id: 'new', method: 'ping' }) + event({ id: request.message.id, ...textResult('honest') }),
      );
    });
    await call(world.app, 2);
    expect(world.app.lines.filter((line) => line.includes('"new"'))).toHaveLength(1);
    expect(world.server.received.filter(({ text }) => text.includes('"yes"')).map(({ text }) => text)).toEqual([
      '{"jsonrpc":"2.0","id":"q1","result":{"yes":1}}',
    ]);
    await expectAlive(world);
  });

  it('uses up no slots with requests that it cancels (GW-14)', async () => {
    const world = await start((request) => {
      stream(request);
      for (let id = 0; id < 300; id += 1) {
        request.response.write(event({ id, method: 'ping' }));
        request.response.write(event({ method: 'notifications/cancelled', params: { requestId: id } }));
      }
      request.response.end(event({ id: request.message.id, ...textResult('done') }));
    });
    await call(world.app, 'c');
    expect(world.app.lines.filter((line) => line.includes('"ping"'))).toHaveLength(300);
  });

  it('floods one app with notifications, and no other (GW-15)', async () => {
    const world = await start((request) => {
      stream(request);
      const flood = (): void => {
        if (request.response.destroyed) return;
        while (request.response.write(event({ method: 'notifications/message', params: { data: 'x'.repeat(1_000) } })));
        request.response.once('drain', flood);
      };
      flood();
    });
    world.app.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}');
    await expect.poll(() => world.app.lines.length).toBeGreaterThan(1_000);
    world.set(honest);
    const other = await world.open();
    for (let id = 1; id < 20; id += 1) expect(JSON.stringify(await call(other, id))).toContain('honest');
    world.app.end();
  });

  it('sends an idle app no more notifications than it accepts (GW-15)', async () => {
    const [events, text] = [400, event({ method: 'notifications/message', params: { data: 'x'.repeat(2 ** 20) } })];
    let sent = 0;
    const server = await startRawServer('session', [], (request) => {
      const { method, response } = request;
      if (method !== 'GET') return false;
      stream(request);
      const flood = (): void => {
        do sent += 1;
        while (sent < events && response.write(text));
        if (sent < events) response.once('drain', flood);
      };
      flood();
      return true;
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const before = server.received.length;
    const served = await serveGateway(engine, { allowUnknown: true });
    const socket = createConnection(served.socket);
    onTestFinished(() => void socket.destroy());
    const params = '{"protocolVersion":"2025-11-25","capabilities":{}}';
    const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`;
    socket.write(`${JSON.stringify({ postern: 1, open: { server: integration.id } })}\n${initialize}\n`);
    await new Promise((resolve) => void socket.once('data', resolve));
    socket.pause();
    sent = 0;
    socket.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await expect.poll(() => server.received.slice(before).map(({ method }) => method)).toContain('GET');
    // Other calls take long enough that more would have arrived.
    for (let count = 0; count < 20; count += 1) {
      const other = openApp(served.socket, { server: integration.id });
      await other.request(0, 'server/discover');
      await other.request(1, 'tools/list');
      other.end();
    }
    expect(sent).toBeLessThan(events / 2);
    let lines = 0;
    const all = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
        if (lines >= events / 2) resolve();
      });
    });
    socket.resume();
    await all;
  });
});
