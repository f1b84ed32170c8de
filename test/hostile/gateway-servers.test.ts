import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatewaySession, mcpDepth } from '../../main/limits.ts';
import { openProgram, shakeHands } from '../support/line-program.ts';
import type { LineProgram } from '../support/line-program.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { event, sendJson, startWireServer, textResult } from '../support/wire-server.ts';
import type { WireRequest } from '../support/wire-server.ts';

type OnCall = (request: WireRequest) => void;

/** A server that lists one tool, and does with a call what the test says. */
async function start(onCall: OnCall) {
  let answer = onCall;
  const server = await startWireServer('legacy', [{ name: 'look', inputSchema: { type: 'object' } }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    answer(request);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const open = async (): Promise<LineProgram> => {
    const program = openProgram(served.socket, { server: integration.id });
    await shakeHands(program);
    return program;
  };
  return { server, engine, integration, served, open, program: await open(), set: (next: OnCall) => (answer = next) };
}

type World = Awaited<ReturnType<typeof start>>;

const honest: OnCall = (request) => sendJson(request, textResult('honest'));
const call = (program: LineProgram, id: number | string) => program.ask(id, 'tools/call', { name: 'look' });
const stream = ({ response }: WireRequest) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const answersTo = (program: LineProgram, id: unknown) =>
  program.lines
    .map((line) => JSON.parse(line) as { id?: unknown; method?: string })
    .filter((one) => one.id === id && !one.method);

/** Proves that session and gateway go on as before. */
async function expectAlive({ program, open, set }: World): Promise<void> {
  set(honest);
  expect(JSON.stringify(await call(program, 'again'))).toContain('honest');
  expect(JSON.stringify(await call(await open(), 'anew'))).toContain('honest');
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

describe('a hostile server of a program', () => {
  it('answers a request once, whatever ids it answers: twice, of others, null, none, ours (GW-10)', async () => {
    const ids = [1, 1, '1', 'other', null, 'postern:1', 'postern:tools', 2 ** 60, {}, [1], true, ''];
    const world = await start((request) => {
      stream(request);
      for (const id of ids) request.response.write(event({ id, result: { from: JSON.stringify(id) } }));
      request.response.end(event({ result: {} }) + event({ id: 1, error: { code: 1, message: 'late' } }));
    });
    const { program } = world;
    expect(await call(program, 1)).toMatchObject({ result: { from: '1' } });
    await expectAlive(world);
    expect(answersTo(program, 1)).toHaveLength(1);
    const strangers = program.lines.filter((line) => !/^\{"jsonrpc":"2.0","id":(?:0|1|"again"),/u.test(line));
    expect(strangers).toEqual([]);
  });

  it('answers a request once, also from the stream of another (GW-10)', async () => {
    const held: WireRequest[] = [];
    const world = await start((request) => void held.push(request));
    const first = call(world.program, 1);
    await expect.poll(() => held.length).toBe(1);
    world.set((request) => {
      const twice = event({ id: 1, result: { from: 'first' } }) + event({ id: 1, result: { from: 'second' } });
      stream(request).end(twice + event({ id: 2, ...textResult('done') }));
    });
    await call(world.program, 2);
    for (const request of held) honest(request);
    expect(await first).toHaveProperty('result.from', 'first');
    await expectAlive(world);
    expect(answersTo(world.program, 1)).toHaveLength(1);
  });

  it('answers no request of another session (GW-10)', async () => {
    const held: WireRequest[] = [];
    const world = await start((request) => void held.push(request));
    const other = await world.open();
    const mine = call(world.program, 7);
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
  ] as const)('has a result %s refused in its place, by JSON and by stream (GW-16)', async ([, result, code]) => {
    const refused = { isError: true, _meta: { 'dev.postern/error': { code } } };
    const world = await start((request) => {
      request.response.writeHead(200, { 'content-type': 'application/json' });
      request.response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(request.message.id)},"result":${result}}`);
    });
    expect(await call(world.program, 1)).toMatchObject({ result: refused });
    world.set((request) => {
      stream(request).end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(request.message.id)},"result":${result}}\n\n`);
    });
    expect(await call(world.program, 2)).toMatchObject({ result: refused });
    expect(Math.max(...world.program.lines.map((line) => line.length))).toBeLessThan(2_000);
    await expectAlive(world);
  });

  it.for(brokenAnswers)('whose answer %s gets the call an answer of ours (GW-09)', async ([, onCall]) => {
    const world = await start(onCall);
    expect(await call(world.program, 1)).toHaveProperty('result.isError', true);
    await expectAlive(world);
  });

  it('asks a hundred questions of a program at once and no more, each of them once (GW-14)', async () => {
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
      world.server.came
        .map(({ message }) => message as { id?: unknown; error?: unknown; method?: string })
        .filter(({ id, method }) => String(id).startsWith('q') && method === undefined);
    await call(world.program, 1);
    const asked = world.program.lines.filter((line) => line.includes('elicitation/create'));
    expect(asked).toHaveLength(gatewaySession.questions);
    expect(refused.every((answer) => (answer as { error?: unknown }).error !== undefined)).toBe(true);
    // Answered ones make room; a second answer, and one to what was never asked, goes nowhere.
    world.program.write('{"jsonrpc":"2.0","id":"q1","result":{"yes":1}}');
    world.program.write('{"jsonrpc":"2.0","id":"q1","result":{"yes":2}}');
    world.program.write('{"jsonrpc":"2.0","id":"q999","result":{"yes":3}}');
    world.set((request) => {
      stream(request).end(
        event({ id: 'new', method: 'ping' }) + event({ id: request.message.id, ...textResult('honest') }),
      );
    });
    await call(world.program, 2);
    expect(world.program.lines.filter((line) => line.includes('"new"'))).toHaveLength(1);
    expect(world.server.came.filter(({ text }) => text.includes('"yes"')).map(({ text }) => text)).toEqual([
      '{"jsonrpc":"2.0","id":"q1","result":{"yes":1}}',
    ]);
    await expectAlive(world);
  });

  it('takes no room for ever with questions that it takes back (GW-14)', async () => {
    const world = await start((request) => {
      stream(request);
      for (let id = 0; id < 300; id += 1) {
        request.response.write(event({ id, method: 'ping' }));
        request.response.write(event({ method: 'notifications/cancelled', params: { requestId: id } }));
      }
      request.response.end(event({ id: request.message.id, ...textResult('done') }));
    });
    await call(world.program, 'c');
    expect(world.program.lines.filter((line) => line.includes('"ping"'))).toHaveLength(300);
  });

  it('floods with notifications one program, and no other (GW-15)', async () => {
    const world = await start((request) => {
      stream(request);
      const flood = (): void => {
        if (request.response.destroyed) return;
        while (request.response.write(event({ method: 'notifications/message', params: { data: 'x'.repeat(1_000) } })));
        request.response.once('drain', flood);
      };
      flood();
    });
    world.program.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}');
    await expect.poll(() => world.program.lines.length).toBeGreaterThan(1_000);
    world.set(honest);
    const other = await world.open();
    for (let id = 1; id < 20; id += 1) expect(JSON.stringify(await call(other, id))).toContain('honest');
    world.program.end();
  });

  it('sends by itself no more than a program takes that has asked for nothing (GW-15)', async () => {
    const [events, text] = [400, event({ method: 'notifications/message', params: { data: 'x'.repeat(2 ** 20) } })];
    let sent = 0;
    const server = await startWireServer('legacy', [], (request) => {
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
    const before = server.came.length;
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
    await expect.poll(() => server.came.slice(before).map(({ method }) => method)).toContain('GET');
    // Others that come and go take so long that more would have come.
    for (let count = 0; count < 20; count += 1) {
      const other = openProgram(served.socket, { server: integration.id });
      await other.ask(0, 'server/discover');
      await other.ask(1, 'tools/list');
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
