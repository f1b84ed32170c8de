import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import type { ServedGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { event, inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

const { secret, secretHash, authorization } = someSecret();
const canary = 'canary-of-a-call';
const tools = ['read', 'fail', 'wrong', 'hold', 'cut', 'long', 'stream'].map((name) => ({ name, inputSchema }));

/** A server with a tool for every way a call can end. */
async function start() {
  const arrived = Promise.withResolvers<void>();
  const server = await startRawServer('session', tools, (request) => {
    const { message, response } = request;
    if (message.method !== 'tools/call') return false;
    const failed = { content: [{ type: 'text', text: canary }], isError: true };
    switch (message.params?.name) {
      case 'read':
        sendJson(request, textResult(canary));
        return true;
      case 'fail':
        sendJson(request, { result: failed });
        return true;
      case 'long':
        sendJson(request, { result: { ...failed, content: [{ type: 'text', text: canary.repeat(50_000) }] } });
        return true;
      case 'wrong':
        sendJson(request, { error: { code: -32_602, message: canary } });
        return true;
      case 'stream':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(event({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }));
        response.end(event({ id: message.id, result: failed }));
        return true;
      case 'cut':
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        response.destroy();
        return true;
      default:
        arrived.resolve();
        return true;
    }
  });
  const engine = createTestEngine();
  await engine.connect(server.url, { local: true });
  const [integration] = await engine.ports.store.list();
  if (!integration) throw new Error('not connected');
  const served = await serveGateway(engine);
  return { engine, integration, served, arrived: arrived.promise };
}

/** All bytes of the activity log on disk. */
function storedText(folder: string): string {
  const place = path.join(folder, 'activity');
  return readdirSync(place)
    .map((name) => readFileSync(path.join(place, name), 'utf8'))
    .join('');
}

const noted = ({ calls }: ServedGateway) => calls.map(({ method, tool, outcome }) => [tool ?? method, outcome]);
const call = (name: string) => ({ name, arguments: { text: canary } });

it('logs each socket request once, with its outcome', async () => {
  const { engine, integration, served, arrived } = await start();
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  for (const [id, name] of ['read', 'fail', 'wrong', 'stream', 'cut'].entries()) {
    await app.request(10 + id, 'tools/call', call(name));
  }
  await app.request(20, 'no/such', { text: canary });
  app.write(JSON.stringify({ jsonrpc: '2.0', id: 21, method: 'tools/call', params: call('hold') }));
  await arrived;
  await app.request(21, 'ping');
  app.end();
  await app.closed;
  await expect.poll(() => noted(served)).toHaveLength(10);
  expect(noted(served)).toEqual([
    ['initialize', 'ok'],
    ['tools/list', 'ok'],
    ['read', 'ok'],
    ['fail', 'toolError'],
    ['wrong', '-32602'],
    ['stream', 'toolError'],
    ['cut', 'SESSION_LOST'],
    ['no/such', '-32601'],
    // Reuses the ID of a call in flight.
    ['ping', '-32600'],
    ['hold', 'SESSION_LOST'],
  ]);
  const [, , read] = served.calls;
  expect(read).toMatchObject({
    app: 'cursor',
    integration: integration.id,
    server: integration.name,
    protocol: 'session',
  });
  const request = JSON.stringify({ jsonrpc: '2.0', id: 10, method: 'tools/call', params: call('read') });
  expect(read?.bytesIn).toBe(Buffer.byteLength(request));
  expect(read?.bytesOut).toBe(Buffer.byteLength(await app.response(10)));
  await served.close();
  const text = storedText(engine.folder);
  expect(text.trim().split('\n')).toHaveLength(10);
  expect(text).not.toContain(canary);
});

it('logs a request that the app cancels as cancelled, whether or not the server answers it', async () => {
  const { integration, served, arrived } = await start();
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  app.write(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call('hold') }));
  await arrived;
  app.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
  await app.request(3, 'ping');
  app.end();
  await expect.poll(() => noted(served).at(-1)).toEqual(['hold', 'cancelled']);
  expect(noted(served)).toHaveLength(4);
});

