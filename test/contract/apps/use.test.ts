import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { apps } from '../../../main/apps/table/apps.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { startCommand, posternCommand } from '../../support/postern-process.ts';
import { makeAppHome, modeOf, type AppHome, putClaude } from '../../support/app-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Real files of apps in the test's own home folder, through the real command line. */

/** Where each app stores its servers on Linux, according to its documentation or source. */
const files: Readonly<Record<string, string>> = {
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  'vscode-insiders': '.config/Code - Insiders/User/mcp.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  zed: '.config/zed/settings.json',
  cline: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  'windsurf-jetbrains': '.codeium/mcp_config.json',
  'zed-flatpak': '.var/app/dev.zed.Zed/config/zed/settings.json',
  'cline-cursor': '.config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  'cline-windsurf': '.config/Windsurf/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  'cline-insiders':
    '.config/Code - Insiders/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  'cline-vscodium': '.config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  'cline-cli': '.cline/data/settings/cline_mcp_settings.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  goose: '.config/goose/config.yaml',
  'lm-studio': '.lmstudio/mcp.json',
  continue: '.continue/config.yaml',
  'copilot-cli': '.copilot/mcp-config.json',
  opencode: '.config/opencode/opencode.json',
  'qwen-code': '.qwen/settings.json',
  jetbrains: '.ai/mcp/mcp.json',
  junie: '.junie/mcp/mcp.json',
  'copilot-jetbrains': '.config/github-copilot/intellij/mcp.json',
};

interface Change {
  readonly id?: string;
  readonly app: string;
  readonly path: string;
  readonly action: string;
  readonly backup?: string;
  readonly before: string;
  readonly after: string;
}

function changesOf(last: Record<string, unknown>): readonly Change[] {
  return last['changes'] as readonly Change[];
}

