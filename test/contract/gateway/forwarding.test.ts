import { expect, it, vi } from 'vitest';
import { describeError } from '../../../shared/error-codes.ts';
import { requestsTo, startPair, startResource } from '../../support/demo-pair.ts';
import { openHttpDoor, someSecret } from '../../support/http-door.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { sendJson, startWireServer, textResult } from '../../support/wire-server.ts';

it('lets a program of 2025-11-25 use a server that was signed in to once', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine);
  const program = openProgram(served.socket, {
    server: integration.alias ?? '',
    program: await served.allow(integration),
  });
  const shaken = await shakeHands(program);
  expect(shaken).toMatchObject({ id: 0, result: { serverInfo: { name: 'fieldnotes' } } });
  const called = await program.ask('a', 'tools/call', { name: 'whoami', arguments: {} });
  expect(JSON.stringify(called)).toContain('You are ');
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

it('lets a program of 2026-07-28 use it', async () => {
  const mcp = await startResource(undefined, { eras: 'modern' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine);
  const program = openProgram(served.socket, { server: integration.id, program: await served.allow(integration) });
  expect(await program.ask(1, 'server/discover', { _meta })).toHaveProperty('result.supportedVersions');
  const called = await program.ask(2, 'tools/call', { name: 'whoami', arguments: {}, _meta });
  expect(JSON.stringify(called)).toContain('You are ');
});

it.each([
  ['a page of a firewall', 403, 'text/html', '<!DOCTYPE html><title>Just a moment</title>', 'web-page'],
  ['no word of its protocol version', 400, 'text/plain', 'Bad Protocol-Version', 'revision-refused'],
])('tells an app what its server refuses it with: %s', async (_what, status, type, body, kind) => {
  const server = await startWireServer('legacy', [], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  await shakeHands(program);
  const { message } = describeError('MCP_FAILED', { host: new URL(server.url).host, status, kind });
  expect(await program.ask(1, 'tools/call', { name: 'x' })).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining(message) }] },
  });
});

/** Of the newer wire alone; closed, it says no more what it speaks. */
async function startClosed() {
  let isClosed = false;
  const server = await startWireServer('modern', [], (request) => {
    const { method } = request.message;
    if (method === 'subscriptions/listen') return true;
    if (method === 'tools/call') sendJson(request, textResult('done'));
    else if (method === 'initialize')
      sendJson(request, { error: { code: -32_022, message: 'Unsupported protocol version' } });
    else if (method === 'server/discover' && isClosed) sendJson(request, { error: { code: -32_603, message: 'No' } });
    else return false;
    return true;
  });
  return { url: server.url, close: () => (isClosed = true) };
}

it('takes an error that only the newer wire has for a sign of it, by both ways', async () => {
  const server = await startClosed();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  server.close();
  const forget = () => engine.ports.store.update(integration.id, ({ era: _known, ...kept }) => kept);
  const era = async () => (await engine.ports.store.read(integration.id))?.era;
  await forget();
  const served = await serveGateway(engine, { allowUnknown: true });
  const answer = await shakeHands(openProgram(served.socket, { server: integration.id }));
  expect(answer).toHaveProperty('error.data.code', 'ERA_UNSUPPORTED');
  await expect.poll(era).toBe('modern');
  await forget();
  await served.gateway.changed();
  const { secretHash, authorization } = someSecret();
  await served.allow(integration, { secretHash });
  const { ask } = await openHttpDoor(served);
  const path = `/mcp/${(await engine.ports.store.read(integration.id))?.alias}`;
  const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
  const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  expect((await ask(fields, { path, body })).text).toContain('ERA_UNSUPPORTED');
  await expect.poll(era).toBe('modern');
});

it('learns nothing of the wire where the header fields of a program are refused', async () => {
  const server = await startWireServer('modern', [], ({ headers, message, response }) => {
    if (headers.accept?.includes('text/event-stream')) return false;
    response.writeHead(406, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: 'Not Acceptable' } }),
    );
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  const { secretHash, authorization } = someSecret();
  await served.allow(integration, { secretHash });
  const { ask } = await openHttpDoor(served);
  const update = vi.spyOn(engine.ports.store, 'update');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
  const fields = { authorization, 'content-type': 'application/json', accept: 'application/json' };
  const answer = await ask(fields, { path: `/mcp/${integration.alias}`, body });
  expect(answer).toMatchObject({ status: 406, text: expect.stringContaining('Not Acceptable') as unknown });
  expect(update).not.toHaveBeenCalled();
});

it('learns nothing of the wire from an error in a session of the older one', async () => {
  const server = await startWireServer('legacy', [], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, { error: { code: -32_021, message: 'No' } });
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  await shakeHands(program);
  const update = vi.spyOn(engine.ports.store, 'update');
  expect(await program.ask(1, 'tools/call', { name: 'add' })).toHaveProperty('error.code', -32_021);
  expect(update).not.toHaveBeenCalled();
});

