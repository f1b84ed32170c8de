import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { anIntegration } from '../support/an-integration.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand, startPostern } from '../support/postern-process.ts';
import type { PosternOptions, PosternResult } from '../support/postern-process.ts';
import { supportScript } from '../support/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeList } from '../support/write-profile.ts';

let demo: Demo;
let typedDemo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-demo-'));

beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
  typedDemo = await startDemo({ folder, mode: 'typed' });
});

afterAll(async () => {
  await demo.close();
  await typedDemo.close();
  rmSync(folder, { recursive: true });
});

/** A profile of its own, and the command line on it, always with `--json`. */
function openProfile(env: PosternOptions['env'] = {}) {
  const home = temporaryFolder();
  return {
    home,
    run: (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home, env }),
    runWith: (stdin: string, ...args: string[]) => runInProcess([...args, '--json'], { home, env, stdin }),
    runForPerson: (...args: string[]) => runInProcess(args, { home, env }),
    start: (...args: string[]) => startPostern(args, { home, env }),
  };
}

/** All file contents of a profile. */
function readProfile(home: string): string {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

const listFields = [
  'id',
  'name',
  'alias',
  'kind',
  'url',
  'method',
  'issuer',
  'scope',
  'expiresAt',
  'state',
  'status',
  'account',
];

const wordsOf = (result: PosternResult) => (result.last['error'] ?? {}) as Record<string, unknown>;
const eventsOf = (result: PosternResult, event: string) => result.lines.filter((line) => line['event'] === event);

describe('the main workflow', () => {
  it('goes from an address to tools, a call, a token and removal', async () => {
    const { home, run } = openProfile();
    // With the built command; most of the tests here run the same code in this process.
    const runBuilt = (...args: string[]) => runPostern([...args, '--json'], { home });
    const connected = await runBuilt('connect', demo.url, '--local', '--name', 'Demo');
    expect(connected.stderr).toBe('');
    expect(connected.code).toBe(0);
    expect(connected.last).toMatchObject({
      result: 'ok',
      integration: { name: 'Demo', url: demo.url, method: 'OAuthWithDCR', issuer: demo.issuer, state: 'integrated' },
      warnings: [],
    });
    expect(eventsOf(connected, 'method')[0]).toMatchObject({ method: 'OAuthWithDCR', issuer: demo.issuer });
    expect(eventsOf(connected, 'authorization')).toHaveLength(1);
    expect(eventsOf(connected, 'step').length).toBeGreaterThan(2);

    const listed = await run('list');
    const { id } = (listed.last['integrations'] as [{ id: string }])[0];
    expect(Object.keys((listed.last['integrations'] as [object])[0])).toEqual(listFields);
    expect((await run('show', 'demo')).last).toMatchObject({
      result: 'ok',
      integration: { id, scope: 'notes:read notes:write' },
    });
    expect((await run('tools', id)).last).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'whoami' })]),
    });
    expect((await runBuilt('call', 'Demo', 'word_count', '{"text":"one two"}')).last).toMatchObject({
      result: 'ok',
      isError: false,
    });

    const token = await runBuilt('token', 'Demo');
    const accessToken = String(token.last['accessToken']);
    expect(token.last).toEqual({
      result: 'ok',
      accessToken: expect.stringMatching(/^.{16,}$/u),
      tokenType: 'Bearer',
      expiresAt: expect.any(Number),
    });
    const refreshed = await runBuilt('refresh', 'Demo');
    expect(refreshed).toMatchObject({ code: 0, last: { result: 'ok', integration: { id, state: 'integrated' } } });
    const renewed = String((await run('token', 'Demo')).last['accessToken']);
    expect(renewed).not.toBe(accessToken);

    const others = [connected, listed, refreshed].map(({ stdout }) => stdout).join('');
    for (const secret of [accessToken, renewed]) {
      expect(others).not.toContain(secret);
      expect(readProfile(home)).not.toContain(secret);
    }

    const signedOut = await run('sign-out', 'Demo');
    expect(signedOut).toMatchObject({ code: 0, last: { integration: { id, state: 'signedOut' } } });
    for (const command of [
      ['tools', 'Demo'],
      ['call', 'Demo', 'whoami'],
      ['token', 'Demo'],
      ['refresh', 'Demo'],
    ]) {
      const refused = await run(...command);
      expect({ command, code: refused.code, error: wordsOf(refused)['code'] }).toEqual({
        command,
        code: 3,
        error: 'SIGN_IN_REQUIRED',
      });
    }
    expect(await run('tools', 'Demo', '--sign-in', 'browser')).toMatchObject({ code: 0, last: { result: 'ok' } });

    expect(await runBuilt('remove', 'Demo')).toMatchObject({ code: 0, last: { result: 'ok', integration: { id } } });
    expect((await run('list')).last).toEqual({ result: 'ok', integrations: [], vault: 'keychain' });
  });

  it('asks for a missing scope with exit 3, and gets it with --sign-in', async () => {
    const { run } = openProfile();
    await run('connect', demo.url, '--local', '--name', 'Demo');
    const refused = await run('call', 'Demo', 'delete_notes');
    expect({ code: refused.code, error: wordsOf(refused)['code'] }).toEqual({ code: 3, error: 'SCOPE_REQUIRED' });
    const done = await run('call', 'Demo', 'delete_notes', '--sign-in', 'browser');
    expect(done).toMatchObject({ code: 0, last: { result: 'ok', isError: false } });
    expect((await run('show', 'Demo')).last).toMatchObject({
      integration: { scope: expect.stringMatching(/notes:read.*notes:admin/u) },
    });
  });

  it('prints the result on standard output, and everything else on standard error', async () => {
    const { home, runForPerson } = openProfile();
    const runOnTerminal = (...args: string[]) => startCommand(onTerminal(...posternCommand(...args)), { home }).ended;
    expect(await runForPerson('list')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await runOnTerminal('list')).stdout).toContain('postern connect');
    const connected = await runForPerson('connect', demo.url, '--local', '--name', 'Demo');
    expect(connected.stdout).toMatch(/^“Demo” is connected with \d tools/u);
    expect(connected.stderr).toContain('/authorize?');
    expect((await runForPerson('list')).stdout).toMatch(/^NAME .*\nDemo {2}ready .*\n$/u);
    expect((await runForPerson('call', 'Demo', 'add_note', '{"text":"a\\u001b[2J\\u202e"}')).code).toBe(0);
    const notes = await runOnTerminal('call', 'Demo', 'list_notes');
    expect(notes.stdout).toContain('a\\u001b[2J\\u202e');
    expect(notes.stdout).not.toMatch(/\u001b\[2J|[\u0000-\u0009\u000b\u000c\u000e-\u001a\u007f-\u009f\u202a-\u202e]/u);
    expect((await runForPerson('call', 'Demo', 'list_notes')).stdout).toContain('a\u001b[2J\u202e');
  });
});

