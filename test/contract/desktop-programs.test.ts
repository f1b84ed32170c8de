import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeChange } from '../../main/apps/make-change.ts';
import { planUse } from '../../main/apps/plan/plan-use.ts';
import { findProgram } from '../../main/apps/table/table.ts';
import { saveCommand } from '../../main/engine/kept/local-consent.ts';
import { afterTest } from '../support/after-test.ts';
import { anIntegration } from '../support/an-integration.ts';
import { startResource } from '../support/demo-pair.ts';
import { scriptWords } from '../support/local-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testPrograms } from '../support/test-desktop.ts';
import type { TestDesktop, TestDesktopOptions } from '../support/test-desktop.ts';

const notes = anIntegration({ id: 'id-of-notes', name: 'Notes', alias: 'notes', url: 'https://notes.example/mcp' });
const mail = anIntegration({ id: 'id-of-mail', name: 'Mail', alias: 'mail', url: 'https://mail.example/mcp' });
const changedError = { code: 'PROGRAM_FILE_CHANGED' };
const old = '{\n  "mcpServers": {\n    "other": { "command": "/bin/other", "env": { "KEY": "a-secret" } }\n  }\n}\n';

async function openDesktop({
  isTranslocated = false,
  works = true,
  ...options
}: Pick<TestDesktopOptions, 'answer' | 'serves' | 'onGateway'> & {
  readonly isTranslocated?: boolean;
  /** Beside its calls it watches its files, and refreshes. */
  readonly works?: boolean;
} = {}) {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, old);
  const desktop = await createTestDesktop({
    ...options,
    programs: (engine) => ({ ...testPrograms(engine, home), isTranslocated }),
  });
  await desktop.engine.ports.store.write(notes);
  if (works) desktop.composed.startWork();
  return { desktop, home, file, text: () => readFileSync(file, 'utf8') };
}

const program = async ({ call }: TestDesktop, wanted = 'cursor') => {
  const { programs } = await call('app:snapshots', {});
  return programs.find(({ id }) => id === wanted);
};
const use = (change: { program?: string; integrations?: string[]; use?: boolean; editorProfile?: string } = {}) => ({
  changes: [{ program: 'cursor', integrations: [notes.id], use: true, ...change }],
});

/** The preview of one change. */
async function preview({ call }: TestDesktop, change = use()) {
  const { previews, refused } = await call('program:preview', change);
  expect(refused).toEqual([]);
  const [shown] = previews;
  if (!shown || previews.length > 1) throw new Error('not one preview');
  return shown;
}

async function previewUndo({ call }: TestDesktop, change = '') {
  const { previews } = await call('program:previewUndo', { changes: [{ program: 'cursor', change }] });
  if (!previews[0]) throw new Error('no preview');
  return previews[0];
}

