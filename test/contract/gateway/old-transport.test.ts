import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { requestsTo, startServer } from '../../support/demo-pair.ts';
import { openHttpDoor, someSecret } from '../../support/http-door.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { oldEvent, startOldServer } from '../../support/old-server.ts';
import type { OldMessage, OldServer } from '../../support/old-server.ts';
import { startSdkSseServer } from '../../support/sdk-sse-server.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Programs that use a server of HTTP+SSE (MCP 2024-11-05): they notice nothing of it. */

async function openGateway(url: string) {
  const engine = createTestEngine();
  const { integration } = await engine.connect(url);
  const served = await serveGateway(engine, { allowUnknown: true });
  return { engine, integration, served, open: () => openProgram(served.socket, { server: integration.id }) };
}

async function openWritten(answer: (arrived: OldMessage) => boolean) {
  const server: OldServer = await startOldServer({ answer });
  const gateway = await openGateway(server.url);
  return { server, ...gateway };
}

const text = (value: string) => ({ result: { content: [{ type: 'text', text: value }] } });
const call = { name: 'look', arguments: {} };

describe('by the pipe', () => {
  it('messages go both ways as they were written', async () => {
    const result = '{ "content": [], "n" : 12345678901234567890,\t"a":1.0,"t":"\\u00e4 <"  }';
    const { server, open } = await openWritten(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      stream.write(`data: { "result" :${result}, "id":${JSON.stringify(message.id)},\ndata: "jsonrpc":"2.0"}\n\n`);
      return true;
    });
    const program = open();
    await shakeHands(program);
    const asked =
      '{"jsonrpc":"2.0","method":"tools/call", "id":"a/1" ,"params":{"name":"look","arguments":{"n":1e400}}}';
    program.write(asked);
    expect(await program.answer('a/1')).toBe(`{ "result" :${result}, "id":"a/1", "jsonrpc":"2.0"}`);
    expect(server.came.at(-1)?.text).toBe(asked);
  });

  it('questions of the server reach the program, and its answers the server', async () => {
    const { url } = await startSdkSseServer();
    const { open } = await openGateway(url);
    const program = open();
    const capabilities = { roots: {} };
    const clientInfo = { name: 'test', version: '1' };
    await program.ask(0, 'initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
    program.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const answered = program.ask(1, 'tools/call', { name: 'ask', arguments: {} });
    const question = JSON.parse(await program.line(({ method }) => method === 'roots/list')) as { id: unknown };
    const roots = [{ uri: 'file:///here' }];
    program.write(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { roots } }));
    expect(JSON.stringify(await answered)).toContain('file:///here');
  });

  it('progress comes, and a cancellation goes', async () => {
    const { url, waiting, cancelled } = await startSdkSseServer();
    const { open } = await openGateway(url);
    const program = open();
    await shakeHands(program);
    await program.ask(1, 'tools/call', { name: 'steps', arguments: {}, _meta: { progressToken: 'p' } });
    const told = program.lines.filter((line) => line.includes('"notifications/progress"'));
    expect(told).toHaveLength(3);
    program.write('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"wait","arguments":{}}}');
    await expect.poll(() => waiting).toEqual(['w']);
    program.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    await expect.poll(() => cancelled).toEqual(['w']);
  });

  it('each program has a session of its own, which ends with it', async () => {
    const { url, streams } = await startSdkSseServer();
    const { open } = await openGateway(url);
    await expect.poll(() => streams.size).toBe(0);
    const programs = [open(), open(), open()];
    await Promise.all(programs.map((program) => shakeHands(program)));
    const calls = programs.map((program) => program.ask(1, 'tools/call', { name: 'whoami', arguments: {} }));
    for (const answer of await Promise.all(calls)) expect(JSON.stringify(answer)).toContain('You are known.');
    expect(streams.size).toBe(3);
    for (const program of programs) program.end();
    await expect.poll(() => streams.size).toBe(0);
  });

  it('a stream that breaks is opened again with a new session, and what was under way is answered once', async () => {
    const { server, open } = await openWritten(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      if (message.params?.name === 'break') stream.destroy();
      else stream.write(oldEvent({ id: message.id, ...text('done') }));
      return true;
    });
    const program = open();
    await shakeHands(program);
    const streams = server.log.filter((line) => line === 'GET /sse').length;
    expect(await program.ask(1, 'tools/call', { name: 'break' })).toHaveProperty('result.isError', true);
    expect(await program.ask(2, 'tools/call', call)).toMatchObject(text('done'));
    expect(server.log.filter((line) => line === 'GET /sse')).toHaveLength(streams + 1);
    expect(server.methods().slice(-3)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(program.lines.filter((line) => /"id":1\b/u.test(line))).toHaveLength(1);
  });

  it.each([
    [404, 'Could not find session'],
    [400, 'No transport found for sessionId'],
  ])('a server that refuses a message for its session (%i) gets a new one', async (status, words) => {
    let isForgetful = false;
    const { server, open } = await openWritten(({ message, stream, response }) => {
      if (message.method !== 'tools/call') return false;
      if (isForgetful) response.writeHead(status).end(words);
      else stream.write(oldEvent({ id: message.id, ...text('done') }));
      isForgetful = false;
      return true;
    });
    const program = open();
    await shakeHands(program);
    isForgetful = true;
    expect(await program.ask(1, 'tools/call', call)).toMatchObject(text('done'));
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(2);
    // The session before has ended here too.
    await expect.poll(() => server.streams().length).toBe(1);
  });

  it('an access that has ended is renewed once for all', async () => {
    const rejected = new Set<string>();
    const as = await startServer();
    const server = await startSdkSseServer({
      authorizationServer: as.issuer,
      reject: (token) => rejected.has(token),
    });
    as.addResource(server.url, ['notes:read']);
    const { open } = await openGateway(server.url);
    const programs = Array.from({ length: 8 }, open);
    await Promise.all(programs.map((program) => shakeHands(program)));
    rejected.add(server.tokens.at(-1) ?? '');
    const calls = programs.map((program) => program.ask(1, 'tools/call', { name: 'whoami', arguments: {} }));
    for (const answer of await Promise.all(calls)) expect(JSON.stringify(answer)).toContain('You are known.');
    const refreshes = requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token');
    expect(refreshes).toHaveLength(1);
  });

  it('the transport is found and noted where it was not known', async () => {
    const { url } = await startSdkSseServer();
    const { engine, integration, served } = await openGateway(url);
    await engine.ports.store.update(integration.id, ({ era: _known, ...kept }) => kept);
    await served.gateway.changed();
    const program = openProgram(served.socket, { server: integration.id });
    await shakeHands(program);
    const answer = await program.ask(1, 'tools/call', { name: 'whoami', arguments: {} });
    expect(JSON.stringify(answer)).toContain('You are known.');
    await expect.poll(async () => (await engine.ports.store.read(integration.id))?.era).toBe('sse');
  });
});

