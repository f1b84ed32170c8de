import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DemoMcpServer } from '../../demo/mcp-server-options.ts';
import { startPair, startResource } from '../../support/demo-pair.ts';
import { runPostern } from '../../support/postern-process.ts';
import { makeProgramHome, type ProgramHome, putClaude } from '../../support/program-home.ts';

const key = 'canary-key-5f0c2a9e41d7';

interface ImportedFields {
  readonly name: string;
  readonly outcome: string;
  readonly integration?: { readonly name: string; readonly state: string; readonly alias: string };
  readonly error?: { readonly code: string };
}

const importsOf = (last: Record<string, unknown>) => last['imports'] as readonly ImportedFields[];

function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** A server that wants the key in a header. */
async function startKeyed(): Promise<DemoMcpServer> {
  return await startResource(undefined, {
    intercept: (request, response) => {
      if (request.url !== '/mcp' || request.headers['x-api-key'] === key) return false;
      response.writeHead(401).end();
      return true;
    },
  });
}

const cursor = (home: ProgramHome, servers: object) =>
  home.put('.cursor/mcp.json', `// mine\n${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);

describe('postern import', () => {
  it('connects what has an address, puts the key behind the keychain, and leaves commands alone', async () => {
    const [open, keyed] = [await startResource(undefined), await startKeyed()];
    const home = makeProgramHome([]);
    cursor(home, {
      plain: { url: open.url },
      keyed: { url: keyed.url, headers: { 'X-API-Key': key } },
      runs: { command: 'npx', args: ['-y', 'something'], env: { TOKEN: key } },
      later: { url: 'https://later.example/mcp', headers: { 'X-API-Key': '${KEY}' } },
    });
    const before = home.text('.cursor/mcp.json');
    const done = await home.run('import', 'cursor', '--local', '--json');
    expect(done.code).toBe(0);
    expect(importsOf(done.last).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['plain', 'imported'],
      ['keyed', 'imported'],
      ['runs', 'local'],
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

  it('lists what wants a sign-in, ends with 3, and is signed in to from there', async () => {
    const { mcp } = await startPair();
    const home = makeProgramHome([]);
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

  it('takes over the places of what it imported, as one change that is undone at once', async () => {
    const [one, two] = [await startResource(undefined), await startResource(undefined)];
    const home = makeProgramHome([]);
    cursor(home, { first: { url: one.url }, second: { url: two.url, other: 1 }, third: { command: 'x' } });
    const before = home.text('.cursor/mcp.json');
    const asked = await home.run('import', 'cursor', '--take-over', '--local');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(one.url);
    expect((await home.run('list', '--json')).last).toMatchObject({ integrations: [] });
    const done = await home.run('import', 'cursor', '--take-over', '--local', '--yes', '--json');
    expect(done.code).toBe(0);
    const [change] = done.last['changes'] as readonly { id: string; action: string }[];
    expect(change).toMatchObject({ action: 'updated', program: 'cursor' });
    const { last } = await home.run('programs', 'cursor', '--json');
    expect(last).toMatchObject({
      programs: [
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
    expect((await home.run('programs', 'cursor', '--json')).last).toMatchObject({ programs: [{ uses: [] }] });
  });

  it('shows no value of what an undo brings back', async () => {
    const keyed = await startKeyed();
    const home = makeProgramHome([]);
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

  it('puts no value into an argument when an undo brings it back to a program with a command of its own', async () => {
    const keyed = await startKeyed();
    const home = makeProgramHome([]);
    const mine = { type: 'http', url: keyed.url, headers: { 'X-API-Key': key } };
    home.put('.claude.json', JSON.stringify({ mcpServers: { keyed: mine } }));
    const { folder, calls } = putClaude(home);
    const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const run = (...words: string[]) => runPostern([...words, '--yes', '--json'], { home: home.profile, env });
    const done = await run('import', 'claude-code', '--take-over', '--local');
    expect(done.code).toBe(0);
    const [change] = done.last['changes'] as readonly { id: string }[];
    expect((await run('undo', change?.id ?? '')).code).toBe(0);
    expect(JSON.stringify(calls())).not.toContain(key);
    expect(JSON.parse(home.text('.claude.json') ?? '')).toEqual({ mcpServers: { keyed: mine } });
  });

  it('reads a file that is named, in each format, and refuses what no address rule lets through', async () => {
    const open = await startResource(undefined);
    const home = makeProgramHome([]);
    for (const [name, text] of [
      ['a.json', `{"servers": {"one": {"url": "${open.url}"}}}`],
      ['b.toml', `[mcp_servers.two]\nurl = "${open.url}"\n`],
      ['c.yaml', `extensions:\n  three:\n    uri: ${open.url}\n`],
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
      error: { code: 'JSON_INVALID' },
    });
    expect((await home.run('import', 'notepad', '--json')).last).toMatchObject({
      error: { code: 'PROGRAM_NOT_FOUND' },
    });
    expect((await home.run('import', home.at('d.yml'), '--take-over', '--yes')).code).toBe(2);
  });
});
