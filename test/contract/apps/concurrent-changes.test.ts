import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AppRecord } from '../../../shared/app-record.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand } from '../../support/postern-process.ts';
import { makeAppHome, type AppHome, putClaude } from '../../support/app-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDesktop, testApps } from '../../support/test-desktop.ts';

/** Two changes for one app at the same time: each is made as shown, or rejected; none is lost. */

const changed = { error: { code: 'APP_FILE_CHANGED' } };
const servers = ['Notes', 'My Mail'];
const ids: Readonly<Record<string, string>> = { notes: 'id-of-notes', 'my-mail': 'id-of-mail' };

/** Each Postern entry in a text: its server, and the record it names. */
function entriesIn(text: string): readonly { readonly server: string; readonly record: string }[] {
  return Array.from(text.matchAll(/"?(notes|my-mail)"?\s*,\s*"--app"\s*,\s*"([0-9a-f]{16})"/g), (found) => ({
    server: ids[found[1] ?? ''] ?? '',
    record: found[2] ?? '',
  }));
}

/** Every entry names the app's record, and the app has access to exactly those servers. */
function expectRightsAsEntries(profile: string, text: string): void {
  const { apps = [] } = JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8')) as {
    apps?: readonly AppRecord[];
  };
  const entries = entriesIn(text);
  expect(apps.map(({ id }) => id)).toEqual([...new Set(entries.map(({ record }) => record))]);
  expect(apps.flatMap(({ integrations }) => integrations).toSorted()).toEqual(
    entries.map(({ server }) => server).toSorted(),
  );
}

/** One change waits for consent, and the other happens meanwhile. */
async function useOneDuringOther(home: AppHome, app: string, env = home.env) {
  const [first = '', second = ''] = servers;
  const command = startCommand(onTerminal(...posternCommand('use', first, app)), { home: home.profile, env });
  await command.waitFor(/Continue\? \[y\/N\]/);
  const between = await runPostern(['use', second, app, '--yes', '--json'], { home: home.profile, env });
  expect(between.code).toBe(0);
  command.type('y\n');
  return await command.ended;
}

