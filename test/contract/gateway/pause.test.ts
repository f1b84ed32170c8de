import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Settings } from '../../../shared/settings.ts';
import { startResource } from '../../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

/** Apps that the user has paused. */

const { secretHash, authorization } = someSecret();
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const whoami = { name: 'whoami', arguments: {} };

async function start() {
  const mcp = await startResource(undefined);
  return { mcp, ...(await serve(mcp.url)) };
}

/** The gateway for one server. */
async function serve(url: string) {
  const engine = createTestEngine();
  const { integration } = await engine.connect(url, { local: true });
  const [{ alias = '' } = {}] = await engine.ports.store.list();
  const served = await serveGateway(engine);
  const app = await served.allow(integration, { secretHash });
  const change = async (chosen: Settings): Promise<void> => {
    await engine.ports.store.updateSettings((settings) => ({ ...settings, ...chosen }));
    await served.gateway.reloadSettings();
  };
  return {
    engine,
    change,
    served,
    alias,
    open: () => openApp(served.socket, { server: integration.id, app }),
    async openOther() {
      const other = await served.allow(integration, { app: 'zed', name: 'Zed' });
      return openApp(served.socket, { server: integration.id, app: other });
    },
    pause: async (appsPaused: boolean) => await change({ appsPaused }),
    pauseOnly: async (...pausedApps: string[]) => await change({ pausedApps }),
  };
}

it('rejects every call with a remedy, sends the server nothing, and resumes in the same session', async () => {
  const { mcp, open, pause } = await start();
  const app = open();
  await shakeHands(app);
  await app.request(1, 'tools/list');
  await pause(true);
  const before = mcp.requests.length;
  const refused = JSON.stringify(await app.request(2, 'tools/call', whoami));
  expect(refused).toContain('"code":"GATEWAY_PAUSED"');
  // A service has no window to resume in.
  expect(refused).toContain('postern settings appsPaused false');
  expect(await app.request(3, 'resources/read', { uri: 'x:y' })).toHaveProperty('error.data.code', 'GATEWAY_PAUSED');
  expect(await app.request(4, 'tools/list')).toHaveProperty('result.tools');
  expect(mcp.requests).toHaveLength(before);
  await pause(false);
  // Notified by Postern, not by the server.
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await app.request(5, 'tools/call', whoami))).toContain('You are ');
});

it('answers an app that starts during the pause from the cache', async () => {
  const { open, pause } = await start();
  const first = open();
  await shakeHands(first);
  await first.request(1, 'tools/list');
  await pause(true);
  const second = open();
  expect(await shakeHands(second)).toHaveProperty('result.serverInfo');
  expect(await second.request(1, 'tools/list')).toHaveProperty('result.tools');
  expect(JSON.stringify(await second.request(2, 'tools/call', whoami))).toContain('GATEWAY_PAUSED');
  await pause(false);
  expect(JSON.stringify(await second.request(3, 'tools/call', whoami))).toContain('You are ');
});

it('pauses only one app, names it, and lets it resume in the same session', async () => {
  const { mcp, open, openOther, pauseOnly } = await start();
  const [app, other] = [open(), await openOther()];
  for (const each of [app, other]) {
    await shakeHands(each);
    await each.request(1, 'tools/list');
  }
  await pauseOnly('cursor', 'windsurf');
  const before = mcp.requests.length;
  const refused = JSON.stringify(await app.request(2, 'tools/call', whoami));
  expect(refused).toContain('"isError":true');
  expect(refused).toContain('"code":"APP_PAUSED"');
  expect(refused).toContain('Cursor');
  // For a service without a window; other apps are not affected.
  expect(refused).toContain('postern apps cursor --resume');
  expect(await app.request(3, 'resources/read', { uri: 'x:y' })).toHaveProperty('error.data.code', 'APP_PAUSED');
  expect(await app.request(4, 'tools/list')).toHaveProperty('result.tools');
  expect(mcp.requests).toHaveLength(before);
  expect(JSON.stringify(await other.request(2, 'tools/call', whoami))).toContain('You are ');
  await pauseOnly();
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await app.request(5, 'tools/call', whoami))).toContain('You are ');
});

it.each([
  ['all apps', 'GATEWAY_PAUSED', (yes: boolean): Settings => ({ appsPaused: yes })],
  ['it alone', 'APP_PAUSED', (yes: boolean): Settings => ({ pausedApps: yes ? ['cursor'] : [] })],
])('rejects an app over HTTP too: %s', async (_who, code, paused) => {
  const { mcp, served, alias, change } = await start();
  const { port } = await openHttpEndpoint(served);
  const client = new Client({ name: 'an app', version: '1' });
  const requestInit = { headers: { authorization } };
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  await client.listTools();
  await change(paused(true));
  const calls = (): number => mcp.requests.filter(({ body }) => JSON.stringify(body)?.includes('tools/call')).length;
  const before = calls();
  expect(JSON.stringify(await client.callTool(whoami))).toContain(code);
  expect(calls()).toBe(before);
  await change(paused(false));
  expect(JSON.stringify(await client.callTool(whoami))).toContain('You are ');
});

