import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { holdProfile, listenForPipes } from '../../support/listen-for-pipes.ts';
import { gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import { copyNodePipe, everyPipeKind, startPipe, withEveryPipe } from '../../support/pipe-process.ts';
import type { PipeKind, PipeProcess } from '../../support/pipe-process.ts';
import { supportScript } from '../../support/run-script.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A pipe that finds nobody, and starts Postern. */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));
/** Milliseconds that one that makes room leaves to whoever comes in its place. */
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

/** A profile that somebody has connected a server in. */
function profileFolder(): string {
  const folder = temporaryFolder();
  holdProfile(folder);
  return folder;
}

/** The pipe at a place of its own, with a program beside it that stands for Postern. */
function install(pipe: PipeKind, stand = supportScript('background-gateway.ts')): PipeKind {
  const place = path.join(temporaryFolder(), 'a place');
  if (pipe.isNative) {
    const file = path.join(place, 'postern-pipe');
    mkdirSync(place);
    copyFileSync(pipe.command[0] ?? '', file);
    const program = path.join(place, 'a program');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${stand}' "$@"\n`, { mode: 0o755 });
    writeFileSync(`${file}.start`, program);
    return { ...pipe, command: [file] };
  }
  copyNodePipe(path.join(place, 'pipe'));
  mkdirSync(path.join(place, 'bin'));
  writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(place, 'bin/postern.js'), `await import(${JSON.stringify(stand)});\n`);
  return { ...pipe, command: [process.execPath, path.join(place, 'pipe/pipe.js')] };
}

/** Whoever says there that it was started, once it does. */
function listenForStart(socket: string): { readonly wanted: Promise<Socket> } {
  const ear = createServer().listen(socket);
  afterTest(() => void ear.close());
  return { wanted: once(ear, 'connection').then(([started]) => started as Socket) };
}

/** Stands for a Postern that takes its time: it only says at this socket that somebody wanted it. */
function tellStart(socket: string): string {
  const script = path.join(temporaryFolder(), 'slow.js');
  writeFileSync(script, `process.getBuiltinModule('node:net').connect(${JSON.stringify(socket)}).end();\n`);
  return script;
}

