import { expect, it } from 'vitest';
import { beginDeletions, undoDeletions } from '../../../main/engine/removal/pending-deletions.ts';
import { systemClock } from '../../../main/host/system-ports.ts';
import { gatewaySession } from '../../../main/limits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { startPair } from '../../support/demo-pair.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { refreshIntegration } from '../../support/refresh-integration.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

const tools = [{ name: 'add', inputSchema }];

/** A server that an app has used once, and that can go offline. */
async function startUsedServer() {
  let away: boolean | number = false;
  let isSlow = false;
  const held: (() => void)[] = [];
  const server = await startRawServer('session', tools, (request) => {
    if (away === true) {
      request.response.destroy();
      return true;
    }
    if (away !== false) {
      // The page of a proxy in front of it.
      request.response.writeHead(away, { 'content-type': 'text/html' }).end('<html></html>');
      return true;
    }
    if (isSlow && request.message.method === 'initialize') {
      held.push(() =>
        sendJson(request, {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'scripted', version: '1' },
          },
        }),
      );
      return true;
    }
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult('5'));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  const app = await served.allow(integration);
  const open = () => openApp(served.socket, { server: integration.id, app });
  const first = open();
  await shakeHands(first);
  await first.request(1, 'tools/list');
  first.end();
  await first.closed;
  return {
    engine,
    integration,
    open,
    served,
    /** A number is the status with which a proxy responds for it. */
    putAway: (how: boolean | number) => (away = how),
    slowDown: () => (isSlow = true),
    release: () => held.splice(0).forEach((respond) => respond()),
  };
}

it('still serves a server whose removal was undone', async () => {
  const { engine, integration, served, putAway } = await startUsedServer();
  const [deletion] = await beginDeletions(engine.ports, [integration.id], 'remove');
  await served.gateway.reloadSettings();
  expect(deletion && (await undoDeletions(engine.ports, deletion.batch)).servers).toHaveLength(1);
  await served.close();
  putAway(true);
  const again = await serveGateway(engine);
  const app = await again.allow(integration);
  const handshake = await shakeHands(openApp(again.socket, { server: integration.id, app }));
  expect(handshake).toMatchObject({ result: { serverInfo: { name: 'scripted' } } });
});

