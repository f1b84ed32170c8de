import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { markEndpointLeaving, readHolder, stopGateway } from '../../main/host/gateway/gateway-holder.ts';
import { lockFilePath, tryLockFile } from '../../main/storage/files/lock-file.ts';
import { createStoredData } from '../../main/storage/profile/stored-data.ts';
import { installPipe } from '../../main/storage/profile/profile-folder.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { WindowGateway } from '../../main/window/start/desktop/window-gateway.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startResource } from '../support/demo-pair.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { createMemoryKeychain } from '../support/memory-keychain.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true }) as string[];

/** A profile with everything that section 12 of the design names, created by the code that creates it. */
async function fill() {
  const home = temporaryFolder();
  const userHome = temporaryFolder();
  const env = { HOME: userHome, XDG_CONFIG_HOME: path.join(userHome, '.config') };
  const mcp = await startResource(undefined);
  for (const folder of ['.cursor', '.codeium/windsurf']) mkdirSync(path.join(userHome, folder), { recursive: true });
  const run = (...args: string[]) => runInProcess(args, { home, env });
  await run('connect', mcp.url, '--local', '--name', 'Notes');
  expect((await run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
  expect((await run('use', 'Notes', 'windsurf', '--http', '--yes')).code).toBe(0);
  await installPipe(home, process.execPath, process.execPath);
  mkdirSync(path.join(home, 'run'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(home, 'run', 'left-by-a-crash'), '');
  const serving = startPostern(['serve', '--json'], { home, env });
  const [, socket = ''] = await serving.waitFor(/"socket":"([^"]+)"/u);
  const config = JSON.parse(readFileSync(path.join(home, 'config.json'), 'utf8')) as {
    settings: object;
    apps: { id: string }[];
  };
  const app = openApp(socket, { server: 'Notes', app: config.apps[0]?.id ?? '' });
  await shakeHands(app);
  await app.request(1, 'tools/call', { name: 'whoami', arguments: {} });
  return { home, run, serving, config };
}

it('deletes everything in section 12, and first stops the process that serves apps (KC-15)', async () => {
  const { home, run, serving, config } = await fill();
  expect(config).toMatchObject({ settings: { gatewayPort: expect.any(Number) }, apps: [{}, {}] });
  for (const folder of ['catalog', 'activity', 'backups', 'bin', 'run'])
    await expect.poll(() => readdirSync(path.join(home, folder)).length, { message: folder }).toBeGreaterThan(0);
  expect(existsSync(path.join(home, 'vault'))).toBe(true);
  // Emptied at the start of the process that serves apps.
  expect(readdirSync(path.join(home, 'run')).toSorted()).toEqual(['control.sock', 'endpoint.json', 'gateway.sock']);
  expect(await run('remove', '--all', '--yes')).toMatchObject({ code: 0 });
  expect((await serving.ended).code).toBe(0);
  expect(filesOf(home)).toEqual([]);
});

it('names the window that serves apps, leaves the files it needs, and continues once it has exited', async () => {
  const { folder, ports } = createTestEngine();
  const { apps } = openIntegrationStore({ folder, locks: ports.locks });
  const window = new WindowGateway({
    ports,
    apps,
    collections: { list: async () => [] },
    folder,
    command: undefined,
    observer: { user: {} },
  });
  onTestFinished(() => window.close());
  window.start();
  const socket = path.join(folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const failed = await runInProcess(['remove', '--all', '--yes', '--json'], { home: folder });
  expect(failed).toMatchObject({ code: 1, last: { error: { code: 'GATEWAY_HELD' } } });
  expect(JSON.stringify(failed.last)).toContain(`window (process ${process.pid})`);
  expect(existsSync(socket)).toBe(true);
  await window.close();
  expect((await runInProcess(['remove', '--all', '--yes', '--json'], { home: folder })).code).toBe(0);
  expect(existsSync(path.join(folder, 'run'))).toBe(false);
});

it('waits for a window that finishes calls in flight before it exits', async () => {
  const record = '0123456789abcdef';
  const held = Promise.withResolvers<RawRequest>();
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method === 'tools/call') held.resolve(request);
    return request.message.method === 'tools/call';
  });
  const engine = createTestEngine();
  const { folder, ports } = engine;
  const { integration } = await engine.connect(server.url, { local: true });
  const { apps } = openIntegrationStore({ folder, locks: ports.locks });
  await apps.change(() => [
    { id: record, app: 'cursor', name: 'Cursor', integrations: [integration.id], createdAt: 1 },
  ]);
  const window = new WindowGateway({
    ports,
    apps,
    collections: { list: async () => [] },
    folder,
    command: undefined,
    observer: { user: {} },
  });
  onTestFinished(() => window.close());
  window.start();
  const socket = path.join(folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const app = openApp(socket, { server: integration.id, app: record });
  await shakeHands(app);
  app.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}');
  const request = await held.promise;
  const closed = window.close();
  await expect.poll(() => readHolder(folder)).toMatchObject({ kind: 'window', pid: process.pid, isLeaving: true });
  const stopped = stopGateway(folder);
  sendJson(request, textResult('done'));
  (await stopped).release();
  await closed;
  expect(await readHolder(folder)).toBeUndefined();
});

it('waits for one that exits, up to its time limit', async () => {
  const folder = temporaryFolder();
  const leaving = async () => {
    const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
    await markEndpointLeaving(folder, { kind: 'serve', pid: process.pid });
    return lock;
  };
  const lock = await leaving();
  const stopped = stopGateway(folder, { wait: 1, total: 1_000_000, pollInterval: 1 });
  // More polls than it waits for one that reports nothing.
  for (let count = 0; count < 200; count += 1) expect(await readHolder(folder)).toHaveProperty('isLeaving', true);
  lock?.release();
  (await stopped).release();
  // Referenced by a variable: an unreferenced object may be collected, and its lock with it.
  const again = await leaving();
  await expect(stopGateway(folder, { wait: 1, total: 20, pollInterval: 1 })).rejects.toMatchObject({
    code: 'GATEWAY_HELD',
  });
  again?.release();
});

it('waits for one that has not reported its identity yet, or has stopped reporting it', async () => {
  const folder = temporaryFolder();
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  const stopped = stopGateway(folder, { wait: 1_000_000, total: 1_000_000, pollInterval: 1 });
  // Longer than one poll.
  for (let count = 0; count < 20; count += 1) expect(await readHolder(folder)).toBeUndefined();
  lock?.release();
  (await stopped).release();
});

it('ends sessions of the window meanwhile, and starts over as on first launch', async () => {
  let during: boolean | undefined;
  const engine: { folder?: string } = {};
  const stored = {
    prepare: async () => {
      during = existsSync(path.join(engine.folder ?? '', 'run', 'gateway.sock'));
    },
    deleteSecrets: async () => 0,
    deleteRest: async () => {
      const folder = engine.folder ?? '';
      const { locks } = desktop.engine.ports;
      const keychain = createMemoryKeychain();
      await createStoredData({ folder, keychain, locks, stopGateway: () => stopGateway(folder) }).deleteRest();
      during = existsSync(path.join(folder, 'run')) || during;
    },
  };
  const desktop = await createTestDesktop({ serves: true, storedData: stored });
  engine.folder = desktop.engine.folder;
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  desktop.composed.startWork();
  await expect.poll(() => existsSync(socket)).toBe(true);
  expect(await desktop.call('storage:deleteEverything', {})).not.toHaveProperty('failure');
  expect(during).toBe(false);
  await expect.poll(() => existsSync(socket)).toBe(true);
});