describe('the last line', () => {
  it.each([
    [[], 2, 'USAGE'],
    [['conect', 'u'], 2, 'USAGE'],
    [['connect'], 2, 'USAGE'],
    [['connect', 'u', '--nonsense'], 2, 'USAGE'],
    [['connect', 'https://a.example', '--client-secret-stdin'], 2, 'USAGE'],
    [['connect', 'https://a.example', '--client-id', 'c', '--client-secret-ends', 'soon'], 2, 'USAGE'],
    [['call', 'nobody', 'tool', 'no json'], 2, 'USAGE'],
    [['show', 'nobody'], 1, 'NOT_FOUND'],
    [['discover', 'ftp://a.example/'], 1, 'URL_SCHEME'],
    [['discover', 'http://127.0.0.1:3000/'], 1, /^URL_SCHEME|HOST_BLOCKED$/u],
    [['discover', 'https://intranet/mcp'], 1, 'HOST_BLOCKED'],
    [['discover', 'https://wiki/mcp'], 1, 'HOST_BLOCKED'],
    [['connect', 'https://intranet./mcp'], 1, 'HOST_BLOCKED'],
    [['connect', 'https://wiki.corp/mcp'], 1, 'HOST_BLOCKED'],
    [['discover', 'https://nas.home.arpa/mcp', '--allow-http'], 1, 'HOST_BLOCKED'],
    [['discover', 'https://localhost../mcp'], 1, 'URL_INVALID'],
  ] as const)('of %j is a typed error', async (args, code, expected) => {
    const result = await openProfile().run(...args);
    expect(result.code).toBe(code);
    expect(result.last).toEqual({ result: 'error', error: expect.objectContaining({ stage: expect.any(String) }) });
    expect(wordsOf(result)).toEqual({
      code: expect.stringMatching(expected),
      stage: expect.any(String),
      blame: expect.any(String),
      message: expect.stringMatching(/.{10}/u),
      nextStep: expect.stringMatching(/.{10}/u),
      retryable: expect.any(Boolean),
    });
    expect(result.stderr).toBe('');
  });

  it.each([['--help'], ['connect', '--help'], ['--version']])('of %j is ok', async (...args) => {
    expect(await openProfile().run(...args)).toMatchObject({ code: 0, last: { result: 'ok' } });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'after %s is USER_CANCELLED, exit 130, and nothing is left',
    async (signal) => {
      const { run, start } = openProfile();
      const process = start('connect', demo.url, '--local', '--sign-in', 'print', '--json');
      await process.waitFor(/"event":"authorization"/u);
      process.kill(signal);
      const result = await process.ended;
      expect({ code: result.code, error: wordsOf(result)['code'] }).toEqual({ code: 130, error: 'USER_CANCELLED' });
      expect(wordsOf(result)).not.toHaveProperty('cause');
      expect((await run('list')).last['integrations']).toEqual([]);
    },
  );

  it('is not required once the reader has disconnected', async () => {
    const { home, start } = openProfile();
    const process = start('connect', demo.url, '--local', '--name', 'Demo', '--json');
    await process.waitFor(/"event":"step"/u);
    process.closeStdout();
    expect(await process.ended).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(path.join(home, 'config.json'), 'utf8')).toContain('"Demo"');
  });
});