async function use(home: AppHome, app: string, ...more: string[]): Promise<Change> {
  const { code, last, stderr } = await home.run('use', 'Notes', app, '--yes', '--json', ...more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [change] = changesOf(last);
  if (!change) throw new Error('no change');
  return change;
}

async function entriesOf(home: AppHome, app: string): Promise<readonly Record<string, unknown>[]> {
  const { last } = await home.run('apps', app, '--json');
  return (last['apps'] as readonly { entries: readonly Record<string, unknown>[] }[])[0]?.entries ?? [];
}

/** The arguments of the one command in a file. */
function wordsIn(text: string | undefined): readonly string[] {
  return Array.from(text?.matchAll(/"(?:[^"\\]|\\.)*"/g) ?? [], ([word]) => JSON.parse(word) as string);
}

describe('postern use', () => {
  it('knows a file for each app in the table', () => {
    expect([...Object.keys(files), 'claude-code'].toSorted()).toEqual(apps.map(({ id }) => id).toSorted());
  });

  it.each(Object.entries(files))(
    'adds Notes to %s, and restores the file byte for byte when it is removed',
    async (app, file) => {
      const home = makeAppHome();
      mkdirSync(path.dirname(home.at(file)), { recursive: true });
      if (app.endsWith('jetbrains') && app !== 'copilot-jetbrains') home.put(file, '');
      const empty = home.text(file);
      const change = await use(home, app);
      expect(change).toMatchObject({ app, path: home.at(file), secret: 'none', before: '' });
      expect(change.action).toBe(empty === undefined ? 'created' : 'updated');
      expect(change.after).toContain('notes');
      const words = wordsIn(home.text(file));
      expect(words).toEqual(expect.arrayContaining(['--profile-folder', home.profile, 'notes', '--app']));
      expect(words).toContain(process.execPath);
      expect(await entriesOf(home, app)).toEqual([
        { name: 'notes', kind: 'postern', command: process.execPath, headers: [], env: [], integration: 'id-of-notes' },
      ]);
      const out = await home.run('unuse', 'Notes', app, '--yes', '--json');
      expect(out.code).toBe(0);
      expect(home.text(file)).toBe(empty);
      const { apps: records = [] } = JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as {
        apps?: unknown[];
      };
      expect(records).toEqual([]);
    },
  );

  it.each([
    ['cursor', '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "y" } // behind\r\n\t}\r\n}\r\n'],
    ['cursor', ' { }'],
    ['cursor', '{"mcpServers":{"x":{"env":{"KEY":"hidden"}}}}'],
    ['vscode', '{\n  "servers": {\n  },\n}\n'],
    ['opencode', '{}'],
    ['codex', '# mine\nmodel = "o"'],
    ['codex', '[mcp_servers.x]\r\ncommand = "y" # behind\r\n'],
    ['goose', 'extensions:\n  x: {cmd: y}\n# last'],
    ['continue', 'mcpServers: []\n'],
  ])('keeps every byte of the file of %s: %j', async (app, text) => {
    const home = makeAppHome();
    const file = files[app] ?? '';
    home.put(file, text);
    const change = await use(home, app);
    let at = 0;
    for (const character of home.text(file) ?? '') if (character === text[at]) at += 1;
    expect(at).toBe(text.length);
    expect(JSON.stringify(change)).not.toContain('hidden');
    expect(readFileSync(change.backup ?? '', 'utf8')).toBe(text);
    expect(modeOf(change.backup ?? '')).toBe(0o600);
    expect((await home.run('undo', change.id ?? '', '--yes')).code).toBe(0);
    expect(home.text(file)).toBe(text);
    expect((await home.run('undo', change.id ?? '', '--yes', '--json')).last).toMatchObject({
      error: { code: 'UNDO_STALE' },
    });
  });

  it.each([
    ['claude-desktop', '{"mcpServers":{"x":{"command":"y"}}}\n'],
    ['cursor', '// mine\r\n{ }'],
  ])(
    'removes the byte order mark from the file of %s, announces it, and restores it (RFC 8259 8.1)',
    async (app, text) => {
      const home = makeAppHome();
      const file = files[app] ?? '';
      home.put(file, `\ufeff${text}`);
      const preview = await home.run('use', 'Notes', app);
      expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining('byte order mark') });
      expect(home.text(file)).toBe(`\ufeff${text}`);
      const change = await use(home, app);
      expect(change).toMatchObject({ removesBom: true });
      expect(home.text(file)?.startsWith(text.slice(0, 1))).toBe(true);
      expect((await home.run('undo', change.id ?? '', '--yes')).code).toBe(0);
      expect(home.text(file)).toBe(`\ufeff${text}`);
    },
  );

  it.each([
    ['gemini-cli', '.gemini/settings.json', { mcp: { allowed: ['github'] } }, 'mcp.allowed'],
    ['gemini-cli', '.gemini/settings.json', { mcp: { excluded: ['notes'] } }, 'mcp.excluded'],
    ['qwen-code', '.qwen/settings.json', { allowMCPServers: ['github'] }, 'allowMCPServers'],
    ['vscode', '.config/Code/User/settings.json', { 'chat.mcp.access': 'none' }, 'chat.mcp.access'],
    ['claude-code', '.claude/settings.json', { deniedMcpServers: [{ serverName: 'notes' }] }, 'deniedMcpServers'],
    ['gemini-cli', '.gemini/mcp-server-enablement.json', { notes: { enabled: false } }, 'mcp-server-enablement.json'],
    ['qwen-code', '.qwen/settings.json', { mcp: { allowed: [] } }, 'mcp.allowed'],
    ['vscode', '.config/Code/User/settings.json', { 'chat.mcp.access': 'registry' }, 'chat.mcp.access'],
    ['claude-code', '.claude/settings.json', { allowedMcpServers: [{ serverCommand: ['npx', 'x'] }] }, 'allowedMcp'],
    ['opencode', '.config/opencode/opencode.json', { tools: { 'notes_*': false } }, 'tools'],
    ['opencode', '.config/opencode/opencode.json', { tools: { 'no?es*': false, 'note_*': true } }, 'tools'],
    ['opencode', '.config/opencode/opencode.json', { permission: { '*': 'ask', 'notes*': 'deny' } }, 'permission'],
  ])('reports which setting of %s blocks an entry (%s %j)', async (app, file, settings, name) => {
    const home = makeAppHome();
    if (app === 'claude-code') home.put('.claude.json', '{}');
    home.put(file, JSON.stringify(settings));
    const preview = await home.run('use', 'Notes', app);
    expect(preview.stderr).toContain(name);
    if (app === 'claude-code') return;
    const done = await home.run('use', 'Notes', app, '--yes');
    expect(done.stdout).toContain(`its setting ${name}`);
    expect(done.stdout).not.toContain('new session');
    expect((await home.run('doctor')).stdout).toContain(name);
    const listed = await home.run('apps', app);
    expect(listed.stdout).toContain(`ignored because of the app’s setting ${name}`);
    const { last } = await home.run('apps', app, '--json');
    expect(last['apps']).toMatchObject([{ entries: [{ name: 'notes', excludedBy: expect.stringContaining(name) }] }]);
  });

  it.each([
    ['gemini-cli', '.gemini/settings.json', { mcp: { allowed: [], excluded: ['*', 'Notes', 'note'] } }],
    ['gemini-cli', '.gemini/settings.json', { mcp: { allowed: ['notes'] } }],
    ['vscode', '.config/Code/User/settings.json', { 'chat.mcp.access': 'all' }],
    ['claude-code', '.claude/settings.json', { disabledMcpjsonServers: ['notes'] }],
    ['claude-code', '.claude/settings.json', { allowedMcpServers: [{ serverName: 'notes' }, { serverUrl: 'x' }] }],
    ['opencode', '.config/opencode/opencode.json', { tools: { 'notes_add*': false, 'note_*': false, notes_: false } }],
    ['opencode', '.config/opencode/opencode.json', { tools: { '*': false, 'notes_*': true } }],
    ['opencode', '.config/opencode/opencode.json', { tools: { 'notes*': false, notes_add_it: true } }],
    [
      'opencode',
      '.config/opencode/opencode.json',
      { tools: { 'notes*': false }, agent: { mine: { tools: { 'notes*': true } } } },
    ],
  ])('reports no setting of %s that does not block the entry (%s %j)', async (app, file, settings) => {
    const home = makeAppHome();
    if (app === 'claude-code') home.put('.claude.json', '{}');
    home.put(file, JSON.stringify(settings));
    const preview = await home.run('use', 'Notes', app);
    expect(preview.code).toBe(2);
    expect(preview.stderr).not.toContain('its own setting');
  });

  it('reports in the list of an app which of its entries is off', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', JSON.stringify({ mcpServers: { other: { command: 'x', disabled: true } } }));
    expect((await home.run('apps', 'cursor')).stdout).toContain('switched off');
    const { last } = await home.run('apps', 'cursor', '--json');
    expect(last['apps']).toMatchObject([{ entries: [{ name: 'other', switchedOff: true }] }]);
  });

  it.each([undefined, ''])('leaves no new file behind, updated or not: %j', async (text) => {
    const home = makeAppHome();
    mkdirSync(home.at('.copilot'));
    if (text !== undefined) home.put('.copilot/mcp-config.json', text);
    await use(home, 'copilot-cli');
    home.put('.copilot/mcp-config.json', (home.text('.copilot/mcp-config.json') ?? '').replace(process.execPath, '/x'));
    await use(home, 'copilot-cli');
    expect((await home.run('unuse', 'Notes', 'copilot-cli', '--yes')).code).toBe(0);
    expect(home.text('.copilot/mcp-config.json')).toBe(text);
  });

  it.each([
    ['vscode', 'asks-for-trust'],
    ['gemini-cli', 'trusted-folders'],
    ['codex', 'chatgpt-too'],
    ['cursor', undefined],
  ])('prints for %s what a user must know once its entry exists, and nothing after it is removed', async (id, note) => {
    const home = makeAppHome();
    home.put(files[id] ?? '', '');
    const used = await home.run('use', 'Notes', id, '--yes', '--json');
    expect(changesOf(used.last)[0]).toHaveProperty('notice');
    expect((changesOf(used.last)[0] as { note?: string }).note).toBe(note);
    const out = await home.run('unuse', 'Notes', id, '--yes', '--json');
    expect(changesOf(out.last)[0]).not.toHaveProperty('note');
  });

  it('leaves nothing behind when two servers are removed in the order in which they were added', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}\n');
    for (const words of [
      ['use', 'Notes'],
      ['use', 'my-mail'],
      ['unuse', 'Notes'],
      ['unuse', 'id-of-mail'],
    ])
      expect((await home.run(...words, 'cursor', '--yes')).code).toBe(0);
    expect(home.text('.cursor/mcp.json')).toBe('{}\n');
  });

  it('without a terminal shows the change, exits with 2, and writes nothing', async () => {
    const home = makeAppHome();
    const file = home.put('.cursor/mcp.json', '{}');
    const refusal = await home.run('use', 'Notes', 'cursor');
    expect(refusal.code).toBe(2);
    for (const part of [file, '"notes"', process.execPath]) expect(refusal.stderr).toContain(part);
    const output = await home.run('use', 'Notes', 'cursor', '--json');
    expect(output).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
    expect(output.lines[0]).toMatchObject({ event: 'preview', changes: [{ path: file, action: 'updated' }] });
    const dry = await home.run('use', 'Notes', 'cursor', '--dry-run', '--json');
    expect(dry.code).toBe(0);
    expect(changesOf(dry.last)[0]).not.toHaveProperty('id');
    expect(home.text('.cursor/mcp.json')).toBe('{}');
    expect(readdirSync(home.profile)).not.toContain('backups');
    expect(readFileSync(path.join(home.profile, 'config.json'), 'utf8')).not.toContain('"apps"');
  });

  it('asks at a terminal, and changes nothing without consent', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}');
    for (const [answer, code] of [
      ['n\n', 130],
      ['y\n', 0],
    ] as const) {
      const command = startCommand(onTerminal(...posternCommand('use', 'Notes', 'cursor')), {
        home: home.profile,
        env: home.env,
      });
      await command.waitFor(/Continue\? \[y\/N\]/);
      command.type(answer);
      expect((await command.ended).code).toBe(code);
    }
    expect(home.text('.cursor/mcp.json')).toContain('notes');
  });

  it('updates its own entry, rejects a name that another has, and suggests a free one', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{"mcpServers": {"notes": {"command": "theirs"}}}');
    const taken = await home.run('use', 'Notes', 'cursor', '--yes', '--json');
    expect(taken).toMatchObject({
      code: 1,
      last: {
        error: {
          code: 'APP_NAME_TAKEN',
          stage: 'apps',
          nextStep: 'Choose another name for the entry: add --as notes-2.',
        },
      },
    });
    await use(home, 'cursor', '--as', 'notes-2');
    const text = home.text('.cursor/mcp.json');
    await use(home, 'cursor');
    expect(home.text('.cursor/mcp.json')).toBe(text);
    home.put('.cursor/mcp.json', (text ?? '').replace(process.execPath, '/moved'));
    await use(home, 'cursor');
    expect(home.text('.cursor/mcp.json')).toBe(text);
    expect((await home.run('use', 'Notes', 'gemini', '--as', 'a_b', '--yes')).code).toBe(2);
    expect((await home.run('use', 'Notes', 'cursor', '--as', '../x', '--yes')).code).toBe(2);
  });

  it('changes nothing for an app that is not installed, nor for others named with it', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}');
    const absent = await home.run('use', 'Notes', 'cursor', 'zed', '--yes', '--json');
    expect(absent).toMatchObject({ code: 1, last: { error: { code: 'APP_NOT_FOUND' } } });
    expect((await home.run('use', 'Notes', 'notepad', '--yes', '--json')).last).toMatchObject({
      error: { code: 'APP_NOT_FOUND' },
    });
    expect((await home.run('use', 'Nobody', 'cursor', '--yes', '--json')).last).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    expect(home.text('.cursor/mcp.json')).toBe('{}');
    expect(readdirSync(home.home)).toEqual(['.cursor']);
  });

  it('writes into a named project folder', async () => {
    const home = makeAppHome();
    const project = makeAppHome().home;
    const change = await use(home, 'claude-code', '--project', project);
    expect(change.path).toBe(path.join(project, '.mcp.json'));
    expect(readFileSync(change.path, 'utf8')).toContain('"notes"');
    const out = await home.run('unuse', 'Notes', 'claude-code', '--project', project, '--yes');
    expect(out.code).toBe(0);
    expect(readdirSync(project)).toEqual([]);
  });

  it('honors the variables that move a file, and prefers the one that overrides the other', async () => {
    const home = makeAppHome();
    mkdirSync(home.at('elsewhere'));
    const env = { ...home.env, CODEX_HOME: home.at('elsewhere') };
    const moved = await runInProcess(['use', 'Notes', 'codex', '--yes', '--json'], { home: home.profile, env });
    expect(changesOf(moved.last)[0]?.path).toBe(home.at('elsewhere/config.toml'));
    home.put('.config/opencode/opencode.json', '{}');
    home.put('.config/opencode/opencode.jsonc', '{}');
    expect((await use(home, 'opencode')).path).toBe(home.at('.config/opencode/opencode.jsonc'));
  });
});