it('lets a program go on with the newer wire when its handshake was refused', async () => {
  const server = await startClosed();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  server.close();
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  expect(await shakeHands(program)).toHaveProperty('error');
  // A stream without end keeps nobody from asking.
  program.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: listening }));
  const called = await program.ask(2, 'tools/call', { name: 'add', arguments: {}, _meta });
  expect(JSON.stringify(called)).toContain('done');
});

const listening = { notifications: { toolsListChanged: true }, _meta };

it('sends `initialize` on as it came where it is a request of the newer wire, which has no such method', async () => {
  const mcp = await startResource(undefined, { eras: 'modern' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  expect(await program.ask(1, 'initialize', { _meta })).toHaveProperty('error.code', -32_601);
  const called = await program.ask(2, 'tools/call', { name: 'whoami', arguments: {}, _meta });
  expect(JSON.stringify(called)).toContain('You are ');
});

it('learns nothing of a server from an error to a `server/discover` that no server answers', async () => {
  const mcp = await startResource(undefined);
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  const { 'io.modelcontextprotocol/clientCapabilities': _left, ...partial } = _meta;
  expect(await program.ask(1, 'server/discover', { _meta: partial })).toHaveProperty('error.code', -32_602);
  expect(await program.ask(2, 'server/discover', {})).toHaveProperty('error');
  expect(await program.ask(3, 'server/discover', { _meta })).toHaveProperty('result.supportedVersions');
});

it.for([403, 408, 500, 503])(
  'learns nothing of a server from a refusal with %i, whatever it says (MCP 2026-07-28, streamable HTTP)',
  async (status) => {
    let isRefusing = false;
    const error = { code: -32_000, message: 'not now' };
    const server = await startWireServer('modern', [], ({ message, response }) => {
      if (!isRefusing || message.method !== 'server/discover') return false;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
      return true;
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const served = await serveGateway(engine, { allowUnknown: true });
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const door = await openHttpDoor(served);
    const program = openProgram(served.socket, { server: integration.id });
    isRefusing = true;
    const refused = await program.ask(1, 'server/discover', { _meta });
    expect(refused).toHaveProperty('error');
    expect(refused).not.toHaveProperty('error.code', -32_601);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
    const path = `/mcp/${integration.alias}`;
    expect((await door.ask({ authorization }, { path, body })).text).not.toContain('-32601');
    isRefusing = false;
    expect(await program.ask(2, 'server/discover', { _meta })).toHaveProperty('result.supportedVersions');
    expect((await door.ask({ authorization }, { path, body })).text).toContain('supportedVersions');
  },
);

it('tells a newer program of a server that speaks the older wire to begin with a handshake', async () => {
  const mcp = await startResource(undefined, { eras: 'legacy' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  expect(await program.ask(1, 'server/discover', {})).toHaveProperty('error.code', -32_601);
  expect(await shakeHands(program, 2)).toHaveProperty('result.serverInfo');
});

it('lets twenty programs go on with one refresh when the access has ended', async () => {
  const rejected = new Set<string>();
  const { as, mcp } = await startPair({}, { reject: (token) => rejected.has(token) });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const programs = Array.from({ length: 20 }, () => openProgram(served.socket, { server: integration.id }));
  await Promise.all(programs.map((program) => shakeHands(program)));
  const token = mcp.requests.findLast((request) => request.token !== undefined)?.token ?? '';
  rejected.add(token);
  const calls = programs.map((program) => program.ask(1, 'tools/call', { name: 'whoami', arguments: {} }));
  for (const answer of await Promise.all(calls)) expect(JSON.stringify(answer)).toContain('You are ');
  const refreshes = requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token');
  expect(refreshes).toHaveLength(1);
});

it('sends no credential down to a program, and none of a program up', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id, program: 'canary-of-the-program' });
  await shakeHands(program);
  await program.ask(1, 'tools/list');
  await program.ask(2, 'tools/call', { name: 'whoami', arguments: {} });
  const tokens = new Set(mcp.requests.flatMap(({ token }) => token ?? []));
  expect(tokens.size).toBeGreaterThan(0);
  for (const token of tokens) expect(program.lines.join('\n')).not.toContain(token);
  expect(JSON.stringify(mcp.requests)).not.toContain('canary-of-the-program');
});

it('takes a bare refusal of an older server for its not knowing the newer wire', async () => {
  const server = await startWireServer('legacy', [], ({ message, response }) => {
    if (message.method !== 'server/discover') return false;
    response.writeHead(400).end();
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  await engine.ports.store.update(integration.id, ({ era: _unknown, ...kept }) => kept);
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  expect(await program.ask(1, 'server/discover', {})).toHaveProperty('error.code', -32_601);
});
