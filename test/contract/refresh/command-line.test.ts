import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuthorizationServerOptions } from '../../demo/authorization-server-options.ts';
import { startAuthorizationServer } from '../../demo/authorization-server.ts';
import { startMcpServer } from '../../demo/mcp-server.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { requestsTo, startPair } from '../../support/demo-pair.ts';
import { posternCommand, runPostern, startCommand } from '../../support/postern-process.ts';
import type { PosternResult } from '../../support/postern-process.ts';
import { isLong } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const signIn = ['--sign-in', 'browser'] as const;
const typedClient = (secret: string) => ({
  id: 'our-app',
  secret,
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
});

/** A profile, and the app on it. */
function openProfile() {
  const home = temporaryFolder();
  const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
  return {
    home,
    run,
    runAs: (user: string, ...args: string[]) => runInProcess([...args, '--json'], { home, env: { DEMO_USER: user } }),
    connect: (url: string, name: string, ...rest: string[]) => run('connect', url, '--local', '--name', name, ...rest),
    /** The state in the list. */
    state: async (name: string) => {
      const { integrations } = (await run('list')).last as { integrations: { name: string; state: string }[] };
      return integrations.find((integration) => integration.name === name)?.state;
    },
  };
}

const codeOf = ({ code, last }: PosternResult) => ({ exit: code, code: (last['error'] as { code?: string })?.code });
const windowsOf = ({ lines }: PosternResult) => lines.filter(({ event }) => event === 'authorization').length;

describe('many commands at once, after the server rejected the token', () => {
  it('all succeed with one refresh and no window', async () => {
    const rejected = new Set<string>();
    const { as, mcp } = await startPair({}, { reject: (token) => rejected.has(token) });
    const profile = openProfile();
    await profile.connect(mcp.url, 'Notes');
    const sent = () => requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token').length;
    rejected.add(mcp.requests.findLast(({ token, status }) => token !== undefined && status === 200)?.token ?? '');
    const calls = Array.from({ length: isLong ? 20 : 8 }, () =>
      runPostern(['call', 'Notes', 'whoami', '--json'], { home: profile.home }),
    );
    expect((await Promise.all(calls)).filter(({ code }) => code !== 0)).toEqual([]);
    expect(sent()).toBe(1);
    expect(requestsTo(as, '/authorize')).toHaveLength(1);
  });
});

describe('a sign-in that has ended', () => {
  it('is reported with exit 3 and shown in the list; --sign-in signs the same integration in again', async () => {
    const storeFile = path.join(temporaryFolder(), 'store.json');
    const servers = await startRestartable({ storeFile });
    const profile = openProfile();
    const connected = await profile.connect(servers.url, 'Notes');
    // Grants and clients are gone, as after a restore of an old backup.
    await servers.restart(() => rmSync(storeFile));
    const refreshed = await profile.run('refresh', 'Notes');
    expect(codeOf(refreshed)).toEqual({ exit: 3, code: 'SIGN_IN_REQUIRED' });
    expect(await profile.state('Notes')).toBe('reauthenticationRequired');

    const tools = await profile.run('tools', 'Notes', ...signIn);
    expect(tools).toMatchObject({ code: 0, last: { result: 'ok' } });
    expect(windowsOf(tools)).toBe(1);
    // The forgotten registration was not tried again: its page would have led nowhere.
    expect(requestsTo(servers.as(), '/register').map(({ status }) => status)).toEqual([201]);
    expect(await profile.state('Notes')).toBe('integrated');
    const ids = (await profile.run('list')).last['integrations'] as { id: string }[];
    expect(ids.map(({ id }) => id)).toEqual([(connected.last['integration'] as { id: string }).id]);
  });

  it('by revocation at the service opens nothing automatically, however often it is used', async () => {
    const revoked = { now: false };
    const { as, mcp } = await startPair({
      accessTokenSeconds: 1,
      answer: (route, response, request) =>
        revoked.now && route === 'token' && request?.body?.['grant_type'] === 'refresh_token'
          ? { status: 400, body: { error: 'invalid_grant' } }
          : response,
    });
    const profile = openProfile();
    await profile.connect(mcp.url, 'Notes');
    revoked.now = true;
    expect(codeOf(await profile.run('refresh', 'Notes'))).toEqual({ exit: 3, code: 'REFRESH_REVOKED' });
    for (const command of [
      ['tools', 'Notes'],
      ['call', 'Notes', 'whoami'],
      ['token', 'Notes'],
      ['refresh', 'Notes'],
    ]) {
      expect(codeOf(await profile.run(...command))).toEqual({ exit: 3, code: 'SIGN_IN_REQUIRED' });
    }
    expect(requestsTo(as, '/authorize')).toHaveLength(1);
    expect(await profile.state('Notes')).toBe('reauthenticationRequired');
  });
});

