import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastingTokens } from '../../main/engine/refresh/access-token.ts';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { runPostern, startPostern } from '../support/postern-process.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Access tokens that leave Postern: `token` and `exec`. */

const { signal } = new AbortController();
const minutes = 60_000;

describe('a token that must stay valid', () => {
  it('is refreshed once for twenty concurrent requests, and not for those that need no more', async () => {
    const { as, mcp } = await startPair();
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock });
    const { integration } = await engine.connect(mcp.url);
    const refreshes = () =>
      requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token').length;
    const [first] = [await lastingTokens(engine.ports, integration, 1 * minutes, signal)];
    const life = (first.expiresAt ?? 0) - clock.now();
    expect(life).toBeGreaterThan(10 * minutes);
    // It is new, and the service issues none that last longer: refreshing would return the same.
    await lastingTokens(engine.ports, integration, life * 2, signal);
    expect(refreshes()).toBe(0);
    clock.advance(life / 3);
    await lastingTokens(engine.ports, integration, life / 2, signal);
    expect(refreshes()).toBe(0);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => lastingTokens(engine.ports, integration, life * 0.8, signal)),
    );
    expect(refreshes()).toBe(1);
    expect(new Set(all.map(({ accessToken }) => accessToken.reveal())).size).toBe(1);
    expect(all[0]?.accessToken.reveal()).not.toBe(first.accessToken.reveal());
  });
});

describe('postern exec', () => {
  let demo: Demo;
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-exec-test-'));

  beforeAll(async () => {
    demo = await startDemo({ folder, mode: 'registration' });
  });

  afterAll(async () => {
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  async function connectDemo() {
    const [home, temporary] = [temporaryFolder(), temporaryFolder()];
    const run = (...args: string[]): Promise<PosternResult> => runPostern(args, { home, env: { TMPDIR: temporary } });
    const { code } = await runInProcess(['connect', demo.url, '--local', '--name', 'Demo', '--json'], { home });
    expect(code).toBe(0);
    return { home, run, temporary, token: (await runInProcess(['token', 'Demo'], { home })).stdout.trim() };
  }

  /** The output of a command that runs with it. */
  const node = (source: string, ...words: string[]) => [process.execPath, '-e', source, '--', ...words];

  it('puts the token only into the environment of the command, and exits as that does', async () => {
    const { run, token } = await connectDemo();
    const result = await run(
      ...['exec', 'Demo', '--'],
      ...node(
        'console.log([process.env.POSTERN_TOKEN, process.argv.length, process.argv.at(-1)].join()); process.exitCode = 7',
        '--json',
      ),
    );
    expect(result).toMatchObject({ code: 7, stdout: `${token},2,--json\n` });
    expect(result.stderr).not.toContain(token);
  });

  it('keeps it out of the environment with --header-file, in a file of this user that is deleted with the command', async () => {
    const { run, temporary, token } = await connectDemo();
    const result = await run(
      ...['exec', 'Demo', '--header-file', '--env', 'HEADERS', '--'],
      ...node(`const fs = require('fs'), file = process.env.HEADERS;
        console.log([file, fs.statSync(file).mode & 0o777, fs.statSync(require('path').dirname(file)).mode & 0o777].join());
        console.log(fs.readFileSync(file, 'utf8').trim());
        console.log(Object.values(process.env).some((value) => value.includes(${JSON.stringify(token)})))`),
    );
    const [facts = '', header, isInEnvironment] = result.stdout.split('\n');
    const [file = '', mode, folderMode] = facts.split(',');
    expect({ code: result.code, mode, folderMode, header, isInEnvironment }).toEqual({
      code: 0,
      mode: String(0o600),
      folderMode: String(0o700),
      header: `Authorization: Bearer ${token}`,
      isInEnvironment: 'false',
    });
    expect(path.dirname(path.dirname(file))).toBe(temporary);
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('passes each signal to the command, and never outlives it', async () => {
    const { home } = await connectDemo();
    const source = `let count = 0;
      for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => {
        console.log(name, ++count);
        if (count === 3) process.exit(9);
      });
      setInterval(() => {}, 1_000);
      console.log('up');`;
    const command = startPostern(['exec', 'Demo', '--', ...node(source)], { home });
    await command.waitFor(/up/u);
    const [first, second, third] = ['SIGTERM', 'SIGTERM', 'SIGHUP'] as const;
    command.kill(first);
    await command.waitFor(/SIGTERM 1/u);
    command.kill(second);
    await command.waitFor(/SIGTERM 2/u);
    command.kill(third);
    expect(await command.ended).toMatchObject({ code: 9, stdout: expect.stringContaining('SIGHUP 3') });
  });

  it('exits 127 for a command that is not there, 126 for one that cannot be run (POSIX env)', async () => {
    const { home, run } = await connectDemo();
    const text = path.join(temporaryFolder(), 'notes.txt');
    writeFileSync(text, 'no program', { mode: 0o644 });
    const loop = path.join(temporaryFolder(), 'loop');
    symlinkSync(loop, loop);
    const missingFile = path.join(temporaryFolder(), 'lost');
    writeFileSync(missingFile, '#!/nowhere/interpreter\n', { mode: 0o755 });
    for (const [command, code] of [
      ['no-such-command-here', 127],
      ['', 127],
      [path.join(home, 'nothing'), 127],
      [missingFile, 126],
      [text, 126],
      [home, 126],
      [path.join(text, 'inside'), 126],
      [loop, 126],
      ['x'.repeat(5_000), 126],
    ] as const) {
      expect(await run('exec', 'Demo', '--', command), command).toMatchObject({ code, stdout: '' });
      const result = await runInProcess(['exec', 'Demo', '--json', '--', command], { home });
      expect(result).toMatchObject({ code, last: { result: 'error', error: { code: 'LOCAL_NOT_FOUND' } } });
      if (command === missingFile || command.length > 1_000) continue;
      const local = await runInProcess(['local', 'add', 'Here', '--yes', '--', command], { home });
      expect(local.code, `local ${command}`).toBe(code);
    }
  });

  it.each(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGPIPE'] as const)(
    'exits with 128 plus the number of %s if that ends the command',
    async (name) => {
      const { home } = await connectDemo();
      const code = 128 + constants.signals[name];
      for (const options of [[], ['--header-file'], ['--json']]) {
        const script = `kill -${name.slice(3)} $$`;
        const ended = await runPostern(['exec', 'Demo', ...options, '--', 'sh', '-c', script], { home });
        expect(ended).toMatchObject({ code, ...(options.includes('--json') && { last: { exitCode: code } }) });
      }
    },
  );

  it('reports with --json how the command ended, after its output', async () => {
    const { home, run } = await connectDemo();
    const ended = await run('exec', 'Demo', '--json', '--', ...node('console.log("its own"); process.exitCode = 7'));
    expect(ended).toMatchObject({ code: 7, stdout: 'its own\n{"result":"ok","exitCode":7}\n' });
    await runInProcess(['sign-out', 'Demo'], { home });
    const refused = await runPostern(['exec', 'Demo', '--json', '--', ...node('')], { home });
    expect(refused).toMatchObject({ code: 3, last: { error: { code: 'SIGN_IN_REQUIRED' } } });
  });

  it('starts nothing without a sign-in', async () => {
    const { home, run } = await connectDemo();
    expect((await run('exec', 'Demo', '--env', 'a b', '--', 'true')).code).toBe(2);
    await runInProcess(['sign-out', 'Demo'], { home });
    expect(await run('exec', 'Demo', '--', ...node('console.log("started")'))).toMatchObject({ code: 3, stdout: '' });
  });
});
