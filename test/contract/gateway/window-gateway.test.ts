import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeEndpoint } from '../../../main/host/gateway/gateway-holder.ts';
import { createControlEndpoint } from '../../../main/net/endpoint/control-endpoint.ts';
import { controlSocketPath } from '../../../main/net/endpoint/socket-path.ts';
import { lockFilePath, tryLockFile } from '../../../main/storage/files/lock-file.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { WindowGateway } from '../../../main/window/start/desktop/window-gateway.ts';
import { startResource } from '../../support/demo-pair.ts';
import { freePort } from '../../support/free-port.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { runPostern, startPostern } from '../../support/postern-process.ts';
import { sendLine } from '../../support/send-line.ts';
import { createTestEngine } from '../../support/test-engine.ts';

const app = '0123456789abcdef';

/** A profile with one server that an app may use; `hold` delays the next calls until released. */
async function makeProfile() {
  let holding: Promise<void> | undefined;
  const arrived = Promise.withResolvers<void>();
  const mcp = await startResource(undefined, {
    intercept: async () => {
      if (holding) arrived.resolve();
      await holding;
      return false;
    },
  });
  const engine = createTestEngine();
  const { folder, ports } = engine;
  await runPostern(['connect', mcp.url, '--local', '--name', 'Notes'], { home: folder });
  const [notes] = await ports.store.list();
  const { apps, collections } = openIntegrationStore({ folder, locks: ports.locks });
  const record = { id: app, app: 'cursor', name: 'Cursor', integrations: [notes?.id ?? ''], createdAt: 1 };
  await apps.change(() => [record]);
  const socket = path.join(folder, 'run', 'gateway.sock');
  return {
    folder,
    ports,
    apps,
    socket,
    arrived: arrived.promise,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      holding = promise;
      return resolve;
    },
    async serve() {
      const process = startPostern(['serve', '--json'], { home: folder });
      await process.waitFor(/"socket":"([^"]+)"/u);
      return process;
    },
    openWindow(clock = ports.clock) {
      const service = new WindowGateway({
        ports: { ...ports, clock },
        apps,
        collections,
        folder,
        command: undefined,
        observer: { user: {} },
      });
      onTestFinished(() => service.close());
      service.start();
      return service;
    },
  };
}

async function callOnce(socket: string): Promise<string> {
  const line = openApp(socket, { server: 'Notes', app });
  await shakeHands(line);
  return JSON.stringify(await line.request(1, 'tools/call', { name: 'whoami', arguments: {} }));
}

it('serves apps while the window is open, and no command serves them at the same time', async () => {
  const { folder, socket, openWindow } = await makeProfile();
  const window = openWindow();
  await expect.poll(() => existsSync(socket)).toBe(true);
  expect(await callOnce(socket)).toContain('You are ');
  expect((await runPostern(['serve', '--json'], { home: folder })).last).toMatchObject({
    error: { code: 'GATEWAY_HELD' },
  });
  await window.close();
  expect(existsSync(socket)).toBe(false);
});

it('takes over from `postern serve`, which first answers requests in flight (design 4.5)', async () => {
  const { socket, serve, hold, arrived, openWindow } = await makeProfile();
  const process = await serve();
  const line = openApp(socket, { server: 'Notes', app });
  await shakeHands(line);
  await line.request(1, 'tools/list');
  const letGo = hold();
  const called = line.request(2, 'tools/call', { name: 'whoami', arguments: {} });
  await arrived;
  openWindow();
  // Asked to hand over: it admits no new connection.
  await expect.poll(() => existsSync(socket)).toBe(false);
  letGo();
  expect(JSON.stringify(await called)).toContain('You are ');
  expect((await process.ended).code).toBe(0);
  await expect.poll(() => existsSync(socket)).toBe(true);
  expect(await callOnce(socket)).toContain('You are ');
});

it('requests a handover even if the computer was busy or asleep for long before', async () => {
  const { ports, serve, openWindow } = await makeProfile();
  const process = await serve();
  let hours = 0;
  const monotonic = (): number => (hours += 1) * 3_600_000;
  openWindow({ ...ports.clock, monotonic });
  expect((await process.ended).code).toBe(0);
});

it('also asks the service that started when the first one had ended', async () => {
  const { folder, socket, openWindow } = await makeProfile();
  // Held through both, as if the window had checked too late.
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  const serveUntilHandover = async (secret: string) => {
    const asked = Promise.withResolvers<void>();
    const control = controlSocketPath(folder, process.env);
    const endpoint = createControlEndpoint({ path: control, secret: '', handOver: { secret, onAsked: asked.resolve } });
    await endpoint.listen();
    await writeEndpoint(folder, { kind: 'serve', pid: process.pid, secret });
    return { asked: asked.promise, close: () => endpoint.close() };
  };
  const first = await serveUntilHandover('1'.repeat(64));
  openWindow();
  await first.asked;
  await first.close();
  const second = await serveUntilHandover('2'.repeat(64));
  await second.asked;
  await second.close();
  expect(existsSync(socket)).toBe(false);
  lock?.release();
  await expect.poll(() => existsSync(socket)).toBe(true);
});