describe('a service that is down', () => {
  async function withService(status: number, body?: object) {
    const down = { now: false };
    const rejected = { now: false };
    const { mcp, as } = await startPair(
      {
        intercept: ({ url }, response) => {
          if (!down.now || url !== '/token') return false;
          response.writeHead(status, body && { 'content-type': 'application/json' });
          response.end(body && JSON.stringify(body));
          return true;
        },
      },
      { reject: () => rejected.now },
    );
    const profile = openProfile();
    await profile.connect(mcp.url, 'Notes');
    const show = async (...args: string[]) => (await runInProcess(args, { home: profile.home })).stdout;
    return { as, profile, down, rejected, show };
  }

  it('and responds with 500 to every refresh ends nothing, reports it, and refreshes once it is up again', async () => {
    const { profile, down, as } = await withService(500);
    down.now = true;
    const refused = await profile.run('refresh', 'Notes');
    expect(refused.last['error']).toMatchObject({
      code: 'REFRESH_TRANSIENT',
      message: expect.stringMatching(new RegExp(`^${new URL(as.issuer).host} .*500`, 'u')),
      nextStep: expect.stringMatching(/Try again after .*`postern refresh Notes --sign-in browser`/u),
      retryable: true,
    });
    expect((await profile.run('tools', 'Notes')).code).toBe(0);
    expect(await profile.state('Notes')).toBe('integrated');
    down.now = false;
    expect((await profile.run('refresh', 'Notes')).code).toBe(0);
  });

  it.each<[string, number, object | undefined, string]>([
    ['an empty 400', 400, undefined, 'HTTP 400'],
    ['an empty 403', 403, undefined, 'HTTP 403'],
    ['an error of its own making', 400, { error: 'E_BACKEND_GONE' }, 'HTTP 400'],
    ['an error of its own making under 200', 200, { error: 'E_BACKEND_GONE' }, 'HTTP 200'],
    ['invalid_request', 400, { error: 'invalid_request' }, ', invalid_request'],
    ['invalid_scope', 400, { error: 'invalid_scope' }, ', invalid_scope'],
    ['access_denied', 403, { error: 'access_denied' }, ', access_denied'],
  ])(
    'and rejects with %s, which does not end a sign-in, is left alone for a while, and refreshes later',
    async (_, status, body, said) => {
      const { profile, down, rejected, as } = await withService(status, body);
      [rejected.now, down.now] = [true, true];
      const sent = requestsTo(as, '/token').length;
      const first = await profile.run('tools', 'Notes');
      expect(codeOf(first)).toEqual({ exit: 1, code: 'REFRESH_TRANSIENT' });
      expect(first.last['error']).toMatchObject({
        message: expect.stringContaining(said),
        nextStep: expect.stringMatching(/Try again after .*--sign-in browser`/u),
      });
      expect((first.last['error'] as { message: string }).message).toContain('127.0.0.1');
      for (const command of ['tools', 'token']) {
        expect(codeOf(await profile.run(command, 'Notes'))).toEqual({ exit: 1, code: 'REFRESH_TRANSIENT' });
      }
      // Once more without the scope (RFC 6749 section 6), and once without a resource that may be rejected (RFC 8707).
      const furtherForms = /, invalid_request/u.test(said) ? 2 : /, invalid_scope/u.test(said) ? 1 : 0;
      expect(requestsTo(as, '/token').length).toBeLessThanOrEqual(sent + 1 + furtherForms);
      expect(await profile.state('Notes')).toBe('integrated');
      [rejected.now, down.now] = [false, false];
      expect((await profile.run('refresh', 'Notes')).code).toBe(0);
      expect((await profile.run('tools', 'Notes')).code).toBe(0);
      expect(requestsTo(as, '/authorize')).toHaveLength(1);
    },
  );

  it.each([500, 502, 504])(
    'with %i after the MCP server rejected a token: the sign-in stays, and every command reports the real state',
    async (status) => {
      const { profile, down, rejected, show, as } = await withService(status);
      [rejected.now, down.now] = [true, true];
      const sent = requestsTo(as, '/token').length;
      for (const command of ['tools', 'token', 'tools']) {
        expect(codeOf(await profile.run(command, 'Notes'))).toEqual({ exit: 1, code: 'REFRESH_TRANSIENT' });
      }
      expect(requestsTo(as, '/token').length).toBeLessThanOrEqual(sent + 1);
      expect(await profile.state('Notes')).toBe('integrated');
      expect(await show('list')).toContain('offline');
      expect(await show('show', 'Notes')).toMatch(/offline[^]*still signed in/u);
      expect(codeOf(await profile.run('refresh', 'Notes'))).toEqual({ exit: 1, code: 'REFRESH_TRANSIENT' });
      [rejected.now, down.now] = [false, false];
      expect((await profile.run('refresh', 'Notes')).code).toBe(0);
      expect((await profile.run('tools', 'Notes')).code).toBe(0);
      expect(await show('list')).toContain('ready');
    },
  );

  it('requires no sign-in: the current token is used, and --json reports when to try again', async () => {
    const down = { now: false };
    const { mcp } = await startPair({
      intercept: ({ url }, response) => {
        if (!down.now || url !== '/token') return false;
        response.writeHead(429, { 'retry-after': '120' }).end();
        return true;
      },
    });
    const profile = openProfile();
    await profile.connect(mcp.url, 'Notes');
    down.now = true;
    const before = Date.now();
    const refused = await profile.run('refresh', 'Notes');
    expect(codeOf(refused)).toEqual({ exit: 1, code: 'REFRESH_TRANSIENT' });
    const { retryAt, nextStep } = refused.last['error'] as { retryAt: number; nextStep: string };
    expect(retryAt).toBeGreaterThanOrEqual(before + 120_000);
    expect(nextStep).toMatch(/Try again after \d{1,2}:\d\d:\d\d [AP]M\./u);
    expect((await profile.run('tools', 'Notes')).code).toBe(0);
    expect(await profile.state('Notes')).toBe('integrated');
    down.now = false;
    expect((await profile.run('refresh', 'Notes')).code).toBe(0);
  });
});

describe('an expired access token without a refresh token', () => {
  it('is not called ready by list and show', async () => {
    const { mcp } = await startPair({ issueRefreshTokens: false });
    const profile = openProfile();
    await profile.connect(mcp.url, 'Notes');
    expect(await profile.state('Notes')).toBe('integrated');
    // A day later, according to the list.
    const file = path.join(profile.home, 'config.json');
    const listed = JSON.parse(readFileSync(file, 'utf8')) as { integrations: { expiresAt: number }[] };
    for (const entry of listed.integrations) entry.expiresAt -= 86_400_000;
    writeFileSync(file, JSON.stringify(listed));
    expect(await profile.state('Notes')).toBe('reauthenticationRequired');
    const { stdout } = await runInProcess(['list'], { home: profile.home });
    expect(stdout).toContain('needs sign-in');
    expect((await runInProcess(['show', 'Notes'], { home: profile.home })).stdout).toContain('the token has expired');
  });
});

describe('another authorization server', () => {
  it('gets its own registration and sign-in, and no data of the old one', async () => {
    const first = await startRestartable({});
    const profile = openProfile();
    await profile.connect(first.url, 'Notes');
    const second = await startAuthorizationServer();
    onTestFinished(() => second.close());
    await first.moveTo(second);
    const refused = await profile.run('tools', 'Notes');
    expect(refused.code).toBe(3);
    const tools = await profile.run('tools', 'Notes', ...signIn);
    expect(tools).toMatchObject({ code: 0 });
    expect((await profile.run('show', 'Notes')).last).toMatchObject({ integration: { issuer: second.issuer } });
    expect(requestsTo(second, '/register')).toHaveLength(1);
    const old = requestsTo(first.as(), '/register').length;
    expect(old).toBe(1);
    expect(requestsTo(second, '/token').every(({ body }) => body?.['grant_type'] === 'authorization_code')).toBe(true);
  });
});

describe('a client secret that was changed at the service', () => {
  it('is asked for with the client ID filled in, before any page opens', async () => {
    const options = { registration: 'off' } as const;
    const servers = await startRestartable({ ...options, typedClients: [typedClient('old secret')] });
    const profile = openProfile();
    const connected = await runInProcess(
      [
        'connect',
        servers.url,
        '--local',
        '--name',
        'Notes',
        '--client-id',
        'our-app',
        '--client-secret-stdin',
        '--json',
      ],
      { home: profile.home, stdin: 'old secret\n' },
    );
    expect(connected.code).toBe(0);
    await servers.restart(() => {}, { ...options, typedClients: [typedClient('new secret')] });
    expect(codeOf(await profile.run('refresh', 'Notes'))).toEqual({ exit: 3, code: 'CLIENT_REJECTED' });
    expect(await profile.state('Notes')).toBe('reauthenticationRequired');

    const terminal = startCommand(onTerminal(...posternCommand('tools', 'Notes', ...signIn)), { home: profile.home });
    await terminal.waitFor(/CLIENT_REJECTED[\s\S]*\(Enter [^)]*our-app\): /u);
    expect(requestsTo(servers.as(), '/authorize')).toHaveLength(0);
    terminal.type('\r');
    await terminal.waitFor(/secret \(Enter keeps [^)]*\): /u);
    terminal.type('new secret\r');
    const { code, stdout } = await terminal.ended;
    expect({ code, shown: stdout.includes('new secret') }).toEqual({ code: 0, shown: false });
    expect((await profile.run('refresh', 'Notes')).code).toBe(0);
    expect(await profile.state('Notes')).toBe('integrated');
  });

  it('ends with the error without a terminal', async () => {
    const options = { registration: 'off' } as const;
    const servers = await startRestartable({ ...options, typedClients: [typedClient('old secret')] });
    const profile = openProfile();
    await runInProcess(
      ['connect', servers.url, '--local', '--name', 'Notes', '--client-id', 'our-app', '--client-secret-stdin'],
      { home: profile.home, stdin: 'old secret\n' },
    );
    await servers.restart(() => {}, { ...options, typedClients: [typedClient('new secret')] });
    await profile.run('refresh', 'Notes');
    const refused = await profile.run('tools', 'Notes', ...signIn);
    expect(codeOf(refused)).toEqual({ exit: 3, code: 'CLIENT_REJECTED' });
    expect(requestsTo(servers.as(), '/authorize')).toHaveLength(0);
    const { nextStep } = refused.last['error'] as { nextStep: string };
    expect(nextStep).toContain(
      `postern connect ${servers.url} --name Notes --local --client-id ID --client-secret-stdin`,
    );
    const advised = ['--local', '--name', 'Notes', '--client-id', 'our-app', '--client-secret-stdin', '--json'];
    const home = { home: profile.home, stdin: 'new secret\n' };
    expect(await runInProcess(['connect', servers.url, ...advised], home)).toMatchObject({ code: 0 });
  });
});

describe('two accounts at one server', () => {
  it('coexist, each with its own tokens', async () => {
    const { mcp } = await startPair();
    const profile = openProfile();
    await profile.runAs('ada', 'connect', mcp.url, '--local', '--name', 'Ada');
    await profile.runAs('grace', 'connect', mcp.url, '--local', '--name', 'Grace');
    const whoIs = async (name: string) => JSON.stringify((await profile.run('call', name, 'whoami')).last['content']);
    expect(await whoIs('Ada')).toMatch(/ada/iu);
    expect(await whoIs('Grace')).toMatch(/grace/iu);
    expect((await profile.run('refresh', 'Ada')).code).toBe(0);
    expect((await profile.run('sign-out', 'Grace')).code).toBe(0);
    expect(await whoIs('Ada')).toMatch(/ada/iu);
    expect(codeOf(await profile.run('tools', 'Grace'))).toEqual({ exit: 3, code: 'SIGN_IN_REQUIRED' });
  });

  it('are distinguished if the user signs in as another one and the token response names it', async () => {
    const { mcp, as } = await startPair({
      answer: (route, { status, body }, request) =>
        route === 'token' && status === 200
          ? { status, body: { ...(body as object), sub: request?.body?.['code'] ? who.now : undefined } }
          : { status, body },
    });
    const who = { now: 'ada' };
    const profile = openProfile();
    await profile.runAs('ada', 'connect', mcp.url, '--local', '--name', 'Notes');
    expect((await profile.run('show', 'Notes')).last).toMatchObject({ integration: { account: 'ada' } });
    await profile.run('sign-out', 'Notes');
    who.now = 'grace';
    const again = await profile.runAs('grace', 'tools', 'Notes', ...signIn);
    expect(again.lines).toContainEqual({ event: 'note', note: 'another-account' });
    expect((await profile.run('show', 'Notes')).last).toMatchObject({ integration: { account: 'grace' } });
    expect(requestsTo(as, '/authorize')).toHaveLength(2);
  });
});

/** A pair whose authorization server can be restarted on its port with part of its store. */
async function startRestartable(options: AuthorizationServerOptions) {
  let as = await startAuthorizationServer(options);
  const mcpOptions = { openMethods: [] };
  let mcp = await startMcpServer({ ...mcpOptions, authorizationServer: as });
  onTestFinished(async () => {
    await mcp.close();
    await as.close();
  });
  const { url, port } = mcp;
  return {
    url,
    as: () => as,
    async restart(between: () => void, changed: AuthorizationServerOptions = options) {
      await as.close();
      await mcp.close();
      between();
      as = await startAuthorizationServer({ ...changed, port: as.port });
      mcp = await startMcpServer({ ...mcpOptions, port, authorizationServer: as });
    },
    /** The server names another authorization server from now on, and accepts only its tokens. */
    async moveTo(other: Awaited<ReturnType<typeof startAuthorizationServer>>) {
      await mcp.close();
      mcp = await startMcpServer({ ...mcpOptions, port, authorizationServer: other });
    },
  };
}

/** util-linux's script gives a command its own terminal; its output comes back on standard output. */
function onTerminal(...command: string[]): string[] {
  const line = command.map((word) => `'${word}'`).join(' ');
  return ['script', '--quiet', '--flush', '--return', '--command', line, '/dev/null'];
}