describe.skipIf(process.platform === 'win32')('a change is made as typed, and shown,', () => {
  it.each<[string, NonNullable<PosternOptions['env']>]>([
    [
      'without a home and a terminal type, in an unknown locale',
      { HOME: undefined, TERM: undefined, LC_ALL: 'xx_YY.KOI8-R' },
    ],
    ['at a dumb terminal, in ASCII', { TERM: 'dumb', LC_ALL: 'C' }],
    ['without colors, in another encoding', { NO_COLOR: '1', LC_ALL: 'de_DE.ISO-8859-1' }],
  ])('%s, 20 columns wide, and into a pipe that is closed early', async (_what, env) => {
    const home = temporaryFolder();
    const many = Array.from({ length: 300 }, (_, at) => `Server ${at}`);
    writeList(
      home,
      ['Notes', ...many].map((name, at) =>
        anIntegration({ id: `id-${at}`, name, alias: `alias-${at}`, url: `https://s${at}.example/mcp` }),
      ),
    );
    const run = (script: string) => {
      const words = ['sh', '-c', script, 'sh', ...posternCommand()];
      return startCommand(words, { home, env }).ended;
    };
    const atTerminal = (...args: string[]) => {
      const command = [...posternCommand(...args)].map((word) => `"${word}"`).join(' ');
      return startCommand(onTerminal('sh', '-c', `stty cols 20 && exec ${command}`), { home, env }).ended;
    };
    const name = 'Grüße 語 x';
    expect(await atTerminal('rename', 'Notes', name)).toMatchObject({ code: 0 });
    expect(await atTerminal('show', name)).toMatchObject({ code: 0, stdout: expect.stringContaining('https://s0') });
    expect(await atTerminal('conect')).toMatchObject({ code: 2, stdout: expect.stringContaining('connect') });
    const first = await run('{ "$@" list || echo "ended with $?" >&2; } | head -n 1');
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^NAME/u), stderr: '' });
    const { integrations } = (await runInProcess(['list', '--json'], { home, env })).last;
    expect(integrations).toHaveLength(301);
    expect(integrations).toContainEqual(expect.objectContaining({ name }));
  });
});