describe('a program in the window', () => {
  it('is found without a look into its file; those that are not here are not named', async () => {
    const { desktop, file } = await openDesktop();
    writeFileSync(file, 'not read');
    const { programs } = await desktop.call('app:snapshots', {});
    expect(programs).toMatchObject([{ id: 'cursor', path: file, uses: [], isRevoked: false }]);
    expect(programs[0]).not.toHaveProperty('fault');
  });

  it.each([
    ['is a folder', (file: string) => mkdirSync(file)],
    ['is too large', (file: string) => (writeFileSync(file, ''), truncateSync(file, 4 * 2 ** 20 + 1))],
    ['leads out of home', (file: string) => symlinkSync(temporaryFolder(), file)],
    ['leads to itself', (file: string) => symlinkSync(path.basename(file), file)],
  ])('says without a look inside that its file cannot be read, since it %s', async (_why, put) => {
    const { desktop, file } = await openDesktop();
    rmSync(file);
    expect(await program(desktop)).not.toHaveProperty('fault');
    put(file);
    expect(await program(desktop)).toMatchObject({ path: file, fault: { code: 'PROGRAM_FILE_DENIED' } });
  });

  it('gets no entry from a Postern that macOS runs from a temporary place, and is told where to move it', async () => {
    const { desktop, text } = await openDesktop({ isTranslocated: true });
    const refused = await desktop.refuse('program:preview', use());
    expect(refused).toMatchObject({ code: 'APP_TRANSLOCATED' });
    expect(JSON.stringify(refused)).toContain('Applications');
    expect(text()).toBe(old);
  });

  it('is changed as it was shown, and taken back byte for byte', async () => {
    const { desktop, text } = await openDesktop();
    const shown = await preview(desktop);
    expect(shown).toMatchObject({ action: 'updated', before: [], secret: 'none' });
    expect(text()).toBe(old);
    const { made } = await desktop.call('program:change', { tokens: [shown.token] });
    const changed = text();
    for (const line of shown.after) expect(changed).toContain(line.trim());
    expect(JSON.parse(changed)).toMatchObject({
      mcpServers: { other: {}, notes: { command: '/usr/bin/postern-pipe' } },
    });
    const used = await program(desktop);
    expect(used).toMatchObject({ uses: [notes.id], lastChange: { names: ['notes'], id: made[0]?.change } });
    const undo = await previewUndo(desktop, used?.lastChange?.id);
    expect(undo).toMatchObject({ after: [] });
    await desktop.call('program:change', { tokens: [undo.token] });
    expect(text()).toBe(old);
    expect(await program(desktop)).toMatchObject({ uses: [] });
  });

  it('has profiles that its preview names, and is changed in the list of the chosen one', async () => {
    const { desktop, home } = await openDesktop();
    const user = path.join(home, '.config', 'Code', 'User');
    mkdirSync(path.join(user, 'globalStorage'), { recursive: true });
    const storage = path.join(user, 'globalStorage', 'storage.json');
    const userDataProfiles = [
      { name: 'Work\u202e', location: '-3a5bc9d2' },
      { name: 'Shares', location: '6d8a0cc', useDefaultFlags: { mcp: true } },
    ];
    writeFileSync(storage, JSON.stringify({ userDataProfiles }));
    expect(await program(desktop, 'vscode')).toMatchObject({ hasProfiles: true });
    const shown = await preview(desktop, use({ program: 'vscode' }));
    expect(shown).toMatchObject({ path: path.join(user, 'mcp.json'), profiles: [{ id: '-3a5bc9d2', name: 'Work' }] });
    expect(shown).not.toHaveProperty('editorProfile');
    const work = await preview(desktop, use({ program: 'vscode', editorProfile: '-3a5bc9d2' }));
    const file = path.join(user, 'profiles', '-3a5bc9d2', 'mcp.json');
    expect(work).toMatchObject({ action: 'created', path: file, editorProfile: '-3a5bc9d2' });
    await desktop.call('program:change', { tokens: [work.token] });
    expect(existsSync(path.join(user, 'mcp.json'))).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain('notes');
    // What it may use already can go to another list too, and one switch takes it out of all.
    await desktop.call('program:change', { tokens: [(await preview(desktop, use({ program: 'vscode' }))).token] });
    const { previews } = await desktop.call('program:preview', use({ program: 'vscode', use: false }));
    await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect([existsSync(file), existsSync(path.join(user, 'mcp.json'))]).toEqual([false, false]);
    for (const editorProfile of ['6d8a0cc', 'gone', '../x'])
      expect(await desktop.refuse('program:preview', use({ program: 'vscode', editorProfile }))).toMatchObject(
        changedError,
      );
    writeFileSync(storage, '{');
    expect(await preview(desktop, use({ program: 'vscode' }))).not.toHaveProperty('profiles');
  });

  it('publishes what a change made of it, and none of the secrets of its file', async () => {
    const { desktop } = await openDesktop();
    const { token } = await preview(desktop);
    await desktop.call('program:change', { tokens: [token] });
    await desktop.seen(({ programs }) => programs?.some(({ uses }) => uses.includes(notes.id)));
    expect(desktop.messages.join('\n')).not.toContain('a-secret');
  });

  it('gets back what stood there, of which no value is shown', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    const made = text();
    const gone = await preview(desktop, use({ use: false }));
    expect(gone).toMatchObject({ restores: false, after: [] });
    await desktop.call('program:change', { tokens: [gone.token] });
    expect(text()).toBe(old);
    const { lastChange } = (await program(desktop)) ?? {};
    const back = await previewUndo(desktop, lastChange?.id);
    expect(back).toMatchObject({
      restores: true,
      after: expect.arrayContaining([expect.stringMatching(/^ +"notes": /)]) as unknown,
      commands: [],
    });
    await desktop.call('program:change', { tokens: [back.token] });
    expect(text()).toBe(made);
  });

  it('loses a server in all of its files by one switch, each shown and taken back', async () => {
    const { desktop, file, text } = await openDesktop();
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    const project = path.join(temporaryFolder(), 'project');
    mkdirSync(project);
    const engine = testPrograms(desktop.engine, path.dirname(path.dirname(file)));
    const inProject = await planUse(engine, findProgram('cursor') ?? expect.fail(), [notes], { project });
    await makeChange(engine, inProject);
    const projectFile = inProject.file.path;
    const [made, madeThere] = [text(), readFileSync(projectFile, 'utf8')];
    const { previews } = await desktop.call('program:preview', use({ use: false }));
    expect(previews).toMatchObject([
      { program: 'cursor', path: file, action: 'updated' },
      { program: 'cursor', path: projectFile, action: 'deleted' },
    ]);
    const { made: changes } = await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(text()).toBe(old);
    expect(existsSync(projectFile)).toBe(false);
    expect(await program(desktop)).toMatchObject({ uses: [] });
    const undo = await desktop.call('program:previewUndo', {
      changes: changes.map(({ change = '' }) => ({ program: 'cursor', change })),
    });
    await desktop.call('program:change', { tokens: undo.previews.map(({ token }) => token) });
    expect([text(), readFileSync(projectFile, 'utf8')]).toEqual([made, madeThere]);
    expect(await program(desktop)).toMatchObject({ uses: [notes.id] });
  });

  it('is changed once, by a token of what was shown last', async () => {
    const { desktop, text } = await openDesktop();
    const first = await preview(desktop);
    const second = await preview(desktop, use({ use: false }));
    expect(await desktop.refuse('program:change', { tokens: [first.token] })).toMatchObject(changedError);
    await desktop.call('program:change', { tokens: [second.token] });
    expect(text()).toBe(old);
    const third = await preview(desktop);
    await desktop.call('program:change', { tokens: [third.token] });
    const made = text();
    expect(await desktop.refuse('program:change', { tokens: [third.token] })).toMatchObject(changedError);
    expect(text()).toBe(made);
  });

  it('is told apart from programs that nobody knows, and servers that are not there', async () => {
    const { desktop } = await openDesktop();
    expect(await desktop.refuse('program:preview', use({ program: 'nobody' }))).toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    });
    expect(await desktop.refuse('program:preview', use({ integrations: ['none'] }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    const changes = [{ program: 'cursor', change: '0123456789ab' }];
    expect(await desktop.refuse('program:previewUndo', { changes })).toMatchObject({ code: 'UNDO_STALE' });
  });

  it('is told by the gateway what it may use before a change or its undo is answered', async () => {
    const reached: (readonly string[])[] = [];
    const { desktop } = await openDesktop({
      serves: true,
      works: false,
      onGateway: (gateway) =>
        void vi.spyOn(gateway, 'changed').mockImplementation(async () => {
          const programs = await desktop.composed.desktop.snapshot('programs');
          reached.push(programs.find(({ id }) => id === 'cursor')?.uses ?? []);
        }),
    });
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    expect(reached).toEqual([[notes.id]]);
    const undo = await previewUndo(desktop, (await program(desktop))?.lastChange?.id);
    await desktop.call('program:change', { tokens: [undo.token] });
    expect(reached).toEqual([[notes.id], []]);
  });

  it.each([
    { answer: true, uses: [] },
    { answer: false, uses: [notes.id] },
  ])('is revoked by the answer of the person to main alone ($answer)', async ({ answer, uses }) => {
    const { desktop } = await openDesktop({ answer: async () => answer });
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    await desktop.call('program:revoke', { program: 'cursor' });
    expect(desktop.asked).toHaveLength(1);
    expect(await program(desktop)).toMatchObject({ uses, isRevoked: answer });
  });

  it('is paused alone, beside those that are paused already, and goes on', async () => {
    const { desktop } = await openDesktop();
    const { store } = desktop.engine.ports;
    await store.updateSettings((settings) => ({ ...settings, pausedPrograms: ['zed'] }));
    await desktop.call('program:pause', { program: 'cursor', paused: true });
    expect(await program(desktop)).toMatchObject({ isPaused: true });
    await desktop.call('program:pause', { program: 'cursor', paused: true });
    expect(await store.settings()).toMatchObject({ pausedPrograms: ['zed', 'cursor'] });
    await desktop.call('program:pause', { program: 'cursor', paused: false });
    expect(await program(desktop)).toMatchObject({ isPaused: false });
    expect(await store.settings()).toMatchObject({ pausedPrograms: ['zed'] });
    expect(await desktop.refuse('program:pause', { program: 'nobody', paused: true })).toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    });
  });
});

