import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { requestsTo, startServer } from '../../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { oldEvent, startOldServer } from '../../support/old-server.ts';
import type { OldMessage, OldServer } from '../../support/old-server.ts';
import { startSdkSseServer } from '../../support/sdk-sse-server.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Apps that use an HTTP+SSE server (MCP 2024-11-05) without noticing. */

async function openGateway(url: string) {
  const engine = createTestEngine();
  const { integration } = await engine.connect(url);
  const served = await serveGateway(engine, { allowUnknown: true });
  return { engine, integration, served, open: () => openApp(served.socket, { server: integration.id }) };
}

async function openWritten(respond: (arrived: OldMessage) => boolean) {
  const server: OldServer = await startOldServer({ answer: respond });
  const gateway = await openGateway(server.url);
  return { server, ...gateway };
}

const text = (value: string) => ({ result: { content: [{ type: 'text', text: value }] } });
const call = { name: 'look', arguments: {} };

describe('by the pipe', () => {
  it('passes messages in both directions unchanged', async () => {
    const result = '{ "content": [], "n" : 12345678901234567890,\t"a":1.0,"t":"\\u00e4 <"  }';
    const { server, open } = await openWritten(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      stream.write(`data: { "result" :${result}, "id":${JSON.stringify(message.id)},\ndata: "jsonrpc":"2.0"}\n\n`);
      return true;
    });
    const app = open();
    await shakeHands(app);
    const asked =
      '{"jsonrpc":"2.0","method":"tools/call", "id":"a/1" ,"params":{"name":"look","arguments":{"n":1e400}}}';
    app.write(asked);
    expect(await app.response('a/1')).toBe(`{ "result" :${result}, "id":"a/1", "jsonrpc":"2.0"}`);
    expect(server.received.at(-1)?.text).toBe(asked);
  });

  it('passes server requests to the app, and its responses back', async () => {
    const { url } = await startSdkSseServer();
    const { open } = await openGateway(url);
    const app = open();
    const capabilities = { roots: {} };
    const clientInfo = { name: 'test', version: '1' };
    await app.request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
    app.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const answered = app.request(1, 'tools/call', { name: 'ask', arguments: {} });
    const question = JSON.parse(await app.line(({ method }) => method === 'roots/list')) as { id: unknown };
    const roots = [{ uri: 'file:///here' }];
    app.write(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { roots } }));
    expect(JSON.stringify(await answered)).toContain('file:///here');
  });

  it('passes progress and cancellations', async () => {
    const { url, waiting, cancelled } = await startSdkSseServer();
    const { open } = await openGateway(url);
    const app = open();
    await shakeHands(app);
    await app.request(1, 'tools/call', { name: 'steps', arguments: {}, _meta: { progressToken: 'p' } });
    const progressLines = app.lines.filter((line) => line.includes('"notifications/progress"'));
    expect(progressLines).toHaveLength(3);
    app.write('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"wait","arguments":{}}}');
    await expect.poll(() => waiting).toEqual(['w']);
    app.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    await expect.poll(() => cancelled).toEqual(['w']);
  });

  it('gives each app its own session, which ends with it', async () => {
    const { url, streams } = await startSdkSseServer();
    const { open } = await openGateway(url);
    await expect.poll(() => streams.size).toBe(0);
    const apps = [open(), open(), open()];
    await Promise.all(apps.map((app) => shakeHands(app)));
    const calls = apps.map((app) => app.request(1, 'tools/call', { name: 'whoami', arguments: {} }));
    for (const response of await Promise.all(calls)) expect(JSON.stringify(response)).toContain('You are known.');
    expect(streams.size).toBe(3);
    for (const app of apps) app.end();
    await expect.poll(() => streams.size).toBe(0);
  });

  it('reopens a broken stream with a new session, and answers each request in flight once', async () => {
    const { server, open } = await openWritten(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      if (message.params?.name === 'break') stream.destroy();
      else stream.write(oldEvent({ id: message.id, ...text('done') }));
      return true;
    });
    const app = open();
    await shakeHands(app);
    const streams = server.log.filter((line) => line === 'GET /sse').length;
    expect(await app.request(1, 'tools/call', { name: 'break' })).toHaveProperty('result.isError', true);
    expect(await app.request(2, 'tools/call', call)).toMatchObject(text('done'));
    expect(server.log.filter((line) => line === 'GET /sse')).toHaveLength(streams + 1);
    expect(server.methods().slice(-3)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(app.lines.filter((line) => /"id":1\b/u.test(line))).toHaveLength(1);
  });

  it.each([
    [404, 'Could not find session'],
    [400, 'No transport found for sessionId'],
  ])('opens a new session at a server that rejects a message for its session (%i)', async (status, words) => {
    let isForgetful = false;
    const { server, open } = await openWritten(({ message, stream, response }) => {
      if (message.method !== 'tools/call') return false;
      if (isForgetful) response.writeHead(status).end(words);
      else stream.write(oldEvent({ id: message.id, ...text('done') }));
      isForgetful = false;
      return true;
    });
    const app = open();
    await shakeHands(app);
    isForgetful = true;
    expect(await app.request(1, 'tools/call', call)).toMatchObject(text('done'));
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(2);
    // The previous session has ended here too.
    await expect.poll(() => server.streams().length).toBe(1);
  });

  it('refreshes an expired access token once for all', async () => {
    const rejected = new Set<string>();
    const as = await startServer();
    const server = await startSdkSseServer({
      authorizationServer: as.issuer,
      reject: (token) => rejected.has(token),
    });
    as.addResource(server.url, ['notes:read']);
    const { open } = await openGateway(server.url);
    const apps = Array.from({ length: 8 }, open);
    await Promise.all(apps.map((app) => shakeHands(app)));
    rejected.add(server.tokens.at(-1) ?? '');
    const calls = apps.map((app) => app.request(1, 'tools/call', { name: 'whoami', arguments: {} }));
    for (const response of await Promise.all(calls)) expect(JSON.stringify(response)).toContain('You are known.');
    const refreshes = requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token');
    expect(refreshes).toHaveLength(1);
  });

  it('detects an unknown transport, and saves it', async () => {
    const { url } = await startSdkSseServer();
    const { engine, integration, served } = await openGateway(url);
    await engine.ports.store.update(integration.id, ({ protocol: _known, ...stored }) => stored);
    await served.gateway.reloadSettings();
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    const response = await app.request(1, 'tools/call', { name: 'whoami', arguments: {} });
    expect(JSON.stringify(response)).toContain('You are known.');
    await expect.poll(async () => (await engine.ports.store.read(integration.id))?.protocol).toBe('sse');
  });
});