describe('signing in', () => {
  it('accepts a pasted callback address; a wrong one is reported and ignored', async () => {
    const { start } = openProfile();
    const process = start('connect', demo.url, '--local', '--sign-in', 'print', '--json');
    const [, url = ''] = await process.waitFor(/"event":"authorization","url":"([^"]+)"/u);
    process.type('http://127.0.0.1:1/integration/oauth/callback?code=a&state=b\n');
    await process.waitFor(/"event":"paste","verdict":"not-valid"/u);
    const landed = await completeSignIn(url, {
      stopBefore: ({ pathname }) => pathname === '/integration/oauth/callback',
    });
    process.type(`${landed.url}\n`);
    expect(await process.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
  });

  it('reads the secret from the first line of standard input and pasted addresses from later ones', async () => {
    const { id = '', secret = '' } = typedDemo.typedClient ?? {};
    const { home, run, start } = openProfile();
    const ends = ['--client-secret-ends', new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)];
    const flags = ['--client-id', id, '--client-secret-stdin', ...ends, '--sign-in', 'print', '--json'];
    const process = start('connect', typedDemo.url, '--local', ...flags);
    process.type(`${secret}\n`);
    const [, url = ''] = await process.waitFor(/"event":"authorization","url":"([^"]+)"/u);
    const landed = await completeSignIn(url, {
      stopBefore: ({ pathname }) => pathname === '/integration/oauth/callback',
    });
    process.type(`${landed.url}\n`);
    const result = await process.ended;
    expect(result).toMatchObject({ code: 0, last: { integration: { method: 'OAuth' } } });
    expect(result.stdout).not.toContain(secret);
    expect(readProfile(home)).not.toContain(secret);
    // The warning starts seven days before.
    expect((await run('tools', (result.last['integration'] as { id: string }).id)).stdout).toContain('secret-ends');
  });

  it('fails with the error of the exchange for a wrong secret, and stores nothing', async () => {
    const { run, runWith } = openProfile();
    const flags = ['--client-id', typedDemo.typedClient?.id ?? '', '--client-secret-stdin'];
    const result = await runWith('wrong\n', 'connect', typedDemo.url, '--local', ...flags);
    expect(result.code).toBe(1);
    expect(wordsOf(result)).toMatchObject({ code: 'TOKEN_ERROR', stage: 'token' });
    expect((await run('list')).last['integrations']).toEqual([]);
  });

  it('without required credentials reports it, with the callback URL and the flags', async () => {
    const { run } = openProfile();
    const result = await run('connect', typedDemo.url, '--local');
    expect(result.code).toBe(1);
    expect(wordsOf(result)).toMatchObject({
      code: 'CREDENTIALS_REQUIRED',
      nextStep: expect.stringContaining('--client-id'),
      callbackUrl: (await run('doctor')).last['callbackUrl'],
    });
  });

  it('ends with USER_DENIED when the user declines', async () => {
    const result = await openProfile({ DEMO_DENY: '1' }).run('connect', demo.url, '--local');
    expect({ code: result.code, error: wordsOf(result)['code'] }).toEqual({ code: 1, error: 'USER_DENIED' });
  });

  it('describes an unreadable sign-in service as the one that the server names', async () => {
    const { as, mcp } = await startPair({
      intercept: ({ url = '' }, response) => {
        if (!url.startsWith('/.well-known/')) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end('no JSON');
        return true;
      },
    });
    const { stdout } = await openProfile().runForPerson('discover', mcp.url, '--local');
    expect(stdout).toContain(`${as.issuer} (could not be read)`);
    expect(stdout).not.toContain('Other issuers');
  });

  it('ends after --timeout', async () => {
    const result = await openProfile().run('connect', demo.url, '--local', '--sign-in', 'print', '--timeout', '1');
    expect({ code: result.code, error: wordsOf(result) }).toEqual({
      code: 1,
      error: expect.objectContaining({
        code: 'STATE_EXPIRED',
        message: expect.stringContaining('1 second'),
        nextStep: expect.stringContaining('longer --timeout'),
      }),
    });
  });

  it('does not start without a keychain, except with --memory, which stores nothing', async () => {
    const { home, run } = openProfile({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', DISPLAY: undefined });
    const refused = await run('connect', demo.url, '--local');
    expect({ code: refused.code, error: wordsOf(refused)['code'] }).toEqual({ code: 1, error: 'KC_UNAVAILABLE' });
    expect(eventsOf(refused, 'authorization')).toEqual([]);
    const tried = await run('connect', demo.url, '--local', '--memory');
    expect(tried).toMatchObject({ code: 0, last: { result: 'ok', tools: expect.arrayContaining(['whoami']) } });
    expect((await run('list')).last['integrations']).toEqual([]);
    expect(existsSync(path.join(home, 'vault'))).toBe(false);
  });

  it('reads the arguments of a tool from standard input', async () => {
    const { run, runWith } = openProfile();
    await run('connect', demo.url, '--local', '--name', 'Demo');
    const called = await runWith('{\n "text": "one two three"\n}\n', 'call', 'Demo', 'word_count', '-');
    expect(called).toMatchObject({ code: 0, last: { content: [{ text: expect.stringContaining('3') }] } });
  });
});

