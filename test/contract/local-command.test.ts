import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../support/after-test.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { scriptWords, sdkServerWords } from '../support/local-server.ts';
import { startPipe, pipeKinds } from '../support/pipe-process.ts';
import { startPostern } from '../support/postern-process.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startRawServer } from '../support/raw-mcp-server.ts';

/** Servers on this computer on the command line, with a server of the official SDK. */

const node = process.execPath;

function world(env: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder();
  const run = (...args: string[]): Promise<PosternResult> => runInProcess(args, { home, env });
  return { home, run };
}

const textOf = ({ last }: PosternResult): string => {
  const { content } = last as unknown as { content: [{ text: string }] };
  return content[0].text;
};

/** What `list` and `show` print about it. */
async function statusIn(run: (...args: string[]) => Promise<PosternResult>): Promise<readonly unknown[]> {
  const { integrations } = (await run('list', '--json')).last as { integrations: [{ status: string }] };
  const { integration } = (await run('show', 'Here', '--json')).last as { integration: { status: string } };
  return [integrations[0].status, integration.status];
}

describe.skipIf(process.platform === 'win32')('postern local', () => {
  it('shows exactly what will run, and runs nothing without consent', async () => {
    const { home, run } = world();
    const starts = path.join(home, 'starts');
    const words = sdkServerWords(starts);
    const refused = await run('local', 'add', 'Here', '--cwd', home, '--', node, ...words);
    expect(refused.code).toBe(2);
    for (const shown of [node, home, ...words]) expect(refused.stderr).toContain(shown);
    expect(() => readFileSync(starts)).toThrow('ENOENT');
    expect((await run('list', '--json')).last['integrations']).toEqual([]);
  });

  it('blames a command with invalid responses, names its log, and no address, which it does not have', async () => {
    const { run } = world();
    const response = `{ jsonrpc: '2.0', id: message.id, result: { protocolVersion: 5 } }`;
    const script = `console.error('out of tickets'); require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.id !== undefined) console.log(JSON.stringify(${response}));
    });`;
    const words = ['local', 'add', 'Here', '--yes', '--', node, '-e', script];
    const { last } = await run(...words.slice(0, 2), '--json', ...words.slice(2));
    const { code, blame, nextStep } = last['error'] as { code: string; blame: string; nextStep: string };
    expect({ code, blame }).toEqual({ code: 'LOCAL_INVALID', blame: 'command' });
    const stderr = (await run(...words)).stderr;
    for (const text of [nextStep, stderr]) expect(text).not.toMatch(/address|\/mcp|https?:/iu);
    for (const text of [node, 'out of tickets']) expect(stderr).toContain(text);
  });

  it('connects it, runs it for each use, and supports it in every command for the list', async () => {
    const { run } = world({ TICKETS: 'its own', CANARY: 'ours' });
    const made = await run(
      'local',
      'add',
      'Here',
      '--env',
      'TICKETS',
      '--yes',
      '--json',
      '--',
      node,
      ...sdkServerWords(),
    );
    expect(made).toMatchObject({ code: 0, last: { integration: { name: 'Here', kind: 'local' }, tools: 4 } });
    const seen = JSON.parse(textOf(await run('call', 'Here', 'environment', '--json'))) as Record<string, string>;
    expect([seen['TICKETS'], seen['CANARY']]).toEqual(['its own', undefined]);
    const shown = await run('show', 'Here', '--json');
    expect(shown.last).toMatchObject({
      integration: { kind: 'local', command: { path: node, variables: ['TICKETS'] } },
    });
    expect(shown.stdout).not.toContain('its own');
    expect((await run('doctor', '--json')).last['checks']).toContainEqual(
      expect.objectContaining({ name: 'local', ok: true }),
    );
    expect((await run('export', '--json')).last).toMatchObject({ leftOut: ['Here'], list: { integrations: [] } });
    expect((await run('remove', 'Here', '--json')).code).toBe(0);
    expect((await run('call', 'Here', 'environment', '--json')).last).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  it('finds a command where a terminal does, with relative files, and explains in its log if it cannot', async () => {
    const places = temporaryFolder();
    writeFileSync(
      path.join(places, 'my-server'),
      `#!/usr/bin/env node-of-mine\nif (process.argv.length > 2) { console.error('the end'); process.exit(3); }\nimport(${JSON.stringify(sdkServerWords()[0])});\n`,
    );
    chmodSync(path.join(places, 'my-server'), 0o755);
    symlinkSync(node, path.join(places, 'node-of-mine'));
    const folder = temporaryFolder();
    const env = { PATH: '/usr/bin:/bin', SHELL: '/bin/bash', HOME: folder };
    const { run } = world(env);
    writeFileSync(path.join(folder, '.bashrc'), `echo Welcome\nexport PATH="$PATH:${places}"\n`);
    expect(await run('local', 'add', 'Mine', '--yes', '--json', '--', 'my-server')).toMatchObject({ code: 0 });
    const seen = JSON.parse(textOf(await run('call', 'Mine', 'environment', '--json'))) as Record<string, string>;
    expect(seen['PATH']?.split(':')[0]).toBe(places);
    writeFileSync(path.join(folder, '.bashrc'), 'sleep 30\n');
    const late = await run('local', 'add', 'Late', '--yes', '--', path.join(places, 'my-server'), 'ends');
    expect(late.code).not.toBe(0);
    expect(late.stderr).toMatch(/shell .*2 seconds/u);
    expect(late.stderr).toContain('the end');
  });

  it('shows in the list that the current command is not allowed yet, and asks again', async () => {
    const { home, run } = world();
    await run('local', 'add', 'Here', '--yes', '--', node, ...sdkServerWords());
    expect(await statusIn(run)).toEqual(['ready', 'ready']);
    const file = path.join(home, 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('stdio-server.ts"', 'stdio-server.ts","--more"'));
    expect(await statusIn(run)).toEqual(['not allowed yet', 'not allowed yet']);
    expect((await run('local', 'start', 'Here')).code).toBe(2);
    expect((await run('local', 'start', 'Here', '--yes')).code).toBe(0);
    expect(await statusIn(run)).toEqual(['ready', 'ready']);
  });

  it('reports that it has no sign-in to end, refresh or switch, and logs nothing', async () => {
    const { home, run } = world();
    await run('local', 'add', 'Here', '--yes', '--', node, ...scriptWords({}));
    expect(await run('sign-out', 'Here')).toMatchObject({ code: 0, stdout: expect.stringContaining('not signed in') });
    for (const command of ['refresh', 'switch']) {
      expect((await run(command, 'Here', '--json')).last).toMatchObject({
        error: { code: 'NO_SIGN_IN', blame: 'nobody', nextStep: expect.stringContaining('`postern tools Here`') },
      });
    }
    const history = path.join(home, 'history');
    const files = existsSync(history) ? readdirSync(history) : [];
    for (const file of files) expect(readFileSync(path.join(history, file), 'utf8')).not.toContain('NO_SIGN_IN');
  });

  it('does not apply to a server with an address, which Postern does not run', async () => {
    const { run } = world();
    const { url } = await startRawServer('session', []);
    await run('connect', url, '--local', '--name', 'There');
    for (const verb of ['start', 'stop', 'logs'])
      expect(await run('local', verb, 'There', '--json')).toMatchObject({
        code: 2,
        last: { error: { code: 'USAGE' } },
      });
  });

  it('rejects a name that a server with an address has, before asking for values', async () => {
    const { run } = world();
    const { url } = await startRawServer('session', []);
    await run('connect', url, '--local', '--name', 'There');
    const words = ['local', 'add', 'There', '--env', 'NOT_SET_ANYWHERE', '--yes', '--json', '--', node];
    expect((await run(...words)).last).toMatchObject({ error: { code: 'NAME_TAKEN' } });
  });

  it('does not store one that does not work, and shows its output, made printable (LS-11)', async () => {
    const { run } = world();
    const words = ['-e', `console.error('no key\\u001b[2J\\u202e'); process.exit(3)`];
    const failed = await run('local', 'add', 'Bad', '--yes', '--', node, ...words);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('no key');
    expect(failed.stderr).not.toMatch(/[\u001b\u202e]/u);
    expect((await run('list', '--json')).last['integrations']).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a server on this computer behind the gateway', () => {
  it('runs for an app, restarts after a crash, is stopped, started and read', async () => {
    const { home, run } = world();
    await run('local', 'add', 'Here', '--yes', '--', node, ...sdkServerWords());
    const service = startPostern(['serve', '--allow-unknown', '--json'], { home });
    await service.waitFor(/"event":"serving"/);
    const [pipe] = pipeKinds;
    if (!pipe) throw new Error('there is a pipe');
    const app = startPipe(pipe, ['--profile-folder', home, 'here']);
    const answerTo = async (id: number): Promise<string> => {
      for (let message = await app.next(); ; message = await app.next())
        if (message['id'] === id) return JSON.stringify(message);
    };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    app.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(await answerTo(0)).toContain('on this computer');
    app.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = async (id: number, name: string): Promise<string> => {
      app.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });
      return await answerTo(id);
    };
    const first = await call(1, 'pid');
    expect(first).not.toContain('isError');
    expect(await call(2, 'crash')).toContain('LOCAL_EXITED');
    const second = await call(3, 'pid');
    expect(second).not.toContain('isError');
    expect(/"text":"(\d+)"/.exec(second)?.[1]).not.toBe(/"text":"(\d+)"/.exec(first)?.[1]);
    expect((await run('local', 'logs', 'Here')).stdout).toContain('about to crash');
    expect((await run('local', 'logs', 'Here', '--json')).last['output']).toContain('about to crash');
    expect((await run('local', 'stop', 'Here', '--json')).last).toMatchObject({ state: 'stopped' });
    expect(await statusIn(run)).toEqual(['stopped', 'stopped']);
    expect((await run('collection', 'work', 'Here')).code).toBe(0);
    const { checks } = (await run('doctor', '--json')).last as { checks: { name: string }[] };
    expect(checks.filter(({ name }) => name === 'local')).toMatchObject([
      { ok: false, nextStep: expect.stringContaining('postern local start Here') },
    ]);
    expect((await run('collection', 'work')).stdout).toMatch(/^Here +stopped\b/mu);
    expect(await call(4, 'pid')).toContain('LOCAL_STOPPED');
    expect((await run('local', 'start', 'Here', '--lifetime', 'shared', '--json')).code).toBe(0);
    expect(await statusIn(run)).toEqual(['ready', 'ready']);
    expect(await call(5, 'pid')).not.toContain('isError');
    // This needs no new consent, and another app uses the same process.
    const pidOf = async (stderr: Promise<string>): Promise<string | undefined> =>
      /"text":"(\d+)"/.exec(await stderr)?.[1];
    const shared = await pidOf(call(6, 'pid'));
    const other = startPipe(pipe, ['--profile-folder', home, 'here']);
    const answerToOther = async (id: number): Promise<string> => {
      for (let message = await other.next(); ; message = await other.next())
        if (message['id'] === id) return JSON.stringify(message);
    };
    other.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await answerToOther(0);
    other.send({ jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 'pid', arguments: {} } });
    expect(await pidOf(answerToOther(6))).toBe(shared);
  });
});

/** A zombie counts as exited. */
const isThere = (pid: number): boolean =>
  /^[^Z]/u.test(spawnSync('/bin/ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());

interface Stubborn {
  /** Whether `act` responds. */
  readonly isAnswering: boolean;
  /** Also when it is tried while it is added, which then takes as long as each end of it. */
  readonly fromTheStart?: boolean;
}

/** A server that ignores the end of its input and SIGTERM once it was added, and so does its child. */
async function stubborn({ isAnswering, fromTheStart = false }: Stubborn) {
  const { home, run } = world();
  const file = path.join(home, 'pids');
  const isDeaf = path.join(home, 'is deaf');
  if (fromTheStart) writeFileSync(isDeaf, '');
  const deaf = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 9e6);
    require('node:fs').appendFileSync(${JSON.stringify(file)}, process.pid + '\\n')`;
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], { stdio: 'inherit' })`;
  const act = isAnswering ? {} : { 'tools/call': '() => null' };
  const pids = (): readonly number[] =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  const livePids = (): readonly number[] => pids().filter(isThere);
  afterTest(() => {
    for (const pid of livePids()) process.kill(pid, 'SIGKILL');
  });
  const added = await run(
    'local',
    'add',
    'Here',
    '--yes',
    '--json',
    '--',
    node,
    ...scriptWords(act, `if (require('node:fs').existsSync(${JSON.stringify(isDeaf)})) { ${deaf};${child} }`),
  );
  expect(added.code).toBe(0);
  writeFileSync(isDeaf, '');
  return { home, run, pids, livePids };
}

describe.skipIf(process.platform === 'win32')('kills a server that ignores the request to exit', () => {
  it('when a command that used it ends (LS-09)', async () => {
    const { run, pids, livePids } = await stubborn({ isAnswering: true, fromTheStart: true });
    expect(pids().length).toBeGreaterThan(0);
    expect(livePids()).toEqual([]);
    const before = pids().length;
    expect((await run('call', 'Here', 'act')).stdout).toContain('done');
    expect(pids().length).toBeGreaterThan(before);
    expect(livePids()).toEqual([]);
  });

  it.each([
    ['SIGTERM', 1],
    ['SIGINT', 2],
  ] as const)('when a command gets %s during a call, %i times (LS-09)', async (signal, times) => {
    const { home, pids, livePids } = await stubborn({ isAnswering: false });
    const before = pids().length;
    const command = startPostern(['call', 'Here', 'act', '--json'], { home });
    await expect.poll(() => pids().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 2);
    for (let time = 0; time < times; time += 1) command.kill(signal);
    await command.ended;
    expect(livePids()).toEqual([]);
  });

  it.each([
    ['SIGTERM', 1],
    ['SIGINT', 2],
  ] as const)('when the gateway gets %s, %i times, during a call by an app (LS-09)', async (signal, times) => {
    const { home, pids, livePids } = await stubborn({ isAnswering: false });
    const service = startPostern(['serve', '--allow-unknown', '--json'], { home });
    const [, socket = ''] = await service.waitFor(/"socket":"([^"]+)"/u);
    const before = pids().length;
    const app = openApp(socket, { server: 'here' });
    await shakeHands(app);
    app.write('{"jsonrpc":"2.0","id":"held","method":"tools/call","params":{"name":"act","arguments":{}}}');
    await expect.poll(() => pids().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 2);
    const startedAt = performance.now();
    for (let time = 0; time < times; time += 1) service.kill(signal);
    await service.ended;
    expect(livePids()).toEqual([]);
    // What a shell, a container or a service manager waits before it kills, which nothing survives cleanly.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('once it is stopped for all apps (LS-09)', async () => {
    const { home, run, pids, livePids } = await stubborn({ isAnswering: true });
    const service = startPostern(['serve', '--allow-unknown', '--json'], { home });
    const [, socket = ''] = await service.waitFor(/"socket":"([^"]+)"/u);
    const app = openApp(socket, { server: 'here' });
    await shakeHands(app);
    await expect.poll(() => livePids().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    expect((await run('local', 'stop', 'Here', '--json')).last).toMatchObject({ state: 'stopped' });
    expect([pids().length > 0, livePids()]).toEqual([true, []]);
  });
});