it('requests no tools for an app that it rejects (MCP 2026-07-28)', async () => {
  const server = await startRawServer('stateless', [{ name: 'add', inputSchema }]);
  const { open, pauseOnly } = await serve(server.url);
  const app = open();
  await pauseOnly('cursor');
  const before = server.received.length;
  expect(JSON.stringify(await app.request(1, 'tools/call', { name: 'add', arguments: {}, _meta }))).toContain(
    'APP_PAUSED',
  );
  expect(server.received).toHaveLength(before);
});

it('rejects a call that waits for a connection when the pause begins', async () => {
  const waiting = Promise.withResolvers<RawRequest>();
  let isLost = false;
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], (request) => {
    const { method } = request.message;
    if (method === 'initialize' && isLost) {
      waiting.resolve(request);
      return true;
    }
    if (method === 'initialize') request.response.setHeader('mcp-session-id', 'one');
    if (method !== 'tools/call') return false;
    if (isLost) request.response.writeHead(404).end();
    else sendJson(request, textResult('5'));
    return true;
  });
  const { open, pauseOnly } = await serve(server.url);
  const app = open();
  await shakeHands(app);
  expect(await app.request(1, 'tools/call', { name: 'add' })).toHaveProperty('result.content');
  isLost = true;
  const called = app.request(2, 'tools/call', { name: 'add' });
  const handshake = await waiting.promise;
  await pauseOnly('cursor');
  isLost = false;
  const calls = () => server.methods().filter((method) => method === 'tools/call').length;
  const before = calls();
  sendJson(handshake, {
    result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'scripted', version: '1' } },
  });
  expect(JSON.stringify(await called)).toContain('APP_PAUSED');
  expect(calls()).toBe(before);
  // What requests nothing still passes.
  expect(await app.request(3, 'ping')).toHaveProperty('error.code', -32_601);
});

it('rejects an HTTP call whose tools are being listed when the pause begins (MCP 2026-07-28)', async () => {
  const waiting = Promise.withResolvers<RawRequest>();
  let isSlow = false;
  const server = await startRawServer('stateless', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method !== 'tools/list' || !isSlow) return false;
    waiting.resolve(request);
    return true;
  });
  const { served, alias, pauseOnly } = await serve(server.url);
  const { port } = await openHttpEndpoint(served);
  isSlow = true;
  const called = fetch(`http://127.0.0.1:${port}/mcp/${alias}`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'add',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add', arguments: {}, _meta },
    }),
  });
  const listing = await waiting.promise;
  await pauseOnly('cursor');
  sendJson(listing, { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] } });
  expect(await (await called).text()).toContain('APP_PAUSED');
  expect(server.methods()).not.toContain('tools/call');
});

it('opens no connection for the ping of a paused app', async () => {
  let isAway = false;
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], ({ response }) => {
    if (isAway) response.destroy();
    return isAway;
  });
  const { open, pauseOnly } = await serve(server.url);
  const first = open();
  await shakeHands(first);
  isAway = true;
  const app = open();
  await shakeHands(app);
  await pauseOnly('cursor');
  isAway = false;
  const before = server.received.length;
  expect(await app.request(1, 'ping')).toHaveProperty('error.data.code', 'APP_PAUSED');
  expect(server.received).toHaveLength(before);
});

/** A 2025-11-25 session at a server that has one, with everything received since. */
async function startSessionServer() {
  const held = Promise.withResolvers<RawRequest>();
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method === 'initialize') request.response.setHeader('mcp-session-id', 'one');
    if (request.message.params?.name !== 'slow') return false;
    held.resolve(request);
    return true;
  });
  return { server, held: held.promise, ...(await serve(server.url)) };
}

const note = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', method, params });
/** What an app may send without an ID: calls, MCP notifications, and others. */
const withoutId = [
  'tools/call',
  'resources/read',
  'notifications/roots/list_changed',
  'notifications/progress',
  'notifications/cancelled',
  'acme/fire',
];

