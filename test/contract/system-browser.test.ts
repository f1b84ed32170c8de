import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserAddress } from '../../main/address/check-address.ts';
import { openSystemBrowser } from '../../main/net/system-browser.ts';
import { startPair } from '../support/demo-pair.ts';
import { startPostern } from '../support/postern-process.ts';

let folder: string;
/** A browser that records its arguments, then stays. */
let browser: string;
let report: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-browser-'));
  report = join(folder, 'report.json');
  browser = join(folder, 'browser.mjs');
  writeFileSync(
    browser,
    `import { renameSync, writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(`${report}.part`)}, JSON.stringify({ pid: process.pid, argv: process.argv.slice(2), env: process.env }));
     renameSync(${JSON.stringify(`${report}.part`)}, ${JSON.stringify(report)});
     setTimeout(() => {}, 600_000);`,
  );
});
afterEach(() => {
  if (existsSync(report)) process.kill(called().pid);
  rmSync(folder, { recursive: true });
});

const called = (): { pid: number; argv: string[]; env: Record<string, string> } =>
  JSON.parse(readFileSync(report, 'utf8'));

const openWith = (env: Record<string, string>, url: string): Promise<void> =>
  openSystemBrowser(browserAddress(url), { env: { PATH: process.env['PATH'], ...env }, platform: 'linux', spawn });

describe('openSystemBrowser', () => {
  it('starts $BROWSER with the URL as one literal argument, and does not wait for its exit (MD-14)', async () => {
    const url = 'https://auth.example.com/authorize?x=$(touch+pwned)`id`&y="\'|;--z';
    await openWith({ BROWSER: `${process.execPath} ${browser} --flag` }, url);
    await vi.waitUntil(() => existsSync(report), { timeout: 120_000 });
    expect(called().argv).toEqual(['--flag', 'https://auth.example.com/authorize?x=$(touch+pwned)`id`&y=%22%27|;--z']);
  });

  it('gives the browser no secret from the environment', async () => {
    const env = {
      HOME: folder,
      XDG_ACTIVATION_TOKEN: 'x',
      API_TOKEN: 'canary',
      MY_SECRET: 'canary',
      DB_PASSWORD: 'canary',
      MCP_CONFORMANCE_CONTEXT: 'canary',
    };
    await openWith({ ...env, BROWSER: `${process.execPath} ${browser}` }, 'https://auth.example.com/');
    await vi.waitUntil(() => existsSync(report), { timeout: 120_000 });
    expect(called().env).toMatchObject({ HOME: folder, XDG_ACTIVATION_TOKEN: 'x' });
    expect(JSON.stringify(called().env)).not.toContain('canary');
  });

  it('reports a missing executable', async () => {
    for (const command of [join(folder, 'missing'), 'no-such-browser-anywhere --x', folder]) {
      await expect(openWith({ BROWSER: command }, 'https://auth.example.com/')).rejects.toMatchObject({
        code: 'BROWSER_OPEN_FAILED',
        stage: 'authorization',
      });
    }
    await expect(
      openWith({ PATH: folder, BROWSER: 'none:neither' }, 'https://auth.example.com/'),
    ).rejects.toMatchObject({ code: 'BROWSER_OPEN_FAILED' });
  });

  it('gives the browser no PATH that leads to the current folder', async () => {
    const env = { PATH: `.::${folder}:bin`, BROWSER: `${process.execPath} ${browser}` };
    await openWith(env, 'https://auth.example.com/');
    await vi.waitUntil(() => existsSync(report), { timeout: 120_000 });
    expect(called().env['PATH']).toBe(folder);
  });

  it('opens http on this computer, for a local server', async () => {
    await openWith({ BROWSER: `${process.execPath} ${browser}` }, 'http://localhost:9000/authorize');
    await vi.waitUntil(() => existsSync(report), { timeout: 120_000 });
    expect(called().argv).toEqual(['http://localhost:9000/authorize']);
  });
});

describe.skipIf(process.platform === 'win32')('$BROWSER with several commands', () => {
  const app = (name: string, script: string, mode = 0o755): string => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode });
    return file;
  };

  it.each([
    ['is not there', () => join(folder, 'missing')],
    ['may not be run', () => app('closed', 'true', 0o644)],
    ['is not a program', () => folder],
    ['exits with 3', () => app('failing', 'exit 3')],
    ['dies by a signal', () => app('killed', 'kill -9 $$')],
  ])('tries the next one if one %s', async (_, first) => {
    await openWith({ BROWSER: `${first()}:${process.execPath} ${browser} %s` }, 'https://auth.example.com/');
    await vi.waitUntil(() => existsSync(report), { timeout: 120_000 });
    expect(called().argv).toEqual(['https://auth.example.com/']);
  });

  it('starts no other after one that works or hangs, and waits for neither', async () => {
    const second = app('second', `echo > ${join(folder, 'second-ran')}`);
    const options = { platform: 'linux', spawn } as const;
    const opened: (number | null)[] = [];
    const watching = ((...args: Parameters<typeof spawn>) => {
      const child = spawn(...args);
      child.once('exit', (code) => opened.push(code));
      return child;
    }) as typeof spawn;
    const env = { PATH: process.env['PATH'], BROWSER: `${app('first', 'exit 0')}:${second}` };
    await openSystemBrowser(browserAddress('https://auth.example.com/'), { ...options, env, spawn: watching });
    await vi.waitUntil(() => opened.length === 1, { timeout: 120_000 });
    await openWith({ BROWSER: `${process.execPath} ${browser}:${second}` }, 'https://auth.example.com/');
    await vi.waitUntil(() => existsSync(report), { timeout: 120_000 });
    expect(opened).toEqual([0]);
    expect(existsSync(join(folder, 'second-ran'))).toBe(false);
  });

  it('reports it once if the last one has failed as well', async () => {
    const onFailed = vi.fn();
    const env = { PATH: process.env['PATH'], BROWSER: `${app('a', 'exit 1')}:${app('b', 'exit 1')}:missing` };
    const options = { env, platform: 'linux', spawn, onFailed } as const;
    await openSystemBrowser(browserAddress('https://auth.example.com/'), options);
    await vi.waitUntil(() => onFailed.mock.calls.length > 0, { timeout: 120_000 });
    expect(onFailed).toHaveBeenCalledTimes(1);
  });
});

describe.skipIf(process.platform === 'win32')('a sign-in whose $BROWSER fails', () => {
  it.each([
    ['is not there', undefined],
    ['exits with 3', 'exit 3'],
    ['dies by a signal', 'kill -9 $$'],
    ['fails after a while', 'sleep 1; exit 1'],
  ])('shows the link if it %s', async (_, script) => {
    const { mcp } = await startPair();
    const failing = join(folder, 'failing');
    if (script !== undefined) writeFileSync(failing, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const words = ['connect', mcp.url, '--local', '--sign-in', 'browser', '--memory'];
    const options = { home: folder, env: { BROWSER: failing } };
    const shown = startPostern(words, options);
    expect((await shown.waitFor(/Postern could not open a browser[^]*?(http:\S+)/u))[1]).toContain('/authorize');
    const started = startPostern([...words, '--json'], options);
    await started.waitFor(/"note":"browser-open-failed"/u);
    shown.kill('SIGTERM');
    started.kill('SIGTERM');
    await Promise.all([shown.ended, started.ended]);
  });
});
