import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAuthorizationServer } from '../demo/authorization-server.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { startCapabilitiesServer } from '../support/capabilities-server.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand, startPostern } from '../support/postern-process.ts';
import { startSdkServer } from '../support/sdk-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Follows the advice that Postern prints. */

let demo: Demo;
let typedDemo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-advice-'));

beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
  typedDemo = await startDemo({ folder, mode: 'typed' });
});

afterAll(async () => {
  await demo.close();
  await typedDemo.close();
  rmSync(folder, { recursive: true });
});

/** The command lines that a text quotes, as words after `postern`. */
function quoted(text: string): string[][] {
  return [...text.matchAll(/`postern ([^`]+)`/gu)].map((found) => (found[1] ?? '').split(' '));
}

describe('an abandoned sign-in page', () => {
  it.each([
    ['registered itself', () => demo, [], false],
    ['is an OAuth app of the user', () => typedDemo, ['--client-id', 'notes-app'], true],
  ] as const)(
    'shows the callback URL, and blames the OAuth app if there is one: Postern %s',
    async (_, at, words, isOwn) => {
      const waiting = ['--local', '--sign-in', 'print', '--timeout', '1', '--memory'];
      const { stderr } = await runInProcess(['connect', at().url, ...words, ...waiting], { home: temporaryFolder() });
      expect(stderr).toMatch(/rejects the redirect or callback URL[^]*\n {2}http:\/\/127\.0\.0\.1:\d+\/\S+\n/u);
      expect(stderr).toMatch(/timed out|longer than/u);
      expect(/your OAuth app/u.test(stderr)).toBe(isOwn);
    },
  );
});

describe('a sign-in that is required', () => {
  it.each(['token', 'refresh', 'tools'])('by %s suggests a command that performs it', async (command) => {
    const home = temporaryFolder();
    await runInProcess(['connect', demo.url, '--local', '--name', 'Demo'], { home });
    await runInProcess(['sign-out', 'Demo'], { home });
    const refused = await runInProcess([command, 'Demo'], { home });
    expect(refused.code).toBe(3);
    const [words = []] = quoted(refused.stderr);
    expect((await runInProcess(words, { home })).code).toBe(0);
    expect((await runInProcess([command, 'Demo'], { home })).code).toBe(0);
  });

  it.each(['sign-out', 'remove'])('is not required after the command that %s suggests as a fix', async (command) => {
    const home = temporaryFolder();
    await runInProcess(['connect', demo.url, '--local', '--name', 'Demo'], { home });
    const { stdout } = await runInProcess([command, 'Demo'], { home });
    const [words = []] = quoted(stdout);
    expect((await runInProcess(words, { home })).code).toBe(0);
    expect((await runInProcess(['tools', 'Demo'], { home })).code).toBe(0);
  });

  it('names permissions that the service does not grant, and who can help', async () => {
    const granted = new Set(['notes:read', 'notes:write']);
    const { mcp } = await startPair({ grantScopes: (scopes) => scopes.filter((scope) => granted.has(scope)) });
    const home = temporaryFolder();
    await runInProcess(['connect', mcp.url, '--local', '--name', 'My notes'], { home });
    const call = ['call', 'My notes', 'delete_notes'];
    const first = await runInProcess(call, { home });
    expect(first.stderr).toMatch(/“notes:admin”.*\n.*\n.*grant/iu);
    const refused = await runInProcess([...call, '--sign-in', 'browser'], { home });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/not grant.*“notes:admin”/u);
    expect(refused.stderr).toMatch(/administrator.*another account.*`postern sign-out "My notes"`/u);
    const { last } = await runInProcess([...call, '--json'], { home });
    expect(last['error']).toMatchObject({ missingScopes: ['notes:admin'], scopeAnswer: 'refused' });

    granted.add('notes:admin');
    expect((await runInProcess([...call, '--sign-in', 'browser'], { home })).code).toBe(0);
  });

  it('reports that a token cannot be refreshed, and how long it lasts', async () => {
    const { mcp } = await startPair({
      issueRefreshTokens: false,
      answer: (route, response) => {
        if (route !== 'token') return response;
        const { scope: _scope, expires_in: _lifetime, ...body } = response.body as Record<string, unknown>;
        return { ...response, body };
      },
    });
    const home = temporaryFolder();
    await runInProcess(['connect', mcp.url, '--local', '--name', 'Demo'], { home });
    const { stdout } = await runInProcess(['show', 'Demo'], { home });
    expect(stdout).toMatch(/^Scopes granted +notes:read notes:write.* \(as requested\)$/mu);
    expect(stdout).toMatch(/^Token expires +unknown/mu);
    expect(stdout).toMatch(/^Refresh +not possible\b.*refresh token/mu);
    const refused = await runInProcess(['refresh', 'Demo'], { home });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('refresh token');
    expect((await runInProcess(['tools', 'Demo'], { home })).code).toBe(0);
  });

  it('after connect is a warning that names tools', async () => {
    const as = await startAuthorizationServer();
    onTestFinished(() => as.close());
    const mcp = await startMcpServer({ authorizationServer: as, reject: () => true });
    onTestFinished(() => mcp.close());
    const connected = await runInProcess(['connect', mcp.url, '--local', '--name', 'My notes'], {
      home: temporaryFolder(),
    });
    expect(connected.code).toBe(0);
    expect(connected.stderr).toContain('Warning:');
    expect(connected.stderr).toContain('`postern tools "My notes" --sign-in browser`');
    expect(connected.stderr).not.toContain('repeat the command');
  });
});

describe('an OAuth app to be created at the service', () => {
  it('is passed by the command that the error suggests, with every option that reached the server', async () => {
    let registers = false;
    const server = await startSdkServer({
      challenge: 'none',
      before: (request, response, next) => {
        const isHidden = request.path.startsWith('/.well-known/') || (request.path === '/register' && !registers);
        if (isHidden) response.status(404).json({});
        else next();
      },
    });
    const home = temporaryFolder();
    const reached = [server.url, '--local', '--legacy-endpoints', '--name', 'Old notes'];
    const { stderr } = await runInProcess(['connect', ...reached], { home });
    expect(stderr).toContain('DCR_UNSUPPORTED in registration, because of DCR_REJECTED');
    const lines = [...stderr.matchAll(/`(postern connect [^`]+)`/gu)].map(([, line]) => line);
    const advised = `postern connect ${server.url} --local --legacy-endpoints --name "Old notes" --client-id ID`;
    expect(lines).toEqual([advised]);

    registers = true;
    const [redirectUri = ''] = /http:\/\/127\.0\.0\.1:\d+\/\S+/u.exec(stderr.slice(stderr.indexOf('Next:'))) ?? [];
    const created = await fetch(`${server.origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    });
    const { client_id: id } = (await created.json()) as { client_id: string };
    registers = false;
    const postern = posternCommand()
      .map((word) => `'${word}'`)
      .join(' ');
    const line = advised.replace('postern', postern).replace(/ID$/u, id);
    const connected = await startCommand(['sh', '-c', line], { home, stdin: '' }).ended;
    expect(connected.stdout).toMatch(/^“Old notes” is connected with 2 tools/u);
    expect(connected.code).toBe(0);
  });

  it('is passed for a connection with its stored options', async () => {
    const as = await startAuthorizationServer();
    onTestFinished(() => as.close());
    const mcp = await startMcpServer({ authorizationServer: as });
    onTestFinished(() => mcp.close());
    const home = temporaryFolder();
    await runInProcess(['connect', mcp.url, '--local', '--pkce', 'always', '--name', 'Demo'], { home });
    await runInProcess(['sign-out', 'Demo'], { home });
    await as.close();
    const refusing = await startAuthorizationServer({ port: as.port, registration: 'off' });
    onTestFinished(() => refusing.close());
    refusing.addResource(mcp.url, []);
    const refused = await runInProcess(['tools', 'Demo', '--sign-in', 'browser', '--json'], { home });
    expect(refused.last).toMatchObject({ error: { code: 'CREDENTIALS_REQUIRED' } });
    expect(JSON.stringify(refused.last)).toContain(
      `\`postern connect ${mcp.url} --name Demo --local --pkce always --client-id ID\``,
    );
  });
});