describe('over HTTP', () => {
  it('the client of the official SDK calls tools, answers questions and hears of progress', async () => {
    const { url, streams } = await startSdkSseServer();
    const { integration, served } = await openGateway(url);
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { port } = await openHttpDoor(served);
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///here' }] }));
    const address = new URL(`http://127.0.0.1:${port}/mcp/${integration.alias}`);
    const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } });
    await client.connect(transport);
    expect(JSON.stringify(await client.callTool({ name: 'ask', arguments: {} }))).toContain('file:///here');
    const told: number[] = [];
    await client.callTool({ name: 'steps', arguments: {} }, { onprogress: ({ progress }) => void told.push(progress) });
    expect(told).toEqual([1, 2, 3]);
    await transport.terminateSession();
    await client.close();
    await expect.poll(() => streams.size).toBe(0);
  });

  it('a program that listens to nothing is asked on the stream of its call', async () => {
    const {
      open: _pipe,
      server,
      integration,
      served,
    } = await openWritten(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      stream.write(oldEvent({ id: 'q', method: 'roots/list' }));
      stream.write(oldEvent({ id: message.id, ...text('done') }));
      return true;
    });
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { ask } = await openHttpDoor(served);
    const path = `/mcp/${integration.alias}`;
    const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const first = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const session = (await ask(fields, { path, body: first })).headers['mcp-session-id'];
    const inSession = { ...fields, 'mcp-session-id': String(session) };
    await ask(inSession, { path, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const answered = await ask(inSession, { path, body });
    expect(answered.text).toContain('"id":"q"');
    expect(answered.text).toContain('done');
    // What the server was sent of it says nothing of our sessions.
    expect(server.came.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
    // Its stream has gone: another one is opened, and the program knows nothing of it.
    for (const stream of server.streams()) stream.destroy();
    await expect.poll(async () => (await ask(inSession, { path, body })).text).toContain('done');
  });
});
