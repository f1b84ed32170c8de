import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPair } from '../../support/demo-pair.ts';
import { startPostern } from '../../support/postern-process.ts';
import { makeProgramHome, type ProgramHome } from '../../support/program-home.ts';

/** A program that is not in the table: it is added under a name, and uses the lines that were shown. */

interface Pasted {
  readonly command: string;
  readonly args: string[];
  readonly url: string;
  readonly headers: Record<string, string>;
}

async function start(...options: string[]): Promise<ProgramHome> {
  const { mcp } = await startPair();
  const home = makeProgramHome([]);
  expect((await home.run('connect', mcp.url, '--local', '--name', 'Notes', '--json')).code).toBe(0);
  const serving = startPostern(['serve', '--json', ...options], { home: home.profile, env: home.env });
  await serving.waitFor(/"event":"serving"/);
  return home;
}

/** What a person pastes after a yes. */
async function add(home: ProgramHome, ...more: string[]): Promise<Pasted> {
  const used = await home.run('use', 'Notes', '--other', 'My agent', '--yes', '--json', ...more);
  expect(used).toMatchObject({
    code: 0,
    last: { changes: [{ program: 'other-my-agent', path: '', action: 'paste', before: '' }] },
  });
  const [{ after }] = used.last['changes'] as [{ after: string }];
  return (JSON.parse(after) as { mcpServers: { notes: Pasted } }).mcpServers.notes;
}

async function connect(home: ProgramHome, { command, args, url, headers }: Pasted): Promise<Client> {
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

describe('another program', () => {
  it('uses a server by the lines that it was given, and is listed and found as the others are', async () => {
    const home = await start();
    const lines = await add(home);
    const listed = async () =>
      ((await home.run('programs', '--json')).last['programs'] as { id: string; uses: string[] }[]).find(
        ({ id }) => id === 'other-my-agent',
      );
    expect(await listed()).toMatchObject({ uses: [], waiting: [expect.any(String)] });
    const client = await connect(home, lines);
    await uses(client);
    // Its first call tells that the lines are there, written behind it.
    await expect.poll(async () => (await listed())?.uses.length).toBe(1);
    expect(await listed()).toMatchObject({
      name: 'My agent',
      found: true,
      files: [],
      way: 'paste',
      uses: [expect.any(String)],
    });
    expect((await home.run('programs', 'my AGENT')).stdout).toContain('My agent');
    // Calls are written behind.
    const noted = async (): Promise<string> => (await home.run('activity', '--program', 'My agent')).stdout;
    await expect.poll(noted).toMatch(/My agent +Notes +whoami +ok/);
  });

  it('goes on with its lines when a server is switched off and on again, and not once it is revoked', async () => {
    const home = await start();
    const pasted = await add(home);
    await (await connect(home, pasted)).close();
    expect((await home.run('unuse', 'Notes', 'My agent', '--yes')).code).toBe(0);
    await expect(connect(home, pasted)).rejects.toThrow(/allowed/);
    expect(await add(home)).toEqual(pasted);
    await (await connect(home, pasted)).close();
    expect(await home.run('unuse', '--all', 'My agent', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/My agent[^]*\bout of\b.*\bconfiguration\b/u),
    });
    await expect(connect(home, pasted)).rejects.toThrow(/may not use/);
    expect((await home.run('unuse', '--all', 'My agent', '--yes', '--json')).last).toMatchObject({
      error: { code: 'PROGRAM_NOT_FOUND' },
    });
    const renewed = await add(home);
    expect(renewed).not.toEqual(pasted);
    await uses(await connect(home, renewed));
  });

  it('gets address and secret by HTTP, which is shown after the yes alone', async () => {
    const home = await start('--http');
    const wanted = ['use', 'Notes', '--other', 'My agent', '--http'];
    const dry = await home.run(...wanted, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/secret/u) });
    expect(dry.stdout).not.toMatch(/Bearer [\w-]{43}/);
    const pasted = await add(home, '--http');
    expect(pasted.headers).toEqual({ Authorization: expect.stringMatching(/^Bearer [\w-]{43}$/) });
    await uses(await connect(home, pasted));
    await home.run('unuse', '--all', 'other-my-agent', '--yes');
    // By another process: who serves sees it within a second.
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

  it('gets an address for each further server, where its lines hold one', async () => {
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
    expect(vault()).toContain('program:');
    await home.run('unuse', '--all', 'My agent', '--yes');
    expect(vault()).not.toContain('program:');
    home.put('.cursor/mcp.json', '{}');
    await home.run('use', 'Notes', 'cursor', '--http', '--yes');
    expect(vault()).toContain('program:');
    await home.run('remove', 'Notes', '--json');
    expect(vault()).not.toContain('program:');
  });

  it('is told apart by any name, and from the programs of the table', async () => {
    const home = makeProgramHome();
    const ids: string[] = [];
    for (const name of ['Cursor', 'Ассистент', 'Помощник', 'my  AGENT!', '-', 'x'.repeat(80)]) {
      const { code, last } = await home.run('use', 'Notes', `--other=${name}`, '--yes', '--json');
      expect(code).toBe(0);
      ids.push((last['changes'] as { program: string }[])[0]?.program ?? '');
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
