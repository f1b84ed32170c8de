import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { DemoMcpServer, McpServerOptions } from '../demo/mcp-server-options.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Servers with a fixed header instead of a sign-in, through the built command line. */

const key = 'canary-key-7d2e5f1a9b';
let server: DemoMcpServer;
afterEach(() => server.close());

/** The command that sets a server's key, with each option once. */
const giveIt = (options = '--name Keyed --local'): string =>
  `\`postern connect ${server.url} ${options} --header X-API-Key --header-value-stdin\``;

const isProtected = ({ url }: IncomingMessage): boolean => url === '/mcp';

/** `accepts` may change while the server runs, like a revoked key. */
async function start(
  accepts: { key: string | undefined },
  refusal = 401,
  first: NonNullable<McpServerOptions['intercept']> = () => false,
): Promise<ReturnType<typeof openProfile>> {
  const intercept: McpServerOptions['intercept'] = async (request, response) => {
    if (await first(request, response)) return true;
    if (!isProtected(request) || request.headers['x-api-key'] === accepts.key) return false;
    response.writeHead(refusal).end();
    return true;
  };
  server = await startMcpServer({ intercept });
  return openProfile();
}

function openProfile() {
  const home = temporaryFolder();
  const run = (stdin: string, ...args: string[]): Promise<PosternResult> =>
    runInProcess([...args, '--json'], { home, stdin });
  const connect = (value: string, ...more: string[]) =>
    run(
      `${value}\n`,
      'connect',
      server.url,
      '--local',
      '--name',
      'Keyed',
      '--header',
      'X-API-Key',
      '--header-value-stdin',
      ...more,
    );
  return { home, run, connect, show: (...args: string[]) => runInProcess(args, { home }) };
}