describe('what a person was shown of a program', () => {
  it('is written, or nothing is: the file was changed since', async () => {
    const { desktop, file, text } = await openDesktop();
    const { token } = await preview(desktop);
    const other = old.replace('other', 'another');
    writeFileSync(file, other);
    expect(await desktop.refuse('program:change', { tokens: [token] })).toMatchObject(changedError);
    expect(text()).toBe(other);
    expect(await program(desktop)).toMatchObject({ uses: [] });
  });

  it('is written, or nothing is: the server has another name since', async () => {
    const { desktop, text } = await openDesktop();
    const { token } = await preview(desktop);
    await desktop.engine.ports.store.update(notes.id, (each) => ({ ...each, alias: 'notes-of-ada' }));
    expect(await desktop.refuse('program:change', { tokens: [token] })).toMatchObject(changedError);
    expect(text()).toBe(old);
  });

  it('is written, or nothing is: the program was revoked since, so that its entry would lead nowhere', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    await desktop.engine.ports.store.write(mail);
    const made = text();
    const { token } = await preview(desktop, use({ integrations: [mail.id] }));
    await desktop.call('program:revoke', { program: 'cursor' });
    expect(await desktop.refuse('program:change', { tokens: [token] })).toMatchObject(changedError);
    expect(text()).toBe(made);
  });
});

