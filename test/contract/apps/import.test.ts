import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { request as sendOn } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Integration } from '../../../shared/integration.ts';
import type { DemoMcpServer } from '../../demo/mcp-server-options.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { startPair, startResource, startServer } from '../../support/demo-pair.ts';
import { scriptWords, sdkServerWords } from '../../support/local-server.ts';
import { serveHttp } from '../../support/loopback-server.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, startCommand } from '../../support/postern-process.ts';
import type { PosternResult } from '../../support/postern-process.ts';
import { makeAppHome, putClaude } from '../../support/app-home.ts';
import type { AppHome } from '../../support/app-home.ts';

const key = 'canary-key-5f0c2a9e41d7';

interface ImportedFields {
  readonly name: string;
  readonly outcome: string;
  readonly integration?: { readonly name: string; readonly state: string; readonly alias: string };
  readonly error?: { readonly code: string };
}

const importsOf = (last: Record<string, unknown>) => last['imports'] as readonly ImportedFields[];

const readList = (profile: string) =>
  (JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8')) as { integrations: Integration[] }).integrations;
const readPins = (profile: string) => readdirSync(path.join(profile, 'pins'));

function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** IDs of the servers that Cursor's entries lead to. */
async function leadsTo(home: AppHome): Promise<readonly (string | undefined)[]> {
  const { last } = await home.run('apps', 'cursor', '--json');
  const [{ entries }] = last['apps'] as [{ entries: { integration?: string }[] }];
  return entries.map(({ integration }) => integration);
}

/** A server that requires the key in a header, and perhaps more of them. */
async function startKeyed(wanted: Readonly<Record<string, string>> = { 'x-api-key': key }): Promise<DemoMcpServer> {
  return await startResource(undefined, {
    intercept: (request, response) => {
      const hasAll = Object.entries(wanted).every(([name, value]) => request.headers[name] === value);
      if (request.url !== '/mcp' || hasAll) return false;
      response.writeHead(401).end();
      return true;
    },
  });
}

const cursor = (home: AppHome, servers: object) =>
  home.put('.cursor/mcp.json', `// mine\n${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);

const json = (list: string, entry: object) => (url: string) =>
  JSON.stringify({ [list]: { counts: { ...entry, [urlKeyOf(entry)]: url } } }, undefined, 2);
const urlKeyOf = (entry: object): string =>
  'serverUrl' in entry ? 'serverUrl' : 'httpUrl' in entry ? 'httpUrl' : 'url';
const off = { isOff: true } as const;
const disabled = /"disabled": true/u;
const clineFile = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

interface Decided {
  readonly isOff?: true;
  readonly denied?: readonly string[];
  readonly only?: readonly string[];
  readonly members: readonly RegExp[];
}

/** How each app disables an entry or restricts its tools. */
const decisionsByApp: readonly (readonly [string, string, (url: string) => string, Decided])[] = [
  [
    'cline',
    `.config/Code/User/${clineFile}`,
    json('mcpServers', { disabled: true, autoApprove: ['a'], timeout: 90 }),
    { ...off, members: [disabled, /"autoApprove": \["a"\]|"autoApprove": \[\s*"a"\s*\]/u, /"timeout": 90/u] },
  ],
  [
    'windsurf',
    '.codeium/windsurf/mcp_config.json',
    json('mcpServers', { serverUrl: '', disabled: true, disabledTools: ['b'], alwaysAllow: ['a'] }),
    { ...off, denied: ['b'], members: [disabled, /"disabledTools"/u, /"alwaysAllow"/u] },
  ],
  [
    'gemini-cli',
    '.gemini/settings.json',
    json('mcpServers', { httpUrl: '', excludeTools: ['b', 'c'], includeTools: ['a(x)'], trust: true }),
    { denied: ['b', 'c'], only: ['a'], members: [/"excludeTools"/u, /"includeTools"/u, /"trust": true/u] },
  ],
  [
    'codex',
    '.codex/config.toml',
    (url) =>
      `[mcp_servers.counts]\nurl = "${url}"\nenabled = false\nenabled_tools = ["a"]\ndisabled_tools = ["b"]\nsupports_parallel_tool_calls = true\n`,
    {
      ...off,
      denied: ['b'],
      only: ['a'],
      members: [
        /enabled = false/u,
        /enabled_tools = \["a"\]/u,
        /disabled_tools = \["b"\]/u,
        /supports_parallel_tool_calls = true/u,
      ],
    },
  ],
  [
    'opencode',
    '.config/opencode/opencode.json',
    json('mcp', { type: 'remote', enabled: false }),
    { ...off, members: [/"enabled": false/u] },
  ],
  [
    'zed',
    '.config/zed/settings.json',
    json('context_servers', { enabled: false }),
    { ...off, members: [/"enabled": false/u] },
  ],
  [
    'copilot-cli',
    '.copilot/mcp-config.json',
    json('mcpServers', { type: 'http', tools: ['a'] }),
    { only: ['a'], members: [/"tools": \[\s*"a"\s*\]/u] },
  ],
  [
    'copilot-cli',
    '.copilot/mcp-config.json',
    json('mcpServers', { type: 'http', tools: ['*'], deferTools: 'never' }),
    { members: [/"tools": \[\s*"\*"\s*\]/u, /"deferTools": "never"/u] },
  ],
  [
    'goose',
    '.config/goose/config.yaml',
    (url) =>
      `extensions:\n  counts:\n    name: counts\n    type: streamable_http\n    enabled: false\n    uri: ${url}\n    available_tools: [a]\n`,
    { ...off, only: ['a'], members: [/enabled: false/u, /available_tools/u] },
  ],
  [
    'goose',
    '.config/goose/config.yaml',
    (url) =>
      `extensions:\n  counts:\n    name: counts\n    type: streamable_http\n    enabled: true\n    uri: ${url}\n    available_tools: []\n`,
    { members: [/enabled: true/u, /available_tools/u] },
  ],
  [
    'gemini-cli',
    '.gemini/settings.json',
    json('mcpServers', { httpUrl: '', includeTools: [] }),
    { only: [], members: [/"includeTools": \[\]/u] },
  ],
  ['cursor', '.cursor/mcp.json', json('mcpServers', { disabled: true }), { ...off, members: [disabled] }],
];

describe('postern import', () => {
  it('connects entries with an address, and moves the key into the keychain', async () => {
    const [open, keyed] = [await startResource(undefined), await startKeyed()];
    const home = makeAppHome([]);
    cursor(home, {
      plain: { url: open.url },
      keyed: { url: keyed.url, headers: { 'X-API-Key': key } },
      runs: { command: process.execPath, args: ['-e', ''], env: { TOKEN: key } },
      later: { url: 'https://later.example/mcp', headers: { 'X-API-Key': '${KEY}' } },
    });
    const before = home.text('.cursor/mcp.json');
    const done = await home.run('import', 'cursor', '--local', '--json');
    expect(done.code).toBe(0);
    expect(importsOf(done.last).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['plain', 'imported'],
      ['keyed', 'imported'],
      ['runs', 'to-allow'],
      ['later', 'to-fill-in'],
    ]);
    expect(done.stdout + done.stderr + everythingIn(home.profile)).not.toContain(key);
    expect(home.text('.cursor/mcp.json')).toBe(before);
    const called = await home.run('call', 'keyed', 'word_count', '{"text":"one two"}', '--json');
    expect(called).toMatchObject({ code: 0, last: { isError: false } });
    const again = await home.run('import', 'cursor', '--local', '--only', 'keyed', '--json');
    expect(importsOf(again.last)).toMatchObject([{ name: 'keyed', outcome: 'known' }]);
    expect((await home.run('import', 'cursor', '--only', 'nothing')).code).toBe(2);
  });

  it('lists a command with its values sealed, and runs it only with consent to exactly that command (LS-12)', async () => {
    const home = makeAppHome([]);
    const starts = path.join(home.profile, 'starts');
    const runs = { command: process.execPath, args: [...sdkServerWords(starts)], env: { TICKETS: key } };
    const later = { command: process.execPath, args: ['x'], env: { TICKETS: '${HOME_TICKETS}' } };
    cursor(home, { runs, 'runs too': { ...runs, env: { TICKETS: 'other' } }, later });
    const before = home.text('.cursor/mcp.json');
    const done = await home.run('import', 'cursor', '--take-over', '--yes', '--json');
    expect(importsOf(done.last).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['runs', 'to-allow'],
      ['runs too', 'to-allow'],
      ['later', 'to-fill-in'],
    ]);
    expect(home.text('.cursor/mcp.json')).toBe(before);
    expect((await home.run('call', 'runs', 'environment', '--json')).last).toMatchObject({
      error: { code: 'LOCAL_CONSENT' },
    });
    const refused = await home.run('local', 'start', 'runs');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(starts) });
    expect(existsSync(starts)).toBe(false);
    expect((await home.run('local', 'start', 'runs', '--yes')).code).toBe(0);
    const called = await home.run('call', 'runs', 'environment', '--json');
    expect(called.stdout).toContain(key);
    // No consent was given for the other entry.
    expect((await home.run('call', 'runs too', 'pid', '--json')).last).toMatchObject({
      error: { code: 'LOCAL_CONSENT' },
    });
    expect(done.stdout + done.stderr + everythingIn(home.profile)).not.toContain(key);
    const taken = await home.run('import', 'cursor', '--take-over', '--yes', '--json');
    expect(importsOf(taken.last).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['runs', 'known'],
      ['runs too', 'to-allow'],
      ['later', 'to-fill-in'],
    ]);
    const { mcpServers } = JSON.parse((home.text('.cursor/mcp.json') ?? '').replace('// mine', '')) as {
      mcpServers: Record<string, { args: string[] }>;
    };
    expect(mcpServers['runs']?.args).toContain('--profile-folder');
    expect(mcpServers['runs too']?.args).toEqual(runs.args);
  });

  it('seals secrets in the arguments, and shows every other value of the list before it runs (LS-12)', async () => {
    const home = makeAppHome([]);
    const secrets = [
      `--api-key=${key}-1`,
      ...['--token', `${key}-2`],
      ...['--header', `Authorization: Bearer ${key}-3`],
      `https://me:${key}-4@example.com/?api_key=${key}-5&region=eu`,
      JSON.stringify({ config: { apiKey: `${key}-6` } }),
      ...['-e', `SERVICE_PASSWORD=${key}-7`],
      'sk-proj-Zx81mQ0bV3nT7kLp2RsW',
      ...[`-p${key}`, '-k', key, `-ume:${key}`, `--user=me:${key}`, `-HAuthorization: Bearer ${key}`],
      ...['-H', `X-Auth: ${key}`, `--url=https://me:${key}@example.com/`, '-e', `AUTH=${key}`, '--password=123456'],
      `https://${key}:@example.com/?auth[api_key]=${key}`,
    ];
    const says = {
      'tools/call':
        "() => ({ content: [{ type: 'text', text: JSON.stringify([process.argv.slice(1), process.env]) }] })",
    };
    const env = {
      DEBUG: true,
      RETRIES: 3,
      PYTHONUSERBASE: '/tmp/evil',
      HOME: '/tmp/home-of-others',
      OPENSSL_CONF: '/tmp/others.cnf',
      GREETING: 'hello there',
      ITS_SECRET: key,
      'aws-foundation': 'on',
    };
    const args = [...scriptWords(says), '--', ...secrets, '--port', 8080, '--verbose', false];
    cursor(home, { runs: { command: process.execPath, args, env } });
    const outputs = [await home.run('import', 'cursor', '--json'), await home.run('local', 'start', 'runs')];
    const [, asked] = outputs;
    expect(asked?.code).toBe(2);
    for (const shown of [
      '/tmp/evil',
      env.HOME,
      env.OPENSSL_CONF,
      'hello there',
      'region=eu',
      '--api-key=',
      'aws-foundation',
      '--port',
    ])
      expect(asked?.stderr).toContain(shown);
    outputs.push(await home.run('local', 'start', 'runs', '--yes', '--json'));
    const called = await home.run('call', 'runs', 'act', '--json');
    const [content] = called.last['content'] as [{ text: string }];
    const [given, variables] = JSON.parse(content.text) as [string[], Record<string, string>];
    expect(given).toEqual([...secrets, '--port', '8080', '--verbose', 'false']);
    expect(variables).toMatchObject({ ...env, DEBUG: 'true', RETRIES: '3' });
    for (const words of [
      ['list'],
      ['list', '--json'],
      ['show', 'runs'],
      ['show', 'runs', '--json'],
      ['export'],
      ['doctor'],
    ])
      outputs.push(await home.run(...words));
    const seen = outputs.map(({ stdout, stderr }) => stdout + stderr).join('') + everythingIn(home.profile);
    for (const secret of [key, 'Zx81mQ0b', '123456']) expect(seen).not.toContain(secret);
    // The same list again is the same command; another key is another one.
    expect(importsOf((await home.run('import', 'cursor', '--json')).last)).toMatchObject([{ outcome: 'known' }]);
    cursor(home, {
      runs: { command: process.execPath, args: args.map((word) => (word === `${key}-2` ? 'other-9' : word)), env },
    });
    expect(importsOf((await home.run('import', 'cursor', '--json')).last)).toMatchObject([{ outcome: 'to-allow' }]);
  });

  it('asks about everything that a listed command runs, and hides only its secret', async () => {
    const home = makeAppHome([]);
    const env = { NODE_OPTIONS: '--require /tmp/0123456789abcdef0123456789abcdef.js' };
    cursor(home, { runs: { command: process.execPath, args: ['-e', `API_KEY="${key}"; require("./other")`], env } });
    expect(importsOf((await home.run('import', 'cursor', '--json')).last)).toMatchObject([{ outcome: 'to-allow' }]);
    const preview = await home.run('local', 'start', 'runs');
    expect(preview.stderr).toContain('require(');
    expect(preview.stderr).toContain('./other');
    expect(preview.stderr).toContain(env.NODE_OPTIONS);
    expect(preview.stderr + everythingIn(home.profile)).not.toContain(key);
  });

  it('seals values that an earlier import left in plain text, and does not show them before', async () => {
    const home = makeAppHome([]);
    const requests: string[] = [];
    const open = await startResource(undefined, {
      intercept: ({ url = '' }) => {
        requests.push(url);
        return false;
      },
    });
    const file = path.join(home.profile, 'config.json');
    cursor(home, { runs: { command: process.execPath, args: ['-e', '', '--api-key', 'x'] }, web: { url: open.url } });
    await home.run('import', 'cursor', '--local');
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { integrations: Integration[] };
    const integrations = stored.integrations.map(({ command, url, ...entry }) => {
      if (!command) return { ...entry, url: `${url}?api_key=${key}-2` };
      const { sealed: _sealed, ...plain } = command;
      return { ...entry, url, command: { ...plain, arguments: ['-e', '', '--api-key', `${key}-1`] } };
    });
    writeFileSync(file, JSON.stringify({ ...stored, integrations }));
    const words = [['list'], ['list', '--json'], ['show', 'runs'], ['show', 'web'], ['show', 'web', '--json']];
    const before = await Promise.all(words.map(async (each) => await home.run(...each)));
    for (const { stdout, stderr } of before) expect(stdout + stderr).not.toContain(key);
    const allowed = await home.run('local', 'start', 'runs', '--yes', '--json');
    expect(allowed.stdout + allowed.stderr + everythingIn(home.profile)).not.toContain(key);
    expect(readList(home.profile).map(({ command, options }) => command?.sealed ?? options.headerName)).toEqual([
      [3],
      '?api_key',
    ]);
    expect(await home.run('tools', 'web')).toMatchObject({ code: 0 });
    // The server is contacted at the whole address.
    expect(requests.at(-1)).toContain(`${key}-2`);
  });

  it('reveals no secret of a command that cannot be read or does not exist', async () => {
    const home = makeAppHome([]);
    const line = `node x.js --api-key ${key} && curl -u bob:${key} http://127.0.0.1:1/token/${key}/mcp`;
    cursor(home, {
      whole: { command: `node x.js --api-key ${key}` },
      shell: { command: process.execPath, args: ['-e', line, `--env=GITHUB_TOKEN=${key}`] },
      open: { command: line, args: ['${input:it}'] },
    });
    const runs = [];
    for (const words of [
      ...[
        ['import', 'cursor'],
        ['import', 'cursor', '--json'],
        ['import', 'cursor', '--take-over', '--yes', '--json'],
      ],
      ...[['apps', 'cursor'], ['apps', 'cursor', '--json'], ['list', '--json'], ['export'], ['doctor']],
    ])
      runs.push(await home.run(...words));
    expect(importsOf(runs[1]?.last ?? {}).map(({ outcome }) => outcome)).toEqual(['failed', 'to-allow', 'to-fill-in']);
    expect(runs.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain(key);
    expect(everythingIn(home.profile)).not.toContain(key);
  });

  it.each([
    ['in its query', (url: URL) => `${url.origin}/mcp?region=eu&api_key=${key}`],
    ['in its path', (url: URL) => `${url.origin}/s/Zx81mQ0bV3nT7kLp2RsW/mcp`],
    ['before its host', (url: URL) => `http://me:${key}@${url.host}/mcp`],
  ])('seals the key of an address %s, imported or typed, and calls with it', async (_place, write) => {
    const basic = `Basic ${Buffer.from(`me:${key}`).toString('base64')}`;
    const requests: string[] = [];
    const behind = await startResource(undefined);
    await using server = await serveHttp((request, response) => {
      requests.push(request.url ?? '');
      const isKnown =
        request.url?.includes(`api_key=${key}`) === true ||
        request.url?.includes('/s/Zx81mQ0bV3nT7kLp2RsW/') === true ||
        request.headers.authorization === basic;
      if (!isKnown || request.url?.startsWith('/.well-known') === true)
        return void response.writeHead(isKnown ? 404 : 401).end();
      const { method, headers } = request;
      const onward = sendOn(
        behind.url,
        { method, headers: { ...headers, host: new URL(behind.url).host } },
        (reply) => {
          response.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(response);
        },
      );
      request.pipe(onward);
    });
    const address = write(new URL(server.origin));
    const home = makeAppHome([]);
    cursor(home, { keyed: { url: address } });
    const outputs = [await home.run('import', 'cursor', '--local', '--json')];
    expect(importsOf(outputs[0]?.last ?? {})).toMatchObject([{ name: 'keyed', outcome: 'imported' }]);
    outputs.push(await home.run('call', 'keyed', 'word_count', '{"text":"one two"}', '--json'));
    expect(outputs.at(-1)).toMatchObject({ code: 0, last: { isError: false } });
    if (address.includes('region')) expect(requests.at(-1)).toContain('region=eu');
    outputs.push(await home.run('import', 'cursor', '--local', '--json'));
    expect(importsOf(outputs.at(-1)?.last ?? {})).toMatchObject([{ outcome: 'known' }]);
    if (!address.includes('@')) {
      outputs.push(await home.run('remove', 'keyed', '--yes'));
      outputs.push(await home.run('connect', address, '--local', '--name', 'typed', '--json'));
      outputs.push(await home.run('call', 'typed', 'word_count', '{"text":"one two"}', '--json'));
      expect(outputs.at(-1)).toMatchObject({ code: 0, last: { isError: false } });
    }
    for (const words of [['list'], ['list', '--json'], ['show', address], ['export'], ['doctor'], ['apps', 'cursor']])
      outputs.push(await home.run(...words));
    const seen = outputs.map(({ stdout, stderr }) => stdout + stderr).join('') + everythingIn(home.profile);
    expect(seen).not.toContain(key);
    expect(seen).not.toContain('Zx81mQ0b');
  });

  const pathKey = 'Zx81mQ0bV3nT7kLp2RsW';
  it.each([
    ['imported', 'query', key],
    ['typed', 'query', key],
    ['imported', 'path', pathKey],
    ['typed', 'path', pathKey],
  ])(
    'signs in at an address that is %s with a key in its %s, calls with both, and shows the key nowhere',
    async (how, where, secret) => {
      const as = await startServer();
      const mcp = await startResource(as, {
        ...(where === 'path' && { path: `/s/${secret}/mcp` }),
        // The token endpoint requires the key, too.
        intercept: ({ url = '', headers }, response) => {
          if (headers.authorization === undefined || where === 'path' || url.includes(`api_key=${key}`)) return false;
          response.writeHead(403).end();
          return true;
        },
      });
      const address = where === 'path' ? mcp.url : `${mcp.url}?region=eu&api_key=${key}`;
      const home = makeAppHome([]);
      cursor(home, { Notes: { url: address } });
      const outputs: PosternResult[] = [];
      const run = async (...words: string[]) => {
        const done = await home.run(...words);
        outputs.push(done);
        return done;
      };
      if (how === 'typed') {
        expect((await run('connect', address, '--local', '--name', 'Notes', '--json')).code).toBe(0);
        expect((await run('connect', address, '--local', '--name', 'Notes', '--json')).code).toBe(0);
      } else {
        expect(importsOf((await run('import', 'cursor', '--local', '--json')).last)).toMatchObject([
          { outcome: 'sign-in' },
        ]);
        expect((await run('refresh', 'Notes', '--sign-in', 'browser', '--json')).code).toBe(0);
      }
      expect(importsOf((await run('import', 'cursor', '--local', '--json')).last)).toMatchObject([
        { outcome: 'known' },
      ]);
      expect(readList(home.profile)).toHaveLength(1);
      expect((await run('call', 'Notes', 'word_count', '{"text":"one two"}', '--json')).code).toBe(0);
      await run('sign-out', 'Notes');
      expect((await run('tools', 'Notes', '--sign-in', 'browser', '--json')).code).toBe(0);
      if (where === 'query') expect(mcp.requests.at(-1)?.query.get('region')).toBe('eu');
      for (const words of [['list'], ['list', '--json'], ['show', address], ['export'], ['doctor'], ['activity']])
        await run(...words);
      // The link in the error names the server as it names itself (RFC 8707 section 2).
      const shown = outputs.map(({ stdout, stderr }) => stdout + stderr).join('');
      expect(shown.replaceAll(encodeURIComponent(mcp.url), '')).not.toContain(secret);
      expect(everythingIn(home.profile)).not.toContain(secret);
      expect(JSON.stringify(as.requests.map(({ query, body }) => [[...query], body]))).not.toContain(key);
      await run('remove', 'Notes', '--yes');
      expect(await run('show', address)).toMatchObject({ code: 1 });
    },
  );

  it('takes a list from standard input, and reports services with a remote server of their own', async () => {
    const home = makeAppHome([]);
    const github = { command: process.execPath, args: ['-y', '@modelcontextprotocol/server-github'] };
    const own = { command: '/opt/postern-pipe', args: ['--profile-folder', '/p', 'n', '--app', 'x'] };
    const list = JSON.stringify({ mcpServers: { github, own } });
    const done = await runInProcess(['import', '-', '--json'], { home: home.profile, env: home.env, stdin: list });
    expect(importsOf(done.last)).toMatchObject([
      { name: 'github', outcome: 'to-allow', remote: { name: 'GitHub', isBridged: false } },
    ]);
    const shown = await home.run('local', 'start', 'github');
    expect(shown.stderr.indexOf('postern connect https://')).toBeGreaterThan(-1);
    expect(shown.stderr.indexOf('postern connect https://')).toBeLessThan(shown.stderr.indexOf(process.execPath));
  });

  it.each([
    ['a folder', { command: 'node', args: ['server.js'], cwd: 'sub/dir' }, 'sub/dir'],
    ['the folder itself', { command: 'node', args: ['server.js'], cwd: '.' }, '.'],
    ['a folder above', { command: 'node', cwd: '../other', env: { KEY: '${KEY}' } }, '../other'],
    ['the folder that is open', { command: 'node', cwd: '${workspaceFolder}/x' }, '${workspaceFolder}/x'],
    ['a command', { command: './run.sh' }, './run.sh'],
    ['an argument', { command: 'node', args: ['a', '--root=../x'] }, '--root=../x'],
  ])('names %s of standard input that is relative to an unknown folder', async (_what, entry, relative) => {
    const home = makeAppHome([]);
    const stdin = JSON.stringify({ mcpServers: { notes: entry } });
    const { stdout: said } = await runInProcess(['import', '-'], { home: home.profile, env: home.env, stdin });
    expect(said).toContain(`“${relative}”`);
    expect(said).toMatch(/local add NAME --cwd/u);
    expect(said.includes('--env KEY')).toBe('env' in entry);
  });

  it.each(['', '  '])('reports an entry whose command is %j as empty', async (command) => {
    const home = makeAppHome();
    const file = path.join(home.home, 'list.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command } } }));
    expect((await home.run('import', file)).stderr).toMatch(/notes.*empty/u);
  });

  it.each([
    ['cursor', '.cursor/mcp.json', { auth: { CLIENT_ID: 'my-app' } }],
    ['gemini-cli', '.gemini/settings.json', { oauth: { clientId: 'my-app' } }],
    ['copilot-cli', '.copilot/mcp-config.json', { oauthClientId: 'my-app' }],
  ])('names the client ID that %s signs in with', async (app, file, client) => {
    const { mcp } = await startPair();
    const home = makeAppHome([]);
    home.put(file, JSON.stringify({ mcpServers: { Notes: { url: mcp.url, ...client } } }));
    const done = await home.run('import', app, '--local', '--json');
    expect(importsOf(done.last)).toMatchObject([{ outcome: 'sign-in', clientId: 'my-app' }]);
    const output = await home.run('import', app, '--local');
    expect(output.stdout + output.stderr).toContain(`connect ${mcp.url} --local --client-id my-app --name Notes`);
  });

  const staticClient = ['--static-oauth-client-info', '{"client_id":"mine","client_secret":"canary-secret"}'];
  it.each([
    [
      'gemini-cli',
      '.gemini/settings.json',
      (url: string) =>
        JSON.stringify({ mcpServers: { a: { httpUrl: url, oauth: { clientSecret: 'canary-secret' } } } }),
      ['oauth.clientSecret'],
    ],
    [
      'cursor',
      '.cursor/mcp.json',
      (url: string) =>
        JSON.stringify({ mcpServers: { a: { command: 'npx', args: ['mcp-remote', url, '3334', ...staticClient] } } }),
      ['--static-oauth-client-info'],
    ],
    [
      'opencode',
      '.config/opencode/opencode.json',
      (url: string) => JSON.stringify({ mcp: { a: { type: 'remote', url, oauth: { scope: 'x y' } } } }),
      ['oauth.scope'],
    ],
    [
      'codex',
      '.codex/config.toml',
      (url: string) => `[mcp_servers.a]\nurl = "${url}"\nscopes = ["x"]\noauth_resource = "${url}"\n`,
      ['scopes', 'oauth_resource'],
    ],
  ])(
    'does not replace an entry of %s whose own OAuth app or scopes would be lost, and names them',
    async (app, file, write, lost) => {
      const { mcp } = await startPair();
      const home = makeAppHome([]);
      home.put(file, write(mcp.url));
      const before = home.text(file);
      const done = await home.run('import', app, '--take-over', '--yes', '--local', '--json');
      expect(done).toMatchObject({ code: 1, last: { changes: [], error: { code: 'LIST_UNREADABLE' } } });
      expect(importsOf(done.last)).toMatchObject([{ name: 'a', outcome: 'sign-in', unsupportedMembers: lost }]);
      const output = await home.run('import', app, '--local');
      expect(output).toMatchObject({ code: 1, stderr: expect.stringContaining(lost.join(', ')) });
      expect(home.text(file)).toBe(before);
      expect(
        [done, output].map(({ stdout, stderr }) => stdout + stderr).join('') + everythingIn(home.profile),
      ).not.toContain('canary-secret');
    },
  );

  it('does not replace an entry with a header that would not be sent with the sign-in', async () => {
    const { mcp } = await startPair();
    const home = makeAppHome([]);
    expect((await home.run('connect', mcp.url, '--local', '--name', 'Notes', '--sign-in', 'browser')).code).toBe(0);
    cursor(home, { Notes: { url: mcp.url, headers: { 'X-MCP-Readonly': 'true' } }, plain: { url: mcp.url } });
    const done = await home.run('import', 'cursor', '--take-over', '--yes', '--local', '--json');
    expect(done).toMatchObject({ code: 1, last: { left: [{ name: 'Notes', headers: ['X-MCP-Readonly'] }] } });
    expect(home.text('.cursor/mcp.json')).toMatch(
      /"Notes": \{\s*"url"[^]*"X-MCP-Readonly": "true"[^]*--profile-folder/u,
    );
    const output = await home.run('import', 'cursor', '--only', 'Notes', '--take-over', '--yes', '--local');
    expect(output).toMatchObject({ code: 1, stderr: expect.stringMatching(/“Notes” stays.*X-MCP-Readonly/u) });
  });

  it('reports that a server with a header that is not a key requires a sign-in, and how to connect without the header', async () => {
    const { mcp } = await startPair();
    const home = makeAppHome([]);
    cursor(home, { Notes: { url: mcp.url, headers: { 'X-MCP-Readonly': 'true' } } });
    const before = home.text('.cursor/mcp.json');
    const output = await home.run('import', 'cursor', '--take-over', '--yes', '--local');
    expect(output.code).toBe(3);
    expect(output.stderr).toMatch(/needs a sign-in.*X-MCP-Readonly/u);
    expect(output.stderr).toMatch(/without the header.*`postern connect /u);
    expect(output.stderr).not.toContain('API key');
    expect(home.text('.cursor/mcp.json')).toBe(before);
  });

  it('lists servers that require a sign-in, exits with 3, and names the command for each', async () => {
    const { mcp } = await startPair();
    const home = makeAppHome([]);
    cursor(home, { Notes: { command: 'npx', args: ['-y', 'mcp-remote@latest', mcp.url] } });
    const done = await home.run('import', 'cursor', '--local', '--json');
    expect(done).toMatchObject({ code: 3, last: { error: { code: 'SIGN_IN_REQUIRED' } } });
    expect(done.lines).toContainEqual(
      expect.objectContaining({
        event: 'import',
        outcome: 'sign-in',
        url: mcp.url,
        integration: expect.objectContaining({ name: 'Notes', state: 'signedOut', method: 'OAuthWithDCR' }),
      }),
    );
    expect((await home.run('refresh', 'Notes', '--sign-in', 'browser', '--json')).code).toBe(0);
    expect((await home.run('tools', 'Notes', '--json')).code).toBe(0);
  });

  it('keeps every header of an entry, in each spelling of mcp-remote, with values of its own variables', async () => {
    const both = await startKeyed({ authorization: `Bearer ${key}`, 'x-tenant': 'canary-tenant' });
    const home = makeAppHome([]);
    const env = { AUTH_HEADER: `Bearer ${key}`, AUTH_TOKEN: key, TENANT: 'canary-tenant' };
    const start = ['-y', 'mcp-remote@latest', both.url, '3334', '--transport', 'http-only', '--allow-http'];
    const spellings = {
      plain: { url: both.url, headers: { Authorization: `Bearer ${key}`, 'X-Tenant': 'canary-tenant', Accept: '*/*' } },
      readme: {
        command: 'npx',
        args: [...start, '--header', 'Authorization: Bearer ${AUTH_TOKEN}', '--header', 'X-Tenant: ${TENANT}'],
        env,
      },
      windows: {
        command: 'cmd',
        args: ['/c', 'npx', ...start, '--header', 'Authorization:${AUTH_HEADER}', '--header=X-Tenant:${TENANT}'],
        env,
      },
      lacking: { command: 'npx', args: [...start, '--header', 'Authorization:${ELSEWHERE}'], env },
    };
    for (const [name, entry] of Object.entries(spellings)) {
      cursor(home, { [name]: entry });
      const done = await home.run('import', 'cursor', '--local', '--json');
      expect(done).toMatchObject({ code: 0 });
      expect(importsOf(done.last)).toMatchObject([{ name, outcome: name === 'lacking' ? 'to-fill-in' : 'imported' }]);
      if (name === 'lacking') continue;
      expect(done.stdout + done.stderr + everythingIn(home.profile)).not.toContain('canary');
      const called = await home.run('call', name, 'word_count', '{"text":"one two"}', '--json');
      expect(called).toMatchObject({ code: 0, last: { isError: false } });
      const shown = await home.run('show', name);
      expect(shown.stdout).toContain('Authorization, X-Tenant');
      // Replacing the key keeps the other credentials of the server.
      const again = [
        'connect',
        both.url,
        '--name',
        name,
        '--local',
        '--header',
        'Authorization',
        '--header-value-stdin',
      ];
      const stdin = `Bearer ${key}\n`;
      expect(await runInProcess(again, { home: home.profile, env: home.env, stdin })).toMatchObject({ code: 0 });
      await home.run('remove', name, '--yes');
    }
  });

  it('reports what happens to the header of an address that is connected already', async () => {
    const [open, keyed] = [await startResource(undefined), await startKeyed()];
    const home = makeAppHome([]);
    const headers = { 'X-API-Key': key };
    cursor(home, { open: { url: open.url }, keyed: { url: keyed.url, headers } });
    expect((await home.run('import', 'cursor', '--local')).code).toBe(0);
    cursor(home, { open: { url: open.url, headers }, keyed: { url: keyed.url, headers } });
    const previewed = await home.run('import', 'cursor', '--local', '--take-over');
    expect(previewed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The header X-API-Key of “open” will be added'),
    });
    expect(previewed.stderr).toContain('The header X-API-Key of “keyed” will not be used');
    const withoutConsent = await home.run('import', 'cursor', '--local', '--json');
    expect(withoutConsent).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
    expect(withoutConsent.lines[0]).toMatchObject({ event: 'preview', headersTo: [{ name: 'open' }] });
    expect((await home.run('show', 'open', '--json')).stdout).not.toContain('X-API-Key');
    const again = await home.run('import', 'cursor', '--local', '--yes', '--json');
    expect(again.last).toMatchObject({
      imports: [
        { name: 'open', outcome: 'known', headersAre: 'stored', integration: { header: 'X-API-Key' } },
        { name: 'keyed', outcome: 'known', headersAre: 'existing' },
      ],
    });
    const last = await home.run('import', 'cursor', '--local');
    expect(last.stdout).toMatch(/\bkeyed\b[^]*\bcurrent\b.*\bkey\b/u);
    for (const name of ['open', 'keyed'])
      expect((await home.run('call', name, 'word_count', '{"text":"one"}', '--json')).code).toBe(0);
    expect(everythingIn(home.profile)).not.toContain(key);
  });

  it('replaces the imported entries in one change that can be undone', async () => {
    const [one, two] = [await startResource(undefined), await startResource(undefined)];
    const home = makeAppHome([]);
    cursor(home, {
      first: { url: one.url },
      second: { url: two.url, other: 1 },
      third: { command: 'x', args: ['${input:it}'] },
    });
    const before = home.text('.cursor/mcp.json');
    const previewed = await home.run('import', 'cursor', '--take-over', '--local');
    expect(previewed.code).toBe(2);
    for (const part of [one.url, '"first": {', '"second": {', '--profile-folder', '-     "first": {'])
      expect(previewed.stderr).toContain(part);
    expect(previewed.stderr).not.toContain('third": {');
    const none = await home.run('import', 'cursor', '--take-over', '--only', 'third');
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('postern local') });
    const output = await home.run('import', 'cursor', '--take-over', '--local', '--json');
    expect(output.lines[0]).toMatchObject({ event: 'preview', changes: [{ app: 'cursor', action: 'updated' }] });
    expect((await home.run('list', '--json')).last).toMatchObject({ integrations: [] });
    const done = await home.run('import', 'cursor', '--take-over', '--local', '--yes', '--json');
    expect(done.code).toBe(0);
    const [change] = done.last['changes'] as readonly { id: string; action: string }[];
    expect(change).toMatchObject({ action: 'updated', app: 'cursor' });
    const { last } = await home.run('apps', 'cursor', '--json');
    expect(last).toMatchObject({
      apps: [
        {
          entries: [
            { name: 'first', kind: 'postern' },
            { name: 'second', kind: 'postern' },
            { name: 'third', kind: 'local' },
          ],
          uses: [expect.any(String), expect.any(String)],
        },
      ],
    });
    expect((await home.run('undo', change?.id ?? '', '--yes')).code).toBe(0);
    expect(home.text('.cursor/mcp.json')).toBe(before);
    expect((await home.run('apps', 'cursor', '--json')).last).toMatchObject({ apps: [{ uses: [] }] });
  });

  it('makes one connection from entries with the same new address and keys', async () => {
    const [open, keyed] = [await startResource(undefined), await startKeyed()];
    const home = makeAppHome([]);
    const headers = { 'X-API-Key': key };
    cursor(home, {
      one: { url: open.url },
      two: { url: open.url },
      three: { command: 'npx', args: ['mcp-remote', open.url] },
      work: { url: keyed.url, headers },
      again: { url: keyed.url, headers },
    });
    const preview = await home.run('import', 'cursor', '--local', '--take-over');
    expect(preview.stderr).toMatch(/“again”.*“work”/u);
    expect(preview.stderr).not.toContain(key);
    const taken = await home.run('import', 'cursor', '--take-over', '--local', '--yes', '--json');
    expect(taken).toMatchObject({ code: 0 });
    expect(importsOf(taken.last).map(({ outcome }) => outcome)).toEqual([
      ...['imported', 'known', 'known'],
      ...['imported', 'known'],
    ]);
    const [first, second] = readList(home.profile).map(({ id }) => id);
    expect(await leadsTo(home)).toEqual([first, first, first, second, second]);
  });

  it.each([
    ['the query', (secret: string, url: string) => ({ url: `${url}?api_key=${secret}` })],
    ['the path', (secret: string, url: string) => ({ url: new URL(`/token/${secret}/mcp`, url).href })],
    ['a code', (secret: string, url: string) => ({ url: `${url}?code=${secret}` })],
    ['a header', (secret: string, url: string) => ({ url, headers: { 'X-API-Key': secret } })],
  ])('makes two accounts from entries with two keys in %s, and never mixes them', async (_place, entryFor) => {
    const behind = await startResource(undefined);
    const requests: string[] = [];
    const keys = ['work-key-1', 'home-key-2'] as const;
    const keyIn = (text: string): string | undefined => keys.find((each) => text.includes(each));
    await using server = await serveHttp((request, response) => {
      const found = keyIn(`${request.url} ${String(request.headers['x-api-key'])}`);
      if (found === undefined) return void response.writeHead(401).end();
      if (request.method === 'POST') requests.push(found);
      const { method, headers } = request;
      const onward = sendOn(
        behind.url,
        { method, headers: { ...headers, host: new URL(behind.url).host } },
        (reply) => {
          response.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(response);
        },
      );
      request.pipe(onward);
    });
    const [work, own] = keys.map((secret) => entryFor(secret, `${server.origin}/mcp`));
    const home = makeAppHome([]);
    cursor(home, { work, home: own });
    const taken = await home.run('import', 'cursor', '--local', '--take-over', '--yes', '--json');
    expect(taken).toMatchObject({ code: 0, last: { imports: [{ outcome: 'imported' }, { outcome: 'imported' }] } });
    expect(await leadsTo(home)).toEqual(readList(home.profile).map(({ id }) => id));
    const call = async (name: string): Promise<unknown> => {
      requests.length = 0;
      const { code } = await home.run('call', name, 'word_count', '{"text":"one"}', '--json');
      return { code, requests: [...new Set(requests)] };
    };
    expect(await call('work')).toEqual({ code: 0, requests: [keys[0]] });
    expect(await call('home')).toEqual({ code: 0, requests: [keys[1]] });
    cursor(home, { work, home: own });
    const again = await home.run('import', 'cursor', '--local', '--json');
    expect(importsOf(again.last)).toMatchObject([
      { outcome: 'known', integration: { name: 'work' } },
      { outcome: 'known', integration: { name: 'home' } },
    ]);
    if (own && !('headers' in own)) {
      expect(await call(own.url)).toEqual({ code: 0, requests: [keys[1]] });
      await home.run('remove', 'home', '--yes');
      expect(await call(own.url)).toEqual({ code: 1, requests: [] });
      const alone = await home.run('import', 'cursor', '--only', 'home', '--local', '--json');
      expect(importsOf(alone.last)).toMatchObject([{ outcome: 'imported', integration: { name: 'home' } }]);
    }
    for (const secret of keys) expect(JSON.stringify(readList(home.profile))).not.toContain(secret);
  });

  it('replaces the second entry of an address if the first could not be connected, as shown', async () => {
    const keyed = await startKeyed();
    const home = makeAppHome([]);
    cursor(home, {
      old: { url: keyed.url, headers: { 'X-API-Key': 'gone' } },
      work: { url: keyed.url, headers: { 'X-API-Key': key } },
    });
    const done = await home.run('import', 'cursor', '--take-over', '--local', '--yes', '--json');
    expect(importsOf(done.last).map(({ outcome }) => outcome)).toEqual(['failed', 'imported']);
    expect(done).toMatchObject({ code: 3, last: { error: { code: 'API_KEY_REFUSED' } } });
    const { last } = await home.run('apps', 'cursor', '--json');
    const [{ entries, uses }] = last['apps'] as [{ entries: { integration: string }[]; uses: string[] }];
    expect(entries).toMatchObject([
      { name: 'old', kind: 'remote' },
      { name: 'work', kind: 'postern', integration: uses[0] },
    ]);
  });

  it('distinguishes an entry from one with the same name in a project', async () => {
    const home = makeAppHome([]);
    const [own, other] = [await startResource(undefined), await startResource(undefined)];
    const list = (ofUser: object, ofProject: object): void =>
      void home.put(
        '.claude.json',
        JSON.stringify({
          mcpServers: { one: ofUser },
          projects: { [home.at('')]: { mcpServers: { one: ofProject } } },
        }),
      );
    const takeOver = async () => await home.run('import', 'claude-code', '--take-over', '--yes', '--local', '--json');
    list({ type: 'http', url: own.url }, { type: 'http', url: other.url });
    const done = await takeOver();
    expect(done).toMatchObject({ code: 0, last: { changes: [{ app: 'claude-code' }] } });
    const [ofUser] = readList(home.profile).filter(({ url }) => url === own.url);
    expect(JSON.stringify(done.last['changes'])).toContain(`\\"${ofUser?.alias}\\"`);
    // Consent for one does not apply to the other.
    list({ command: 'env', args: ['A=1'] }, { command: 'env', args: ['A=2'] });
    await takeOver();
    const [allowed] = readList(home.profile).filter(({ command }) => command?.arguments[0] === 'A=2');
    expect(await home.run('local', 'start', String(allowed?.id), '--yes')).toMatchObject({ code: 0 });
    expect((await takeOver()).last).toMatchObject({ changes: [] });
  });

  it('reads the key of an entry from where its app stores it', async () => {
    const seen: unknown[] = [];
    const open = await startResource(undefined, {
      intercept: ({ headers }) => {
        seen.push(headers.authorization);
        return false;
      },
    });
    const home = makeAppHome([]);
    const entry = { url: open.url, requestInit: { headers: { Authorization: `Bearer ${key}` } } };
    home.put('.config/github-copilot/intellij/mcp.json', JSON.stringify({ servers: { keyed: entry } }));
    expect(await home.run('import', 'copilot-jetbrains', '--local')).toMatchObject({ code: 0 });
    expect(new Set(seen)).toEqual(new Set([`Bearer ${key}`]));
    const odd = { ...entry, requestInit: { headers: { Authorization: [key] } } };
    home.put('.config/github-copilot/intellij/mcp.json', JSON.stringify({ servers: { odd } }));
    const refused = await home.run('import', 'copilot-jetbrains', '--local', '--json');
    expect(refused).toMatchObject({ code: 1, last: { error: { code: 'LIST_UNREADABLE' } } });
  });

  it('lists servers that Claude Code has for projects, with the project, and does not replace those entries', async () => {
    const { url } = await startResource(undefined);
    const home = makeAppHome([]);
    const [work, other] = [home.at('work'), home.at('other')];
    mkdirSync(work);
    const starts = path.join(home.profile, 'starts');
    const runs = { type: 'stdio', command: process.execPath, args: [...sdkServerWords(starts), '.'], env: {} };
    const projects = {
      [work]: { mcpServers: { web: { type: 'http', url }, runs }, disabledMcpServers: ['web'] },
      [other]: { mcpServers: {} },
    };
    home.put('.claude.json', JSON.stringify({ numStartups: 3, projects }));
    for (const named of ['claude-code', home.at('.claude.json')]) {
      const done = await home.run('import', named, '--local', '--json');
      expect(importsOf(done.last)).toMatchObject([
        { name: 'web', project: work, switchedOff: true, integration: { name: 'web' } },
        { name: 'runs', project: work, outcome: 'to-allow', integration: { command: { folder: work } } },
      ]);
    }
    expect((await home.run('local', 'start', 'runs')).stderr).toContain(work);
    const before = home.text('.claude.json');
    putClaude(home);
    const taken = await home.run('import', 'claude-code', '--take-over', '--local', '--yes');
    expect(taken.stdout).toContain(`for the project ${work}`);
    expect(home.text('.claude.json')).toBe(before);
  });

  it.each([
    ['.mcp.json', '.'],
    ['.cursor/mcp.json', '.'],
    ['.vscode/mcp.json', '${workspaceFolder}'],
    ['servers/list.json', './servers'],
  ])('replaces an entry in the list of a project (%s) with one of that project, and shows it', async (file, word) => {
    const home = makeAppHome([]);
    const project = home.at('work');
    const list = file.includes('.vscode') ? 'servers' : 'mcpServers';
    const tells = { 'tools/call': '() => ({ content: [{ type: "text", text: process.cwd() }] })' };
    const server = { command: process.execPath, args: [...scriptWords(tells), '--', word] };
    home.put(`work/${file}`, JSON.stringify({ [list]: { here: server } }));
    expect(importsOf((await home.run('import', home.at(`work/${file}`), '--json')).last)).toMatchObject([
      { outcome: 'to-allow' },
    ]);
    const folder = file === 'servers/list.json' ? path.join(project, 'servers') : project;
    const preview = await home.run('local', 'start', 'here');
    expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining(folder) });
    await home.run('local', 'start', 'here', '--yes');
    const { content } = (await home.run('call', 'here', 'act', '--json')).last as { content: [{ text: string }] };
    expect(content[0].text).toBe(folder);
  });

  it('reports which setting of its app blocks an entry', async () => {
    const { url } = await startResource(undefined);
    const home = makeAppHome([]);
    const settings = {
      mcp: { excluded: ['out'] },
      mcpServers: { out: { httpUrl: url }, in: { httpUrl: `${url}?in` } },
    };
    home.put('.gemini/settings.json', JSON.stringify(settings));
    const { last } = await home.run('import', 'gemini-cli', '--local', '--json');
    const [out, within] = importsOf(last);
    expect([out, within]).toMatchObject([{ outcome: 'imported', excludedBy: 'mcp.excluded' }, { outcome: 'imported' }]);
    expect(within).not.toHaveProperty('excludedBy');
    expect((await home.run('import', 'gemini-cli', '--local')).stdout).toMatch(/“out”.*mcp\.excluded/u);
  });

  it('asks for the folder of a relative path where it is unknown', async () => {
    const home = makeAppHome([]);
    for (const args of [
      ['.'],
      ['--root=./x'],
      ['-v', '../data:/data'],
      ['server.js'],
      ['--import', 'tsx', 'src/a.ts'],
    ]) {
      const servers = { here: { command: process.execPath, args } };
      cursor(home, servers);
      const listed = await home.run('import', 'cursor', '--json');
      expect(importsOf(listed.last)).toMatchObject([{ outcome: 'to-fill-in' }]);
      const stdin = JSON.stringify({ mcpServers: servers });
      const pasted = await runInProcess(['import', '-'], { home: home.profile, env: home.env, stdin });
      expect(pasted.stdout).toContain('--cwd');
    }
  });

  it('reports that it has no sandbox for a command that its app runs in one', async () => {
    const home = makeAppHome([]);
    const server = { type: 'stdio', command: process.execPath, args: ['-e', ''], sandboxEnabled: true };
    home.put('.config/Code/User/mcp.json', JSON.stringify({ servers: { one: server } }));
    const { last } = await home.run('import', 'vscode', '--json');
    expect(importsOf(last)).toMatchObject([{ outcome: 'to-allow', sandboxed: true }]);
    expect((await home.run('import', 'vscode')).stdout).toMatch(/“one”.*sandbox/u);
  });

  it('asks for what an entry lacks, and for its folder only if that is missing', async () => {
    const home = makeAppHome([]);
    const command = 'node';
    const ask = async (file: string, app: string, text: string): Promise<string> => {
      home.put(file, text);
      return (await home.run('import', app)).stdout;
    };
    const codex = await ask(
      '.codex/config.toml',
      'codex',
      `[mcp_servers.one]\ncommand = "node"\nenv_vars = ["ONE_KEY"]\n`,
    );
    expect(codex).toContain('ONE_KEY');
    expect(codex).not.toContain('--cwd');
    const inFile = await ask(
      '.config/Code/User/mcp.json',
      'vscode',
      JSON.stringify({ servers: { one: { command, envFile: '.env' } } }),
    );
    expect(inFile).not.toContain('--cwd');
    const both = { command, args: ['./one.js'], env: { ONE_KEY: '${input:key}' } };
    const lacking = await ask(
      '.cursor/mcp.json',
      'cursor',
      JSON.stringify({ mcpServers: { both, sub: { command, cwd: 'sub' } } }),
    );
    expect(lacking).toMatch(/“both”.*ONE_KEY.*--cwd/u);
    expect(lacking).toMatch(/“sub”.*--cwd/u);
  });

  it.each(decisionsByApp)(
    'replaces an entry of %s and keeps its tool restrictions',
    async (app, file, write, decisions) => {
      const { url } = await startResource(undefined);
      const home = makeAppHome([]);
      home.put(file, write(url));
      const plain = await home.run('import', app, '--local', '--json');
      const decided = {
        ...(decisions.isOff && { switchedOff: true }),
        ...(decisions.denied && { deniedTools: decisions.denied }),
        ...(decisions.only && { onlyTools: decisions.only }),
      };
      expect(importsOf(plain.last)).toMatchObject([{ name: 'counts', outcome: 'imported', ...decided }]);
      const said = await home.run('import', app, '--local');
      expect(said.stdout.includes('switched off')).toBe(decisions.isOff === true);
      const shown = (await home.run('import', app, '--take-over', '--local')).stderr;
      expect(shown.includes(decisions.only?.length === 0 ? 'cannot use any of its tools' : 'can only use: a.')).toBe(
        decisions.only !== undefined,
      );
      const taken = await home.run('import', app, '--take-over', '--local', '--yes', '--json');
      expect(taken).toMatchObject({ code: 0 });
      const after = home.text(file) ?? '';
      expect(after).toContain('--profile-folder');
      for (const member of decisions.members) expect(after).toMatch(member);
      // The setting appears once, not also as Postern would write it.
      expect(after.match(/\b(?:disabled|enabled)"?\s*[:=]/gu) ?? []).toHaveLength(
        decisions.isOff || app === 'goose' ? 1 : 0,
      );
      const rules = [
        ...(decisions.denied ?? []).map((tool) => ({ tool, rule: 'deny' })),
        ...(decisions.only ?? []).map((tool) => ({ tool, rule: 'allow' })),
      ];
      const level = { ...(decisions.only && { preset: 'only-allowed' }), ...(rules.length > 0 && { rules }) };
      const isRuled = Object.keys(level).length > 0;
      expect(await permissions()).toEqual(isRuled ? { apps: [{ app, ...level }] } : {});
      const [change] = taken.last['changes'] as readonly { id: string }[];
      const undone = await home.run('undo', change?.id ?? '', '--yes');
      expect(undone.code).toBe(0);
      expect(home.text(file)).toBe(write(url));
      expect(await permissions()).toEqual({});

      async function permissions() {
        return (await home.run('permit', 'counts', '--json')).last['permissions'];
      }
    },
  );

  it('limits an app to the tools that its entry names, and an undo removes only those rules', async () => {
    const { url } = await startResource(undefined);
    const home = makeAppHome([]);
    home.put(
      '.gemini/settings.json',
      json('mcpServers', { includeTools: ['word_count'], excludeTools: ['time_in'] })(url),
    );
    await home.run('import', 'gemini', '--local');
    const permits = async (tool: string, rule: string) => {
      expect(await home.run('permit', 'counts', tool, rule, '--app', 'gemini')).toMatchObject({ code: 0 });
      return { tool, rule };
    };
    const mine = await permits('time_in', 'deny');
    const taken = await home.run('import', 'gemini', '--take-over', '--local', '--yes', '--json');
    const later = await permits('add_note', 'ask');
    const ruled = async (): Promise<unknown> =>
      ((await home.run('permit', 'counts', '--json')).last['permissions'] as { apps: unknown }).apps;
    expect(await ruled()).toEqual([
      { app: 'gemini-cli', preset: 'only-allowed', rules: [mine, { tool: 'word_count', rule: 'allow' }, later] },
    ]);
    const [change] = taken.last['changes'] as readonly { id: string }[];
    expect((await home.run('undo', change?.id ?? '')).stderr).toContain('tool rules');
    expect(await home.run('undo', change?.id ?? '', '--yes')).toMatchObject({ code: 0 });
    expect(await ruled()).toEqual([{ app: 'gemini-cli', rules: [mine, later] }]);
  });

  it.each([
    [{ excludeTools: 'word_count' }],
    [{ disabledTools: { word_count: true } }],
    [{ toolFilter: ['x'] }],
    [{ includeTools: ['word_*'] }],
    [{ tools: { a: { approval_mode: 'x' } } }],
  ])('leaves an entry whose list of tools it cannot read (%j), by name', async (members) => {
    const { url } = await startResource(undefined);
    const home = makeAppHome([]);
    cursor(home, { counts: { url, ...members }, other: { url } });
    const done = await home.run('import', 'cursor', '--take-over', '--local', '--yes');
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining(Object.keys(members).join('')) });
    const { mcpServers } = JSON.parse((home.text('.cursor/mcp.json') ?? '').replace('// mine', '')) as {
      mcpServers: Record<string, object>;
    };
    expect(mcpServers['counts']).toEqual({ url, ...members });
    expect(mcpServers['other']).toHaveProperty('args');
  });

  it('replaces only entries that it showed', async () => {
    const open = await startResource(undefined);
    const home = makeAppHome([]);
    cursor(home, { first: { url: open.url } });
    const command = posternCommand('import', 'cursor', '--take-over', '--local');
    const prompting = startCommand(onTerminal(...command), { home: home.profile, env: home.env });
    await prompting.waitFor(/Continue\? \[y\/N\]/);
    cursor(home, { first: { url: open.url }, theirs: { command: 'x' } });
    const theirs = home.text('.cursor/mcp.json');
    prompting.type('y\n');
    expect(await prompting.ended).toMatchObject({ code: 1, stdout: expect.stringContaining('APP_FILE_CHANGED') });
    expect(home.text('.cursor/mcp.json')).toBe(theirs);
  });

  it('shows no value of an entry that an undo restores', async () => {
    const keyed = await startKeyed();
    const home = makeAppHome([]);
    cursor(home, { keyed: { url: keyed.url, headers: { 'X-API-Key': key } } });
    const before = home.text('.cursor/mcp.json');
    const done = await home.run('import', 'cursor', '--take-over', '--local', '--yes', '--json');
    expect(done.code).toBe(0);
    const [change] = done.last['changes'] as readonly { id: string }[];
    const shown = [
      await home.run('undo', change?.id ?? ''),
      await home.run('undo', change?.id ?? '', '--json'),
      await home.run('undo', change?.id ?? '', '--yes', '--json'),
    ];
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(key);
    expect(shown[0]?.stderr).toContain('X-API-Key');
    expect(home.text('.cursor/mcp.json')).toBe(before);
  });

  it('puts no value into an argument when an undo restores it in an app with its own command', async () => {
    const keyed = await startKeyed();
    const home = makeAppHome([]);
    const mine = { type: 'http', url: keyed.url, headers: { 'X-API-Key': key } };
    home.put('.claude.json', JSON.stringify({ mcpServers: { keyed: mine } }));
    const { folder, calls } = putClaude(home);
    const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const run = (...words: string[]) => runInProcess([...words, '--yes', '--json'], { home: home.profile, env });
    const done = await run('import', 'claude-code', '--take-over', '--local');
    expect(done.code).toBe(0);
    const [change] = done.last['changes'] as readonly { id: string }[];
    expect((await run('undo', change?.id ?? '')).code).toBe(0);
    expect(JSON.stringify(calls())).not.toContain(key);
    expect(JSON.parse(home.text('.claude.json') ?? '')).toEqual({ mcpServers: { keyed: mine } });
  });

  it('reads a named file, in each format, and rejects what the address rule forbids', async () => {
    const open = await startResource(undefined);
    const home = makeAppHome([]);
    for (const [name, text] of [
      ['a.json', `{"servers": {"one": {"url": "${open.url}"}}}`],
      ['b.toml', `[mcp_servers.two]\nurl = "${open.url}"\n`],
      ['c.yaml', `extensions:\n  three:\n    uri: ${open.url}\n`],
      ['opencode.jsonc', `{"mcp": {"five": {"type": "local", "command": ["bunx", "mcp-remote", "${open.url}"]}}}`],
      ['d.yml', `mcpServers:\n  - name: four\n    url: ${open.url}\n`],
    ] as const) {
      const refused = await home.run('import', home.put(name, text), '--json');
      expect(refused).toMatchObject({ code: 1, last: { error: { stage: 'address' } } });
      expect(refused.lines[0]).toMatchObject({ event: 'import', outcome: 'failed' });
    }
    expect((await home.run('import', home.at('d.yml'), '--local', '--json')).last).toMatchObject({
      imports: [{ name: 'four', outcome: 'imported' }],
    });
    expect((await home.run('import', home.put('e.json', '{}'), '--json')).last).toMatchObject({
      error: { code: 'LIST_UNREADABLE' },
    });
    expect((await home.run('import', 'notepad', '--json')).last).toMatchObject({
      error: { code: 'APP_NOT_FOUND' },
    });
    expect((await home.run('import', home.at('d.yml'), '--take-over', '--yes')).code).toBe(2);
  });
  it('imports readable entries, and exits with 1 and a list of unreadable entries and members', async () => {
    const open = await startResource(undefined);
    const home = makeAppHome([]);
    const runs = { command: process.execPath, args: ['-e', ''] };
    const entries = {
      good: { url: open.url },
      none: null,
      text: 'https://a.example/mcp',
      address: { url: 7 },
      word: { ...runs, args: ['-e', { key: 1 }] },
      words: { ...runs, args: { first: '-e' } },
      header: { url: open.url, headers: { Authorization: { from: 'keychain' } } },
      variable: { ...runs, env: { TOKEN: ['a'] } },
      folder: { ...runs, cwd: 3 },
      typo: { comand: 'npx' },
      'of another list': { enabled: false },
      'good too': runs,
    };
    const unreadable = [
      ['none', undefined],
      ['text', undefined],
      ['address', 'url'],
      ['word', 'args.1'],
      ['words', 'args'],
      ['header', 'headers.Authorization'],
      ['variable', 'env.TOKEN'],
      ['folder', 'cwd'],
      ['typo', undefined],
    ];
    cursor(home, entries);
    for (const source of ['cursor', home.put('list.json', JSON.stringify({ mcpServers: entries }))]) {
      const done = await home.run('import', source, '--local', '--json');
      expect(done).toMatchObject({ code: 1, last: { error: { code: 'LIST_UNREADABLE' } } });
      const imports = importsOf(done.last) as readonly (ImportedFields & { readonly member?: string })[];
      expect(
        imports.filter(({ outcome }) => outcome === 'unreadable').map(({ name, member }) => [name, member]),
      ).toEqual(unreadable);
      expect(imports.filter(({ outcome }) => outcome !== 'unreadable').map(({ name }) => name)).toEqual([
        'good',
        'good too',
      ]);
    }
    const output = await home.run('import', 'cursor', '--local', '--only', 'word');
    expect(output).toMatchObject({ code: 1, stderr: expect.stringMatching(/“word”.*“args\.1”/u) });
  });

  it('skips entries that are part of the app, not servers', async () => {
    const open = await startResource(undefined);
    const home = makeAppHome([]);
    const own = ['builtin', 'platform', 'frontend'].map(
      (type) =>
        `  ${type}:\n    bundled: true\n    enabled: true\n    name: ${type}\n    timeout: 300\n    type: ${type}\n`,
    );
    const file = home.put(
      '.config/goose/config.yaml',
      `extensions:\n${own.join('')}  counts:\n    type: streamable_http\n    uri: ${open.url}\n`,
    );
    for (const source of ['goose', file])
      expect(await home.run('import', source, '--local', '--json')).toMatchObject({
        code: 0,
        last: { imports: [{ name: 'counts' }] },
      });
  });

  it('uses the address that the app uses, if an entry has two', async () => {
    const [used, other] = [await startResource(undefined), await startResource(undefined)];
    const home = makeAppHome([]);
    home.put('.gemini/settings.json', JSON.stringify({ mcpServers: { two: { url: other.url, httpUrl: used.url } } }));
    expect((await home.run('import', 'gemini', '--local', '--json')).code).toBe(0);
    expect(readList(home.profile).map(({ url }) => url)).toEqual([used.url]);
    expect(other.requests).toEqual([]);
  });

  it('lists the command that the app runs, if the entry has an address too', async () => {
    const other = await startResource(undefined);
    const home = makeAppHome([]);
    const runs = { command: process.execPath, args: ['-e', ''] };
    cursor(home, { typed: { type: 'stdio', ...runs, url: other.url }, empty: { ...runs, args: ['-v'], url: '' } });
    const done = await home.run('import', 'cursor', '--local', '--json');
    expect(done.code).toBe(0);
    expect(importsOf(done.last)).toMatchObject([
      { name: 'typed', outcome: 'to-allow' },
      { name: 'empty', outcome: 'to-allow' },
    ]);
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['list.json', (url: string) => JSON.stringify({ mcpServers: {}, servers: { there: { url } } })],
    ['list.yaml', (url: string) => `extensions: {}\nmcpServers:\n  - name: there\n    url: ${url}\n`],
  ])('imports from every list of %s', async (file, write) => {
    const open = await startResource(undefined);
    const home = makeAppHome([]);
    home.put(file, write(open.url));
    const done = await home.run('import', home.at(file), '--local', '--json');
    expect(done.code).toBe(0);
    expect(importsOf(done.last)).toMatchObject([{ name: 'there', outcome: 'imported' }]);
  });

  it('names a credential that it does not import, and does not replace the entry', async () => {
    const { mcp } = await startPair();
    const home = makeAppHome([]);
    cursor(home, { keyed: { url: mcp.url, auth: { type: 'bearer', token: key } } });
    const before = home.text('.cursor/mcp.json');
    const done = await home.run('import', 'cursor', '--take-over', '--yes', '--local', '--json');
    expect(done).toMatchObject({ code: 1, last: { error: { code: 'LIST_UNREADABLE' } } });
    expect(importsOf(done.last)).toMatchObject([{ name: 'keyed', unsupportedMembers: ['auth.token'] }]);
    const output = await home.run('import', 'cursor', '--local');
    expect(output).toMatchObject({ code: 1, stderr: expect.stringContaining('auth.token') });
    expect(home.text('.cursor/mcp.json')).toBe(before);
    expect(
      [done, output].map(({ stdout, stderr }) => stdout + stderr).join('') + everythingIn(home.profile),
    ).not.toContain(key);
  });

  it('imports the rest and exits 1 if lists of tools cannot be read', async () => {
    const home = makeAppHome([]);
    const runs = { command: process.execPath, args: ['-e', ''] };
    cursor(home, { good: runs, odd: { ...runs, args: ['-v'], includeTools: 'read' } });
    const done = await home.run('import', 'cursor', '--json');
    expect(done).toMatchObject({ code: 1, last: { error: { code: 'LIST_UNREADABLE' } } });
    expect(importsOf(done.last)).toMatchObject([
      { name: 'good', outcome: 'to-allow' },
      { name: 'odd', outcome: 'to-allow', unsupportedMembers: ['includeTools'] },
    ]);
    const output = await home.run('import', 'cursor');
    expect(output).toMatchObject({ code: 1, stderr: expect.stringMatching(/“odd”.*includeTools/u) });
  });

  it('names the unreadable servers of a project', async () => {
    const home = makeAppHome([]);
    const work = home.at('work');
    mkdirSync(work);
    const projects = { [work]: { mcpServers: { odd: { command: 'x', args: [{}] }, good: { command: 'env' } } } };
    home.put('.claude.json', JSON.stringify({ projects }));
    for (const named of ['claude-code', home.at('.claude.json')]) {
      const done = await home.run('import', named, '--json');
      expect(done).toMatchObject({ code: 1, last: { error: { code: 'LIST_UNREADABLE' } } });
      expect(importsOf(done.last)).toMatchObject([
        { name: 'good', project: work, outcome: 'to-allow' },
        { name: 'odd', project: work, outcome: 'unreadable', member: 'args.0' },
      ]);
    }
  });

  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];
  const oddJson = (list: string) =>
    `{"${list}": {${odd.map((name) => `"${name}": {"command": "env", "args": ["${name}"]}`).join(', ')}}}`;
  const oddProject = `{"projects": {"/tmp": ${oddJson('mcpServers')}}}`;
  it.each([
    ['cursor', '.cursor/mcp.json', oddJson('mcpServers'), odd],
    ['vscode', '.config/Code/User/mcp.json', oddJson('servers'), odd],
    ['claude-code', '.claude.json', oddProject, odd],
    ['list.json', 'list.json', oddJson('mcpServers'), odd],
    ['bare.json', 'bare.json', oddJson('x').slice(6, -1), odd],
    [
      'codex',
      '.codex/config.toml',
      odd.map((name) => `[mcp_servers.${name}]\ncommand = "env"\nargs = ["${name}"]\n`).join('\n'),
      odd,
    ],
    [
      'goose',
      '.config/goose/config.yaml',
      `extensions:\n${odd.map((name) => `  ${name}:\n    cmd: env\n    args: [${name}]\n`).join('')}`,
      odd,
    ],
  ])('loses no entry whose name is a property of every object, read from %s', async (source, file, text, names) => {
    const home = makeAppHome([]);
    home.put(file, text);
    const word = source.includes('.') ? home.at(file) : source;
    const done = await home.run('import', word, '--json');
    expect(importsOf(done.last).map(({ name, outcome }) => [name, outcome])).toEqual(
      names.map((name) => [name, 'to-allow']),
    );
    const alone = await home.run('import', word, '--only', '__proto__', '--json');
    expect(importsOf(alone.last)).toHaveLength(1);
    const { last } = await home.run('list', '--json');
    expect((last['integrations'] as { name: string }[]).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'saves an interrupted import when %s ends it, and can continue',
    async (signal) => {
      const home = makeAppHome([]);
      const [open, keyed] = [await startResource(undefined), await startKeyed()];
      const silent = await serveHttp(() => {});
      // A connected server without a credential, and an entry with a key.
      await home.run('connect', open.url, '--local', '--name', 'Bare');
      cursor(home, {
        first: { url: (await startResource(undefined)).url },
        keyed: { url: keyed.url, headers: { 'X-API-Key': key } },
        given: { url: open.url, headers: { 'X-Key': key } },
        runs: { command: process.execPath, args: ['-e', ''] },
        last: { url: `${silent.origin}/mcp` },
      });
      const list = home.text('.cursor/mcp.json');
      const words = ['import', 'cursor', '--take-over', '--local', '--yes'];
      const noting = ['sh', '-c', `echo $$ > "${home.at('pid')}"; exec "$0" "$@"`, ...posternCommand(...words)];
      const started = startCommand(onTerminal(...noting), { home: home.profile, env: home.env });
      await started.waitFor(/Importing 4 of 5/u);
      process.kill(Number(home.text('pid')), signal);
      const stopped = await started.ended;
      expect(stopped).toMatchObject({
        code: 130,
        stdout: expect.stringMatching(/\b4 of 5 entries\b[^]*USER_CANCELLED/u),
      });
      expect(home.text('.cursor/mcp.json')).toBe(list);
      expect(readList(home.profile)).toMatchObject([
        { name: 'Bare', options: { headerName: 'X-Key' } },
        { name: 'first' },
        { name: 'keyed' },
        { name: 'runs' },
      ]);
      const again = await home.run('import', 'cursor', '--local', '--only', 'keyed', '--only', 'given', '--json');
      expect(importsOf(again.last)).toMatchObject([{ outcome: 'known' }, { outcome: 'known' }]);
      expect((await home.run('call', 'keyed', 'whoami')).code).toBe(0);
    },
  );

  it('requests the documents of a service once for any number of entries, and shows progress', async () => {
    const home = makeAppHome([]);
    const requested: string[] = [];
    const { url: at } = await startResource(undefined, {
      intercept: ({ url = '' }) => {
        requested.push(url);
        return false;
      },
    });
    const servers = Array.from({ length: 28 }, (_, index) => [`s${index}`, { url: `${at}?n=${index}` }] as const);
    cursor(home, Object.fromEntries(servers));
    const command = posternCommand('import', 'cursor', '--local');
    const done = await startCommand(onTerminal(...command), { home: home.profile, env: home.env }).ended;
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/Importing \d+ of 28/u);
    expect(readList(home.profile)).toHaveLength(28);
    const documents = requested.filter((each) => each.includes('well-known'));
    expect(documents).toHaveLength(new Set(documents).size);
  });

  it('stops contacting a service that was silent to several entries', async () => {
    const home = makeAppHome([]);
    let count = 0;
    const gone = await serveHttp(({ socket }) => {
      count += 1;
      socket.destroy();
    });
    const servers = Array.from(
      { length: 60 },
      (_, index) => [`s${index}`, { url: `${gone.origin}/${index}` }] as const,
    );
    cursor(home, Object.fromEntries(servers));
    const done = await home.run('import', 'cursor', '--local', '--json');
    expect(done.code).toBe(1);
    expect(importsOf(done.last).map(({ outcome }) => outcome)).toEqual(servers.map(() => 'failed'));
    expect(count).toBeLessThan(servers.length);
  });

  it.each(['n\n', '\n', '\x04', '\x03'])('saves nothing if the response is %j', async (answer) => {
    const home = makeAppHome([]);
    const open = await startResource(undefined);
    await home.run('list');
    cursor(home, { first: { url: open.url }, runs: { command: process.execPath, args: ['-e', ''] } });
    const command = posternCommand('import', 'cursor', '--take-over', '--local');
    const prompting = startCommand(onTerminal(...command), { home: home.profile, env: home.env });
    await prompting.waitFor(/Continue\? \[y\/N\]/);
    prompting.type(answer);
    expect((await prompting.ended).code).toBe(130);
    expect((await home.run('list', '--json')).last['integrations']).toEqual([]);
  });

  it.each(['cursor', 'many.json', '-'])('writes a list of many entries once, read from %s', async (source) => {
    const home = makeAppHome([]);
    const [open, keyed] = [await startResource(undefined), await startKeyed()];
    // The vault and the callback port exist before.
    const before = { first: { command: 'env' }, second: { url: (await startResource(undefined)).url } };
    await home.run('import', home.put('before.json', JSON.stringify({ mcpServers: before })), '--local');
    const commands = Array.from({ length: 500 }, (_, index) => {
      return [`Same name${' '.repeat(index)}`, { command: process.execPath, args: [`${index}`], env: { TOKEN: key } }];
    });
    const entries = {
      open: { url: open.url },
      keyed: { url: keyed.url, headers: { 'X-API-Key': key } },
      ...Object.fromEntries(commands),
    };
    const text = JSON.stringify({ mcpServers: entries });
    home.put(source === 'cursor' ? '.cursor/mcp.json' : 'many.json', text);
    const files: (string | null)[] = [];
    const watcher = watch(home.profile, (_event, file) => files.push(file));
    const words = ['import', source === 'many.json' ? home.at(source) : source, '--local', '--json'];
    const done = await runInProcess(words, { home: home.profile, env: home.env, stdin: text });
    watcher.close();
    expect(done.code).toBe(0);
    const writesOf = (name: string): number => files.filter((file) => file === name).length;
    expect([writesOf('config.json'), writesOf('vault')]).toEqual([1, 1]);
    const list = readList(home.profile);
    expect(list.map(({ name }) => name).slice(2, 6)).toEqual(['open', 'keyed', 'Same name', 'Same name 2']);
    expect(new Set(list.map(({ alias }) => alias)).size).toBe(504);
    for (const { command, alias, url } of list) expect(url === `local://${alias}`).toBe(command !== undefined);
    expect(readPins(home.profile)).toHaveLength(3);
    const again = await runInProcess(words, { home: home.profile, env: home.env, stdin: text });
    expect([again.code, readList(home.profile)]).toEqual([0, list]);
  });

  it('queries an unresponsive login shell once for a whole list', async () => {
    const home = makeAppHome([]);
    const shell = home.put('silent', `#!/bin/sh\necho "$1" >> ${home.at('asked')}\nexec sleep 60\n`);
    chmodSync(shell, 0o755);
    const listed = Array.from({ length: 4 }, (_, index) => [`s${index}`, { command: 'env', args: [`${index}`] }]);
    const file = home.put('many.json', JSON.stringify({ mcpServers: Object.fromEntries(listed) }));
    const env = { ...home.env, SHELL: shell };
    const done = await runInProcess(['import', file, '--json'], { home: home.profile, env });
    expect(importsOf(done.last).map(({ outcome }) => outcome)).toEqual(listed.map(() => 'to-allow'));
    const asked = home.text('asked')?.trim().split('\n') ?? [];
    expect(asked).toEqual(expect.arrayContaining(['-lic']));
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('reads every entry of a long list', async () => {
    const home = makeAppHome([]);
    const listed = Array.from({ length: 300 }, (_, index) => [`s${index}`, { command: '${input:command}' }]);
    const file = home.put('many.json', JSON.stringify({ mcpServers: Object.fromEntries(listed) }));
    expect(importsOf((await home.run('import', file, '--json')).last)).toHaveLength(300);
  });
});
