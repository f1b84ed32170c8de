import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printedTraceEntrySchema } from '../support/printed-trace-entry.ts';
import type { PrintedTraceEntry } from '../support/printed-trace-entry.ts';

let demo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-demo-'));
beforeAll(async () => {
  demo = await startDemo({ folder });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true });
});

function entriesOf({ lines }: PosternResult): readonly PrintedTraceEntry[] {
  return lines
    .filter((line) => line['event'] === 'request')
    .map(({ event: _event, ...entry }) => printedTraceEntrySchema.parse(entry));
}

describe('--trace', () => {
  it('logs every request of a connection in order, and no secret of it', async () => {
    const home = temporaryFolder();
    const connected = await runInProcess(['connect', demo.url, '--local', '--name', 'Demo', '--trace', '--json'], {
      home,
    });
    expect(connected.code).toBe(0);
    const entries = entriesOf(connected);
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
    const purposes = entries.map(({ purpose }) => purpose);
    expect([...new Set(purposes)]).toEqual([
      'probe',
      'protected-resource-metadata',
      'authorization-server-metadata',
      'registration',
      'authorization',
      'token',
      'mcp',
    ]);
    expect(entries.filter(({ verdict }) => verdict === 'stopped')).toEqual([]);
    const authorization = connected.lines.find((line) => line['event'] === 'authorization');
    const state = new URL(String(authorization?.['url'])).searchParams.get('state') ?? '';
    const token = await runInProcess(['token', 'Demo', '--json'], { home });
    for (const secret of [state, String(token.last['accessToken'])]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(JSON.stringify(entries)).not.toContain(secret);
    }
  });

  it('tells a user where it stopped and what to do, only on standard error', async () => {
    const url = demo.url.replace('/mcp', '/nowhere');
    const found = await runInProcess(['connect', url, '--local', '--trace'], { home: temporaryFolder() });
    expect(found.code).toBe(1);
    expect(found.stdout).toBe('');
    expect(found.stderr).toMatch(/^ {2}1 {3}probe · 404 · \d+ ms$/mu);
    expect(found.stderr).toContain('stopped here (');
  });

  /** Responds to one path with `status`, and an empty body. */
  const failing =
    (place: string, status: number): NonNullable<AuthorizationServerOptions['intercept']> =>
    ({ url }, response) => {
      if (url !== place) return false;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
  const refusingScope: NonNullable<AuthorizationServerOptions['intercept']> = ({ url = '', headers }, response) => {
    const address = new URL(url, `http://${headers.host}`);
    if (address.pathname !== '/authorize') return false;
    const back = new URL(address.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', address.searchParams.get('state') ?? '');
    back.searchParams.set('iss', address.origin);
    back.searchParams.set('error', 'invalid_scope');
    response.writeHead(302, { location: back.href }).end();
    return true;
  };

  it.each([
    ['a registration answered 429', 'registration', failing('/register', 429)],
    ['a registration answered 503', 'registration', failing('/register', 503)],
    ['a callback with an error', 'authorization', refusingScope],
    ['an exchange answered 400', 'token', failing('/token', 400)],
    ['an exchange answered 500', 'token', failing('/token', 500)],
  ] as const)('reports that it stopped at %s, and what to do', async (_name, purpose, intercept) => {
    const { mcp } = await startPair({ intercept });
    const words = ['connect', mcp.url, '--local', '--trace'];
    const [reported, shown] = await Promise.all([
      runInProcess([...words, '--json'], { home: temporaryFolder() }),
      runInProcess(words, { home: temporaryFolder() }),
    ]);
    const { code, nextStep } = reported.last['error'] as { code: string; nextStep: string };
    const entries = entriesOf(reported);
    expect(entries.filter(({ verdict }) => verdict === 'stopped')).toMatchObject([{ purpose, code, nextStep }]);
    expect(entries.at(-1)).toMatchObject({ purpose, milliseconds: expect.any(Number) });
    // Each profile has a callback port of its own.
    const withoutPort = (text: string): string => text.replaceAll(/(127\.0\.0\.1):\d+/gu, '$1');
    expect(withoutPort(shown.stderr)).toContain(`stopped here (${code})\n        ${withoutPort(nextStep)}`);
    expect(shown.stderr).not.toContain('no response');
  });

  it('shows a failed discovery up to where it stopped', async () => {
    const url = `http://127.0.0.1:${await freePort()}/mcp`;
    const found = await runInProcess(['discover', url, '--local', '--trace', '--json'], {
      home: temporaryFolder(),
    });
    const { code } = found.last['error'] as { code: string };
    const entries = entriesOf(found);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ verdict }) => verdict === 'stopped')).toMatchObject([{ code }]);
  });
});
