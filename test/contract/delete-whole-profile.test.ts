import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leaveEndpoint, readHolder, stopGateway } from '../../main/host/gateway/gateway-holder.ts';
import { lockFilePath, tryLockFile } from '../../main/storage/files/lock-file.ts';
import { createKeptData } from '../../main/storage/profile/kept-data.ts';
import { keepPipe } from '../../main/storage/profile/profile-folder.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { WindowGateway } from '../../main/window/start/desktop/window-gateway.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startResource } from '../support/demo-pair.ts';
import { openProgram, shakeHands } from '../support/line-program.ts';
import { createMemoryKeychain } from '../support/memory-keychain.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { inputSchema, sendJson, startWireServer, textResult } from '../support/wire-server.ts';
import type { WireRequest } from '../support/wire-server.ts';

const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true }) as string[];

/** A profile with everything that section 12 of the design names, made by whatever makes it. */
async function fill() {
  const home = temporaryFolder();
  const person = temporaryFolder();
  const env = { HOME: person, XDG_CONFIG_HOME: path.join(person, '.config') };
  const mcp = await startResource(undefined);
  for (const folder of ['.cursor', '.codeium/windsurf']) mkdirSync(path.join(person, folder), { recursive: true });
  const run = (...args: string[]) => runInProcess(args, { home, env });
  await run('connect', mcp.url, '--local', '--name', 'Notes');
  expect((await run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
  expect((await run('use', 'Notes', 'windsurf', '--http', '--yes')).code).toBe(0);
  await keepPipe(home, process.execPath, process.execPath);
  mkdirSync(path.join(home, 'run'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(home, 'run', 'left-by-a-crash'), '');
  const serving = startPostern(['serve', '--json'], { home, env });
  const [, socket = ''] = await serving.waitFor(/"socket":"([^"]+)"/u);
  const config = JSON.parse(readFileSync(path.join(home, 'config.json'), 'utf8')) as {
    settings: object;
    programs: { id: string }[];
  };
  const program = openProgram(socket, { server: 'Notes', program: config.programs[0]?.id ?? '' });
  await shakeHands(program);
  await program.ask(1, 'tools/call', { name: 'whoami', arguments: {} });
  return { home, run, serving, config };
}

it('takes all of section 12, and ends whoever serves programs first (KC-15)', async () => {
  const { home, run, serving, config } = await fill();
  expect(config).toMatchObject({ settings: { gatewayPort: expect.any(Number) }, programs: [{}, {}] });
  for (const folder of ['catalogue', 'activity', 'backups', 'bin', 'run'])
    await expect.poll(() => readdirSync(path.join(home, folder)).length, { message: folder }).toBeGreaterThan(0);
  expect(existsSync(path.join(home, 'vault'))).toBe(true);
  // Emptied at the start of whoever serves.
  expect(readdirSync(path.join(home, 'run')).toSorted()).toEqual(['control.sock', 'endpoint.json', 'gateway.sock']);
  expect(await run('remove', '--all', '--yes')).toMatchObject({ code: 0 });
  expect((await serving.ended).code).toBe(0);
  expect(filesOf(home)).toEqual([]);
});

it('names the window that serves, leaves it what it serves by, and goes on once it has ended', async () => {
  const { folder, ports } = createTestEngine();
  const { programs } = openIntegrationStore({ folder, locks: ports.locks });
  const window = new WindowGateway({
    ports,
    programs,
    collections: { list: async () => [] },
    folder,
    command: undefined,
    watch: { user: {} },
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

it('waits for a window that answers what is under way before it ends', async () => {
  const record = '0123456789abcdef';
  const held = Promise.withResolvers<WireRequest>();
  const server = await startWireServer('legacy', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method === 'tools/call') held.resolve(request);
    return request.message.method === 'tools/call';
  });
  const engine = createTestEngine();
  const { folder, ports } = engine;
  const { integration } = await engine.connect(server.url, { local: true });
  const { programs } = openIntegrationStore({ folder, locks: ports.locks });
  await programs.change(() => [
    { id: record, program: 'cursor', name: 'Cursor', integrations: [integration.id], createdAt: 1 },
  ]);
  const window = new WindowGateway({
    ports,
    programs,
    collections: { list: async () => [] },
    folder,
    command: undefined,
    watch: { user: {} },
  });
  onTestFinished(() => window.close());
  window.start();
  const socket = path.join(folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const program = openProgram(socket, { server: integration.id, program: record });
  await shakeHands(program);
  program.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}');
  const request = await held.promise;
  const closed = window.close();
  await expect.poll(() => readHolder(folder)).toMatchObject({ kind: 'window', pid: process.pid, isLeaving: true });
  const stopped = stopGateway(folder);
  sendJson(request, textResult('done'));
  (await stopped).release();
  await closed;
  expect(await readHolder(folder)).toBeUndefined();
});

it('waits for one that leaves as long as it may take, and no longer', async () => {
  const folder = temporaryFolder();
  const leaving = async () => {
    const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
    await leaveEndpoint(folder, { kind: 'serve', pid: process.pid });
    return lock;
  };
  const lock = await leaving();
  const stopped = stopGateway(folder, { wait: 1, inAll: 1_000_000, look: 1 });
  // More looks than it waits for one that says nothing.
  for (let count = 0; count < 200; count += 1) expect(await readHolder(folder)).toHaveProperty('isLeaving', true);
  lock?.release();
  (await stopped).release();
  // Held by a name: what nothing refers to may be collected, and its lock with it.
  const again = await leaving();
  await expect(stopGateway(folder, { wait: 1, inAll: 20, look: 1 })).rejects.toMatchObject({ code: 'GATEWAY_HELD' });
  again?.release();
});

it('waits for one that has not said yet who it is, or no longer says so', async () => {
  const folder = temporaryFolder();
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  const stopped = stopGateway(folder, { wait: 1_000_000, inAll: 1_000_000, look: 1 });
  // More than one look of it.
  for (let count = 0; count < 20; count += 1) expect(await readHolder(folder)).toBeUndefined();
  lock?.release();
  (await stopped).release();
});

it('ends what the window serves meanwhile, and begins anew as at the first start', async () => {
  let during: boolean | undefined;
  const engine: { folder?: string } = {};
  const kept = {
    prepare: async () => {
      during = existsSync(path.join(engine.folder ?? '', 'run', 'gateway.sock'));
    },
    deleteSecrets: async () => 0,
    deleteRest: async () => {
      const folder = engine.folder ?? '';
      const { locks } = desktop.engine.ports;
      const keychain = createMemoryKeychain();
      await createKeptData({ folder, keychain, locks, stopGateway: () => stopGateway(folder) }).deleteRest();
      during = existsSync(path.join(folder, 'run')) || during;
    },
  };
  const desktop = await createTestDesktop({ serves: true, kept });
  engine.folder = desktop.engine.folder;
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  desktop.composed.startWork();
  await expect.poll(() => existsSync(socket)).toBe(true);
  expect(await desktop.call('storage:deleteEverything', {})).not.toHaveProperty('failure');
  expect(during).toBe(false);
  await expect.poll(() => existsSync(socket)).toBe(true);
});