describe('over HTTP', () => {
  it('lets the official SDK client call tools, answer requests and receive progress', async () => {
    const { url, streams } = await startSdkSseServer();
    const { integration, served } = await openGateway(url);
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { port } = await openHttpEndpoint(served);
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///here' }] }));
    const address = new URL(`http://127.0.0.1:${port}/mcp/${integration.alias}`);
    const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } });
    await client.connect(transport);
    expect(JSON.stringify(await client.callTool({ name: 'ask', arguments: {} }))).toContain('file:///here');
    const reported: number[] = [];
    await client.callTool(
      { name: 'steps', arguments: {} },
      { onprogress: ({ progress }) => void reported.push(progress) },
    );
    expect(reported).toEqual([1, 2, 3]);
    await transport.terminateSession();
    await client.close();
    await expect.poll(() => streams.size).toBe(0);
  });

  it('asks an app without a stream on the stream of its call', async () => {
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
    const { send } = await openHttpEndpoint(served);
    const path = `/mcp/${integration.alias}`;
    const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const first = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const session = (await send(fields, { path, body: first })).headers['mcp-session-id'];
    const inSession = { ...fields, 'mcp-session-id': String(session) };
    await send(inSession, { path, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const answered = await send(inSession, { path, body });
    expect(answered.text).toContain('"id":"q"');
    expect(answered.text).toContain('done');
    // Nothing sent to the server mentions our sessions.
    expect(server.received.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
    // Its stream is gone: Postern opens another, and the app does not notice.
    for (const stream of server.streams()) stream.destroy();
    await expect.poll(async () => (await send(inSession, { path, body })).text).toContain('done');
  });
});
