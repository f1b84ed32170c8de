import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { markAsProfile, listenForPipes } from '../../support/listen-for-pipes.ts';
import { gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import { copyNodePipe, everyPipeKind, startPipe, withEveryPipe } from '../../support/pipe-process.ts';
import type { PipeKind, PipeProcess } from '../../support/pipe-process.ts';
import { supportScript } from '../../support/run-script.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A pipe that finds no gateway, and starts Postern. */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));
/** Milliseconds that a gateway that hands over leaves for its successor. */
const restartTime = 2_000;
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };

interface Started {
  readonly pid: number;
  readonly parent: number;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** When its process began. */
  readonly at: number;
}

/** A profile with a connected server. */
function profileFolder(): string {
  const folder = temporaryFolder();
  markAsProfile(folder);
  return folder;
}

/** The pipe in a folder of its own, with a stand-in app for Postern beside it. */
function install(pipe: PipeKind, stand = supportScript('background-gateway.ts')): PipeKind {
  const place = path.join(temporaryFolder(), 'a place');
  if (pipe.isNative) {
    const file = path.join(place, 'postern-pipe');
    mkdirSync(place);
    copyFileSync(pipe.command[0] ?? '', file);
    const app = path.join(place, 'a program');
    writeFileSync(app, `#!/bin/sh\nexec '${process.execPath}' '${stand}' "$@"\n`, { mode: 0o755 });
    writeFileSync(`${file}.start`, app);
    return { ...pipe, command: [file] };
  }
  copyNodePipe(path.join(place, 'pipe'));
  mkdirSync(path.join(place, 'bin'));
  writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(place, 'bin/postern.js'), `await import(${JSON.stringify(stand)});\n`);
  return { ...pipe, command: [process.execPath, path.join(place, 'pipe/pipe.js')] };
}

/** The stand-in connects there once it starts. */
function listenForStart(socket: string): { readonly wanted: Promise<Socket> } {
  const ear = createServer().listen(socket);
  afterTest(() => void ear.close());
  return { wanted: once(ear, 'connection').then(([started]) => started as Socket) };
}

/** A slow stand-in for Postern: it only reports at this socket that it was started. */
function tellStart(socket: string): string {
  const script = path.join(temporaryFolder(), 'slow.js');
  writeFileSync(script, `process.getBuiltinModule('node:net').connect(${JSON.stringify(socket)}).end();\n`);
  return script;
}

/** The same, but it runs until that connection ends. */
function tellStartAndStay(socket: string): string {
  const script = path.join(temporaryFolder(), 'slower.js');
  writeFileSync(script, `process.getBuiltinModule('node:net').connect(${JSON.stringify(socket)}).resume();\n`);
  return script;
}

/** How Postern was started for this profile; what runs is ended after the test. */
function readStarted(folder: string): readonly Started[] {
  const file = path.join(folder, 'started');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Started);
}