describe('two servers added to one app', () => {
  const files = [
    ['cursor', '.cursor/mcp.json', '{\n  "mcpServers": {}\n}\n'],
    ['codex', '.codex/config.toml', '# mine\nmodel = "o"\n'],
    ['continue', '.continue/config.yaml', 'mcpServers: []\n'],
    ['goose', '.config/goose/config.yaml', 'extensions:\n  x: {cmd: y}\n'],
  ] as const;

  it.each(files)('at once: each is added, or rejected and tried again: %s', async (app, file, text) => {
    const home = makeAppHome();
    home.put(file, text);
    const use = (server: string) => home.run('use', server, app, '--yes', '--json');
    const results = await Promise.all(servers.map(use));
    for (const [index, { code, last }] of results.entries()) {
      if (code === 0) continue;
      expect(last).toMatchObject(changed);
      expect((await use(servers[index] ?? '')).code).toBe(0);
    }
    expect(results.map(({ code }) => code)).toContain(0);
    expect(entriesIn(home.text(file) ?? '')).toHaveLength(2);
    expectRightsAsEntries(home.profile, home.text(file) ?? '');
    // Removing them one by one leaves nothing behind.
    for (const server of servers) expect((await home.run('unuse', server, app, '--yes')).code).toBe(0);
    expect(home.text(file)).toBe(text);
  });

  it('one while the other waits for consent: consent to the earlier file changes nothing', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}\n');
    const { code } = await useOneDuringOther(home, 'cursor');
    expect(code).toBe(1);
    const text = home.text('.cursor/mcp.json') ?? '';
    expect(entriesIn(text)).toMatchObject([{ server: 'id-of-mail' }]);
    expectRightsAsEntries(home.profile, text);
  });

  it('by the app’s own command, while the other waits for consent: no entry names an unknown app', async () => {
    const home = makeAppHome();
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

  it('neither, if consent comes after the server is removed: the entry would stop working', async () => {
    const home = makeAppHome();
    const text = '{"mcpServers":{}}\n';
    home.put('.cursor/mcp.json', text);
    const words = posternCommand('use', 'Notes', 'cursor');
    const command = startCommand(onTerminal(...words), { home: home.profile, env: home.env });
    await command.waitFor(/Continue\? \[y\/N\]/);
    expect((await home.run('remove', 'Notes')).code).toBe(0);
    command.type('y\n');
    expect((await command.ended).code).toBe(1);
    expect(home.text('.cursor/mcp.json')).toBe(text);
    expectRightsAsEntries(home.profile, text);
  });

  it('from the window and from the command line: the window shows a new preview first', async () => {
    const home = temporaryFolder();
    const file = path.join(home, '.cursor', 'mcp.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{}\n');
    const desktop = await createTestDesktop({ apps: (engine) => testApps(engine, home) });
    const { ports, folder } = desktop.engine;
    for (const [name, alias, url] of [
      ['Notes', 'notes', 'https://notes.example/mcp'],
      ['My Mail', 'my-mail', 'https://mail.example/mcp'],
    ] as const)
      await ports.store.write(anIntegration({ id: ids[alias] ?? '', name, alias, url }));
    const changes = [{ app: 'cursor', integrations: ['id-of-notes'], use: true }];
    const tokens = async () => (await desktop.call('app:preview', { changes })).previews.map(({ token }) => token);
    const useMail = () =>
      runPostern(['use', 'My Mail', 'cursor', '--yes', '--json'], { home: folder, env: { HOME: home } });

    const previewed = await tokens();
    const other = await useMail();
    expect(other.code).toBe(0);
    expect(await desktop.callFailing('app:change', { tokens: previewed })).toMatchObject(changed.error);
    await desktop.call('app:change', { tokens: await tokens() });
    expect(entriesIn(readFileSync(file, 'utf8'))).toHaveLength(2);
    expectRightsAsEntries(folder, readFileSync(file, 'utf8'));

    // Remove both at the same moment: the second change is rejected or made.
    const out = await desktop.call('app:preview', { changes: changes.map((each) => ({ ...each, use: false })) });
    const [fromWindow, fromCommand] = await Promise.all([
      desktop.call('app:change', { tokens: out.previews.map(({ token }) => token) }).then(
        () => 'made',
        (error: unknown) => error,
      ),
      runPostern(['unuse', 'My Mail', 'cursor', '--yes', '--json'], { home: folder, env: { HOME: home } }),
    ]);
    if (fromWindow !== 'made') expect(fromWindow).toMatchObject(changed.error);
    if (fromCommand.code !== 0) expect(fromCommand.last).toMatchObject(changed);
    const remaining = entriesIn(readFileSync(file, 'utf8'));
    expect(remaining).toHaveLength([fromWindow !== 'made', fromCommand.code !== 0].filter(Boolean).length);
    expectRightsAsEntries(folder, readFileSync(file, 'utf8'));
  });
});

describe('an app that is revoked during a change', () => {
  it('stays revoked when the change fails and is rolled back', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    const run = async (folder: string, ...words: string[]) => {
      const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      return await runPostern([...words, '--yes', '--json'], { home: home.profile, env });
    };
    for (const server of servers)
      expect((await run(putClaude(home).folder, 'use', server, 'claude-code')).code).toBe(0);
    // It fails once it sees that the app is revoked.
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
    expect(revoked.last).toMatchObject({ revoked: [{ app: 'claude-code' }] });
    expect((await failing).last).toMatchObject({ error: { code: 'APP_COMMAND_FAILED' } });
    const { apps } = JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as {
      apps: readonly AppRecord[];
    };
    expect(apps).toMatchObject([{ app: 'claude-code', revokedAt: expect.any(Number) }]);
  });
});