describe('lines to paste', () => {
  const damaged = '{ // mine';

  it('are shown if a file cannot be changed, before and after consent, and the others continue', async () => {
    const home = makeAppHome();
    const file = home.put('.cursor/mcp.json', damaged);
    home.put('.codex/config.toml', '');
    const preview = await home.run('use', 'Notes', 'cursor', 'codex');
    expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining('"notes"') });
    for (const more of [['--dry-run'], ['--yes']]) {
      const said = await home.run('use', 'Notes', 'cursor', 'codex', ...more);
      expect(said).toMatchObject({ code: 1, stdout: '' });
      for (const part of ['APP_FILE_DAMAGED', file, '"notes": {', '--profile-folder', 'Codex'])
        expect(said.stderr).toContain(part);
    }
    expect(home.text('.cursor/mcp.json')).toBe(damaged);
    expect(home.text('.codex/config.toml')).toContain('notes');
    const dry = await home.run('use', 'Notes', 'cursor', '--dry-run', '--json');
    expect(dry.lines[0]).toMatchObject({ changes: [{ action: 'paste', because: 'APP_FILE_DAMAGED' }] });
  });

  it('are an entry that works, for the app with access', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', damaged);
    const { last } = await home.run('use', 'Notes', 'cursor', '--yes', '--json');
    home.put('.cursor/mcp.json', (last['error'] as { paste: { lines: string } }).paste.lines);
    expect((await home.run('apps', 'cursor', '--json')).last).toMatchObject({
      apps: [{ entries: [{ name: 'notes', kind: 'postern', integration: 'id-of-notes' }], uses: ['id-of-notes'] }],
    });
    expect((await home.run('unuse', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect((await home.run('apps', 'cursor', '--json')).last).toMatchObject({
      apps: [{ entries: [], uses: [] }],
    });
  });

  it('are not shown when an entry is removed', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', damaged);
    const { last } = await home.run('unuse', 'Notes', 'cursor', '--yes', '--json');
    expect(last['error']).toMatchObject({ code: 'APP_FILE_DAMAGED' });
    expect(last['error']).not.toHaveProperty('paste');
  });
});