it('answers handshake and lists from the cache while the server is unreachable, and calls with a remedy', async () => {
  const { open, putAway } = await startUsedServer();
  putAway(true);
  const app = open();
  expect(await shakeHands(app)).toMatchObject({ result: { serverInfo: { name: 'scripted' } } });
  expect(await app.request(1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const called = await app.request(2, 'tools/call', { name: 'add', arguments: {} });
  // Members that MCP 2026-07-28 requires in a result.
  expect(called).toMatchObject({ result: { resultType: 'complete', isError: true } });
  expect(called).toMatchObject({ result: { isError: true, _meta: { 'dev.postern/error': { stage: 'gateway' } } } });
  putAway(false);
  expect(await app.request(3, 'tools/call', { name: 'add', arguments: {} })).toMatchObject({
    result: { content: [{ text: '5' }] },
  });
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
});

it.each([502, 503, 504])(
  'answers handshake and lists from the cache when a proxy responds with %i for the server',
  async (status) => {
    const { open, putAway } = await startUsedServer();
    putAway(status);
    const app = open();
    expect(await shakeHands(app)).toMatchObject({ result: { serverInfo: { name: 'scripted' } } });
    expect(await app.request(1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
    putAway(false);
    expect(await app.request(2, 'tools/call', { name: 'add', arguments: {} })).toMatchObject({
      result: { content: [{ text: '5' }] },
    });
    await app.line(({ method }) => method === 'notifications/tools/list_changed');
  },
);

it('checks an offline server itself, and notifies a stateless app when it is back', async () => {
  let isAway = false;
  let isWaiting = () => {};
  const events: unknown[] = [];
  const server = await startRawServer('stateless', tools, ({ message, response }) => {
    events.push(message);
    if (!isAway) return false;
    isWaiting();
    response.destroy();
    return true;
  });
  // Checks again sooner than it normally would.
  const after = (wait: number, run: () => void): (() => void) =>
    systemClock.after(wait === gatewaySession.retryInterval ? 50 : wait, run);
  const engine = createTestEngine({ clock: { ...systemClock, after } });
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect(await app.request(1, 'tools/list', { _meta })).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  isAway = true;
  expect(await app.request(2, 'tools/list', { _meta })).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  events.length = 0;
  // Postern's own check; the server is not back yet.
  await new Promise<void>((resolve) => (isWaiting = resolve));
  expect(app.lines).toHaveLength(2);
  isAway = false;
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  for (const message of events)
    expect(message).toMatchObject({ id: expect.stringMatching(/^postern:/), method: 'tools/list', params: { _meta } });
});

it('reports an internal error of a server', async () => {
  const { open, putAway } = await startUsedServer();
  putAway(500);
  expect(await open().request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} })).toMatchObject({
    error: { data: { code: 'MCP_FAILED' } },
  });
});

it('does not wait for a slow server, and answers each request once', async () => {
  const { open, slowDown, release } = await startUsedServer();
  slowDown();
  const app = open();
  expect(await shakeHands(app)).toMatchObject({ id: 0, result: { serverInfo: { name: 'scripted' } } });
  expect(await app.request(1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const call = app.request(2, 'tools/call', { name: 'add', arguments: {} });
  release();
  expect(await call).toMatchObject({ result: { content: [{ text: '5' }] } });
  expect(app.lines.filter((line) => (JSON.parse(line) as { id?: unknown }).id === 0)).toHaveLength(1);
});

it('reports at once that a sign-in is needed, and notifies open sessions after it', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const served = await serveGateway(engine);
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'signedOut' }));
  await served.gateway.reloadSettings();
  const refused = await app.request(2, 'tools/call', { name: 'whoami', arguments: {} });
  expect(refused).toMatchObject({
    result: { isError: true, _meta: { 'dev.postern/error': { code: 'SIGN_IN_REQUIRED' } } },
  });
  expect(JSON.stringify(refused)).toContain(integration.name);
  await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'integrated', signedInAt: 5 }));
  await served.gateway.reloadSettings();
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await app.request(3, 'tools/call', { name: 'whoami', arguments: {} }))).toContain('You are ');
});

it('reports that a sign-in is needed, without waiting, when a refresh is newly rejected', async () => {
  const dead = new Set<string>();
  let refuses = false;
  const { mcp } = await startPair(
    {
      intercept: ({ url }, response) => {
        if (!refuses || url !== '/token') return false;
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end('{"error":"invalid_request","error_description":"refresh token is invalid"}');
        return true;
      },
    },
    { reject: (token) => dead.has(token) },
  );
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const { signal } = new AbortController();
  await refreshIntegration(engine.ports, integration, { signal });
  const served = await serveGateway(engine);
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  for (const { token } of mcp.requests) if (token !== undefined) dead.add(token);
  refuses = true;
  const refused = await app.request(2, 'tools/call', { name: 'whoami', arguments: {} });
  expect(refused).toMatchObject({
    result: { isError: true, _meta: { 'dev.postern/error': { code: 'REFRESH_REFUSED' } } },
  });
  const { alias = '' } = await engine.read(integration);
  expect(JSON.stringify(refused)).toContain(`postern refresh ${alias} --sign-in browser`);
  expect(JSON.stringify(refused)).not.toMatch(/wait|later/iu);
});

it('sends no new notification until the user has signed in, whatever else in the list changes', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const served = await serveGateway(engine);
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  const change = async (changed: Partial<Integration>) => {
    await engine.ports.store.update(integration.id, (entry) => ({ ...entry, ...changed }));
    await served.gateway.reloadSettings();
  };
  const keys = await engine.vault.keysOf(integration.id);
  const records = await Promise.all(keys.map((key) => engine.vault.read(key)));
  await engine.vault.delete(...keys);
  await change({ state: 'signedOut' });
  await app.request(2, 'tools/call', { name: 'whoami', arguments: {} });
  await change({ state: 'reauthenticationRequired' });
  await app.request(3, 'tools/call', { name: 'whoami', arguments: {} });
  expect(app.lines.join('\n')).not.toContain('list_changed');
  for (const [index, key] of keys.entries()) await engine.vault.write(key, records[index]);
  await change({ state: 'integrated', signedInAt: 5 });
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
});