describe('without a display and $BROWSER', () => {
  it('connect shows the link, and how to paste the callback address', async () => {
    const env = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined, BROWSER: undefined };
    const process = startPostern(['connect', demo.url, '--local'], { home: temporaryFolder(), env });
    await process.waitFor(/\n {2}https?:\S+authorize\S*\n[\s\S]*paste/u);
    process.kill('SIGINT');
    const { code, stderr } = await process.ended;
    expect(code).toBe(130);
    expect(stderr).not.toMatch(/your browser/iu);
    expect(stderr).not.toContain('because of');
  });
});

describe('client credentials', () => {
  it('are complete with --client-id on a terminal: the secret is asked for first', async () => {
    const { id = '', secret = '' } = typedDemo.typedClient ?? {};
    const command = posternCommand('connect', typedDemo.url, '--local', '--client-id', id);
    const process = startCommand(onTerminal(...command), { home: temporaryFolder() });
    await process.waitFor(/secret \(.*Enter.*\): /u);
    process.type(`${secret}\r`);
    await process.waitFor(/is connected with \d tools/u);
    const { code, stdout } = await process.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain(secret);
  });

  it('are passed by the command that the demo prints', async () => {
    const home = temporaryFolder();
    const server = spawn(process.execPath, ['test/demo/demo.ts', '--typed', '--mcp-port', '0', '--auth-port', '0'], {
      env: { ...process.env, POSTERN_DEMO_HOME: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void server.kill('SIGTERM'));
    let printed = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    while (!printed.includes('npx postern tools')) await once(server.stdout, 'data');
    const line = /^ +(.*npx postern connect .*)$/mu.exec(printed)?.[1] ?? '';
    const postern = posternCommand()
      .map((word) => `'${word}'`)
      .join(' ');
    const connected = await startCommand(['sh', '-c', line.replace('npx postern', postern)], { home, stdin: '' }).ended;
    expect(connected.stdout).toMatch(/^“Demo” is connected with \d tools/u);
    expect(connected.code).toBe(0);
  });

  it('of Postern itself are retried with Enter after a failed exchange', async () => {
    // One more than the silent attempts: each way to send the secret, and a new code.
    let failures = 3;
    const as = await startAuthorizationServer({
      intercept: (request, response) => {
        if (request.url !== '/token' || failures-- <= 0) return false;
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
        return true;
      },
    });
    onTestFinished(() => as.close());
    const mcp = await startMcpServer({ authorizationServer: as });
    onTestFinished(() => mcp.close());
    const command = posternCommand('connect', mcp.url, '--local');
    const process = startCommand(onTerminal(...command), { home: temporaryFolder() });
    const [shown] = await process.waitFor(/\(TOKEN_ERROR\)[\s\S]*\(Enter [^)]*again\): /u);
    expect(shown).not.toContain('keeps');
    process.type('\r');
    await process.waitFor(/is connected with \d tools/u);
    expect((await process.ended).code).toBe(0);
  });
});

describe('an address', () => {
  const discoverOnTerminal = (url: string) =>
    startCommand(onTerminal(...posternCommand('discover', url, '--local')), { home: temporaryFolder() }).ended;

  it('of an open server is reported as reachable, with the callback URL anyway', async () => {
    const open = await startDemo({ folder, mode: 'no-auth' });
    onTestFinished(() => open.close());
    const { stdout } = await discoverOnTerminal(open.url);
    expect(stdout).toMatch(new RegExp(`responds.* ${new URL(open.url).host} \\(200\\)\r?$`, 'mu'));
    expect(stdout).toMatch(/^Callback URL {2}http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback\r?$/mu);
  });

  it('with a wrong path is questioned before the sign-in of its host opens', async () => {
    const as = await startAuthorizationServer();
    onTestFinished(() => as.close());
    const mcp = await startMcpServer({
      authorizationServer: as,
      resourceMetadata: 'both',
      resource: (url) => new URL(url).origin,
    });
    onTestFinished(() => mcp.close());
    expect((await discoverOnTerminal(`${mcp.origin}/mpc`)).stdout).toMatch(/^.*\b404\b.*\bpath\b/mu);
  });
});

describe('a placeholder from documentation', () => {
  it.each(['<YOUR_KEY>', '${input:key}', '{{key}}', 'YOUR_API_KEY', '$KEY'])(
    'is rejected as typed, named, and sent to nobody: %s',
    async (gap) => {
      const server = await startCapabilitiesServer();
      const home = temporaryFolder();
      const run = async (args: readonly string[], stdin = '', env = {}) => {
        const { code, stderr } = await runInProcess(args, { home, stdin, env });
        expect(code).not.toBe(0);
        return stderr;
      };
      const key = ['connect', server.url, '--local', '--header', 'X-API-Key', '--header-value-stdin'];
      expect(await run(key, `${gap}\n`)).toContain('The value of X-API-Key is only a placeholder');
      expect(await run(key, `Bearer ${gap}\n`)).toContain('The value of X-API-Key is only a placeholder');
      expect(await run(['connect', `${server.url}?key=${gap}`, '--local'])).toContain(`a placeholder: ${gap}`);
      expect(await run(['discover', `${server.url}?key=${gap}`, '--local'])).toContain(`a placeholder: ${gap}`);
      const client = ['connect', server.url, '--local', '--client-id'];
      expect(await run([...client, gap])).toContain('--client-id is a placeholder');
      expect(await run([...client, 'app', '--client-secret-stdin'], gap)).toContain(
        'The client secret is a placeholder',
      );
      const started = ['local', 'add', 'X', '--yes', '--', process.execPath];
      expect(await run([...started, `--api-key=${gap}`])).toContain(`placeholder: --api-key=${gap}`);
      const named = ['local', 'add', 'X', '--yes', '--env', 'A_KEY', '--', process.execPath];
      expect(await run(named, '', { A_KEY: gap })).toContain('The value of A_KEY is a placeholder');
      const entry = (more: object) => JSON.stringify({ mcpServers: { listed: { url: server.url, ...more } } });
      const imported = async (list: string) =>
        (await runInProcess(['import', '-', '--local', '--json'], { home, stdin: list })).last['imports'];
      const left = [{ name: 'listed', outcome: 'to-fill-in' }];
      expect(await imported(entry({ headers: { Authorization: gap } }))).toMatchObject(left);
      expect(await imported(entry({ url: `${server.url}?key=${gap}` }))).toMatchObject(left);
      expect(server.log).toEqual([]);
      expect((await runInProcess(['list', '--json'], { home })).last).toMatchObject({ integrations: [] });
    },
  );
});

describe('unusable settings', () => {
  const withSettings = async (edit: (text: string) => string): Promise<string> => {
    const home = temporaryFolder();
    await runInProcess(['discover', demo.url, '--local'], { home });
    const file = path.join(home, 'config.json');
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
    return home;
  };

  it('end discover before it contacts a server', async () => {
    const home = await withSettings(() => '{');
    const { mcp } = await startPair();
    const { code, last } = await runInProcess(['discover', mcp.url, '--local', '--json'], { home });
    expect({ code, error: last['error'] }).toMatchObject({ code: 1, error: { code: 'CFG_CORRUPT' } });
    expect(mcp.requests).toEqual([]);
  });

  it('written by a newer version are reported once', async () => {
    const home = await withSettings((text) => JSON.stringify({ ...JSON.parse(text), version: 99 }));
    const { stderr } = await runInProcess(['settings', 'callbackHost', 'localhost'], { home });
    expect(stderr.match(/newer version of Postern/gu)).toHaveLength(1);
  });
});

describe('a client that the service registered', () => {
  it("and then refuses is reported as the owner's problem, and the service is named", async () => {
    const { as, mcp } = await startPair({
      intercept: (request, response) => {
        if (request.url !== '/token') return false;
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
        return true;
      },
    });
    const { last } = await runInProcess(['connect', mcp.url, '--local', '--json'], { home: temporaryFolder() });
    const { host } = new URL(as.issuer);
    expect(last['error']).toMatchObject({
      code: 'TOKEN_ERROR',
      message: expect.stringMatching(new RegExp(`${host} .*401`, 'u')),
      nextStep: expect.stringContaining(host),
    });
    expect(JSON.stringify(last['error'])).not.toContain('client secret');
  });
});

describe('output that cannot be written', () => {
  it.skipIf(process.platform !== 'linux')('to standard output is exit 1', async () => {
    const words = posternCommand('list', '--json').map((word) => `'${word}'`);
    const full = await startCommand(['sh', '-c', `${words.join(' ')} > /dev/full`], { home: temporaryFolder() }).ended;
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be written') });
  });

  it.skipIf(process.platform !== 'linux')('to a profile folder below /proc ends at once', async () => {
    const ended = await runInProcess(['list', '--json'], { home: '/proc/nope' });
    expect(ended).toMatchObject({ code: 1, last: { error: { code: 'CFG_READONLY', stage: 'settings' } } });
  });
});

describe('postern doctor', () => {
  it('reports a keychain problem once, and that something is wrong', async () => {
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', DISPLAY: undefined };
    const home = temporaryFolder();
    const { code, stdout } = await runInProcess(['doctor'], { home, env });
    expect(code).toBe(0);
    expect(stdout.match(/KC_UNAVAILABLE/gu)).toHaveLength(1);
    expect(stdout).not.toContain('add --memory');
    expect((await runInProcess(['doctor', '--json'], { home, env })).last).toMatchObject({
      result: 'ok',
      healthy: false,
    });
  });
});