describe('Claude Code', () => {
  const withClaude = (home: AppHome, then?: string) => {
    const claude = putClaude(home, then);
    const env = { ...home.env, PATH: `${claude.folder}:${process.env['PATH'] ?? ''}` };
    return {
      ...claude,
      run: (...args: string[]) => runInProcess([...args, '--yes', '--json'], { home: home.profile, env }),
    };
  };

  it('is changed by its own command, shown in full', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{"numStartups": 7}');
    const { run, calls, folder } = withClaude(home);
    const used = await run('use', 'Notes', 'claude-code');
    expect(used.code).toBe(0);
    const [change] = changesOf(used.last);
    expect(change).toMatchObject({
      action: 'command',
      commands: [[path.join(folder, 'claude'), 'mcp', 'add-json', 'notes', expect.anything(), '-s', 'user']],
    });
    expect(JSON.parse(home.text('.claude.json') ?? '')).toMatchObject({
      numStartups: 7,
      mcpServers: { notes: { type: 'stdio', command: process.execPath } },
    });
    expect((await run('undo', change?.id ?? '')).code).toBe(0);
    expect(calls().map(([, verb]) => verb)).toEqual(['add-json', 'remove']);
    expect(JSON.parse(home.text('.claude.json') ?? '')).toEqual({ numStartups: 7, mcpServers: {} });
  });

  it('is left to the user if its command is missing', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const used = await runInProcess(['use', 'Notes', 'claude-code', '--yes', '--json'], { home: home.profile, env });
    expect(used).toMatchObject({ code: 0, last: { changes: [{ action: 'paste' }] } });
    expect(home.text('.claude.json')).toBe('{}');
  });

  it('waits for the user to paste the lines, and is counted separately', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    home.put('.cursor/mcp.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const listed = async () =>
      ((await run('apps')).last['apps'] as { id: string; uses: string[]; waiting?: string[] }[]).filter(
        ({ uses, waiting }) => uses.length > 0 || waiting,
      );
    const waits = async () =>
      ((await run('doctor')).last['checks'] as { app?: string; nextStep?: string }[]).filter(
        ({ app }) => app === 'claude-code',
      );
    const used = await run('use', 'Notes', 'cursor', 'claude-code', '--yes');
    expect(used.last).toMatchObject({ changes: [{ action: 'updated' }, { action: 'paste', waits: true }] });
    expect(changesOf(used.last)[0]).not.toHaveProperty('waits');
    const cursor = { id: 'cursor', uses: ['id-of-notes'] };
    const waiting = [{ id: 'claude-code', uses: [], waiting: ['id-of-notes'] }, cursor];
    expect((await listed()).toSorted((one, other) => one.id.localeCompare(other.id))).toMatchObject(waiting);
    expect(await waits()).toMatchObject([
      { ok: false, nextStep: expect.stringMatching(/postern use notes claude-code$/u) as unknown },
    ]);
    // Checking again changes nothing.
    expect((await run('apps', 'claude-code')).last).toMatchObject({
      apps: [{ uses: [], waiting: ['id-of-notes'] }],
    });
    home.put('.claude.json', changesOf(used.last)[1]?.after ?? '');
    expect(await waits()).toEqual([]);
    expect((await run('apps', 'claude-code')).last).toMatchObject({ apps: [{ uses: ['id-of-notes'] }] });
    const again = await run('use', 'Notes', 'claude-code', '--yes');
    expect(changesOf(again.last)[0]).not.toHaveProperty('waits');
  });

  it('stops waiting once its access ends or the server is removed', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const listed = async () => (await run('apps', 'claude-code')).last['apps'];
    await run('use', 'Notes', 'claude-code', '--yes');
    await run('use', 'My Mail', 'claude-code', '--yes');
    expect(await listed()).toMatchObject([{ uses: [], waiting: ['id-of-notes', 'id-of-mail'] }]);
    expect((await run('unuse', 'Notes', 'claude-code', '--yes')).code).toBe(0);
    expect(await listed()).toMatchObject([{ uses: [], waiting: ['id-of-mail'] }]);
    expect((await run('remove', 'My Mail', '--yes')).code).toBe(0);
    expect((await listed()) as unknown[]).toMatchObject([{ uses: [] }]);
    expect(JSON.stringify(await listed())).not.toContain('waiting');
  });

  it('keeps waiting under another name of the server, and accepts the earlier lines', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const { last } = await run('use', 'Notes', 'claude-code', '--yes');
    await run('use', 'My Mail', 'claude-code', '--yes');
    expect((await run('rename', 'Notes', 'Ideas')).code).toBe(0);
    expect((await run('rename', 'My Mail', 'Notes')).code).toBe(0);
    const listed = async () => (await run('apps', 'claude-code')).last['apps'];
    expect(await listed()).toMatchObject([{ uses: [], waiting: ['id-of-notes', 'id-of-mail'] }]);
    expect((await run('doctor')).last['checks']).toContainEqual(
      expect.objectContaining({
        ok: false,
        nextStep: expect.stringMatching(/postern use notes claude-code$/u) as unknown,
      }),
    );
    home.put('.claude.json', changesOf(last)[0]?.after ?? '');
    expect(await listed()).toMatchObject([{ uses: ['id-of-notes'], waiting: ['id-of-mail'] }]);
    expect(await entriesOf(home, 'claude-code')).toMatchObject([{ kind: 'postern', integration: 'id-of-notes' }]);
  });

  it('is restored by an undo even if its command no longer exists', async () => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    const { run } = withClaude(home);
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const without = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const listed = async () => (await without('apps', 'claude-code')).last['apps'];
    await run('use', 'Notes', 'claude-code');
    const out = await run('unuse', 'Notes', 'claude-code');
    expect((await without('undo', changesOf(out.last)[0]?.id ?? '', '--yes')).code).toBe(0);
    expect(await listed()).toMatchObject([{ uses: ['id-of-notes'] }]);
    expect(await entriesOf(home, 'claude-code')).toMatchObject([{ kind: 'postern', integration: 'id-of-notes' }]);
    // Only the command removes a server: access ends, and the lines are for the user.
    const used = await run('use', 'My Mail', 'claude-code');
    const undone = await without('undo', changesOf(used.last)[0]?.id ?? '', '--yes');
    expect(undone.last).toMatchObject({ changes: [{ action: 'paste', right: 'ended' }] });
    expect(await listed()).toMatchObject([{ uses: ['id-of-notes'] }]);
    expect(JSON.stringify(await listed())).not.toContain('waiting');
  });

  it.each(['process.exit(1);', 'process.exit(0);'])('reports that its command failed: %s', async (then) => {
    const home = makeAppHome();
    home.put('.claude.json', '{}');
    const { run } = withClaude(home, then);
    const used = await run('use', 'Notes', 'claude-code');
    expect(used).toMatchObject({ code: 1, last: { error: { code: 'APP_COMMAND_FAILED' } } });
    const { paste } = used.last['error'] as { paste: { lines: string; secret: boolean } };
    expect((await home.run('apps', 'claude-code', '--json')).last).toMatchObject({
      apps: [{ uses: [], waiting: ['id-of-notes'] }],
    });
    home.put('.claude.json', paste.lines);
    expect(await entriesOf(home, 'claude-code')).toMatchObject([{ name: 'notes', kind: 'postern' }]);
    expect((await home.run('apps', 'claude-code', '--json')).last).toMatchObject({
      apps: [{ uses: ['id-of-notes'] }],
    });
    const out = await run('unuse', 'Notes', 'claude-code');
    expect(out.last['error']).toMatchObject({ code: 'APP_COMMAND_FAILED' });
    expect(out.last['error']).not.toHaveProperty('paste');
  });
});