it('logs a call without a sign-in, one from an app without access, and one to an unreachable server', async () => {
  const { engine, integration, served } = await start();
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'signedOut', method: 'OAuth' }));
  await served.gateway.reloadSettings();
  await app.request(2, 'tools/call', call('read'));
  const stranger = openApp(served.socket, { server: integration.id, app: 'nobody' });
  await shakeHands(stranger);
  const lost = openApp(served.socket, { server: 'nothing' });
  await shakeHands(lost);
  expect(noted(served).slice(2)).toEqual([
    ['read', 'SIGN_IN_REQUIRED'],
    ['initialize', 'APP_UNKNOWN'],
    ['initialize', 'NOT_FOUND'],
  ]);
  const [, , , unknown, nowhere] = served.calls;
  expect(unknown).toMatchObject({ integration: integration.id });
  expect(unknown).not.toHaveProperty('app');
  expect(nowhere).toMatchObject({ server: 'nothing' });
  expect(nowhere).not.toHaveProperty('integration');
});

it('logs each HTTP request once, with its outcome', async () => {
  const { engine, integration, served, arrived } = await start();
  await served.allow(integration, { secretHash });
  const { port } = await openHttpEndpoint(served);
  const headers: Record<string, string> = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const ask = async (message: object, more: Record<string, string> = {}, signal?: AbortSignal) => {
    const response = await fetch(`http://127.0.0.1:${port}/mcp/${integration.alias}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...(signal && { signal }),
    });
    return await response.text().catch(() => '');
  };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await ask({ id: 0, method: 'initialize', params });
  await ask({ method: 'notifications/initialized' });
  await ask({ id: 1, method: 'tools/list' });
  for (const name of ['read', 'fail', 'wrong', 'stream', 'cut', 'long']) {
    await ask({ id: name, method: 'tools/call', params: call(name) });
  }
  await ask({ id: 2, method: 'ping' }, { 'mcp-session-id': 'gone' });
  const stop = new AbortController();
  const held = ask({ id: 3, method: 'tools/call', params: call('hold') }, {}, stop.signal).catch(() => {});
  await arrived;
  stop.abort();
  await held;
  await expect.poll(() => noted(served)).toHaveLength(10);
  expect(noted(served)).toEqual([
    ['initialize', 'ok'],
    ['tools/list', 'ok'],
    ['read', 'ok'],
    ['fail', 'toolError'],
    ['wrong', '-32602'],
    ['stream', 'toolError'],
    ['cut', 'SESSION_LOST'],
    ['long', 'toolError'],
    ['ping', 'SESSION_LOST'],
    ['hold', 'cancelled'],
  ]);
  expect(served.calls[7]?.bytesOut).toBeGreaterThan(canary.length * 50_000);
  await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'signedOut', method: 'OAuth' }));
  await served.gateway.reloadSettings();
  await ask({ id: 4, method: 'tools/call', params: call('read') });
  expect(noted(served).at(-1)).toEqual(['read', 'SIGN_IN_REQUIRED']);
  await served.close();
  const text = storedText(engine.folder);
  expect(text).not.toContain(canary);
  expect(text).not.toContain(secret);
});

it('truncates tool and method names from apps, and strips control characters', async () => {
  const { engine, integration, served } = await start();
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  const name = `\u001B[31m\u202Eevil\n${'x'.repeat(100_000)}`;
  app.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }));
  await app.request(2, name);
  app.end();
  await served.close();
  const long = served.calls.filter(({ method }) => method !== 'initialize');
  expect(long).toHaveLength(2);
  for (const { method, tool = '' } of long) {
    expect(`${method}${tool}`.length).toBeLessThan(200);
    expect(`${method}${tool}`).not.toMatch(/[\p{Cc}\u202E]/u);
  }
  const text = storedText(engine.folder);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(1_000);
});

it('stores calls in files that only the user can read', async () => {
  const { engine, integration, served } = await start();
  await shakeHands(openApp(served.socket, { server: integration.id, app: await served.allow(integration) }));
  await served.close();
  const place = path.join(engine.folder, 'activity');
  expect(statSync(place).mode & 0o077).toBe(0);
  expect(readdirSync(place).map((name) => statSync(path.join(place, name)).mode & 0o077)).toEqual([0]);
});