describe('several programs in the window', () => {
  const changes = ['cursor', 'windsurf'].map((id) => ({ program: id, integrations: [notes.id], use: true }));

  async function openBoth() {
    const { desktop, file, home, text } = await openDesktop();
    const other = path.join(home, '.codeium', 'windsurf', 'mcp_config.json');
    mkdirSync(path.dirname(other), { recursive: true });
    writeFileSync(other, '{}\n');
    return { desktop, home, file, other, text, otherText: () => readFileSync(other, 'utf8') };
  }

  it('are changed at once, and taken back at once, byte for byte', async () => {
    const { desktop, text, otherText } = await openBoth();
    const { previews } = await desktop.call('program:preview', { changes });
    expect(previews.map(({ name }) => name)).toEqual(['Cursor', 'Windsurf']);
    expect([text(), otherText()]).toEqual([old, '{}\n']);
    const { made } = await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(JSON.parse(text())).toMatchObject({ mcpServers: { notes: {} } });
    expect(JSON.parse(otherText())).toMatchObject({ mcpServers: { notes: {} } });
    const undo = await desktop.call('program:previewUndo', {
      changes: made.map((each) => ({ program: each.program, change: each.change ?? '' })),
    });
    await desktop.call('program:change', { tokens: undo.previews.map(({ token }) => token) });
    expect([text(), otherText()]).toEqual([old, '{}\n']);
    expect((await program(desktop, 'windsurf'))?.uses).toEqual([]);
  });

  it('are changed but for the one whose file cannot be read, whose lines can be copied', async () => {
    const { desktop, text, other, otherText } = await openBoth();
    writeFileSync(other, '{ damaged');
    const { previews, refused } = await desktop.call('program:preview', { changes });
    expect(refused).toEqual([]);
    expect(previews[1]).toMatchObject({
      program: 'windsurf',
      action: 'paste',
      fault: { code: 'PROGRAM_FILE_DAMAGED' },
    });
    await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(JSON.parse(text())).toMatchObject({ mcpServers: { notes: {} } });
    expect(otherText()).toBe('{ damaged');
    await desktop.call('program:copyLines', { token: previews[1]?.token ?? '' });
    const { mcpServers } = JSON.parse(desktop.copied.at(-1) ?? '') as { mcpServers: object };
    expect(mcpServers).toMatchObject({ notes: { command: '/usr/bin/postern-pipe' } });
    expect(await program(desktop, 'windsurf')).toMatchObject({ uses: [], waiting: [notes.id] });
    expect(await desktop.refuse('program:copyLines', { token: previews[0]?.token ?? '' })).toMatchObject(changedError);
  });

  it('count one apart that waits for its lines, until its file has them', async () => {
    const { desktop, home } = await openBoth();
    const file = path.join(home, '.claude.json');
    writeFileSync(file, '{}');
    const claude = { program: 'claude-code', integrations: [notes.id], use: true };
    const { previews } = await desktop.call('program:preview', { changes: [...changes, claude] });
    const { made } = await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(made.map(({ program: id, waits = false }) => [id, waits])).toEqual([
      ['cursor', false],
      ['windsurf', false],
      ['claude-code', true],
    ]);
    const { programs } = await desktop.call('app:snapshots', {});
    expect(programs.filter(({ uses }) => uses.includes(notes.id)).map(({ id }) => id)).toEqual(['cursor', 'windsurf']);
    expect(programs.filter(({ waiting }) => waiting).map(({ id }) => id)).toEqual(['claude-code']);
    const pasted = async () => (await desktop.call('program:pasted', { program: 'claude-code' })).missing;
    expect(await pasted()).toEqual([notes.id]);
    writeFileSync(file, '{ "mcpServers": { "notes": { "command": "/bin/other" } } }');
    expect(await pasted()).toEqual([notes.id]);
    writeFileSync(file, previews[2]?.after.join('\n') ?? '');
    expect(await pasted()).toEqual([]);
    expect(await program(desktop, 'claude-code')).toMatchObject({ uses: [notes.id] });
    expect(await program(desktop, 'claude-code')).not.toHaveProperty('waiting');
  });

  it('takes lines that were pasted before the yes', async () => {
    const { desktop, home } = await openBoth();
    const file = path.join(home, '.claude.json');
    writeFileSync(file, '{}');
    const shown = await preview(desktop, use({ program: 'claude-code' }));
    writeFileSync(file, shown.after.join('\n'));
    const { made } = await desktop.call('program:change', { tokens: [shown.token] });
    expect(made).toMatchObject([{ program: 'claude-code', action: 'none' }]);
    expect(await program(desktop, 'claude-code')).toMatchObject({ uses: [notes.id] });
  });

  it('are named where one fails in the middle: what was written can be taken back', async () => {
    const { desktop, file, text, otherText } = await openBoth();
    const { previews } = await desktop.call('program:preview', { changes });
    const own = old.replace('other', 'another');
    writeFileSync(file, own);
    const { made, refused } = await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(refused).toMatchObject([{ name: 'Cursor', error: changedError }]);
    expect(made).toMatchObject([{ name: 'Windsurf', action: 'updated' }]);
    expect(text()).toBe(own);
    const undo = await desktop.call('program:previewUndo', {
      changes: [{ program: 'windsurf', change: made[0]?.change ?? '' }],
    });
    await desktop.call('program:change', { tokens: undo.previews.map(({ token }) => token) });
    expect(otherText()).toBe('{}\n');
  });
});