describe('a change without a file change', () => {
  it('reports that the app lost or regained access', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}');
    await use(home, 'cursor');
    await home.run('use', 'My Mail', 'cursor', '--yes');
    const both = home.text('.cursor/mcp.json') ?? '';
    const run = async (...words: string[]) => changesOf((await home.run(...words, '--json')).last)[0];
    expect(await run('use', 'Notes', 'cursor', '--yes')).not.toHaveProperty('right');
    home.put('.cursor/mcp.json', '{}');
    expect(await run('unuse', 'Notes', 'cursor', '--dry-run')).toMatchObject({ right: 'ended' });
    expect(await run('unuse', 'Notes', 'cursor', '--yes')).toMatchObject({ right: 'ended' });
    expect(await run('unuse', 'Notes', 'cursor', '--yes')).not.toHaveProperty('right');
    home.put('.cursor/mcp.json', both);
    expect(await run('use', 'Notes', 'cursor', '--yes')).toMatchObject({ right: 'given' });
    expect(home.text('.cursor/mcp.json')).toBe(both);
  });
});

describe('lines to paste', () => {
  it.each(['{ other = { command = "y" } }', '{}'])('fit a TOML list in one pair of braces: %s', async (list) => {
    const home = makeAppHome();
    home.put('.codex/config.toml', `model = "o"\nmcp_servers = ${list}\n`);
    const { code, last } = await home.run('use', 'Notes', 'codex', '--yes', '--json');
    expect(code).toBe(1);
    const { paste } = last['error'] as { paste: { lines: string } };
    const comma = list === '{}' ? '' : ',';
    const pasted = `${list.slice(0, -1)}${comma} ${paste.lines} }`;
    home.put('.codex/config.toml', `model = "o"\nmcp_servers = ${pasted}\n`);
    expect((await entriesOf(home, 'codex')).at(-1)).toMatchObject({ name: 'notes', kind: 'postern' });
  });
});