function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('a server with an API key', () => {
  it('is connected, used, shown, signed out and removed without ever showing the key', async () => {
    const { home, run, connect, show } = await start({ key });
    const connected = await connect(key, '--trace');
    expect(connected).toMatchObject({
      code: 0,
      last: {
        result: 'ok',
        integration: { name: 'Keyed', method: 'NoAuth', header: 'X-API-Key', state: 'integrated' },
      },
    });
    expect(connected.last['tools']).toContain('whoami');
    const called = await run('', 'call', 'Keyed', 'word_count', '{"text":"one two"}');
    expect(called).toMatchObject({ code: 0, last: { result: 'ok', isError: false } });

    const [listed, shown] = [await show('list'), await show('show', 'Keyed')];
    expect(listed.stdout).toMatch(/^Keyed +ready\b/mu);
    expect(shown.stdout).toContain('API key header X-API-Key');
    expect([connected, called, listed, shown].map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain(key);
    expect(everythingIn(home)).not.toContain(key);

    expect((await run('', 'sign-out', 'Keyed')).last).toMatchObject({
      result: 'ok',
      integration: { state: 'signedOut' },
    });
    const before = server.requests.length;
    for (const command of ['tools', 'refresh', 'token']) {
      expect(await run('', command, 'Keyed')).toMatchObject({
        code: 3,
        last: {
          error: {
            code: 'API_KEY_MISSING',
            message: expect.stringContaining(new URL(server.url).host),
            nextStep: expect.stringContaining(giveIt()),
          },
        },
      });
    }
    expect(server.requests.length).toBe(before);
    expect(JSON.parse(readFileSync(path.join(home, 'vault'), 'utf8'))).toMatchObject({ records: [] });

    // As the next step says: the same name and address accept the key again.
    expect((await connect(key)).code).toBe(0);
    expect(await run('', 'tools', 'Keyed')).toMatchObject({ code: 0 });
    expect(((await run('', 'list')).last['integrations'] as object[]).length).toBe(1);

    expect(await run('', 'remove', 'Keyed')).toMatchObject({ code: 0 });
    expect((await run('', 'list')).last).toEqual({ result: 'ok', integrations: [], vault: 'keychain' });
  });

  it('deletes the key together with the entry', async () => {
    const { home, run, connect } = await start({ key });
    await connect(key);
    expect(await run('', 'remove', 'Keyed')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(path.join(home, 'vault'), 'utf8'))).toMatchObject({ records: [] });
  });

  it.each([401, 403])('stores nothing when the key is refused with %i', async (status) => {
    const { home, run, connect } = await start({ key: 'another' }, status);
    expect(await connect(key)).toMatchObject({
      code: 1,
      last: {
        result: 'error',
        error: {
          code: 'API_KEY_REFUSED',
          stage: 'connection',
          nextStep: expect.stringContaining(giveIt('--local --name Keyed')),
        },
      },
    });
    expect((await run('', 'list')).last).toEqual({ result: 'ok', integrations: [], vault: 'keychain' });
    expect(everythingIn(home)).not.toContain(key);
  });

  it('asks for the key again, with exit code 3, once the server refuses it', async () => {
    const accepts: { key: string | undefined } = { key };
    const { run, connect } = await start(accepts);
    await connect(key);
    accepts.key = 'another';
    for (const command of [
      ['tools', 'Keyed'],
      ['call', 'Keyed', 'whoami'],
      ['tools', 'Keyed', '--sign-in', 'print'],
    ]) {
      const { code, last } = await run('', ...command);
      expect({ code, error: last['error'] }).toMatchObject({
        code: 3,
        error: {
          code: 'API_KEY_REFUSED',
          message: expect.stringContaining(new URL(server.url).host),
          nextStep: expect.stringContaining(giveIt()),
        },
      });
    }
    for (const command of ['token', 'refresh']) {
      expect(await run('', command, 'Keyed')).toMatchObject({ code: 1, last: { error: { code: 'API_KEY_INSTEAD' } } });
    }
  });

  it('sends the key only in its header, and only to its server', async () => {
    const { connect } = await start({ key });
    await connect(key);
    const withKey = server.requests.filter(({ headers }) => JSON.stringify(headers).includes(key));
    expect(withKey.length).toBeGreaterThan(0);
    for (const { path: where, headers, query } of server.requests) {
      expect([where, headers['x-api-key'], headers.authorization, query.size]).toEqual(['/mcp', key, undefined, 0]);
    }
  });

  describe('that redirects', () => {
    it('does not get the key sent to another server, over a pooled connection or a new one', async () => {
      const other = await startMcpServer();
      onTestFinished(() => other.close());
      let redirects = false;
      const { run, connect } = await start({ key }, 401, (request, response) => {
        if (!redirects || !isProtected(request)) return false;
        response.writeHead(307, { location: `${other.origin}/mcp` }).end();
        return true;
      });
      await connect(key);
      redirects = true;
      const before = server.requests.length;
      for (const command of [
        ['tools', 'Keyed'],
        ['call', 'Keyed', 'whoami'],
      ]) {
        expect(await run('', ...command)).toMatchObject({ code: 1, last: { result: 'error' } });
      }
      expect(server.requests.length).toBeGreaterThan(before);
      const again = await connect(key, '--name', 'Keyed again');
      expect(again.code).not.toBe(0);
      expect(other.requests.filter(({ headers }) => JSON.stringify(headers).includes(key))).toEqual([]);
    });

    it('gets the key within its origin, where the server itself redirects the request', async () => {
      let redirects = false;
      const { run, connect } = await start({ key }, 401, (request, response) => {
        if (!redirects || !isProtected(request)) return false;
        response.writeHead(308, { location: `${server.origin}/moved` }).end();
        return true;
      });
      await connect(key);
      redirects = true;
      await run('', 'tools', 'Keyed');
      const moved = server.requests.filter((request) => request.path === '/moved');
      expect(moved.length).toBeGreaterThan(0);
      for (const { headers } of moved) expect(headers['x-api-key']).toBe(key);
    });
  });

  it.each([
    [['--header', 'Cookie', '--header-value-stdin'], key],
    [['--header', 'Content-Type', '--header-value-stdin'], key],
    [['--header', 'X Key', '--header-value-stdin'], key],
    [['--header', 'X-API-Key'], key],
    [['--header-value-stdin'], key],
    [['--header', 'X-API-Key', '--header-value-stdin', '--client-id', 'app'], key],
    [['--header', 'X-API-Key', '--header-value-stdin'], ''],
    [['--header', 'X-API-Key', '--header-value-stdin'], 'schlüssel'],
  ])('does not accept %j', async (options, value) => {
    const { run } = await start({ key });
    expect(await run(`${value}\n`, 'connect', server.url, '--local', ...options)).toMatchObject({
      code: 2,
      last: { error: { code: 'USAGE' } },
    });
    expect(server.requests).toEqual([]);
  });
});