describe('several servers in the window', () => {
  it('come into a program by one change, and are taken back by one', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.engine.ports.store.write(mail);
    const both = [notes.id, mail.id];
    const shown = await preview(desktop, use({ integrations: both }));
    const { made } = await desktop.call('program:change', { tokens: [shown.token] });
    expect(JSON.parse(text())).toMatchObject({ mcpServers: { other: {}, notes: {}, mail: {} } });
    expect(await program(desktop)).toMatchObject({ uses: both, lastChange: { names: ['notes', 'mail'] } });
    const undo = await previewUndo(desktop, made[0]?.change);
    await desktop.call('program:change', { tokens: [undo.token] });
    expect(text()).toBe(old);
    expect(await program(desktop)).toMatchObject({ uses: [] });
  });

  it('go from all files of a program by one change of each', async () => {
    const { desktop, home, text } = await openDesktop();
    await desktop.engine.ports.store.write(mail);
    const both = [notes.id, mail.id];
    const shown = await preview(desktop, use({ integrations: both }));
    await desktop.call('program:change', { tokens: [shown.token] });
    const engine = testPrograms(desktop.engine, home);
    const project = path.join(home, 'project');
    mkdirSync(path.join(project, '.cursor'), { recursive: true });
    const cursor = findProgram('cursor') ?? expect.fail();
    await makeChange(engine, await planUse(engine, cursor, [mail], { project }));
    const { previews } = await desktop.call('program:preview', use({ integrations: both, use: false }));
    expect(previews.map((each) => path.relative(home, each.path))).toEqual([
      '.cursor/mcp.json',
      'project/.cursor/mcp.json',
    ]);
    await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(text()).toBe(old);
    expect(existsSync(path.join(project, '.cursor', 'mcp.json'))).toBe(false);
    expect(await program(desktop)).toMatchObject({ uses: [] });
  });

  it('leave a program alone where one of them has a name that is taken', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.engine.ports.store.write({ ...mail, alias: 'other' });
    const refused = await desktop.refuse('program:preview', use({ integrations: [notes.id, mail.id] }));
    expect(refused).toMatchObject({ code: 'PROGRAM_NAME_TAKEN' });
    expect(text()).toBe(old);
  });
});