describe('several apps', () => {
  it('reports what was changed and what failed, and the next steps of each', async () => {
    const home = makeAppHome();
    for (const file of ['.cursor/mcp.json', '.gemini/settings.json']) home.put(file, '{}');
    home.put('.codeium/windsurf/mcp_config.json', 'no JSON');
    home.put('.copilot/mcp-config.json', '[');
    const words = ['use', 'Notes', 'windsurf', 'cursor', 'copilot-cli', 'gemini-cli', '--json'];
    const tried = await home.run(...words, '--dry-run');
    expect(changesOf(tried.last).map(({ id }) => id)).toEqual([undefined, undefined, undefined, undefined]);
    const { code, last } = await home.run(...words, '--yes');
    expect(code).toBe(1);
    expect(last).toMatchObject({
      result: 'error',
      error: { code: 'APP_FILE_DAMAGED', paste: { path: home.at('.codeium/windsurf/mcp_config.json') } },
      failures: [
        { app: 'windsurf', error: { code: 'APP_FILE_DAMAGED' } },
        { app: 'copilot-cli', error: { code: 'APP_FILE_DAMAGED' } },
      ],
    });
    const made = changesOf(last).filter(({ id }) => id !== undefined);
    expect(made.map(({ app }) => app)).toEqual(['cursor', 'gemini-cli']);
    for (const { id = '' } of made) expect((await home.run('undo', id, '--yes')).code).toBe(0);
  });
});