function endStarted(folder: string): void {
  for (const { pid } of readStarted(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

describe.skipIf(process.platform === 'win32').concurrent.for(suites)(
  'the $name pipe, without a gateway,',
  ({ pipe }) => {
    it.skipIf(pipe.missing)('starts Postern once, and holds what the app writes', async () => {
      const folder = profileFolder();
      afterTest(() => endStarted(folder));
      const app = startPipe(install(pipe), ['--profile-folder', folder, 'notes']);
      app.send(initialize);
      expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { method: 'initialize' } });
      const [started, ...more] = readStarted(folder);
      expect(more).toEqual([]);
      expect(started?.words.slice(-3)).toEqual(['serve', '--idle-exit', '600']);
    });

    it.skipIf(pipe.missing)('starts nothing in a folder without a profile, and names it', async () => {
      const folder = path.join(temporaryFolder(), 'a "folder"');
      const app = startPipe(install(pipe), ['--profile-folder', folder, 'notes']);
      app.send(initialize);
      const { error } = await app.next();
      expect(error).toMatchObject({ message: expect.stringContaining(` ${folder}.`) });
      expect(await app.ended).toEqual({ code: 1, signal: null });
      expect(existsSync(folder)).toBe(false);
    });

    it.skipIf(pipe.missing)('replaces a killed gateway sooner than one that hands over', async () => {
      const [killed, handingOver] = [profileFolder(), profileFolder()];
      const installed = install(pipe);
      const apps = [killed, handingOver].map((folder) => {
        afterTest(() => endStarted(folder));
        return startPipe(installed, ['--profile-folder', folder, 'notes']);
      });
      for (const app of apps) {
        app.send(initialize);
        expect(await app.next()).toHaveProperty('result');
      }
      const [ofKilled, ofLeft] = apps as [PipeProcess, PipeProcess];
      // The response shows that the request before it is in flight.
      ofLeft.send(
        { jsonrpc: '2.0', id: 2, method: 'test/unanswered' },
        { jsonrpc: '2.0', id: 3, method: 'tools/list' },
      );
      expect(await ofLeft.next()).toMatchObject({ id: 3, result: {} });
      // Delete them before it exits: a socket that remains afterwards means that it was killed.
      for (const name of ['gateway.sock', 'endpoint.json'])
        rmSync(path.join(handingOver, 'run', name), { force: true });
      const leftAt = Date.now();
      endStarted(handingOver);
      expect(await ofLeft.next()).toMatchObject({ id: 2, error: { data: { code: 'SESSION_LOST' } } });
      endStarted(killed);
      const untilAnswered = async (app: PipeProcess): Promise<void> => {
        // A request sent before the pipe notices the end is lost.
        for (let id = 4, result: unknown; result === undefined; id += 1) {
          app.send({ jsonrpc: '2.0', id, method: 'tools/list' });
          ({ result } = await app.next());
        }
      };
      await Promise.all([ofKilled, ofLeft].map(untilAnswered));
      for (const folder of [killed, handingOver]) expect(readStarted(folder)).toHaveLength(2);
      const replacedAt = (folder: string): number => readStarted(folder)[1]?.at ?? 0;
      // No process starts early, even on a busy machine.
      expect(replacedAt(handingOver) - leftAt).toBeGreaterThanOrEqual(restartTime);
      expect(replacedAt(killed)).toBeLessThan(replacedAt(handingOver));
    });

    it.skipIf(!pipe.isNative || pipe.missing)('starts the window of a package if there is a display', async () => {
      const folder = profileFolder();
      const runtime = temporaryFolder();
      const display = createServer().listen(path.join(runtime, 'wayland-1'));
      afterTest(() => display.close());
      afterTest(() => endStarted(folder));
      const env = { XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: 'wayland-1' };
      const app = startPipe(install(pipe), ['--profile-folder', folder, 'notes'], { env });
      app.send(initialize);
      await app.next();
      expect(readStarted(folder)[0]?.words.at(-1)).toBe('--background');
    });

    it.skipIf(!pipe.isNative || pipe.missing).each([
      ['came by ssh', { DISPLAY: 'localhost:10.0' }],
      ['is not there any more', { DISPLAY: ':54321', WAYLAND_DISPLAY: 'wayland-54321' }],
      ['is a file', { DISPLAY: ':/../../etc/passwd' }],
    ])('starts the service of a package if the display %s', async (_, env) => {
      const folder = profileFolder();
      afterTest(() => endStarted(folder));
      const app = startPipe(install(pipe), ['--profile-folder', folder, 'notes'], { env });
      app.send(initialize);
      await app.next();
      const { words = [] } = readStarted(folder)[0] ?? {};
      expect(words.slice(-3)).toEqual(['serve', '--idle-exit', '600']);
      // As in the launcher.
      expect(words).toContain('--js-flags=--initial-old-space-size=64');
    });

    it.skipIf(pipe.missing)('starts it detached, so that it outlives the pipe', async () => {
      const folder = profileFolder();
      afterTest(() => endStarted(folder));
      const app = startPipe(install(pipe), ['--profile-folder', folder, 'notes']);
      app.send(initialize);
      await app.next();
      const { pid = 0, parent } = readStarted(folder)[0] ?? {};
      expect(parent).not.toBe(app.child.pid);
      const group = (of: number): string | undefined =>
        readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
      if (process.platform === 'linux') expect(group(pid)).not.toBe(group(app.child.pid ?? 0));
      app.child.kill('SIGKILL');
      await app.ended;
      // It still serves.
      const next = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      next.send(initialize);
      expect(await next.next()).toMatchObject({ result: { method: 'initialize' } });
      expect(readStarted(folder)).toHaveLength(1);
    });

    it.skipIf(pipe.missing)(
      'gives it the profile and what keychain and keyring need, and no secret of the app (GW-64)',
      async () => {
        const folder = profileFolder();
        const runtime = temporaryFolder();
        const bus = createServer().listen(path.join(runtime, 'bus'));
        afterTest(() => bus.close());
        afterTest(() => endStarted(folder));
        const env = {
          XDG_RUNTIME_DIR: runtime,
          LC_ALL: 'C.UTF-8',
          POSTERN_KEY_FILE: path.join(runtime, 'key'),
          POSTERN_PASSPHRASE_FILE: path.join(runtime, 'passphrase'),
          GITHUB_TOKEN: 'secret',
          NODE_OPTIONS: '--no-warnings',
        };
        const app = startPipe(install(pipe), ['--profile-folder', folder, 'notes'], { env });
        app.send(initialize);
        await app.next();
        const environment = readStarted(folder)[0]?.env ?? {};
        expect(environment).toMatchObject({
          HOME: process.env['HOME'],
          PATH: process.env['PATH'],
          POSTERN_HOME: folder,
          XDG_RUNTIME_DIR: runtime,
          DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(runtime, 'bus')}`,
          LC_ALL: 'C.UTF-8',
          POSTERN_KEY_FILE: path.join(runtime, 'key'),
          POSTERN_PASSPHRASE_FILE: path.join(runtime, 'passphrase'),
        });
        expect(Object.keys(environment)).not.toContain('GITHUB_TOKEN');
        expect(Object.keys(environment)).not.toContain('NODE_OPTIONS');
      },
    );

    it.skipIf(pipe.missing)('waits for one that starts slowly', async () => {
      const folder = profileFolder();
      const socketFile = path.join(temporaryFolder(), 'told');
      const { wanted } = listenForStart(socketFile);
      const app = startPipe(install(pipe, tellStart(socketFile)), ['--profile-folder', folder, 'notes']);
      app.send(initialize);
      // While the folder is missing, or a file has the socket's path.
      const socket = gatewaySocket(folder);
      writeFileSync(socket, '');
      chmodSync(socket, 0o600);
      await wanted;
      const gateway = await openPipeGateway(socket, ({ id }, connection) =>
        connection.send({ jsonrpc: '2.0', id, result: {} }),
      );
      expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      expect(gateway.connections).toHaveLength(1);
    });
  },
);

describe.skipIf(process.platform === 'win32').concurrent('a pipe that waits', () => {
  it('answers every request when no gateway comes, reports it in one line and ends with 1', async () => {
    await withEveryPipe(async (pipe) => {
      const app = startPipe(pipe, ['--profile-folder', profileFolder(), 'notes'], { cwd: '/' });
      app.send(initialize, { jsonrpc: '2.0', method: 'notifications/x' }, { jsonrpc: '2.0', id: 'b', method: 'y' });
      const error = {
        code: -32_000,
        message: expect.any(String) as string,
        data: { code: 'GATEWAY_UNREACHABLE', nextStep: expect.any(String) as string },
      };
      expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 1, error });
      expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 'b', error });
      expect(await app.ended).toEqual({ code: 1, signal: null });
      expect(app.stderr()).toMatch(/^postern: .*\n$/u);
    });
  });

  it('answers the app if the gateway accepts the connection and sends nothing', async () => {
    await withEveryPipe(async (pipe) => {
      const folder = profileFolder();
      // Like a stopped process: it reads and sends nothing.
      const silent: Socket[] = [];
      const close = await listenForPipes(gatewaySocket(folder), (socket) => {
        socket.on('error', () => {});
        silent.push(socket);
      });
      afterTest(async () => {
        for (const socket of silent) socket.destroy();
        await close();
      });
      const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      app.send(initialize);
      expect(await app.next()).toMatchObject({ id: 1, error: { data: { code: 'GATEWAY_UNREACHABLE' } } });
      expect(await app.ended).toEqual({ code: 1, signal: null });
    });
  });

  it.each([
    ['when others have given up', false],
    ['when others have given up, after one that has ended', true],
  ])('waits for one that is still starting %s', async (_, wasServed) => {
    await withEveryPipe(async (pipe) => {
      const folder = profileFolder();
      const socket = gatewaySocket(folder);
      const open = () =>
        openPipeGateway(socket, ({ id }, connection) => connection.send({ jsonrpc: '2.0', id, result: {} }));
      const socketFile = path.join(temporaryFolder(), 'told');
      const { wanted } = listenForStart(socketFile);
      const before = wasServed ? await open() : undefined;
      const app = startPipe(install(pipe, tellStartAndStay(socketFile)), ['--profile-folder', folder, 'notes']);
      await before?.nextConnection();
      await before?.stop();
      app.send(initialize);
      const started = await wanted;
      afterTest(() => void started.destroy());
      // It cannot start anything, so it does not wait.
      const other = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      other.send(initialize);
      expect(await other.next()).toMatchObject({ error: { data: { code: 'GATEWAY_UNREACHABLE' } } });
      expect(app.lines()).toEqual([]);
      await open();
      expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    });
  });

  it('answers an app before it gives up if Postern runs and never listens', async () => {
    const socketFile = path.join(temporaryFolder(), 'told');
    const ear = createServer((socket) => afterTest(() => void socket.destroy())).listen(socketFile);
    afterTest(() => void ear.close());
    const nextStep = expect.stringContaining('postern doctor') as string;
    const data = { code: 'GATEWAY_UNREACHABLE', nextStep };
    await withEveryPipe(async (pipe) => {
      const app = startPipe(install(pipe, tellStartAndStay(socketFile)), [
        '--profile-folder',
        profileFolder(),
        'notes',
      ]);
      app.send(initialize);
      expect(await app.next()).toMatchObject({ id: 1, error: { data } });
      expect(await app.ended).toMatchObject({ code: 1 });
    });
  });
});