/** The same, of one that runs on until that connection ends. */
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

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe, where nobody serves,', ({ pipe }) => {
  it.skipIf(pipe.missing)('starts Postern once, and waits with what the program writes', async () => {
    const folder = profileFolder();
    afterTest(() => endStarted(folder));
    const program = startPipe(install(pipe), ['--profile-folder', folder, 'notes']);
    program.send(initialize);
    expect(await program.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { method: 'initialize' } });
    const [started, ...more] = readStarted(folder);
    expect(more).toEqual([]);
    expect(started?.words.slice(-3)).toEqual(['serve', '--idle-exit', '600']);
  });

  it.skipIf(pipe.missing)('starts nobody in a folder without a profile, which it names', async () => {
    const folder = path.join(temporaryFolder(), 'a "folder"');
    const program = startPipe(install(pipe), ['--profile-folder', folder, 'notes']);
    program.send(initialize);
    const { error } = await program.next();
    expect(error).toMatchObject({ message: expect.stringContaining(` ${folder}.`) });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(existsSync(folder)).toBe(false);
  });

  it.skipIf(pipe.missing)('replaces one that was killed sooner than one that makes room for another', async () => {
    const [killed, left] = [profileFolder(), profileFolder()];
    const installed = install(pipe);
    const programs = [killed, left].map((folder) => {
      afterTest(() => endStarted(folder));
      return startPipe(installed, ['--profile-folder', folder, 'notes']);
    });
    for (const program of programs) {
      program.send(initialize);
      expect(await program.next()).toHaveProperty('result');
    }
    const [ofKilled, ofLeft] = programs as [PipeProcess, PipeProcess];
    // The answer that comes says that the request before it is under way.
    ofLeft.send({ jsonrpc: '2.0', id: 2, method: 'test/unanswered' }, { jsonrpc: '2.0', id: 3, method: 'tools/list' });
    expect(await ofLeft.next()).toMatchObject({ id: 3, result: {} });
    // Before it ends: a socket that is still there afterwards is that of one that was killed.
    for (const name of ['gateway.sock', 'endpoint.json']) rmSync(path.join(left, 'run', name), { force: true });
    const leftAt = Date.now();
    endStarted(left);
    expect(await ofLeft.next()).toMatchObject({ id: 2, error: { data: { code: 'SESSION_LOST' } } });
    endStarted(killed);
    const untilAnswered = async (program: PipeProcess): Promise<void> => {
      // One that is sent before the end is seen is lost.
      for (let id = 4, result: unknown; result === undefined; id += 1) {
        program.send({ jsonrpc: '2.0', id, method: 'tools/list' });
        ({ result } = await program.next());
      }
    };
    await Promise.all([ofKilled, ofLeft].map(untilAnswered));
    for (const folder of [killed, left]) expect(readStarted(folder)).toHaveLength(2);
    const replacedAt = (folder: string): number => readStarted(folder)[1]?.at ?? 0;
    // However busy the machine is, none begins before its time.
    expect(replacedAt(left) - leftAt).toBeGreaterThanOrEqual(restartTime);
    expect(replacedAt(killed)).toBeLessThan(replacedAt(left));
  });

  it.skipIf(!pipe.isNative || pipe.missing)('starts the window of a package where there is a display', async () => {
    const folder = profileFolder();
    const runtime = temporaryFolder();
    const display = createServer().listen(path.join(runtime, 'wayland-1'));
    afterTest(() => display.close());
    afterTest(() => endStarted(folder));
    const env = { XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: 'wayland-1' };
    const program = startPipe(install(pipe), ['--profile-folder', folder, 'notes'], { env });
    program.send(initialize);
    await program.next();
    expect(readStarted(folder)[0]?.words.at(-1)).toBe('--background');
  });

  it.skipIf(!pipe.isNative || pipe.missing).each([
    ['came by ssh', { DISPLAY: 'localhost:10.0' }],
    ['is not there any more', { DISPLAY: ':54321', WAYLAND_DISPLAY: 'wayland-54321' }],
    ['is a file', { DISPLAY: ':/../../etc/passwd' }],
  ])('starts the service of a package where the display %s', async (_, env) => {
    const folder = profileFolder();
    afterTest(() => endStarted(folder));
    const program = startPipe(install(pipe), ['--profile-folder', folder, 'notes'], { env });
    program.send(initialize);
    await program.next();
    const { words = [] } = readStarted(folder)[0] ?? {};
    expect(words.slice(-3)).toEqual(['serve', '--idle-exit', '600']);
    // As its launcher has it.
    expect(words).toContain('--js-flags=--initial-old-space-size=64');
  });

  it.skipIf(pipe.missing)('starts it so that it belongs to nobody, and outlives the pipe', async () => {
    const folder = profileFolder();
    afterTest(() => endStarted(folder));
    const program = startPipe(install(pipe), ['--profile-folder', folder, 'notes']);
    program.send(initialize);
    await program.next();
    const { pid = 0, parent } = readStarted(folder)[0] ?? {};
    expect(parent).not.toBe(program.child.pid);
    const group = (of: number): string | undefined =>
      readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
    if (process.platform === 'linux') expect(group(pid)).not.toBe(group(program.child.pid ?? 0));
    program.child.kill('SIGKILL');
    await program.ended;
    // It still serves.
    const next = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    next.send(initialize);
    expect(await next.next()).toMatchObject({ result: { method: 'initialize' } });
    expect(readStarted(folder)).toHaveLength(1);
  });

  it.skipIf(pipe.missing)(
    'gives it the profile and what keychain and keyring need, and no secret of the program (GW-64)',
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
      const program = startPipe(install(pipe), ['--profile-folder', folder, 'notes'], { env });
      program.send(initialize);
      await program.next();
      const given = readStarted(folder)[0]?.env ?? {};
      expect(given).toMatchObject({
        HOME: process.env['HOME'],
        PATH: process.env['PATH'],
        POSTERN_HOME: folder,
        XDG_RUNTIME_DIR: runtime,
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(runtime, 'bus')}`,
        LC_ALL: 'C.UTF-8',
        POSTERN_KEY_FILE: path.join(runtime, 'key'),
        POSTERN_PASSPHRASE_FILE: path.join(runtime, 'passphrase'),
      });
      expect(Object.keys(given)).not.toContain('GITHUB_TOKEN');
      expect(Object.keys(given)).not.toContain('NODE_OPTIONS');
    },
  );

  it.skipIf(pipe.missing)('waits for one that takes its time', async () => {
    const folder = profileFolder();
    const told = path.join(temporaryFolder(), 'told');
    const { wanted } = listenForStart(told);
    const program = startPipe(install(pipe, tellStart(told)), ['--profile-folder', folder, 'notes']);
    program.send(initialize);
    // As long as nobody has the folder, or a file is in the socket's place.
    const socket = gatewaySocket(folder);
    writeFileSync(socket, '');
    chmodSync(socket, 0o600);
    await wanted;
    const gateway = await openPipeGateway(socket, ({ id }, connection) =>
      connection.send({ jsonrpc: '2.0', id, result: {} }),
    );
    expect(await program.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(gateway.connections).toHaveLength(1);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe that waits', () => {
  it('answers every request when nobody comes, says so in one line and ends with 1', async () => {
    await withEveryPipe(async (pipe) => {
      const program = startPipe(pipe, ['--profile-folder', profileFolder(), 'notes'], { cwd: '/' });
      program.send(initialize, { jsonrpc: '2.0', method: 'notifications/x' }, { jsonrpc: '2.0', id: 'b', method: 'y' });
      const error = {
        code: -32_000,
        message: expect.any(String) as string,
        data: { code: 'GATEWAY_UNREACHABLE', nextStep: expect.any(String) as string },
      };
      expect(await program.next()).toEqual({ jsonrpc: '2.0', id: 1, error });
      expect(await program.next()).toEqual({ jsonrpc: '2.0', id: 'b', error });
      expect(await program.ended).toEqual({ code: 1, signal: null });
      expect(program.stderr()).toMatch(/^postern: .*\n$/u);
    });
  });

  it('answers the program where whoever serves takes the connection and says nothing', async () => {
    await withEveryPipe(async (pipe) => {
      const folder = profileFolder();
      // As a process that was stopped: nothing is read, and nothing said.
      const silent: Socket[] = [];
      const close = await listenForPipes(gatewaySocket(folder), (socket) => {
        socket.on('error', () => {});
        silent.push(socket);
      });
      afterTest(async () => {
        for (const socket of silent) socket.destroy();
        await close();
      });
      const program = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      program.send(initialize);
      expect(await program.next()).toMatchObject({ id: 1, error: { data: { code: 'GATEWAY_UNREACHABLE' } } });
      expect(await program.ended).toEqual({ code: 1, signal: null });
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
      const told = path.join(temporaryFolder(), 'told');
      const { wanted } = listenForStart(told);
      const before = wasServed ? await open() : undefined;
      const program = startPipe(install(pipe, tellStartAndStay(told)), ['--profile-folder', folder, 'notes']);
      await before?.nextConnection();
      await before?.stop();
      program.send(initialize);
      const started = await wanted;
      afterTest(() => void started.destroy());
      // It has nobody to start, and so nobody to wait for.
      const other = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      other.send(initialize);
      expect(await other.next()).toMatchObject({ error: { data: { code: 'GATEWAY_UNREACHABLE' } } });
      expect(program.lines()).toEqual([]);
      await open();
      expect(await program.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    });
  });

  it('answers a program before it gives up by itself where Postern runs and never listens', async () => {
    const told = path.join(temporaryFolder(), 'told');
    const ear = createServer((socket) => afterTest(() => void socket.destroy())).listen(told);
    afterTest(() => void ear.close());
    const nextStep = expect.stringContaining('postern doctor') as string;
    const data = { code: 'GATEWAY_UNREACHABLE', nextStep };
    await withEveryPipe(async (pipe) => {
      const program = startPipe(install(pipe, tellStartAndStay(told)), ['--profile-folder', profileFolder(), 'notes']);
      program.send(initialize);
      expect(await program.next()).toMatchObject({ id: 1, error: { data } });
      expect(await program.ended).toMatchObject({ code: 1 });
    });
  });
});
