import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEntry } from '../../../main/apps/entry/read-entry.ts';
import { openList } from '../../../main/apps/list/edit-file.ts';
import { findApp } from '../../../main/apps/table/apps.ts';
import { startPair } from '../../support/demo-pair.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, startCommand, startPostern } from '../../support/postern-process.ts';
import { makeAppHome, modeOf } from '../../support/app-home.ts';
import type { AppHome } from '../../support/app-home.ts';

/** An app starts what `use` has written, with only HOME and PATH, and uses the stored sign-in. */

const files = {
  cursor: '.cursor/mcp.json',
  codex: '.codex/config.toml',
  goose: '.config/goose/config.yaml',
  continue: '.continue/config.yaml',
  opencode: '.config/opencode/opencode.json',
} as const;
const httpFiles = {
  ...files,
  windsurf: '.codeium/windsurf/mcp_config.json',
  'qwen-code': '.qwen/settings.json',
} as const;

async function connected(): Promise<AppHome> {
  const { mcp } = await startPair();
  const home = makeAppHome([]);
  expect((await home.run('connect', mcp.url, '--local', '--name', 'Notes', '--json')).code).toBe(0);
  return home;
}

async function start(...options: string[]): Promise<AppHome> {
  const home = await connected();
  const serving = startPostern(['serve', '--json', ...options], { home: home.profile, env: home.env });
  await serving.waitFor(/"event":"serving"/);
  return home;
}

function entryIn(home: AppHome, id: keyof typeof httpFiles): unknown {
  const app = findApp(id);
  if (!app) throw new Error(id);
  return openList(app).read(home.text(httpFiles[id]) ?? '').entries?.[0]?.[1];
}

function wordsIn(home: AppHome, id: keyof typeof files): readonly string[] {
  return readEntry(entryIn(home, id)).words;
}

async function connect(home: AppHome, [command = '', ...args]: readonly string[]): Promise<Client> {
  const env = { HOME: home.home, PATH: process.env['PATH'] ?? '' };
  const client = new Client({ name: 'a-app', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command, args: [...args], env, cwd: home.home, stderr: 'ignore' }));
  return client;
}

describe('what an app starts', () => {
  it('reaches the server with Postern’s sign-in, from the file of each kind', async () => {
    const home = await start();
    for (const [id, file] of Object.entries(files) as [keyof typeof files, string][]) {
      home.put(file, '');
      expect((await home.run('use', 'Notes', id, '--yes')).code).toBe(0);
      const client = await connect(home, wordsIn(home, id));
      expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
      await client.close();
    }
  });

  it('is rejected once the app is revoked, and once its entry is removed', async () => {
    const home = await start();
    home.put(files.cursor, '{}');
    await home.run('use', 'Notes', 'cursor', '--yes');
    const words = wordsIn(home, 'cursor');
    await (await connect(home, words)).close();
    await home.run('unuse', '--all', 'cursor', '--yes');
    await expect(connect(home, words)).rejects.toThrow(/no longer allowed/);
    await home.run('use', 'Notes', 'cursor', '--yes');
    const renewed = wordsIn(home, 'cursor');
    await (await connect(home, renewed)).close();
    await home.run('unuse', 'Notes', 'cursor', '--yes');
    await expect(connect(home, renewed)).rejects.toThrow(/allowed/);
  });
});