describe('postern undo', () => {
  it('does not undo a change that it only shows', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}');
    const { id = '' } = await use(home, 'cursor');
    expect((await home.run('undo', id, '--dry-run')).code).toBe(0);
    expect((await home.run('undo', id, '--yes')).code).toBe(0);
    expect(home.text('.cursor/mcp.json')).toBe('{}');
  });

  it('removes only the entry from a file that has changed since, and reports files where neither is safe', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{"mcpServers": {}}');
    const { id = '' } = await use(home, 'cursor');
    const used = home.text('.cursor/mcp.json') ?? '';
    home.put('.cursor/mcp.json', used.replace('{', '{"theirs": 1, '));
    expect((await home.run('undo', id, '--yes')).code).toBe(0);
    expect(home.text('.cursor/mcp.json')).toBe('{"theirs": 1, "mcpServers": {}}');
    const second = await use(home, 'cursor');
    const stale = async (text: string | undefined) => {
      if (text === undefined) rmSync(home.at('.cursor/mcp.json'));
      else home.put('.cursor/mcp.json', text);
      const { last } = await home.run('undo', second.id ?? '', '--yes', '--json');
      expect(last).toMatchObject({ error: { code: 'UNDO_STALE' } });
      expect(home.text('.cursor/mcp.json')).toBe(text);
      return last['error'] as { message: string; nextStep: string };
    };
    const changed = await stale('{"mcpServers": {"notes": {"command": "theirs"}}}');
    const [gone, noFile] = [await stale('{"mcpServers": {}}'), await stale(undefined)];
    expect(gone.message).toBe(noFile.message);
    expect(gone.message).not.toBe(changed.message);
    // The details that a user needs to restore it by hand.
    for (const { nextStep } of [changed, gone]) {
      const [copy = ''] = /\/\S+$/u.exec(nextStep) ?? [];
      expect(readFileSync(copy, 'utf8')).toBe('{"theirs": 1, "mcpServers": {}}');
    }
  });

  it('lists the changes, newest first, restores an entry, and keeps twenty per app', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}');
    await use(home, 'cursor');
    const used = home.text('.cursor/mcp.json');
    const [out] = changesOf((await home.run('unuse', 'notes', 'cursor', '--yes', '--json')).last);
    expect((await home.run('undo', out?.id ?? '', '--yes')).code).toBe(0);
    expect(home.text('.cursor/mcp.json')).toBe(used);
    for (let count = 0; count < 10; count += 1) {
      await home.run('unuse', 'notes', 'cursor', '--yes');
      await use(home, 'cursor');
    }
    const { last } = await home.run('undo', '--json');
    const times = (last['changes'] as readonly { at: number }[]).map(({ at }) => at);
    expect(times).toHaveLength(20);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(readdirSync(path.join(home.profile, 'backups/cursor'))).toHaveLength(40);
    expect(modeOf(path.join(home.profile, 'backups'))).toBe(0o700);
  });
});