it.each(['{"postern":1,"control":"yield"}', `{"postern":1,"control":"yield","secret":"${'0'.repeat(64)}"}`])(
  'refuses a handover to %s, which does not show the secret',
  async (text) => {
    const { folder, socket, serve } = await makeProfile();
    const running = await serve();
    for (const address of [socket, controlSocketPath(folder, process.env)]) {
      expect(await sendLine(address, text)).toBe('');
      expect(await callOnce(socket)).toContain('You are ');
    }
    running.kill('SIGTERM');
    expect((await running.ended).lines.filter(({ state }) => state === 'open')).toHaveLength(2);
  },
);

it('refuses a handover at the socket of AI apps, even to one that has read the secret', async () => {
  const { folder, socket, serve } = await makeProfile();
  const running = await serve();
  const { secret } = JSON.parse(readFileSync(path.join(folder, 'run', 'endpoint.json'), 'utf8')) as { secret: string };
  const text = JSON.stringify({ postern: 1, control: 'yield', secret });
  expect(await sendLine(socket, text)).toBe('');
  expect(await callOnce(socket)).toContain('You are ');
  expect(await callOnce(socket)).toContain('You are ');
  // Where Postern itself asks, it does hand over.
  expect(await sendLine(controlSocketPath(folder, process.env), text)).toBe('');
  expect((await running.ended).code).toBe(0);
});

it('opens the HTTP endpoint when a port was chosen and an app has a secret for it', async () => {
  const { ports, apps, openWindow } = await makeProfile();
  const gatewayPort = await freePort();
  const ask = async (): Promise<number | undefined> =>
    await fetch(`http://127.0.0.1:${gatewayPort}/mcp/notes`).then(
      ({ status }) => status,
      () => undefined,
    );
  await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort }));
  const window = openWindow();
  await window.changed();
  expect(await ask()).toBeUndefined();
  await apps.change((records) => records.map((record) => ({ ...record, secretHash: 'a'.repeat(64) })));
  await window.changed();
  expect(await ask()).toBe(401);
});

it('reports that the port for apps is taken while it is, and opens it when it is free', async () => {
  const { ports, apps, openWindow } = await makeProfile();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
  await apps.change((records) => records.map((record) => ({ ...record, secretHash: 'a'.repeat(64) })));
  const window = openWindow();
  await window.changed();
  expect(window.httpError).toMatchObject({ code: 'GATEWAY_PORT' });
  await window.changed();
  expect(window.httpError).toMatchObject({ code: 'GATEWAY_PORT' });
  await new Promise((resolve) => other.close(resolve));
  await window.changed();
  expect(window.httpError).toBeUndefined();
  expect((await fetch(`http://127.0.0.1:${port}/mcp/notes`)).status).toBe(401);
});

it('reports no taken port that no app needs anymore or that was changed', async () => {
  const { ports, apps, openWindow } = await makeProfile();
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const setPort = (gatewayPort: number) => ports.store.updateSettings((settings) => ({ ...settings, gatewayPort }));
  const setSecret = (secret: { secretHash?: string }) =>
    apps.change((records) => records.map(({ secretHash: _before, ...record }) => ({ ...record, ...secret })));
  await setPort(port);
  await setSecret({ secretHash: 'a'.repeat(64) });
  const window = openWindow();
  await window.changed();
  await setSecret({});
  await window.changed();
  expect(window.httpError).toBeUndefined();
  await setSecret({ secretHash: 'a'.repeat(64) });
  await window.changed();
  expect(window.httpError).toMatchObject({ code: 'GATEWAY_PORT' });
  const free = await freePort();
  await setPort(free);
  await window.changed();
  expect(window.httpError).toBeUndefined();
  expect((await fetch(`http://127.0.0.1:${free}/mcp/notes`)).status).toBe(401);
});

it('saves when an app last used it, and reports it', async () => {
  const { folder, apps, socket, openWindow } = await makeProfile();
  const window = openWindow();
  await expect.poll(() => existsSync(socket)).toBe(true);
  const before = Date.now();
  await callOnce(socket);
  await window.close();
  const [record] = await apps.list();
  expect(record?.lastUsedAt).toBeGreaterThanOrEqual(before);
  const { last } = await runPostern(['apps', '--json'], { home: folder });
  const { apps: listed } = last as { apps: readonly { id: string; lastUsedAt: number | null }[] };
  expect(listed.find(({ id }) => id === 'cursor')?.lastUsedAt).toBe(record?.lastUsedAt);
  expect(listed.find(({ id }) => id === 'zed')?.lastUsedAt).toBeNull();
});
