import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openGateway } from '../../../main/host/gateway/open-gateway.ts';
import { gatewaySession } from '../../../main/limits.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

/** A service that hands over while more is in flight than its server accepts at once. */

const text = (id: number): string => `{ "jsonrpc":"2.0", "id":${id}, "method":"tools/call","params":{"name":"add"}}`;
const cancellation = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });

async function start() {
  const held: RawRequest[] = [];
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    held.push(request);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  await app.request(0, 'tools/list');
  return { server, served, app, held };
}

/** An app that uses `server` through a gateway that can be closed. */
async function openService(server: { readonly url: string }) {
  const { folder, ports, ...engine } = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const { apps, collections } = openIntegrationStore({ folder, locks: ports.locks });
  const serving = await openGateway({
    ports,
    apps,
    collections,
    folder,
    allowUnknown: true,
    command: 'postern',
    observer: { user: {} },
    kind: 'serve',
  });
  const app = openApp(path.join(folder, 'run', 'gateway.sock'), { server: integration.id });
  await shakeHands(app);
  return { serving, app };
}

it('requeues unsent messages unchanged, and answers the rest', async () => {
  const { server, served, app, held } = await start();
  const { concurrentRequests } = gatewaySession;
  const [first, last] = [1, concurrentRequests + 6];
  const ids = Array.from({ length: last }, (_, index) => first + index);
  for (const id of ids) app.write(text(id));
  await expect.poll(() => held.length).toBe(concurrentRequests);
  served.stopAccepting();
  await expect.poll(() => app.returned).toEqual(ids.slice(concurrentRequests).map(text));
  // Written before the app learned of it, and the cancellation of a request that is no longer here.
  for (const line of [text(last + 1), cancellation(last), cancellation(first)]) app.write(line);
  await expect.poll(() => app.returned.slice(last - concurrentRequests)).toEqual([text(last + 1), cancellation(last)]);
  await expect.poll(() => server.methods()).toContain('notifications/cancelled');
  expect(served.isIdle()).toBe(false);
  for (const request of held) sendJson(request, textResult('done'));
  for (const id of ids.slice(0, concurrentRequests)) expect(await app.response(id)).toContain('done');
  await expect.poll(() => served.isIdle()).toBe(true);
  expect(held).toHaveLength(concurrentRequests);
  expect(served.calls.filter(({ method }) => method === 'tools/call')).toHaveLength(concurrentRequests);
});

it('requeues what waits for an unanswered handshake', async () => {
  const received = Promise.withResolvers<RawRequest>();
  const server = await startRawServer('session', [], (request) => {
    if (request.message.method === 'initialize' && isHeld) received.resolve(request);
    return request.message.method === 'initialize' && isHeld;
  });
  let isHeld = false;
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  isHeld = true;
  const hands = shakeHands(app);
  const request = await received.promise;
  app.write(text(1));
  served.stopAccepting();
  await expect.poll(() => app.returned).toEqual([text(1)]);
  const serverInfo = { name: 'late', version: '1' };
  sendJson(request, { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
  expect(await hands).toHaveProperty('result');
  await expect.poll(() => served.isIdle()).toBe(true);
  expect(server.methods()).not.toContain('tools/call');
});

it('interrupts no call while responses keep coming, however long they take together', async () => {
  const held: RawRequest[] = [];
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    held.push(request);
    return true;
  });
  const { serving, app } = await openService(server);
  await app.request(0, 'tools/list');
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  for (const id of ids) app.write(text(id));
  await expect.poll(() => held.length).toBe(ids.length);
  const closing = serving.close(1_000, 60_000);
  for (const request of held) {
    // A slow server: in total longer than the wait for one response.
    await pause(150);
    sendJson(request, textResult('done'));
  }
  await closing;
  await app.closed;
  expect(app.lines.filter((line) => line.includes('done'))).toHaveLength(ids.length);
});

it('ends anyway if responses keep coming for too long', async () => {
  const server = await startRawServer(
    'session',
    [{ name: 'add', inputSchema }],
    ({ message }) => message.method === 'tools/call',
  );
  const { serving, app } = await openService(server);
  app.write(text(1));
  await expect.poll(() => server.methods()).toContain('tools/call');
  await serving.close(1_000_000, 100);
  await app.closed;
});
