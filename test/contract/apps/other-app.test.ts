import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPair } from '../../support/demo-pair.ts';
import { startPostern } from '../../support/postern-process.ts';
import { makeAppHome, type AppHome } from '../../support/app-home.ts';

/** An app that is not in the table: it is added under a name, and uses the lines that were shown. */

interface Pasted {
  readonly command: string;
  readonly args: string[];
  readonly url: string;
  readonly headers: Record<string, string>;
}

async function start(...options: string[]): Promise<AppHome> {
  const { mcp } = await startPair();
  const home = makeAppHome([]);
  expect((await home.run('connect', mcp.url, '--local', '--name', 'Notes', '--json')).code).toBe(0);
  const serving = startPostern(['serve', '--json', ...options], { home: home.profile, env: home.env });
  await serving.waitFor(/"event":"serving"/);
  return home;
}

/** What a user pastes after consent. */
async function add(home: AppHome, ...more: string[]): Promise<Pasted> {
  const used = await home.run('use', 'Notes', '--other', 'My agent', '--yes', '--json', ...more);
  expect(used).toMatchObject({
    code: 0,
    last: { changes: [{ app: 'other-my-agent', path: '', action: 'paste', before: '' }] },
  });
  const [{ after }] = used.last['changes'] as [{ after: string }];
  return (JSON.parse(after) as { mcpServers: { notes: Pasted } }).mcpServers.notes;
}

async function connect(home: AppHome, { command, args, url, headers }: Pasted): Promise<Client> {
  const client = new Client({ name: 'my-agent', version: '1' });
  onTestFinished(() => client.close());
  const env = { HOME: home.home, PATH: process.env['PATH'] ?? '' };
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport({ command, args, env, cwd: home.home, stderr: 'ignore' });
  await client.connect(transport);
  return client;
}

async function uses(client: Client): Promise<void> {
  expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
}

describe('another app', () => {
  it('uses a server with the pasted lines, and is listed and found like the others', async () => {
    const home = await start();
    const lines = await add(home);
    const listed = async () =>
      ((await home.run('apps', '--json')).last['apps'] as { id: string; uses: string[] }[]).find(
        ({ id }) => id === 'other-my-agent',
      );
    expect(await listed()).toMatchObject({ uses: [], waiting: [expect.any(String)] });
    const client = await connect(home, lines);
    await uses(client);
    // Its first call shows that the lines are in place; that is saved asynchronously.
    await expect.poll(async () => (await listed())?.uses.length).toBe(1);
    expect(await listed()).toMatchObject({
      name: 'My agent',
      found: true,
      files: [],
      way: 'paste',
      uses: [expect.any(String)],
    });
    expect((await home.run('apps', 'my AGENT')).stdout).toContain('My agent');
    // Calls are saved asynchronously.
    const noted = async (): Promise<string> => (await home.run('activity', '--app', 'My agent')).stdout;
    await expect.poll(noted).toMatch(/My agent +Notes +whoami +ok/);
  });

  it('keeps working with its lines when a server is switched off and on again, until it is revoked', async () => {
    const home = await start();
    const pasted = await add(home);
    await (await connect(home, pasted)).close();
    expect((await home.run('unuse', 'Notes', 'My agent', '--yes')).code).toBe(0);
    await expect(connect(home, pasted)).rejects.toThrow(/allowed/);
    expect(await add(home)).toEqual(pasted);
    await (await connect(home, pasted)).close();
    expect(await home.run('unuse', '--all', 'My agent', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/My agent[^]*\bRemove\b.*\bconfiguration\b/u),
    });
    await expect(connect(home, pasted)).rejects.toThrow(/no longer allowed/);
    expect((await home.run('unuse', '--all', 'My agent', '--yes', '--json')).last).toMatchObject({
      error: { code: 'APP_NOT_FOUND' },
    });
    const renewed = await add(home);
    expect(renewed).not.toEqual(pasted);
    await uses(await connect(home, renewed));
  });

  it('gets URL and secret for HTTP, shown only after consent', async () => {
    const home = await start('--http');
    const wanted = ['use', 'Notes', '--other', 'My agent', '--http'];
    const dry = await home.run(...wanted, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/secret/u) });
    expect(dry.stdout).not.toMatch(/Bearer [\w-]{43}/);
    const pasted = await add(home, '--http');
    expect(pasted.headers).toEqual({ Authorization: expect.stringMatching(/^Bearer [\w-]{43}$/) });
    await uses(await connect(home, pasted));
    await home.run('unuse', '--all', 'other-my-agent', '--yes');
    // Another process revokes it; the serving process notices within a second.
    const attempt = async (): Promise<unknown> => {
      try {
        await (await connect(home, pasted)).close();
        return 'let in';
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    await expect.poll(attempt).toBe(401);
  });

  it('gets a URL for each further server, if its lines have one', async () => {
    const home = await start('--http');
    const notes = await add(home, '--http');
    const { mcp } = await startPair();
    await home.run('connect', mcp.url, '--local', '--name', 'Mail', '--json');
    const used = await home.run('use', 'Mail', 'My agent', '--yes', '--json');
    const [{ after }] = used.last['changes'] as [{ after: string }];
    const { mail } = (JSON.parse(after) as { mcpServers: { mail: Pasted } }).mcpServers;
    expect(mail.headers).toEqual(notes.headers);
    await uses(await connect(home, mail));
  });

  it('leaves no secret behind once it is revoked, or once its server is removed', async () => {
    const home = await start();
    const vault = (): string => readFileSync(path.join(home.profile, 'vault'), 'utf8');
    await add(home, '--http');
    expect(vault()).toContain('app:');
    await home.run('unuse', '--all', 'My agent', '--yes');
    expect(vault()).not.toContain('app:');
    home.put('.cursor/mcp.json', '{}');
    await home.run('use', 'Notes', 'cursor', '--http', '--yes');
    expect(vault()).toContain('app:');
    await home.run('remove', 'Notes', '--json');
    expect(vault()).not.toContain('app:');
  });

  it('is distinguished under any name, and from the apps in the table', async () => {
    const home = makeAppHome();
    const ids: string[] = [];
    for (const name of ['Cursor', 'Ассистент', 'Помощник', 'my  AGENT!', '-', 'x'.repeat(80)]) {
      const { code, last } = await home.run('use', 'Notes', `--other=${name}`, '--yes', '--json');
      expect(code).toBe(0);
      ids.push((last['changes'] as { app: string }[])[0]?.app ?? '');
    }
    expect(ids.slice(0, 1)).toEqual(['other-cursor']);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^other-[a-z0-9-]{1,34}$/);
    for (const name of ['', ' ', 'x'.repeat(81), 'two\nlines', '\u{202e}rosruC'])
      expect((await home.run('use', 'Notes', `--other=${name}`, '--yes', '--json')).code).toBe(2);
    expect((await home.run('use', 'Notes', '--yes', '--json')).code).toBe(2);
    expect((await home.run('use', 'Notes', '--other', 'X', '--project', '.', '--yes', '--json')).code).toBe(2);
  });
});