describe('what an app reaches over HTTP', () => {
  it('is the server with Postern’s sign-in, and the secret is shown nowhere', async () => {
    const home = await start('--http');
    const said: string[] = [];
    for (const [id, file] of Object.entries(httpFiles) as [keyof typeof httpFiles, string][]) {
      home.put(file, '');
      const used = await home.run('use', 'Notes', id, '--http', '--yes', '--json');
      said.push(used.stdout, used.stderr);
      const secret = id === 'codex' ? 'helper' : 'header';
      expect(used).toMatchObject({ code: 0, last: { changes: [{ secret, action: 'updated' }] } });
      const { url = '', headers } = readEntry(entryIn(home, id));
      const [{ value: authorization } = { value: askHelper(home) }] = headers;
      expect(authorization).toMatch(/^Bearer [\w-]{43}$/);
      const client = new Client({ name: 'a-app', version: '1' });
      onTestFinished(() => client.close());
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
      );
      expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
      const listed = await home.run('apps', id, '--json');
      said.push(listed.stdout);
      expect(listed.last).toMatchObject({
        apps: [{ entries: [{ name: 'notes', kind: 'postern' }], secret: id === 'codex' ? 'helper' : 'header' }],
      });
      expect(said.join('')).not.toContain(authorization.slice('Bearer '.length));
      const again = await home.run('use', 'Notes', id, '--http', '--yes', '--json');
      expect(again).toMatchObject({ code: 0, last: { changes: [{ action: 'updated' }] } });
      expect((await home.run('unuse', 'Notes', id, '--yes')).code).toBe(0);
      expect(home.text(file)).toBe('');
    }
    expect(home.text(httpFiles.windsurf)).toBe('');
    const refused = await home.run('use', 'Notes', 'claude-desktop', '--http', '--yes');
    expect(refused.code).toBe(2);
  });

  it('is pasted with its secret if the file cannot be changed, and this is reported', async () => {
    const home = await connected();
    home.put(files.cursor, '{ damaged');
    const preview = await home.run('use', 'Notes', 'cursor', '--http', '--json');
    expect(preview).toMatchObject({ code: 2, stdout: expect.not.stringMatching(/Bearer [^(]/) });
    const said = await home.run('use', 'Notes', 'cursor', '--http', '--yes');
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('paste them nowhere else') });
    const { last } = await home.run('use', 'Notes', 'cursor', '--http', '--yes', '--json');
    const { paste } = last['error'] as { paste: { lines: string; secret: boolean } };
    expect(paste.secret).toBe(true);
    const { url = '', headers } = readEntry(
      (JSON.parse(paste.lines) as { mcpServers: { notes: object } }).mcpServers.notes,
    );
    const serving = startPostern(['serve', '--json', '--idle-exit', '1'], { home: home.profile, env: home.env });
    await serving.waitFor(/"event":"serving"/);
    const [{ value: authorization } = { value: '' }] = headers;
    const client = new Client({ name: 'a-app', version: '1' });
    const requestInit = { headers: { authorization } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    expect(JSON.stringify(await client.listTools())).toContain('whoami');
    await client.close();
    await home.run('unuse', '--all', 'cursor', '--yes');
    await serving.ended;
  });

  it('waits for a service: one that starts later opens the endpoint, and keeps it open', async () => {
    const home = await connected();
    home.put(files.cursor, '{}');
    const used = await home.run('use', 'Notes', 'cursor', '--http', '--yes');
    expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining('`postern serve`') });
    const serving = startPostern(['serve', '--json', '--idle-exit', '1'], { home: home.profile, env: home.env });
    await serving.waitFor(/"event":"serving"/);
    // Meanwhile it is idle, for longer than its limit.
    for (let command = 0; command < 4; command += 1) await home.run('doctor', '--json');
    const { url = '', headers } = readEntry(entryIn(home, 'cursor'));
    const [{ value: authorization } = { value: '' }] = headers;
    const client = new Client({ name: 'a-app', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
    );
    await client.listTools();
    await client.close();
    const again = await home.run('use', 'Notes', 'cursor', '--http', '--yes');
    expect(again.stdout).not.toContain('`postern serve`');
    await home.run('unuse', '--all', 'cursor', '--yes');
    expect(await serving.ended).toMatchObject({ code: 0 });
  });

  it.skipIf(process.platform === 'win32')(
    'warns if others may read its secret, and is private if the file is created',
    async () => {
      const home = await connected();
      const file = home.put(files.cursor, '{}');
      for (const [mode, readByOthers] of [
        [0o644, true],
        [0o640, true],
        [0o600, undefined],
      ] as const) {
        chmodSync(file, mode);
        const { last } = await home.run('use', 'Notes', 'cursor', '--http', '--dry-run', '--json');
        expect((last['changes'] as { readByOthers?: boolean }[])[0]?.readByOthers).toBe(readByOthers);
      }
      chmodSync(file, 0o644);
      const shown = await home.run('use', 'Notes', 'cursor', '--http', '--dry-run');
      expect(shown.stdout).toContain('chmod 600');
      const { last } = await home.run('use', 'Notes', 'cursor', '--dry-run', '--json');
      expect((last['changes'] as object[])[0]).not.toHaveProperty('readByOthers');
      mkdirSync(home.at('.qwen'));
      expect((await home.run('use', 'Notes', 'qwen-code', '--http', '--yes')).code).toBe(0);
      expect(modeOf(home.at(httpFiles['qwen-code']))).toBe(0o600);
    },
  );

  it('leaves no access and no secret behind if its file cannot be written, or was replaced by then', async () => {
    const home = await connected();
    const readRecords = async () => {
      const { apps } = (await home.run('apps', 'cursor', '--json')).last as { apps: { uses: string[] }[] };
      const { last } = await home.run('headers', 'cursor', '--json');
      const vault = JSON.parse(readFileSync(path.join(home.profile, 'vault'), 'utf8')) as { records: unknown[] };
      return [apps[0]?.uses, last['error'] ?? last, vault.records.length];
    };
    const [, , records] = await readRecords();
    // Readable, but a file next to it has a name that is too long.
    home.put('x'.repeat(250), '{}');
    mkdirSync(home.at('.cursor'));
    symlinkSync(home.at('x'.repeat(250)), home.at(files.cursor));
    const failed = await home.run('use', 'Notes', 'cursor', '--http', '--yes', '--json');
    expect(failed).toMatchObject({
      code: 1,
      last: { error: { code: 'APP_FILE_DENIED', nextStep: expect.any(String) } },
    });
    expect(await readRecords()).toMatchObject([[], { code: 'APP_UNKNOWN' }, records]);
    rmSync(home.at(files.cursor));
    home.put(files.cursor, '{}');
    const command = startCommand(onTerminal(...posternCommand('use', 'Notes', 'cursor', '--http')), {
      home: home.profile,
      env: home.env,
    });
    await command.waitFor(/Continue\? \[y\/N\]/);
    home.put(files.cursor, '{ "mcpServers": {} }');
    command.type('y\r');
    expect((await command.ended).code).toBe(1);
    expect(await readRecords()).toMatchObject([[], { code: 'APP_UNKNOWN' }, records]);
    expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
    expect(await readRecords()).toMatchObject([
      [expect.any(String)],
      { Authorization: expect.any(String) },
      Number(records) + 1,
    ]);
  });

  it('reuses the secret in its entries if the vault is lost', async () => {
    const home = await connected();
    home.put(files.cursor, '{}');
    expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
    const before = home.text(files.cursor);
    rmSync(path.join(home.profile, 'vault'));
    const again = await home.run('use', 'Notes', 'cursor', '--http', '--as', 'second', '--yes', '--json');
    expect(again).toMatchObject({
      code: 0,
      last: { changes: [expect.not.objectContaining({ replacesSecret: true })] },
    });
    const { Authorization } = (await home.run('headers', 'cursor', '--json')).last;
    expect(before).toContain(Authorization);
  });

  it('has a new secret if no entry shows the lost one, and doctor reports which entries hold that', async () => {
    const home = await connected();
    home.put(files.cursor, '{}');
    expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
    const old = home.text(files.cursor) ?? '';
    rmSync(path.join(home.profile, 'vault'));
    home.put(files.cursor, '{}');
    const again = await home.run('use', 'Notes', 'cursor', '--http', '--yes');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('`postern doctor`') });
    home.put(files.cursor, old);
    const wrong = async () =>
      ((await home.run('doctor', '--json')).last['checks'] as { entry?: string; ok: boolean }[]).filter(
        ({ entry, ok }) => entry !== undefined && !ok,
      );
    expect(await wrong()).toMatchObject([{ entry: 'notes', nextStep: 'postern use notes cursor --http' }]);
    expect((await home.run('use', 'notes', 'cursor', '--http', '--yes')).code).toBe(0);
    expect(await wrong()).toEqual([]);
  });

  /** Codex passes it to a shell. */
  function askHelper(home: AppHome): string {
    const { http_headers_helper: helper } = entryIn(home, 'codex') as { http_headers_helper: string };
    const { POSTERN_HOME: _home, ...env } = process.env;
    const output = execFileSync('/bin/sh', ['-c', helper], { env: { ...env, HOME: home.home }, encoding: 'utf8' });
    return (JSON.parse(output) as { Authorization: string }).Authorization;
  }
});
