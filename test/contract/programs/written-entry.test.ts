import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openList } from '../../../main/programs/open-list.ts';
import { readEntry } from '../../../main/programs/read-entry.ts';
import { findProgram } from '../../../main/programs/table.ts';
import { startPair } from '../../support/demo-pair.ts';
import { startPostern } from '../../support/postern-process.ts';
import { makeProgramHome, type ProgramHome } from '../../support/program-home.ts';

/** A program starts what `use` has written, with HOME and PATH alone, and uses the sign-in that is here. */

const files = {
  cursor: '.cursor/mcp.json',
  codex: '.codex/config.toml',
  goose: '.config/goose/config.yaml',
  continue: '.continue/config.yaml',
  opencode: '.config/opencode/opencode.json',
} as const;

async function start(): Promise<ProgramHome> {
  const { mcp } = await startPair();
  const home = makeProgramHome([]);
  expect((await home.run('connect', mcp.url, '--local', '--name', 'Notes', '--json')).code).toBe(0);
  const serving = startPostern(['serve', '--json'], { home: home.profile, env: home.env });
  await serving.waitFor(/"event":"serving"/);
  return home;
}

function wordsIn(home: ProgramHome, id: keyof typeof files): readonly string[] {
  const program = findProgram(id);
  if (!program) throw new Error(id);
  const [entry] = openList(program).read(home.text(files[id]) ?? '').entries ?? [];
  return readEntry(entry?.[1]).words;
}

async function connect(home: ProgramHome, [command = '', ...args]: readonly string[]): Promise<Client> {
  const env = { HOME: home.home, PATH: process.env['PATH'] ?? '' };
  const client = new Client({ name: 'a-program', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command, args: [...args], env, cwd: home.home, stderr: 'ignore' }));
  return client;
}

describe('what a program starts', () => {
  it('reaches the server with the sign-in of Postern, from the file of each kind', async () => {
    const home = await start();
    for (const [id, file] of Object.entries(files) as [keyof typeof files, string][]) {
      home.put(file, '');
      expect((await home.run('use', 'Notes', id, '--yes')).code).toBe(0);
      const client = await connect(home, wordsIn(home, id));
      expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
      await client.close();
    }
  });

  it('is refused once the program is revoked, and once its entry is taken out', async () => {
    const home = await start();
    home.put(files.cursor, '{}');
    await home.run('use', 'Notes', 'cursor', '--yes');
    const words = wordsIn(home, 'cursor');
    await (await connect(home, words)).close();
    await home.run('revoke', 'cursor', '--yes');
    await expect(connect(home, words)).rejects.toThrow(/may not use/);
    await home.run('use', 'Notes', 'cursor', '--yes');
    const renewed = wordsIn(home, 'cursor');
    await (await connect(home, renewed)).close();
    await home.run('unuse', 'Notes', 'cursor', '--yes');
    await expect(connect(home, renewed)).rejects.toThrow(/allowed/);
  });
});
