import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand } from '../../support/postern-process.ts';
import { makeProgramHome, type ProgramHome, putClaude } from '../../support/program-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDesktop, testPrograms } from '../../support/test-desktop.ts';

/** Two changes of one program at the same time: each is made as it was shown, or refused; none is lost. */

const changed = { error: { code: 'PROGRAM_FILE_CHANGED' } };
const servers = ['Notes', 'My Mail'];
const ids: Readonly<Record<string, string>> = { notes: 'id-of-notes', 'my-mail': 'id-of-mail' };

/** Each entry of Postern in a text: the server that it leads to, and the record that it names. */
function entriesIn(text: string): readonly { readonly server: string; readonly record: string }[] {
  return Array.from(text.matchAll(/"?(notes|my-mail)"?\s*,\s*"--program"\s*,\s*"([0-9a-f]{16})"/g), (found) => ({
    server: ids[found[1] ?? ''] ?? '',
    record: found[2] ?? '',
  }));
}

/** Every entry names the record of the program, and what they lead to is all that it may use. */
function expectRightsAsEntries(profile: string, text: string): void {
  const { programs = [] } = JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8')) as {
    programs?: readonly ProgramRecord[];
  };
  const entries = entriesIn(text);
  expect(programs.map(({ id }) => id)).toEqual([...new Set(entries.map(({ record }) => record))]);
  expect(programs.flatMap(({ integrations }) => integrations).toSorted()).toEqual(
    entries.map(({ server }) => server).toSorted(),
  );
}

/** One that waits for its yes, and the other meanwhile. */
async function useOneDuringOther(home: ProgramHome, program: string, env = home.env) {
  const [first = '', second = ''] = servers;
  const asked = startCommand(onTerminal(...posternCommand('use', first, program)), { home: home.profile, env });
  await asked.waitFor(/Do this\? \[y\/N\]/);
  const between = await runPostern(['use', second, program, '--yes', '--json'], { home: home.profile, env });
  expect(between.code).toBe(0);
  asked.type('y\n');
  return await asked.ended;
}