describe('postern unuse --all', () => {
  it('revokes access of every entry, and a later use grants it again', async () => {
    const home = makeAppHome();
    home.put('.cursor/mcp.json', '{}');
    await use(home, 'cursor');
    const recordsOf = () =>
      (
        JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as {
          apps: { id: string; revokedAt?: number }[];
        }
      ).apps;
    const [before] = recordsOf();
    expect((await home.run('unuse', '--all', 'cursor')).code).toBe(2);
    expect((await home.run('unuse', '--all', 'cursor', '--yes', '--json')).last).toMatchObject({
      revoked: [{ id: before?.id, app: 'cursor', name: 'Cursor' }],
    });
    expect(recordsOf()).toEqual([{ ...before, revokedAt: expect.any(Number) }]);
    await use(home, 'cursor');
    const [, renewed] = recordsOf();
    expect(renewed?.id).not.toBe(before?.id);
    expect(home.text('.cursor/mcp.json')).toContain(renewed?.id);
    expect(home.text('.cursor/mcp.json')).not.toContain(before?.id);
  });
});

describe('a profile of VS Code', () => {
  it('has its own list, is addressed by name or ID, and loses its entry again', async () => {
    const home = makeAppHome();
    const user = '.config/Code/User';
    const userDataProfiles = [
      { name: 'Work', location: '-3a5bc9d2' },
      { name: 'Shares', location: '6d8a0cc', useDefaultFlags: { mcp: true } },
      { name: 'Twice', location: 'aa' },
      { name: 'twice', location: 'bb' },
      { name: 'Elsewhere', location: '../../../x' },
      { name: 7 },
    ];
    home.put(`${user}/globalStorage/storage.json`, JSON.stringify({ theme: 'dark', userDataProfiles }));
    // A folder outlives the profile that made it.
    home.put(`${user}/profiles/0e0e/mcp.json`, '{}');
    const work = `${user}/profiles/-3a5bc9d2/mcp.json`;
    const used = await home.run('use', 'Notes', 'vscode', '--editor-profile', 'work', '--yes', '--json');
    expect(used).toMatchObject({ code: 0, last: { changes: [{ action: 'created', path: home.at(work) }] } });
    expect(home.text(`${user}/mcp.json`)).toBeUndefined();
    const { last } = await home.run('apps', 'vscode', '--json');
    const [{ profiles }] = last['apps'] as [{ profiles: { name: string; id: string; entries: object[] }[] }];
    expect(profiles.map(({ id }) => id)).toEqual(['-3a5bc9d2', 'aa', 'bb']);
    expect(profiles[0]).toMatchObject({ name: 'Work', entries: [{ kind: 'postern', integration: 'id-of-notes' }] });
    expect((await home.run('apps', 'vscode')).stdout).toContain('--editor-profile=-3a5bc9d2');
    const config = JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as object;
    writeFileSync(path.join(home.profile, 'config.json'), JSON.stringify({ ...config, apps: [] }));
    const checks = (await home.run('doctor', '--json')).last['checks'] as { nextStep?: string }[];
    expect(checks.map(({ nextStep }) => nextStep)).toContain('postern use notes vscode --editor-profile=-3a5bc9d2');
    for (const wrong of ['Twice', 'Elsewhere', '0e0e'])
      expect(await home.run('use', 'Notes', 'vscode', '--editor-profile', wrong, '--yes')).toMatchObject({ code: 2 });
    expect((await home.run('use', 'Notes', 'cursor', '--editor-profile', 'Work', '--yes')).code).toBe(2);
    const shared = await home.run('use', 'Notes', 'vscode', '--editor-profile', 'Shares', '--yes', '--json');
    expect(shared).toMatchObject({ code: 0, last: { changes: [{ path: home.at(`${user}/mcp.json`) }] } });
    expect((await home.run('unuse', 'Notes', 'vscode', '--editor-profile=-3a5bc9d2', '--yes')).code).toBe(0);
    expect(home.text(work)).toBeUndefined();
    expect(home.text(`${user}/mcp.json`)).toContain('notes');
  });
});

it('uses the opencode.jsonc of a project if it exists', async () => {
  const home = makeAppHome();
  home.put('.config/opencode/opencode.json', '{}');
  const project = temporaryFolder();
  writeFileSync(path.join(project, 'opencode.jsonc'), '{\n  // mine\n}\n');
  const used = await home.run('use', 'Notes', 'opencode', '--project', project, '--yes', '--json');
  expect(used).toMatchObject({ code: 0, last: { changes: [{ path: path.join(project, 'opencode.jsonc') }] } });
  expect((await home.run('unuse', 'Notes', 'opencode', '--project', project, '--yes')).code).toBe(0);
  expect(readFileSync(path.join(project, 'opencode.jsonc'), 'utf8')).toBe('{\n  // mine\n}\n');
});