describe('on a terminal', () => {
  it('asks for credentials, callback URL first, and does not echo the secret', async () => {
    const { id = '', secret = '' } = typedDemo.typedClient ?? {};
    const home = temporaryFolder();
    const process = startCommand(onTerminal(...posternCommand('connect', typedDemo.url, '--local')), { home });
    await process.waitFor(/Callback URL {2}http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback[\s\S]*Client ID: /u);
    process.type(`${id}\r`);
    await process.waitFor(/Client secret .*: /u);
    process.type('wrong\r');
    await process.waitFor(/TOKEN_ERROR[\s\S]*\(Enter [^)]*postern-demo\): /u);
    process.type('\r');
    await process.waitFor(/secret \(Enter keeps [^)]*\): /u);
    process.type(`${secret}\r`);
    await process.waitFor(/is connected with \d tools/u);
    const { stdout, code } = await process.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain('wrong');
  });

  it('exits with 130 on Ctrl-C at a prompt without echo', async () => {
    const process = startCommand(onTerminal(...posternCommand('connect', typedDemo.url, '--local')), {
      home: temporaryFolder(),
    });
    await process.waitFor(/Client ID: /u);
    process.type('id\r');
    await process.waitFor(/Client secret .*: /u);
    process.type('\u0003');
    const { stdout, code } = await process.ended;
    expect(stdout).toContain('USER_CANCELLED');
    expect(code).toBe(130);
  });
});

/** What one command loads: the sources in its chunks, and Node modules. */
async function loadedBy(words: readonly string[], home: string) {
  const env = { NODE_OPTIONS: `--import ${supportScript('print-loaded-modules.ts')}` };
  const { stderr, code } = await runPostern([...words, '--json'], { home, env });
  expect(code).toBe(0);
  const lines = stderr.split('\n');
  const chunks = lines.filter((line) => line.startsWith('file:') && line.includes('/dist/cli/'));
  // The bundler's own chunk has no source, and no map.
  const maps = chunks.map((chunk) => new URL(`${chunk}.map`)).filter((map) => existsSync(map));
  const sources = maps.flatMap((file) => {
    const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
    return map.sources.map((source) => path.posix.normalize(source));
  });
  expect(sources.some((source) => source.includes('/main/cli/'))).toBe(true);
  return { sources, builtins: lines.filter((line) => line.startsWith('node:')) };
}

const networkModules = /node_modules\/(undici|oauth4webapi|@modelcontextprotocol|tldts)\//u;

it('postern list loads no network, OAuth or MCP module, and starts nothing', async () => {
  const { sources, builtins } = await loadedBy(['list'], temporaryFolder());
  const forbidden = /main\/(oauth|mcp|user-agent|integration)\//u;
  expect(sources.filter((source) => forbidden.test(source) || networkModules.test(source))).toEqual([]);
  expect(builtins.filter((name) => /^node:(http|https|tls|net|dns|crypto|child_process)$/u.test(name))).toEqual([]);
});

it('postern token loads no network module for a token that is valid', async () => {
  const { home, run } = openProfile();
  await run('connect', demo.url, '--local', '--name', 'Demo');
  const { sources, builtins } = await loadedBy(['token', 'Demo'], home);
  expect(sources.filter((source) => networkModules.test(source))).toEqual([]);
  expect(builtins.filter((name) => /^node:(http|https|tls|dns)$/u.test(name))).toEqual([]);
});

describe('discover and doctor', () => {
  it('shows how to sign in, with the callback URL, and stores only the port', async () => {
    const { run } = openProfile();
    const result = await run('discover', demo.url, '--local');
    expect(result.last).toEqual({
      result: 'ok',
      url: demo.url,
      verdict: 'sign-in',
      status: 401,
      method: 'OAuthWithDCR',
      issuer: demo.issuer,
      resource: demo.url,
      scopesSupported: ['notes:read', 'notes:write', 'notes:admin', 'offline_access'],
      resourceScopesSupported: ['notes:read', 'notes:write'],
      callbackUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback$/u),
    });
    expect((await run('doctor')).last).toMatchObject({
      result: 'ok',
      callbackUrl: result.last['callbackUrl'],
      healthy: true,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'keychain', ok: true })]),
    });
  });

  it('reports NoAuth with its reason', async () => {
    const open = await startDemo({ folder, mode: 'no-auth' });
    try {
      const { run } = openProfile();
      expect((await run('discover', open.url, '--local')).last).toMatchObject({
        method: 'NoAuth',
        issuer: null,
        resource: null,
      });
      const connected = await run('connect', open.url, '--local');
      expect(connected).toMatchObject({ code: 0, last: { integration: { method: 'NoAuth', issuer: null } } });
      expect(eventsOf(connected, 'authorization')).toEqual([]);
    } finally {
      await open.close();
    }
  });
});