it('GW-73 blocks every message without an ID during the pause, and logs each', async () => {
  const { server, served, open, pauseOnly } = await startSessionServer();
  const app = open();
  await shakeHands(app);
  await app.request(1, 'tools/call', { name: 'add' });
  await pauseOnly('cursor');
  const before = server.received.length;
  for (const method of withoutId) app.write(note(method, { name: 'add', requestId: 99 }));
  await app.request(2, 'tools/call', { name: 'add' });
  expect(server.received).toHaveLength(before);
  for (const method of withoutId)
    expect(served.calls.filter((call) => call.method === method && call.outcome !== 'ok')).not.toHaveLength(0);
});

it('GW-73 blocks every message without an ID over HTTP during the pause, opens no stream, and logs each', async () => {
  const { server, served, alias, pauseOnly } = await startSessionServer();
  const { ask, post } = await openByHttp(served, alias);
  await pauseOnly('cursor');
  const before = server.received.length;
  for (const method of withoutId) expect((await post(note(method, { name: 'add', requestId: 99 }))).status).toBe(202);
  await post('{"jsonrpc":"2.0","id":"never asked","result":{}}');
  // The response head comes at once, whether or not the server was asked for a stream.
  const stream = await ask('GET');
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  expect(server.received).toHaveLength(before);
  for (const method of withoutId)
    expect(served.calls.filter((call) => call.method === method && call.outcome !== 'ok')).not.toHaveLength(0);
});

it('passes on no request without an ID, paused or not, and logs it', async () => {
  const { server, served, open } = await startSessionServer();
  const app = open();
  await shakeHands(app);
  app.write(note('tools/call', { name: 'add' }));
  await app.request(1, 'tools/call', { name: 'add' });
  expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  expect(served.calls.filter(({ method }) => method === 'tools/call')).toHaveLength(2);
});

it('still cancels a call that was sent before the pause', async () => {
  const { server, held, open, pauseOnly } = await startSessionServer();
  const app = open();
  await shakeHands(app);
  app.write(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'slow' } }));
  await held;
  await pauseOnly('cursor');
  app.write(note('notifications/cancelled', { requestId: 7 }));
  await vi.waitFor(() => expect(server.methods()).toContain('notifications/cancelled'));
});

it.each(['the pipe', 'HTTP'])(
  'sends a delayed `initialized` for a session that began during a pause: %s',
  async (door) => {
    const { server, served, alias, open, pauseOnly } = await startSessionServer();
    const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: handshake });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } });
    let begun = 0;
    if (door === 'the pipe') {
      const app = open();
      app.write(initialize);
      await app.response(0);
      begun = server.received.length;
      await pauseOnly('cursor');
      app.write(note('notifications/initialized'));
      await app.request(2, 'tools/call', { name: 'add' });
      expect(server.received).toHaveLength(begun);
      await pauseOnly();
      app.write(call);
      await app.response(1);
    } else {
      const { post } = await openByHttp(served, alias, { isWhole: false });
      begun = server.received.length;
      await pauseOnly('cursor');
      await post(note('notifications/initialized'));
      expect(server.received).toHaveLength(begun);
      await pauseOnly();
      await post(call);
    }
    const methods = server.methods().slice(begun);
    expect(methods.lastIndexOf('notifications/initialized')).toBeLessThan(methods.lastIndexOf('tools/call'));
    expect(methods.filter((method) => method === 'notifications/initialized')).toHaveLength(1);
  },
);

/** An HTTP session, as its app sees it. */
async function openByHttp(served: Parameters<typeof openHttpEndpoint>[0], alias: string, { isWhole = true } = {}) {
  const { port } = await openHttpEndpoint(served);
  const headers: Record<string, string> = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const ask = async (method: string, body?: string) =>
    await fetch(`http://127.0.0.1:${port}/mcp/${alias}`, { method, headers, ...(body !== undefined && { body }) });
  const post = async (body: string) => {
    const response = await ask('POST', body);
    const reply = { status: response.status, text: await response.text(), headers: response.headers };
    return reply;
  };
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const begun = await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: handshake }));
  headers['mcp-session-id'] = begun.headers.get('mcp-session-id') ?? '';
  if (isWhole) await post(note('notifications/initialized'));
  return { ask, post };
}

it('applies the latest setting, in any order of reads', async () => {
  const { engine, served, open, pauseOnly } = await start();
  const app = open();
  await shakeHands(app);
  const { store } = engine.ports;
  const settings = await store.settings();
  const slow = Promise.withResolvers<Settings>();
  vi.spyOn(store, 'settings').mockReturnValueOnce(slow.promise);
  const earlier = served.gateway.reloadSettings();
  await pauseOnly('cursor');
  slow.resolve(settings);
  await earlier;
  expect(JSON.stringify(await app.request(1, 'tools/call', whoami))).toContain('APP_PAUSED');
});
