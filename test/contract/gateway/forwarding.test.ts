import { expect, it, vi } from 'vitest';
import { describeError } from '../../../shared/error-codes.ts';
import { requestsTo, startPair, startResource } from '../../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

it('lets an app of 2025-11-25 use a server that was signed in to once', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine);
  const app = openApp(served.socket, {
    server: integration.alias ?? '',
    app: await served.allow(integration),
  });
  const shaken = await shakeHands(app);
  expect(shaken).toMatchObject({ id: 0, result: { serverInfo: { name: 'fieldnotes' } } });
  const called = await app.request('a', 'tools/call', { name: 'whoami', arguments: {} });
  expect(JSON.stringify(called)).toContain('You are ');
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

it('lets an app of 2026-07-28 use it', async () => {
  const mcp = await startResource(undefined, { protocols: 'stateless' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine);
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  expect(await app.request(1, 'server/discover', { _meta })).toHaveProperty('result.supportedVersions');
  const called = await app.request(2, 'tools/call', { name: 'whoami', arguments: {}, _meta });
  expect(JSON.stringify(called)).toContain('You are ');
});

it.each([
  ['a page of a firewall', 403, 'text/html', '<!DOCTYPE html><title>Just a moment</title>', 'web-page'],
  ['no word of its protocol version', 400, 'text/plain', 'Bad Protocol-Version', 'revision-refused'],
])('passes the server’s rejection to the app: %s', async (_what, status, type, body, kind) => {
  const server = await startRawServer('session', [], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  const { message } = describeError('MCP_FAILED', { host: new URL(server.url).host, status, kind });
  expect(await app.request(1, 'tools/call', { name: 'x' })).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining(message) }] },
  });
});

