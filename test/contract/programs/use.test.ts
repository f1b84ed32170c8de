import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../main/apps/table/table.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { startCommand, posternCommand } from '../../support/postern-process.ts';
import { makeProgramHome, modeOf, type ProgramHome, putClaude } from '../../support/program-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Real files of programs in a home folder of the test's own, through the real command line. */

/** Where each keeps its servers on Linux, as its documentation or source says. */
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
  readonly program: string;
  readonly path: string;
  readonly action: string;
  readonly backup?: string;
  readonly before: string;
  readonly after: string;
}

function changesOf(last: Record<string, unknown>): readonly Change[] {
  return last['changes'] as readonly Change[];
}

async function use(home: ProgramHome, program: string, ...more: string[]): Promise<Change> {
  const { code, last, stderr } = await home.run('use', 'Notes', program, '--yes', '--json', ...more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [change] = changesOf(last);
  if (!change) throw new Error('no change');
  return change;
}

async function entriesOf(home: ProgramHome, program: string): Promise<readonly Record<string, unknown>[]> {
  const { last } = await home.run('programs', program, '--json');
  return (last['programs'] as readonly { entries: readonly Record<string, unknown>[] }[])[0]?.entries ?? [];
}

/** The words of the one command that stands in a file. */
function wordsIn(text: string | undefined): readonly string[] {
  return Array.from(text?.matchAll(/"(?:[^"\\]|\\.)*"/g) ?? [], ([word]) => JSON.parse(word) as string);
}

describe('postern use', () => {
  it('knows a file for each program of the table', () => {
    expect([...Object.keys(files), 'claude-code'].toSorted()).toEqual(programs.map(({ id }) => id).toSorted());
  });

  it.each(Object.entries(files))('adds Notes to %s, and takes it out to the byte', async (program, file) => {
    const home = makeProgramHome();
    mkdirSync(path.dirname(home.at(file)), { recursive: true });
    if (program.endsWith('jetbrains') && program !== 'copilot-jetbrains') home.put(file, '');
    const empty = home.text(file);
    const change = await use(home, program);
    expect(change).toMatchObject({ program, path: home.at(file), secret: 'none', before: '' });
    expect(change.action).toBe(empty === undefined ? 'created' : 'updated');
    expect(change.after).toContain('notes');
    const words = wordsIn(home.text(file));
    expect(words).toEqual(expect.arrayContaining(['--profile-folder', home.profile, 'notes', '--program']));
    expect(words).toContain(process.execPath);
    expect(await entriesOf(home, program)).toEqual([
      { name: 'notes', kind: 'postern', command: process.execPath, headers: [], env: [], integration: 'id-of-notes' },
    ]);
    const out = await home.run('unuse', 'Notes', program, '--yes', '--json');
    expect(out.code).toBe(0);
    expect(home.text(file)).toBe(empty);
    const { programs: records = [] } = JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as {
      programs?: unknown[];
    };
    expect(records).toEqual([]);
  });

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
  ])('keeps every byte of the file of %s: %j', async (program, text) => {
    const home = makeProgramHome();
    const file = files[program] ?? '';
    home.put(file, text);
    const change = await use(home, program);
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
    'takes the byte order mark out of the file of %s, says so first, and brings it back (RFC 8259 8.1)',
    async (program, text) => {
      const home = makeProgramHome();
      const file = files[program] ?? '';
      home.put(file, `\ufeff${text}`);
      const asked = await home.run('use', 'Notes', program);
      expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('byte order mark') });
      expect(home.text(file)).toBe(`\ufeff${text}`);
      const change = await use(home, program);
      expect(change).toMatchObject({ takesMark: true });
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
  ])('says which setting of %s keeps an entry out (%s %j)', async (program, file, settings, name) => {
    const home = makeProgramHome();
    if (program === 'claude-code') home.put('.claude.json', '{}');
    home.put(file, JSON.stringify(settings));
    const asked = await home.run('use', 'Notes', program);
    expect(asked.stderr).toContain(name);
    if (program === 'claude-code') return;
    const done = await home.run('use', 'Notes', program, '--yes');
    expect(done.stdout).toContain(`its own setting ${name}`);
    expect(done.stdout).not.toContain('new session');
    expect((await home.run('doctor')).stdout).toContain(name);
    const listed = await home.run('programs', program);
    expect(listed.stdout).toContain(`kept out by the setting ${name}`);
    const { last } = await home.run('programs', program, '--json');
    expect(last['programs']).toMatchObject([{ entries: [{ name: 'notes', keptOut: expect.stringContaining(name) }] }]);
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
  ])('tells of no setting of %s that leaves the entry in (%s %j)', async (program, file, settings) => {
    const home = makeProgramHome();
    if (program === 'claude-code') home.put('.claude.json', '{}');
    home.put(file, JSON.stringify(settings));
    const asked = await home.run('use', 'Notes', program);
    expect(asked.code).toBe(2);
    expect(asked.stderr).not.toContain('its own setting');
  });

  it('says in the list of a program which of its entries is off', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', JSON.stringify({ mcpServers: { other: { command: 'x', disabled: true } } }));
    expect((await home.run('programs', 'cursor')).stdout).toContain('switched off');
    const { last } = await home.run('programs', 'cursor', '--json');
    expect(last['programs']).toMatchObject([{ entries: [{ name: 'other', switchedOff: true }] }]);
  });

  it.each([undefined, ''])('leaves no file that was not there before, renewed or not: %j', async (text) => {
    const home = makeProgramHome();
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
  ])('says of %s what a person has to know once its entry is there, and nothing once it is gone', async (id, note) => {
    const home = makeProgramHome();
    home.put(files[id] ?? '', '');
    const used = await home.run('use', 'Notes', id, '--yes', '--json');
    expect(changesOf(used.last)[0]).toHaveProperty('notice');
    expect((changesOf(used.last)[0] as { note?: string }).note).toBe(note);
    const out = await home.run('unuse', 'Notes', id, '--yes', '--json');
    expect(changesOf(out.last)[0]).not.toHaveProperty('note');
  });

  it('leaves nothing behind when two servers go in the order in which they came', async () => {
    const home = makeProgramHome();
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

  it('without a terminal shows what it would do, ends with 2, and writes nothing', async () => {
    const home = makeProgramHome();
    const file = home.put('.cursor/mcp.json', '{}');
    const spoken = await home.run('use', 'Notes', 'cursor');
    expect(spoken.code).toBe(2);
    for (const part of [file, '"notes"', process.execPath]) expect(spoken.stderr).toContain(part);
    const told = await home.run('use', 'Notes', 'cursor', '--json');
    expect(told).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
    expect(told.lines[0]).toMatchObject({ event: 'preview', changes: [{ path: file, action: 'updated' }] });
    const dry = await home.run('use', 'Notes', 'cursor', '--dry-run', '--json');
    expect(dry.code).toBe(0);
    expect(changesOf(dry.last)[0]).not.toHaveProperty('id');
    expect(home.text('.cursor/mcp.json')).toBe('{}');
    expect(readdirSync(home.profile)).not.toContain('backups');
    expect(readFileSync(path.join(home.profile, 'config.json'), 'utf8')).not.toContain('"programs"');
  });

  it('asks at a terminal, and takes only a yes', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', '{}');
    for (const [answer, code] of [
      ['n\n', 130],
      ['y\n', 0],
    ] as const) {
      const asked = startCommand(onTerminal(...posternCommand('use', 'Notes', 'cursor')), {
        home: home.profile,
        env: home.env,
      });
      await asked.waitFor(/Do this\? \[y\/N\]/);
      asked.type(answer);
      expect((await asked.ended).code).toBe(code);
    }
    expect(home.text('.cursor/mcp.json')).toContain('notes');
  });

  it('renews an entry of its own, refuses a name that another has, and offers a free one', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', '{"mcpServers": {"notes": {"command": "theirs"}}}');
    const taken = await home.run('use', 'Notes', 'cursor', '--yes', '--json');
    expect(taken).toMatchObject({
      code: 1,
      last: { error: { code: 'PROGRAM_NAME_TAKEN', stage: 'programs', nextStep: 'Add --as notes-2.' } },
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

  it('makes nothing for a program that is not there, nor for the others that are named with it', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', '{}');
    const absent = await home.run('use', 'Notes', 'cursor', 'zed', '--yes', '--json');
    expect(absent).toMatchObject({ code: 1, last: { error: { code: 'PROGRAM_NOT_FOUND' } } });
    expect((await home.run('use', 'Notes', 'notepad', '--yes', '--json')).last).toMatchObject({
      error: { code: 'PROGRAM_NOT_FOUND' },
    });
    expect((await home.run('use', 'Nobody', 'cursor', '--yes', '--json')).last).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    expect(home.text('.cursor/mcp.json')).toBe('{}');
    expect(readdirSync(home.home)).toEqual(['.cursor']);
  });

  it('writes into the folder of a project that is named', async () => {
    const home = makeProgramHome();
    const project = makeProgramHome().home;
    const change = await use(home, 'claude-code', '--project', project);
    expect(change.path).toBe(path.join(project, '.mcp.json'));
    expect(readFileSync(change.path, 'utf8')).toContain('"notes"');
    const out = await home.run('unuse', 'Notes', 'claude-code', '--project', project, '--yes');
    expect(out.code).toBe(0);
    expect(readdirSync(project)).toEqual([]);
  });

  it('honours the variables that move a file, and takes the one that shadows the other', async () => {
    const home = makeProgramHome();
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

  it('are shown where a file cannot be changed, before and after the yes, and the others go on', async () => {
    const home = makeProgramHome();
    const file = home.put('.cursor/mcp.json', damaged);
    home.put('.codex/config.toml', '');
    const asked = await home.run('use', 'Notes', 'cursor', 'codex');
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('"notes"') });
    for (const more of [['--dry-run'], ['--yes']]) {
      const said = await home.run('use', 'Notes', 'cursor', 'codex', ...more);
      expect(said).toMatchObject({ code: 1, stdout: '' });
      for (const part of ['PROGRAM_FILE_DAMAGED', file, '"notes": {', '--profile-folder', 'Codex'])
        expect(said.stderr).toContain(part);
    }
    expect(home.text('.cursor/mcp.json')).toBe(damaged);
    expect(home.text('.codex/config.toml')).toContain('notes');
    const dry = await home.run('use', 'Notes', 'cursor', '--dry-run', '--json');
    expect(dry.lines[0]).toMatchObject({ changes: [{ action: 'paste', because: 'PROGRAM_FILE_DAMAGED' }] });
  });

  it('are an entry that works, for the program that may use it', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', damaged);
    const { last } = await home.run('use', 'Notes', 'cursor', '--yes', '--json');
    home.put('.cursor/mcp.json', (last['error'] as { paste: { lines: string } }).paste.lines);
    expect((await home.run('programs', 'cursor', '--json')).last).toMatchObject({
      programs: [{ entries: [{ name: 'notes', kind: 'postern', integration: 'id-of-notes' }], uses: ['id-of-notes'] }],
    });
    expect((await home.run('unuse', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect((await home.run('programs', 'cursor', '--json')).last).toMatchObject({
      programs: [{ entries: [], uses: [] }],
    });
  });

  it('are none where an entry goes', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', damaged);
    const { last } = await home.run('unuse', 'Notes', 'cursor', '--yes', '--json');
    expect(last['error']).toMatchObject({ code: 'PROGRAM_FILE_DAMAGED' });
    expect(last['error']).not.toHaveProperty('paste');
  });
});

describe('Claude Code', () => {
  const withClaude = (home: ProgramHome, then?: string) => {
    const claude = putClaude(home, then);
    const env = { ...home.env, PATH: `${claude.folder}:${process.env['PATH'] ?? ''}` };
    return {
      ...claude,
      run: (...args: string[]) => runInProcess([...args, '--yes', '--json'], { home: home.profile, env }),
    };
  };

  it('is changed by its own command, named whole', async () => {
    const home = makeProgramHome();
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

  it('is left to a person where its command is not there', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const used = await runInProcess(['use', 'Notes', 'claude-code', '--yes', '--json'], { home: home.profile, env });
    expect(used).toMatchObject({ code: 0, last: { changes: [{ action: 'paste' }] } });
    expect(home.text('.claude.json')).toBe('{}');
  });

  it('waits for the user until the pasted lines are there, and is counted apart', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    home.put('.cursor/mcp.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const listed = async () =>
      ((await run('programs')).last['programs'] as { id: string; uses: string[]; waiting?: string[] }[]).filter(
        ({ uses, waiting }) => uses.length > 0 || waiting,
      );
    const waits = async () =>
      ((await run('doctor')).last['checks'] as { program?: string; nextStep?: string }[]).filter(
        ({ program }) => program === 'claude-code',
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
    // Looking again changes nothing.
    expect((await run('programs', 'claude-code')).last).toMatchObject({
      programs: [{ uses: [], waiting: ['id-of-notes'] }],
    });
    home.put('.claude.json', changesOf(used.last)[1]?.after ?? '');
    expect(await waits()).toEqual([]);
    expect((await run('programs', 'claude-code')).last).toMatchObject({ programs: [{ uses: ['id-of-notes'] }] });
    const again = await run('use', 'Notes', 'claude-code', '--yes');
    expect(changesOf(again.last)[0]).not.toHaveProperty('waits');
  });

  it('waits no more once the server is taken from it, or is gone', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const listed = async () => (await run('programs', 'claude-code')).last['programs'];
    await run('use', 'Notes', 'claude-code', '--yes');
    await run('use', 'My Mail', 'claude-code', '--yes');
    expect(await listed()).toMatchObject([{ uses: [], waiting: ['id-of-notes', 'id-of-mail'] }]);
    expect((await run('unuse', 'Notes', 'claude-code', '--yes')).code).toBe(0);
    expect(await listed()).toMatchObject([{ uses: [], waiting: ['id-of-mail'] }]);
    expect((await run('remove', 'My Mail', '--yes')).code).toBe(0);
    expect((await listed()) as unknown[]).toMatchObject([{ uses: [] }]);
    expect(JSON.stringify(await listed())).not.toContain('waiting');
  });

  it('waits on under another name of the server, and takes the lines of before', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const { last } = await run('use', 'Notes', 'claude-code', '--yes');
    await run('use', 'My Mail', 'claude-code', '--yes');
    expect((await run('rename', 'Notes', 'Ideas')).code).toBe(0);
    expect((await run('rename', 'My Mail', 'Notes')).code).toBe(0);
    const listed = async () => (await run('programs', 'claude-code')).last['programs'];
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

  it('goes back to what it was by an undo, where its command is gone by then', async () => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    const { run } = withClaude(home);
    const env = { ...home.env, PATH: '/usr/bin:/bin' };
    const without = (...args: string[]) => runInProcess([...args, '--json'], { home: home.profile, env });
    const listed = async () => (await without('programs', 'claude-code')).last['programs'];
    await run('use', 'Notes', 'claude-code');
    const out = await run('unuse', 'Notes', 'claude-code');
    expect((await without('undo', changesOf(out.last)[0]?.id ?? '', '--yes')).code).toBe(0);
    expect(await listed()).toMatchObject([{ uses: ['id-of-notes'] }]);
    expect(await entriesOf(home, 'claude-code')).toMatchObject([{ kind: 'postern', integration: 'id-of-notes' }]);
    // Nobody but the command takes a server out: the right ends, and the lines are for the user.
    const used = await run('use', 'My Mail', 'claude-code');
    const undone = await without('undo', changesOf(used.last)[0]?.id ?? '', '--yes');
    expect(undone.last).toMatchObject({ changes: [{ action: 'paste', right: 'ended' }] });
    expect(await listed()).toMatchObject([{ uses: ['id-of-notes'] }]);
    expect(JSON.stringify(await listed())).not.toContain('waiting');
  });

  it.each(['process.exit(1);', 'process.exit(0);'])('says that it did not take it: %s', async (then) => {
    const home = makeProgramHome();
    home.put('.claude.json', '{}');
    const { run } = withClaude(home, then);
    const used = await run('use', 'Notes', 'claude-code');
    expect(used).toMatchObject({ code: 1, last: { error: { code: 'PROGRAM_COMMAND_FAILED' } } });
    const { paste } = used.last['error'] as { paste: { lines: string; secret: boolean } };
    expect((await home.run('programs', 'claude-code', '--json')).last).toMatchObject({
      programs: [{ uses: [], waiting: ['id-of-notes'] }],
    });
    home.put('.claude.json', paste.lines);
    expect(await entriesOf(home, 'claude-code')).toMatchObject([{ name: 'notes', kind: 'postern' }]);
    expect((await home.run('programs', 'claude-code', '--json')).last).toMatchObject({
      programs: [{ uses: ['id-of-notes'] }],
    });
    const out = await run('unuse', 'Notes', 'claude-code');
    expect(out.last['error']).toMatchObject({ code: 'PROGRAM_COMMAND_FAILED' });
    expect(out.last['error']).not.toHaveProperty('paste');
  });
});

describe('a change without one of the file', () => {
  it('says that the right of the program ended or came back', async () => {
    const home = makeProgramHome();
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
    const home = makeProgramHome();
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

describe('several programs', () => {
  it('ends with what was made and what failed, both, and the next steps of each', async () => {
    const home = makeProgramHome();
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
      error: { code: 'PROGRAM_FILE_DAMAGED', paste: { path: home.at('.codeium/windsurf/mcp_config.json') } },
      failures: [
        { program: 'windsurf', error: { code: 'PROGRAM_FILE_DAMAGED' } },
        { program: 'copilot-cli', error: { code: 'PROGRAM_FILE_DAMAGED' } },
      ],
    });
    const made = changesOf(last).filter(({ id }) => id !== undefined);
    expect(made.map(({ program }) => program)).toEqual(['cursor', 'gemini-cli']);
    for (const { id = '' } of made) expect((await home.run('undo', id, '--yes')).code).toBe(0);
  });
});

describe('postern undo', () => {
  it('leaves a change that it only shows', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', '{}');
    const { id = '' } = await use(home, 'cursor');
    expect((await home.run('undo', id, '--dry-run')).code).toBe(0);
    expect((await home.run('undo', id, '--yes')).code).toBe(0);
    expect(home.text('.cursor/mcp.json')).toBe('{}');
  });

  it('takes the entry alone out of a file that has changed since, and says where neither is safe', async () => {
    const home = makeProgramHome();
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
    // What the person may want back by hand.
    for (const { nextStep } of [changed, gone]) {
      const [copy = ''] = /\/\S+$/u.exec(nextStep) ?? [];
      expect(readFileSync(copy, 'utf8')).toBe('{"theirs": 1, "mcpServers": {}}');
    }
  });

  it('lists the changes, newest first, brings an entry back, and keeps twenty of a program', async () => {
    const home = makeProgramHome();
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
  it('ends the right of every entry, which a new use makes anew', async () => {
    const home = makeProgramHome();
    home.put('.cursor/mcp.json', '{}');
    await use(home, 'cursor');
    const recordsOf = () =>
      (
        JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as {
          programs: { id: string; revokedAt?: number }[];
        }
      ).programs;
    const [before] = recordsOf();
    expect((await home.run('unuse', '--all', 'cursor')).code).toBe(2);
    expect((await home.run('unuse', '--all', 'cursor', '--yes', '--json')).last).toMatchObject({
      revoked: [{ id: before?.id, program: 'cursor', name: 'Cursor' }],
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
  it('has its own list, is named by its name or id, and gives its entry back from there', async () => {
    const home = makeProgramHome();
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
    const { last } = await home.run('programs', 'vscode', '--json');
    const [{ profiles }] = last['programs'] as [{ profiles: { name: string; id: string; entries: object[] }[] }];
    expect(profiles.map(({ id }) => id)).toEqual(['-3a5bc9d2', 'aa', 'bb']);
    expect(profiles[0]).toMatchObject({ name: 'Work', entries: [{ kind: 'postern', integration: 'id-of-notes' }] });
    expect((await home.run('programs', 'vscode')).stdout).toContain('--editor-profile=-3a5bc9d2');
    const config = JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as object;
    writeFileSync(path.join(home.profile, 'config.json'), JSON.stringify({ ...config, programs: [] }));
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

it('uses the opencode.jsonc of a project where it is there', async () => {
  const home = makeProgramHome();
  home.put('.config/opencode/opencode.json', '{}');
  const project = temporaryFolder();
  writeFileSync(path.join(project, 'opencode.jsonc'), '{\n  // mine\n}\n');
  const used = await home.run('use', 'Notes', 'opencode', '--project', project, '--yes', '--json');
  expect(used).toMatchObject({ code: 0, last: { changes: [{ path: path.join(project, 'opencode.jsonc') }] } });
  expect((await home.run('unuse', 'Notes', 'opencode', '--project', project, '--yes')).code).toBe(0);
  expect(readFileSync(path.join(project, 'opencode.jsonc'), 'utf8')).toBe('{\n  // mine\n}\n');
});