describe('two servers that come into one program', () => {
  const files = [
    ['cursor', '.cursor/mcp.json', '{\n  "mcpServers": {}\n}\n'],
    ['codex', '.codex/config.toml', '# mine\nmodel = "o"\n'],
    ['continue', '.continue/config.yaml', 'mcpServers: []\n'],
    ['goose', '.config/goose/config.yaml', 'extensions:\n  x: {cmd: y}\n'],
  ] as const;

  it.each(files)('at once: each is there, or refused and tried again: %s', async (program, file, text) => {
    const home = makeProgramHome();
    home.put(file, text);
    const use = (server: string) => home.run('use', server, program, '--yes', '--json');
    const results = await Promise.all(servers.map(use));
    for (const [index, { code, last }] of results.entries()) {
      if (code === 0) continue;
      expect(last).toMatchObject(changed);
      expect((await use(servers[index] ?? '')).code).toBe(0);
    }
    expect(results.map(({ code }) => code)).toContain(0);
    expect(entriesIn(home.text(file) ?? '')).toHaveLength(2);
    expectRightsAsEntries(home.profile, home.text(file) ?? '');
    // One after the other they go, and nothing of them stays.
    for (const server of servers) expect((await home.run('unuse', server, program, '--yes')).code).toBe(0);
    expect(home.text(file)).toBe(text);
  });

  it('one while the other waits for its yes: the yes was to another file, and changes nothing', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', '{}\n');
    const { code } = await useOneDuringOther(home, 'cursor');
    expect(code).toBe(1);
    const text = home.text('.cursor/mcp.json') ?? '';
    expect(entriesIn(text)).toMatchObject([{ server: 'id-of-mail' }]);
    expectRightsAsEntries(home.profile, text);
  });

  it('by its own command, while the other waits for its yes: no entry names a program that is not known', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{"numStartups": 7}');
    const { folder } = putClaude(home);
    const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const { code } = await useOneDuringOther(home, 'claude-code', env);
    expect(code).toBe(1);
    expectRightsAsEntries(home.profile, home.text('.claude.json') ?? '');
    const again = await runPostern(['use', 'Notes', 'claude-code', '--yes'], { home: home.profile, env });
    expect(again.code).toBe(0);
    const text = home.text('.claude.json') ?? '';
    expect(entriesIn(text)).toHaveLength(2);
    expectRightsAsEntries(home.profile, text);
  });

  it('none, where the yes comes once its server is removed: the entry would lead nowhere', async () => {
    const home = makeProgramHome();
    const text = '{"mcpServers":{}}\n';
    home.put('.cursor/mcp.json', text);
    const words = posternCommand('use', 'Notes', 'cursor');
    const asked = startCommand(onTerminal(...words), { home: home.profile, env: home.env });
    await asked.waitFor(/Do this\? \[y\/N\]/);
    expect((await home.run('remove', 'Notes')).code).toBe(0);
    asked.type('y\n');
    expect((await asked.ended).code).toBe(1);
    expect(home.text('.cursor/mcp.json')).toBe(text);
    expectRightsAsEntries(home.profile, text);
  });

  it('from the window and from the command line: what the window has shown is shown again first', async () => {
    const home = temporaryFolder();
    const file = path.join(home, '.cursor', 'mcp.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{}\n');
    const desktop = await createTestDesktop({ programs: (engine) => testPrograms(engine, home) });
    const { ports, folder } = desktop.engine;
    for (const [name, alias, url] of [
      ['Notes', 'notes', 'https://notes.example/mcp'],
      ['My Mail', 'my-mail', 'https://mail.example/mcp'],
    ] as const)
      await ports.store.write(anIntegration({ id: ids[alias] ?? '', name, alias, url }));
    const changes = [{ program: 'cursor', integrations: ['id-of-notes'], use: true }];
    const tokens = async () => (await desktop.call('program:preview', { changes })).previews.map(({ token }) => token);
    const useMail = () =>
      runPostern(['use', 'My Mail', 'cursor', '--yes', '--json'], { home: folder, env: { HOME: home } });

    const shown = await tokens();
    const other = await useMail();
    expect(other.code).toBe(0);
    expect(await desktop.refuse('program:change', { tokens: shown })).toMatchObject(changed.error);
    await desktop.call('program:change', { tokens: await tokens() });
    expect(entriesIn(readFileSync(file, 'utf8'))).toHaveLength(2);
    expectRightsAsEntries(folder, readFileSync(file, 'utf8'));

    // Taken out again, both at the same moment: whichever comes second finds its change refused, or made.
    const out = await desktop.call('program:preview', { changes: changes.map((each) => ({ ...each, use: false })) });
    const [fromWindow, fromCommand] = await Promise.all([
      desktop.call('program:change', { tokens: out.previews.map(({ token }) => token) }).then(
        () => 'made',
        (error: unknown) => error,
      ),
      runPostern(['unuse', 'My Mail', 'cursor', '--yes', '--json'], { home: folder, env: { HOME: home } }),
    ]);
    if (fromWindow !== 'made') expect(fromWindow).toMatchObject(changed.error);
    if (fromCommand.code !== 0) expect(fromCommand.last).toMatchObject(changed);
    const left = entriesIn(readFileSync(file, 'utf8'));
    expect(left).toHaveLength([fromWindow !== 'made', fromCommand.code !== 0].filter(Boolean).length);
    expectRightsAsEntries(folder, readFileSync(file, 'utf8'));
  });
});

describe('a program that is revoked while a change of it is under way', () => {
  it('stays revoked where that fails and puts back what was there before', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    const run = async (folder: string, ...words: string[]) => {
      const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      return await runPostern([...words, '--yes', '--json'], { home: home.profile, env });
    };
    for (const server of servers)
      expect((await run(putClaude(home).folder, 'use', server, 'claude-code')).code).toBe(0);
    // It fails once the program is seen to be revoked.
    const config = JSON.stringify(path.join(home.profile, 'config.json'));
    const { folder } = putClaude(
      home,
      `fs.writeFileSync(process.env.HOME + '/under-way', '');
while (!fs.readFileSync(${config}, 'utf8').includes('revokedAt')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
process.exit(1);`,
    );
    const failing = run(folder, 'unuse', 'My Mail', 'claude-code');
    await expect.poll(() => home.text('under-way'), { timeout: 20_000 }).toBe('');
    const revoked = await run(folder, 'unuse', '--all', 'claude-code');
    expect(revoked.last).toMatchObject({ revoked: [{ program: 'claude-code' }] });
    expect((await failing).last).toMatchObject({ error: { code: 'PROGRAM_COMMAND_FAILED' } });
    const { programs } = JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as {
      programs: readonly ProgramRecord[];
    };
    expect(programs).toMatchObject([{ program: 'claude-code', revokedAt: expect.any(Number) }]);
  });
});