describe('what else stands in the file of a program', () => {
  const mcpServers = {
    weather: { url: 'https://weather.example/mcp?key=canary-query', headers: { 'X-Key': 'canary-header' } },
    mail: {
      command: 'npx',
      args: ['-y', 'mcp-remote', 'https://mail.example/mcp', '--header', 'X-Key: canary-argument'],
    },
    files: { command: '/bin/files', args: ['canary-word'], env: { TOKEN: 'canary-variable' } },
  };
  const others = `${JSON.stringify({ mcpServers }, undefined, 2)}\n`;

  async function lookInside() {
    const opened = await openDesktop();
    await opened.desktop.engine.ports.store.write(mail);
    writeFileSync(opened.file, others);
    const { entries } = await opened.desktop.call('program:look', { program: 'cursor' });
    const named = (name: string) => entries.find((each) => each.name === name)?.id ?? '';
    return { ...opened, entries, named };
  }

  it('is shown with the names of headers and variables, and no value goes to the window', async () => {
    const { desktop, entries } = await lookInside();
    expect(entries).toMatchObject([
      {
        name: 'weather',
        kind: 'remote',
        url: 'https://weather.example/mcp',
        secrets: ['X-Key'],
        headerNames: ['X-Key'],
      },
      { name: 'mail', kind: 'remote', url: 'https://mail.example/mcp', secrets: ['X-Key'], connectedAs: mail.id },
      { name: 'files', kind: 'local', command: '/bin/files', secrets: ['TOKEN'] },
    ]);
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it('is named where it cannot be read, with the member, and cannot be taken over', async () => {
    const { desktop, file } = await openDesktop();
    writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, odd: { command: '/bin/odd', args: [{}] } } }));
    const { entries, unread } = await desktop.call('program:look', { program: 'cursor' });
    expect(entries.map(({ name }) => name)).toEqual(['weather', 'mail', 'files']);
    expect(unread).toEqual([{ name: 'odd', member: 'args.0' }]);
  });

  it('is named with the setting of the program that leaves it out, of Postern or not', async () => {
    const { desktop, file } = await openDesktop();
    const gemini = path.join(path.dirname(path.dirname(file)), '.gemini');
    mkdirSync(gemini);
    const settings = {
      mcp: { excluded: ['weather'] },
      mcpServers: { mail: mcpServers.mail, weather: mcpServers.weather },
    };
    writeFileSync(path.join(gemini, 'settings.json'), JSON.stringify(settings));
    const { keptOut } = await desktop.call('program:look', { program: 'gemini-cli' });
    expect(keptOut).toEqual([{ name: 'weather', setting: 'mcp.excluded' }]);
  });

  it('is taken over with rules for the tools that it names, which go with the undo', async () => {
    const { desktop, file } = await openDesktop();
    const { store } = desktop.engine.ports;
    await store.write(mail);
    const entry = { url: mail.url, enabledTools: ['read'], disabledTools: ['send'] };
    writeFileSync(file, JSON.stringify({ mcpServers: { mail: entry } }));
    const { entries } = await desktop.call('program:look', { program: 'cursor' });
    const { previews } = await desktop.call('program:previewTakeOver', { entry: entries[0]?.id ?? '' });
    expect(previews).toMatchObject([{ rules: [{ entry: 'mail', only: ['read'], denied: ['send'] }] }]);
    expect((await store.read(mail.id))?.permissions).toBeUndefined();
    const { made } = await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    const rules = [
      { tool: 'send', rule: 'deny' },
      { tool: 'read', rule: 'allow' },
    ];
    const programs = [{ program: 'cursor', preset: 'only-allowed', rules }];
    expect((await store.read(mail.id))?.permissions).toEqual({ programs });
    const change = made[0]?.change ?? '';
    const undo = await desktop.call('program:previewUndo', { changes: [{ program: 'cursor', change }] });
    expect(undo.previews).toMatchObject([{ endsRules: true }]);
    await desktop.call('program:change', { tokens: undo.previews.map(({ token }) => token) });
    expect((await store.read(mail.id))?.permissions).toBeUndefined();
  });

  it('is tested with what sign-ins need, and told where it leads nowhere', async () => {
    const { desktop, file, text } = await openDesktop();
    const { store } = desktop.engine.ports;
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    const tested = async () =>
      (await desktop.call('storage:selfTest', {})).checks.filter(({ name }) => name === 'programs');
    expect(await tested()).toEqual([{ name: 'programs', ok: true }]);
    const written = text();
    for (const [command, fault] of [
      ['/nowhere/postern', 'command-gone'],
      [process.execPath, 'other-version'],
    ] as const) {
      writeFileSync(file, written.replace('/usr/bin/postern-pipe', command));
      expect(await tested()).toMatchObject([{ ok: false, of: 'Cursor', fault, command }]);
    }
    writeFileSync(file, written);
    await store.changeList((list) => ({ ...list, integrations: [] }));
    expect(await tested()).toEqual([
      { name: 'programs', ok: false, of: 'Cursor', entry: expect.any(String) as unknown, fault: 'server-gone' },
    ]);
  });

  it('is left out where it is of Postern, and its faults are said', async () => {
    const { desktop, file } = await openDesktop();
    await desktop.call('program:change', { tokens: [(await preview(desktop)).token] });
    const { entries } = await desktop.call('program:look', { program: 'cursor' });
    expect(entries.map(({ name }) => name)).toEqual(['other']);
    writeFileSync(file, '{ damaged');
    expect(await desktop.refuse('program:look', { program: 'cursor' })).toMatchObject({ code: 'PROGRAM_FILE_DAMAGED' });
  });

  it('is imported by the check of every address, with its header and the key in its address kept in main', async () => {
    const { desktop, named } = await lookInside();
    const { id } = await desktop.call('connection:discover', {
      url: 'https://weather.example/mcp',
      options: {},
      importEntry: named('weather'),
    });
    const view = await desktop.connection(id, () => true);
    expect(view).toMatchObject({ name: 'weather', url: 'https://weather.example/mcp' });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it('is taken over under its name once its address is connected, and put back byte for byte', async () => {
    const { desktop, text, named } = await lookInside();
    const { previews } = await desktop.call('program:previewTakeOver', { entry: named('mail') });
    expect(previews).toMatchObject([{ program: 'cursor', action: 'updated', restores: false }]);
    await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    const { mcpServers: now } = JSON.parse(text()) as { mcpServers: Record<string, unknown> };
    expect(now).toEqual({
      ...mcpServers,
      mail: expect.objectContaining({ command: '/usr/bin/postern-pipe' }) as unknown,
    });
    const taken = await program(desktop);
    expect(taken).toMatchObject({ uses: [mail.id], lastChange: { names: ['mail'] } });
    const undo = await previewUndo(desktop, taken?.lastChange?.id);
    expect(undo).toMatchObject({
      restores: true,
      after: expect.arrayContaining([expect.stringMatching(/^ +"mail": /)]) as unknown,
    });
    await desktop.call('program:change', { tokens: [undo.token] });
    expect(text()).toBe(others);
    expect(await program(desktop)).toMatchObject({ uses: [] });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it.skipIf(process.platform === 'win32')(
    'that is a command is taken over once it was allowed as it stands there, and put back byte for byte',
    async () => {
      const { desktop, file, text } = await openDesktop({ answer: async () => true });
      const { ports } = desktop.engine;
      afterTest(() => ports.local.close());
      const [command, ...args] = [process.execPath, ...scriptWords({})];
      const env = { ITS_TOKEN: 'canary-of-the-file' };
      const before = JSON.stringify({ mcpServers: { tickets: { command, args, env } } }, undefined, 2);
      writeFileSync(file, before);
      const look = async () => {
        const { entries } = await desktop.call('program:look', { program: 'cursor' });
        return entries[0] ?? { id: '' };
      };
      const first = await look();
      expect(first).toMatchObject({ kind: 'local', secrets: ['ITS_TOKEN'] });
      expect(await desktop.refuse('program:previewTakeOver', { entry: first.id })).toMatchObject({ code: 'NOT_FOUND' });
      const { name, words, draft } = await desktop.call('local:draft', { entry: first.id });
      const prepared = await desktop.call('local:prepare', { name, words, draft, variables: [{ name: 'ITS_TOKEN' }] });
      const connected = await desktop.call('local:connect', { token: prepared.token, call: 'c' });
      const second = await look();
      expect(second).toMatchObject({ connectedAs: connected?.id });
      const { previews } = await desktop.call('program:previewTakeOver', { entry: second.id });
      expect(text()).toBe(before);
      // To the program a server that nobody has allowed would look broken.
      const { command: kept } = (await ports.store.read(connected?.id ?? '')) ?? {};
      if (!kept) throw new Error('it is one');
      const allow = async (isAllowed: boolean): Promise<void> =>
        await saveCommand(await ports.vault(), connected?.id ?? '', kept, { values: env, isAllowed });
      await allow(false);
      const tokens = previews.map(({ token }) => token);
      expect(await desktop.refuse('program:change', { tokens })).toMatchObject({ code: 'LOCAL_CONSENT' });
      expect(text()).toBe(before);
      await allow(true);
      const again = await desktop.call('program:previewTakeOver', { entry: second.id });
      await desktop.call('program:change', { tokens: again.previews.map(({ token }) => token) });
      expect(JSON.parse(text())).toMatchObject({ mcpServers: { tickets: { command: '/usr/bin/postern-pipe' } } });
      expect(text()).not.toContain('canary');
      const undo = await previewUndo(desktop, (await program(desktop))?.lastChange?.id);
      await desktop.call('program:change', { tokens: [undo.token] });
      expect(text()).toBe(before);
      expect(desktop.messages.join('\n')).not.toContain('canary');
    },
  );

  it('leaves its key behind the keychain where the server that takes it over has none', async () => {
    const keyed = await startResource(undefined, {
      intercept: (request, response) => {
        if (request.url !== '/mcp' || request.headers['x-key'] === 'canary-header') return false;
        response.writeHead(401).end();
        return true;
      },
    });
    const { desktop, file } = await openDesktop();
    const { store } = desktop.engine.ports;
    const options = { ...mail.options, local: true };
    await store.write({ ...mail, url: keyed.url, method: 'NoAuth', options });
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { mail: { url: keyed.url, headers: { 'X-Key': 'canary-header' } } } }),
    );
    const { entries } = await desktop.call('program:look', { program: 'cursor' });
    expect(entries).toMatchObject([{ connectedAs: mail.id, lacksCredential: true }]);
    const { previews } = await desktop.call('program:previewTakeOver', { entry: entries[0]?.id ?? '' });
    expect((await store.read(mail.id))?.options.headerName).toBeUndefined();
    await desktop.call('program:change', { tokens: previews.map(({ token }) => token) });
    expect(await store.read(mail.id)).toMatchObject({ options: { headerName: 'X-Key' }, state: 'integrated' });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it('is not taken over where another address has come under its name, nor where nothing is connected', async () => {
    const { desktop, file, text, named } = await lookInside();
    const refused = (entry: string) => desktop.refuse('program:previewTakeOver', { entry });
    for (const name of ['weather', 'files']) expect(await refused(named(name))).toMatchObject({ code: 'NOT_FOUND' });
    const other = others.replace('mail.example', 'other.example');
    writeFileSync(file, other);
    expect(await refused(named('mail'))).toMatchObject(changedError);
    expect(text()).toBe(other);
  });
});