/** Stateless only; after closing, it no longer reveals its protocol. */
async function startClosed() {
  let isClosed = false;
  const server = await startRawServer('stateless', [], (request) => {
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

it('treats an error code that only 2026-07-28 defines as proof of that revision, by pipe and HTTP', async () => {
  const server = await startClosed();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  server.close();
  const forget = () => engine.ports.store.update(integration.id, ({ protocol: _known, ...stored }) => stored);
  const protocol = async () => (await engine.ports.store.read(integration.id))?.protocol;
  await forget();
  const served = await serveGateway(engine, { allowUnknown: true });
  const response = await shakeHands(openApp(served.socket, { server: integration.id }));
  expect(response).toHaveProperty('error.data.code', 'REVISION_UNSUPPORTED');
  await expect.poll(protocol).toBe('stateless');
  await forget();
  await served.gateway.reloadSettings();
  const { secretHash, authorization } = someSecret();
  await served.allow(integration, { secretHash });
  const { send } = await openHttpEndpoint(served);
  const path = `/mcp/${(await engine.ports.store.read(integration.id))?.alias}`;
  const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
  const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  expect((await send(fields, { path, body })).text).toContain('REVISION_UNSUPPORTED');
  await expect.poll(protocol).toBe('stateless');
});

it('learns nothing about the protocol when the header fields of an app are rejected', async () => {
  const server = await startRawServer('stateless', [], ({ headers, message, response }) => {
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
  const { send } = await openHttpEndpoint(served);
  const update = vi.spyOn(engine.ports.store, 'update');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
  const fields = { authorization, 'content-type': 'application/json', accept: 'application/json' };
  const reply = await send(fields, { path: `/mcp/${integration.alias}`, body });
  expect(reply).toMatchObject({ status: 406, text: expect.stringContaining('Not Acceptable') as unknown });
  expect(update).not.toHaveBeenCalled();
});

it('learns nothing about the protocol from an error in a 2025-11-25 session', async () => {
  const server = await startRawServer('session', [], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, { error: { code: -32_021, message: 'No' } });
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  const update = vi.spyOn(engine.ports.store, 'update');
  expect(await app.request(1, 'tools/call', { name: 'add' })).toHaveProperty('error.code', -32_021);
  expect(update).not.toHaveBeenCalled();
});

it('lets an app continue without a session when its handshake was rejected', async () => {
  const server = await startClosed();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  server.close();
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  expect(await shakeHands(app)).toHaveProperty('error');
  // An endless stream blocks no request.
  app.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: listening }));
  const called = await app.request(2, 'tools/call', { name: 'add', arguments: {}, _meta });
  expect(JSON.stringify(called)).toContain('done');
});

const listening = { notifications: { toolsListChanged: true }, _meta };

it('forwards `initialize` unchanged in a stateless request, which has no such method', async () => {
  const mcp = await startResource(undefined, { protocols: 'stateless' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  expect(await app.request(1, 'initialize', { _meta })).toHaveProperty('error.code', -32_601);
  const called = await app.request(2, 'tools/call', { name: 'whoami', arguments: {}, _meta });
  expect(JSON.stringify(called)).toContain('You are ');
});

it('learns nothing about a server from an error to a `server/discover` that no server answers', async () => {
  const mcp = await startResource(undefined);
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  const { 'io.modelcontextprotocol/clientCapabilities': _left, ...partial } = _meta;
  expect(await app.request(1, 'server/discover', { _meta: partial })).toHaveProperty('error.code', -32_602);
  expect(await app.request(2, 'server/discover', {})).toHaveProperty('error');
  expect(await app.request(3, 'server/discover', { _meta })).toHaveProperty('result.supportedVersions');
});

it.for([403, 408, 500, 503])(
  'learns nothing about a server from a rejection with %i, whatever its body (MCP 2026-07-28, streamable HTTP)',
  async (status) => {
    let isRefusing = false;
    const error = { code: -32_000, message: 'not now' };
    const server = await startRawServer('stateless', [], ({ message, response }) => {
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
    const door = await openHttpEndpoint(served);
    const app = openApp(served.socket, { server: integration.id });
    isRefusing = true;
    const refused = await app.request(1, 'server/discover', { _meta });
    expect(refused).toHaveProperty('error');
    expect(refused).not.toHaveProperty('error.code', -32_601);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
    const path = `/mcp/${integration.alias}`;
    expect((await door.send({ authorization }, { path, body })).text).not.toContain('-32601');
    isRefusing = false;
    expect(await app.request(2, 'server/discover', { _meta })).toHaveProperty('result.supportedVersions');
    expect((await door.send({ authorization }, { path, body })).text).toContain('supportedVersions');
  },
);

it('asks a stateless app to begin with a handshake when the server only has sessions', async () => {
  const mcp = await startResource(undefined, { protocols: 'session' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  expect(await app.request(1, 'server/discover', {})).toHaveProperty('error.code', -32_601);
  expect(await shakeHands(app, 2)).toHaveProperty('result.serverInfo');
});

it('lets twenty apps continue with one refresh when the access token has expired', async () => {
  const rejected = new Set<string>();
  const { as, mcp } = await startPair({}, { reject: (token) => rejected.has(token) });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const apps = Array.from({ length: 20 }, () => openApp(served.socket, { server: integration.id }));
  await Promise.all(apps.map((app) => shakeHands(app)));
  const token = mcp.requests.findLast((request) => request.token !== undefined)?.token ?? '';
  rejected.add(token);
  const calls = apps.map((app) => app.request(1, 'tools/call', { name: 'whoami', arguments: {} }));
  for (const response of await Promise.all(calls)) expect(JSON.stringify(response)).toContain('You are ');
  const refreshes = requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token');
  expect(refreshes).toHaveLength(1);
});

it('passes no credential down to an app, and none of an app’s up', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id, app: 'canary-of-the-app' });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  await app.request(2, 'tools/call', { name: 'whoami', arguments: {} });
  const tokens = new Set(mcp.requests.flatMap(({ token }) => token ?? []));
  expect(tokens.size).toBeGreaterThan(0);
  for (const token of tokens) expect(app.lines.join('\n')).not.toContain(token);
  expect(JSON.stringify(mcp.requests)).not.toContain('canary-of-the-app');
});

it('treats a bare rejection by a session server as missing stateless support', async () => {
  const server = await startRawServer('session', [], ({ message, response }) => {
    if (message.method !== 'server/discover') return false;
    response.writeHead(400).end();
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  await engine.ports.store.update(integration.id, ({ protocol: _unknown, ...stored }) => stored);
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  expect(await app.request(1, 'server/discover', {})).toHaveProperty('error.code', -32_601);
});
