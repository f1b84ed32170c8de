import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { applyReviewed } from '../../main/apps/apply-change.ts';
import { planUse } from '../../main/apps/plan/plan-use.ts';
import { findApp } from '../../main/apps/table/apps.ts';
import type { ToolPreset } from '../../shared/tool-permissions.ts';
import { saveCommand } from '../../main/engine/records/local-consent.ts';
import { LastUse } from '../../main/gateway/responses/call-log.ts';
import { afterTest } from '../support/after-test.ts';
import { anIntegration } from '../support/an-integration.ts';
import { startResource } from '../support/demo-pair.ts';
import { scriptWords } from '../support/local-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testApps } from '../support/test-desktop.ts';
import type { TestDesktop, TestDesktopOptions } from '../support/test-desktop.ts';

const notes = anIntegration({ id: 'id-of-notes', name: 'Notes', alias: 'notes', url: 'https://notes.example/mcp' });
const mail = anIntegration({ id: 'id-of-mail', name: 'Mail', alias: 'mail', url: 'https://mail.example/mcp' });
const changedError = { code: 'APP_FILE_CHANGED' };
const old = '{\n  "mcpServers": {\n    "other": { "command": "/bin/other", "env": { "KEY": "a-secret" } }\n  }\n}\n';

async function openDesktop({
  isTranslocated = false,
  works = true,
  ...options
}: Pick<TestDesktopOptions, 'answer' | 'serves' | 'onGateway'> & {
  readonly isTranslocated?: boolean;
  /** Besides its calls it watches its files, and refreshes. */
  readonly works?: boolean;
} = {}) {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, old);
  const desktop = await createTestDesktop({
    ...options,
    apps: (engine) => ({ ...testApps(engine, home), isTranslocated }),
  });
  await desktop.engine.ports.store.write(notes);
  if (works) desktop.composed.startWork();
  return { desktop, home, file, text: () => readFileSync(file, 'utf8') };
}

const app = async ({ call }: TestDesktop, wanted = 'cursor') => {
  const { apps } = await call('desktop:snapshots', {});
  return apps.find(({ id }) => id === wanted);
};
const use = (
  change: {
    app?: string;
    integrations?: string[];
    use?: boolean;
    editorProfile?: string;
    preset?: ToolPreset;
  } = {},
) => ({
  changes: [{ app: 'cursor', integrations: [notes.id], use: true, ...change }],
});

/** The preview of one change. */
async function preview({ call }: TestDesktop, change = use()) {
  const { previews, refused } = await call('app:preview', change);
  expect(refused).toEqual([]);
  const [shown] = previews;
  if (!shown || previews.length > 1) throw new Error('not one preview');
  return shown;
}

async function previewUndo({ call }: TestDesktop, change = '') {
  const { previews } = await call('app:previewUndo', { changes: [{ app: 'cursor', change }] });
  if (!previews[0]) throw new Error('no preview');
  return previews[0];
}

describe('an app in the window', () => {
  it('is found without reading its file; apps that are not installed are not listed', async () => {
    const { desktop, file } = await openDesktop();
    writeFileSync(file, 'not read');
    const { apps } = await desktop.call('desktop:snapshots', {});
    expect(apps).toMatchObject([{ id: 'cursor', path: file, uses: [], isRevoked: false }]);
    expect(apps[0]).not.toHaveProperty('fault');
  });

  it('has the icon that the system has for it; other ids name no file', async () => {
    const { desktop, home } = await openDesktop();
    const share = path.join(home, '.local', 'share');
    const put = (file: string, content: string | Buffer) => {
      mkdirSync(path.dirname(path.join(share, file)), { recursive: true });
      writeFileSync(path.join(share, file), content);
    };
    const icon = readFileSync(path.join(import.meta.dirname, '../../assets/icons/128x128.png'));
    for (const id of ['cursor', 'other-mine', 'secret'])
      put(`applications/${id}.desktop`, '[Desktop Entry]\nIcon=its-icon');
    put('icons/hicolor/128x128/apps/its-icon.png', icon);
    expect(await desktop.call('app:icon', { app: 'cursor' })).toEqual({ data: icon.toString('base64') });
    for (const id of ['other-mine', 'secret'])
      expect(await desktop.call('app:icon', { app: id })).toEqual({ data: null });
    for (const id of ['../cursor', '/etc/passwd', '', 7])
      expect(await desktop.callFailing('app:icon', { app: id })).toMatchObject({ code: 'IPC_SCHEMA' });
  });

  it.each([
    ['is a folder', (file: string) => mkdirSync(file)],
    ['is too large', (file: string) => (writeFileSync(file, ''), truncateSync(file, 4 * 2 ** 20 + 1))],
    ['leads out of home', (file: string) => symlinkSync(temporaryFolder(), file)],
    ['leads to itself', (file: string) => symlinkSync(path.basename(file), file)],
  ])('is reported as unreadable without reading its file, since it %s', async (_why, put) => {
    const { desktop, file } = await openDesktop();
    rmSync(file);
    expect(await app(desktop)).not.toHaveProperty('fault');
    put(file);
    expect(await app(desktop)).toMatchObject({ path: file, fault: { code: 'APP_FILE_DENIED' } });
  });

  it('gets no entry from a Postern that macOS runs from a translocated path, with advice where to move it', async () => {
    const { desktop, text } = await openDesktop({ isTranslocated: true });
    const refused = await desktop.callFailing('app:preview', use());
    expect(refused).toMatchObject({ code: 'APP_TRANSLOCATED' });
    expect(JSON.stringify(refused)).toContain('Applications');
    expect(text()).toBe(old);
  });

  it('is changed as previewed, and undone byte for byte', async () => {
    const { desktop, text } = await openDesktop();
    const shown = await preview(desktop);
    expect(shown).toMatchObject({ action: 'updated', before: [], secret: 'none' });
    expect(text()).toBe(old);
    const { made } = await desktop.call('app:change', { tokens: [shown.token] });
    const changed = text();
    for (const line of shown.after) expect(changed).toContain(line.trim());
    expect(JSON.parse(changed)).toMatchObject({
      mcpServers: { other: {}, notes: { command: '/usr/bin/postern-pipe' } },
    });
    const used = await app(desktop);
    expect(used).toMatchObject({ uses: [notes.id], lastChange: { names: ['notes'], id: made[0]?.change } });
    const undo = await previewUndo(desktop, used?.lastChange?.id);
    expect(undo).toMatchObject({ after: [] });
    await desktop.call('app:change', { tokens: [undo.token] });
    expect(text()).toBe(old);
    expect(await app(desktop)).toMatchObject({ uses: [] });
  });

  it('gets the chosen rule with its entry, and undoing takes back both', async () => {
    const { desktop, text } = await openDesktop();
    const { store } = desktop.engine.ports;
    const rules = async () => (await store.read(notes.id))?.permissions;
    const looser = { apps: [{ app: 'cursor', rules: [{ tool: 'send', rule: 'allow' as const }] }] };
    await store.update(notes.id, (server) => ({ ...server, permissions: looser }));
    const shown = await preview(desktop, use({ preset: 'read-only' }));
    expect(shown).toMatchObject({ preset: 'read-only' });
    expect(await rules()).toEqual(looser);
    const { made } = await desktop.call('app:change', { tokens: [shown.token] });
    expect(await rules()).toEqual({ apps: [{ app: 'cursor', preset: 'read-only' }] });
    const undo = await previewUndo(desktop, made[0]?.change);
    expect(undo).toMatchObject({ revertsRules: true });
    await desktop.call('app:change', { tokens: [undo.token] });
    expect(await rules()).toEqual(looser);
    expect(text()).toBe(old);
  });

  it('waits for its entry once that was deleted by hand, from the next look at its file until it is back', async () => {
    const { desktop, file, text } = await openDesktop();
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    const written = text();
    writeFileSync(file, old);
    expect(await app(desktop)).toMatchObject({ uses: [notes.id] });
    await desktop.call('app:find', {});
    expect(await app(desktop)).toMatchObject({ uses: [], waiting: [notes.id] });
    // What cannot be read decides nothing.
    writeFileSync(file, '{ damaged');
    await desktop.call('app:find', {});
    expect(await app(desktop)).toMatchObject({ uses: [], waiting: [notes.id] });
    writeFileSync(file, written);
    await desktop.call('app:find', {});
    expect(await app(desktop)).toMatchObject({ uses: [notes.id] });
    writeFileSync(file, '{ damaged');
    await desktop.call('app:find', {});
    expect(await app(desktop)).toMatchObject({ uses: [notes.id] });
  });

  it('counts as using a server that it has called, wherever its entry is', async () => {
    const { desktop, file } = await openDesktop();
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    writeFileSync(file, old);
    await desktop.call('app:find', {});
    const lastUse = new LastUse({
      isOn: async () => true,
      collections: { list: async () => [] },
      apps: testApps(desktop.engine).records,
    });
    lastUse.note({ at: 1, app: 'cursor', integration: notes.id, method: 'tools/call' });
    await lastUse.settle();
    await desktop.call('app:find', {});
    expect(await app(desktop)).toMatchObject({ uses: [notes.id] });
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
    expect(await app(desktop, 'vscode')).toMatchObject({ hasProfiles: true });
    const shown = await preview(desktop, use({ app: 'vscode' }));
    expect(shown).toMatchObject({ path: path.join(user, 'mcp.json'), profiles: [{ id: '-3a5bc9d2', name: 'Work' }] });
    expect(shown).not.toHaveProperty('editorProfile');
    const work = await preview(desktop, use({ app: 'vscode', editorProfile: '-3a5bc9d2' }));
    const file = path.join(user, 'profiles', '-3a5bc9d2', 'mcp.json');
    expect(work).toMatchObject({ action: 'created', path: file, editorProfile: '-3a5bc9d2' });
    await desktop.call('app:change', { tokens: [work.token] });
    expect(existsSync(path.join(user, 'mcp.json'))).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain('notes');
    // What it may use already can be added to another list too, and one switch removes it from all.
    await desktop.call('app:change', { tokens: [(await preview(desktop, use({ app: 'vscode' }))).token] });
    const { previews } = await desktop.call('app:preview', use({ app: 'vscode', use: false }));
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect([existsSync(file), existsSync(path.join(user, 'mcp.json'))]).toEqual([false, false]);
    for (const editorProfile of ['6d8a0cc', 'gone', '../x'])
      expect(await desktop.callFailing('app:preview', use({ app: 'vscode', editorProfile }))).toMatchObject(
        changedError,
      );
    writeFileSync(storage, '{');
    expect(await preview(desktop, use({ app: 'vscode' }))).not.toHaveProperty('profiles');
  });

  it('publishes the result of a change, and none of the secrets of its file', async () => {
    const { desktop } = await openDesktop();
    const { token } = await preview(desktop);
    await desktop.call('app:change', { tokens: [token] });
    await desktop.waitFor(({ apps }) => apps?.some(({ uses }) => uses.includes(notes.id)));
    expect(desktop.messages.join('\n')).not.toContain('a-secret');
  });

  it('gets the earlier entry back, without showing any value of it', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    const made = text();
    const removal = await preview(desktop, use({ use: false }));
    expect(removal).toMatchObject({ restores: false, after: [] });
    await desktop.call('app:change', { tokens: [removal.token] });
    expect(text()).toBe(old);
    const { lastChange } = (await app(desktop)) ?? {};
    const back = await previewUndo(desktop, lastChange?.id);
    expect(back).toMatchObject({
      restores: true,
      after: expect.arrayContaining([expect.stringMatching(/^ +"notes": /)]) as unknown,
      commands: [],
    });
    await desktop.call('app:change', { tokens: [back.token] });
    expect(text()).toBe(made);
  });

  it('loses a server in all of its files with one switch, each previewed and undone', async () => {
    const { desktop, file, text } = await openDesktop();
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    const project = path.join(temporaryFolder(), 'project');
    mkdirSync(project);
    const engine = testApps(desktop.engine, path.dirname(path.dirname(file)));
    const inProject = await planUse(engine, findApp('cursor') ?? expect.fail(), [notes], { project });
    await applyReviewed(engine, { plan: async () => inProject });
    const projectFile = inProject.file.path;
    const [made, madeThere] = [text(), readFileSync(projectFile, 'utf8')];
    const { previews } = await desktop.call('app:preview', use({ use: false }));
    expect(previews).toMatchObject([
      { app: 'cursor', path: file, action: 'updated' },
      { app: 'cursor', path: projectFile, action: 'deleted' },
    ]);
    const { made: changes } = await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(text()).toBe(old);
    expect(existsSync(projectFile)).toBe(false);
    expect(await app(desktop)).toMatchObject({ uses: [] });
    const undo = await desktop.call('app:previewUndo', {
      changes: changes.map(({ change = '' }) => ({ app: 'cursor', change })),
    });
    await desktop.call('app:change', { tokens: undo.previews.map(({ token }) => token) });
    expect([text(), readFileSync(projectFile, 'utf8')]).toEqual([made, madeThere]);
    expect(await app(desktop)).toMatchObject({ uses: [notes.id] });
  });

  it('is changed once, with a token for the last preview', async () => {
    const { desktop, text } = await openDesktop();
    const first = await preview(desktop);
    const second = await preview(desktop, use({ use: false }));
    expect(await desktop.callFailing('app:change', { tokens: [first.token] })).toMatchObject(changedError);
    await desktop.call('app:change', { tokens: [second.token] });
    expect(text()).toBe(old);
    const third = await preview(desktop);
    await desktop.call('app:change', { tokens: [third.token] });
    const made = text();
    expect(await desktop.callFailing('app:change', { tokens: [third.token] })).toMatchObject(changedError);
    expect(text()).toBe(made);
  });

  it('is distinguished from unknown apps, and from servers that do not exist', async () => {
    const { desktop } = await openDesktop();
    expect(await desktop.callFailing('app:preview', use({ app: 'nobody' }))).toMatchObject({
      code: 'APP_NOT_FOUND',
    });
    expect(await desktop.callFailing('app:preview', use({ integrations: ['none'] }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    const changes = [{ app: 'cursor', change: '0123456789ab' }];
    expect(await desktop.callFailing('app:previewUndo', { changes })).toMatchObject({ code: 'UNDO_STALE' });
  });

  it('learns from the gateway what it may use before a change or its undo returns', async () => {
    const reached: (readonly string[])[] = [];
    const { desktop } = await openDesktop({
      serves: true,
      works: false,
      onGateway: (gateway) =>
        void vi.spyOn(gateway, 'changed').mockImplementation(async () => {
          const apps = await desktop.composed.desktop.snapshot('apps');
          reached.push(apps.find(({ id }) => id === 'cursor')?.uses ?? []);
        }),
    });
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    expect(reached).toEqual([[notes.id]]);
    const undo = await previewUndo(desktop, (await app(desktop))?.lastChange?.id);
    await desktop.call('app:change', { tokens: [undo.token] });
    expect(reached).toEqual([[notes.id], []]);
  });

  it.each([
    { answer: true, uses: [] },
    { answer: false, uses: [notes.id] },
  ])("is revoked only by the user's response to the main process ($answer)", async ({ answer, uses }) => {
    const { desktop } = await openDesktop({ answer: async () => answer });
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    await desktop.call('app:revoke', { app: 'cursor' });
    expect(desktop.confirmations).toHaveLength(1);
    expect(await app(desktop)).toMatchObject({ uses, isRevoked: answer });
  });

  it('is paused and resumed without changing which other apps are paused', async () => {
    const { desktop } = await openDesktop();
    const { store } = desktop.engine.ports;
    await store.updateSettings((settings) => ({ ...settings, pausedApps: ['zed'] }));
    await desktop.call('app:pause', { app: 'cursor', paused: true });
    expect(await app(desktop)).toMatchObject({ isPaused: true });
    await desktop.call('app:pause', { app: 'cursor', paused: true });
    expect(await store.settings()).toMatchObject({ pausedApps: ['zed', 'cursor'] });
    await desktop.call('app:pause', { app: 'cursor', paused: false });
    expect(await app(desktop)).toMatchObject({ isPaused: false });
    expect(await store.settings()).toMatchObject({ pausedApps: ['zed'] });
    expect(await desktop.callFailing('app:pause', { app: 'nobody', paused: true })).toMatchObject({
      code: 'APP_NOT_FOUND',
    });
  });
});

describe('a change as previewed to the user', () => {
  it('is written completely or not at all: the file has changed since', async () => {
    const { desktop, file, text } = await openDesktop();
    const { token } = await preview(desktop);
    const other = old.replace('other', 'another');
    writeFileSync(file, other);
    expect(await desktop.callFailing('app:change', { tokens: [token] })).toMatchObject(changedError);
    expect(text()).toBe(other);
    expect(await app(desktop)).toMatchObject({ uses: [] });
  });

  it('is written completely or not at all: the server was renamed since', async () => {
    const { desktop, text } = await openDesktop();
    const { token } = await preview(desktop);
    await desktop.engine.ports.store.update(notes.id, (each) => ({ ...each, alias: 'notes-of-ada' }));
    expect(await desktop.callFailing('app:change', { tokens: [token] })).toMatchObject(changedError);
    expect(text()).toBe(old);
  });

  it('is written completely or not at all: the app was revoked since, so its entry would stop working', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    await desktop.engine.ports.store.write(mail);
    const made = text();
    const { token } = await preview(desktop, use({ integrations: [mail.id] }));
    await desktop.call('app:revoke', { app: 'cursor' });
    expect(await desktop.callFailing('app:change', { tokens: [token] })).toMatchObject(changedError);
    expect(text()).toBe(made);
  });
});

describe('several apps in the window', () => {
  const changes = ['cursor', 'windsurf'].map((id) => ({ app: id, integrations: [notes.id], use: true }));

  async function openBoth() {
    const { desktop, file, home, text } = await openDesktop();
    const other = path.join(home, '.codeium', 'windsurf', 'mcp_config.json');
    mkdirSync(path.dirname(other), { recursive: true });
    writeFileSync(other, '{}\n');
    return { desktop, home, file, other, text, otherText: () => readFileSync(other, 'utf8') };
  }

  it('are changed together, and undone together, byte for byte', async () => {
    const { desktop, text, otherText } = await openBoth();
    const { previews } = await desktop.call('app:preview', { changes });
    expect(previews.map(({ name }) => name)).toEqual(['Cursor', 'Windsurf']);
    expect([text(), otherText()]).toEqual([old, '{}\n']);
    const { made } = await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(JSON.parse(text())).toMatchObject({ mcpServers: { notes: {} } });
    expect(JSON.parse(otherText())).toMatchObject({ mcpServers: { notes: {} } });
    const undo = await desktop.call('app:previewUndo', {
      changes: made.map((each) => ({ app: each.app, change: each.change ?? '' })),
    });
    await desktop.call('app:change', { tokens: undo.previews.map(({ token }) => token) });
    expect([text(), otherText()]).toEqual([old, '{}\n']);
    expect((await app(desktop, 'windsurf'))?.uses).toEqual([]);
  });

  it('are changed except one whose file cannot be read, whose lines can be copied', async () => {
    const { desktop, text, other, otherText } = await openBoth();
    writeFileSync(other, '{ damaged');
    const { previews, refused } = await desktop.call('app:preview', { changes });
    expect(refused).toEqual([]);
    expect(previews[1]).toMatchObject({
      app: 'windsurf',
      action: 'paste',
      fault: { code: 'APP_FILE_DAMAGED' },
    });
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(JSON.parse(text())).toMatchObject({ mcpServers: { notes: {} } });
    expect(otherText()).toBe('{ damaged');
    await desktop.call('app:copyLines', { token: previews[1]?.token ?? '' });
    const { mcpServers } = JSON.parse(desktop.copied.at(-1) ?? '') as { mcpServers: object };
    expect(mcpServers).toMatchObject({ notes: { command: '/usr/bin/postern-pipe' } });
    expect(await app(desktop, 'windsurf')).toMatchObject({ uses: [], waiting: [notes.id] });
    expect(await desktop.callFailing('app:copyLines', { token: previews[0]?.token ?? '' })).toMatchObject(changedError);
  });

  it('count one that waits for its lines separately, until they are in its file', async () => {
    const { desktop, home } = await openBoth();
    const file = path.join(home, '.claude.json');
    writeFileSync(file, '{}');
    const claude = { app: 'claude-code', integrations: [notes.id], use: true };
    const { previews } = await desktop.call('app:preview', { changes: [...changes, claude] });
    const { made } = await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(made.map(({ app: id, waits = false }) => [id, waits])).toEqual([
      ['cursor', false],
      ['windsurf', false],
      ['claude-code', true],
    ]);
    const { apps } = await desktop.call('desktop:snapshots', {});
    expect(apps.filter(({ uses }) => uses.includes(notes.id)).map(({ id }) => id)).toEqual(['cursor', 'windsurf']);
    expect(apps.filter(({ waiting }) => waiting).map(({ id }) => id)).toEqual(['claude-code']);
    const pasted = async () => (await desktop.call('app:pasted', { app: 'claude-code' })).missing;
    expect(await pasted()).toEqual([notes.id]);
    writeFileSync(file, '{ "mcpServers": { "notes": { "command": "/bin/other" } } }');
    expect(await pasted()).toEqual([notes.id]);
    writeFileSync(file, previews[2]?.after.join('\n') ?? '');
    expect(await pasted()).toEqual([]);
    expect(await app(desktop, 'claude-code')).toMatchObject({ uses: [notes.id] });
    expect(await app(desktop, 'claude-code')).not.toHaveProperty('waiting');
  });

  it('accept lines that were pasted before consent', async () => {
    const { desktop, home } = await openBoth();
    const file = path.join(home, '.claude.json');
    writeFileSync(file, '{}');
    const shown = await preview(desktop, use({ app: 'claude-code' }));
    writeFileSync(file, shown.after.join('\n'));
    const { made } = await desktop.call('app:change', { tokens: [shown.token] });
    expect(made).toMatchObject([{ app: 'claude-code', action: 'none' }]);
    expect(await app(desktop, 'claude-code')).toMatchObject({ uses: [notes.id] });
  });

  it('are named if one fails halfway: what was written can be undone', async () => {
    const { desktop, file, text, otherText } = await openBoth();
    const { previews } = await desktop.call('app:preview', { changes });
    const own = old.replace('other', 'another');
    writeFileSync(file, own);
    const { made, refused } = await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(refused).toMatchObject([{ name: 'Cursor', error: changedError }]);
    expect(made).toMatchObject([{ name: 'Windsurf', action: 'updated' }]);
    expect(text()).toBe(own);
    const undo = await desktop.call('app:previewUndo', {
      changes: [{ app: 'windsurf', change: made[0]?.change ?? '' }],
    });
    await desktop.call('app:change', { tokens: undo.previews.map(({ token }) => token) });
    expect(otherText()).toBe('{}\n');
  });
});

describe('several servers in the window', () => {
  it('are added to an app in one change, and undone in one', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.engine.ports.store.write(mail);
    const both = [notes.id, mail.id];
    const shown = await preview(desktop, use({ integrations: both }));
    const { made } = await desktop.call('app:change', { tokens: [shown.token] });
    expect(JSON.parse(text())).toMatchObject({ mcpServers: { other: {}, notes: {}, mail: {} } });
    expect(await app(desktop)).toMatchObject({ uses: both, lastChange: { names: ['notes', 'mail'] } });
    const undo = await previewUndo(desktop, made[0]?.change);
    await desktop.call('app:change', { tokens: [undo.token] });
    expect(text()).toBe(old);
    expect(await app(desktop)).toMatchObject({ uses: [] });
  });

  it('are removed from all files of an app with one change each', async () => {
    const { desktop, home, text } = await openDesktop();
    await desktop.engine.ports.store.write(mail);
    const both = [notes.id, mail.id];
    const shown = await preview(desktop, use({ integrations: both }));
    await desktop.call('app:change', { tokens: [shown.token] });
    const engine = testApps(desktop.engine, home);
    const project = path.join(home, 'project');
    mkdirSync(path.join(project, '.cursor'), { recursive: true });
    const cursor = findApp('cursor') ?? expect.fail();
    await applyReviewed(engine, { plan: () => planUse(engine, cursor, [mail], { project }) });
    const { previews } = await desktop.call('app:preview', use({ integrations: both, use: false }));
    expect(previews.map((each) => path.relative(home, each.path))).toEqual([
      '.cursor/mcp.json',
      'project/.cursor/mcp.json',
    ]);
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(text()).toBe(old);
    expect(existsSync(path.join(project, '.cursor', 'mcp.json'))).toBe(false);
    expect(await app(desktop)).toMatchObject({ uses: [] });
  });

  it('leave an app alone if one of them has a name that is taken', async () => {
    const { desktop, text } = await openDesktop();
    await desktop.engine.ports.store.write({ ...mail, alias: 'other' });
    const refused = await desktop.callFailing('app:preview', use({ integrations: [notes.id, mail.id] }));
    expect(refused).toMatchObject({ code: 'APP_NAME_TAKEN' });
    expect(text()).toBe(old);
  });
});

describe('other entries in the file of an app', () => {
  const mcpServers = {
    weather: { url: 'https://weather.example/mcp?key=canary-query', headers: { 'X-Key': 'canary-header' } },
    mail: {
      command: 'npx',
      args: ['-y', 'mcp-remote', 'https://mail.example/mcp', '--header', 'X-Key: canary-argument'],
    },
    files: { command: '/bin/files', args: ['canary-word'], env: { TOKEN: 'canary-variable' } },
  };
  const others = `${JSON.stringify({ mcpServers }, undefined, 2)}\n`;

  async function inspectEntries() {
    const opened = await openDesktop();
    await opened.desktop.engine.ports.store.write(mail);
    writeFileSync(opened.file, others);
    const { entries } = await opened.desktop.call('app:readEntries', { app: 'cursor' });
    const named = (name: string) => entries.find((each) => each.name === name)?.id ?? '';
    return { ...opened, entries, named };
  }

  it('are shown with the names of headers and variables, and no value goes to the window', async () => {
    const { desktop, entries } = await inspectEntries();
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

  it('are counted once each, without those that Postern has and files it cannot read', async () => {
    const { desktop, file } = await openDesktop();
    const home = path.dirname(path.dirname(file));
    const count = async () => await desktop.call('app:countServers', { apps: ['cursor', 'gemini-cli'] });
    writeFileSync(file, JSON.stringify({ mcpServers: { mail: mcpServers.mail } }));
    expect(await count()).toEqual({ servers: 1, apps: ['cursor'] });
    mkdirSync(path.join(home, '.gemini'));
    const gemini = path.join(home, '.gemini', 'settings.json');
    writeFileSync(gemini, others);
    writeFileSync(file, others);
    expect(await count()).toEqual({ servers: 3, apps: ['cursor', 'gemini-cli'] });
    await desktop.engine.ports.store.write(mail);
    expect(await count()).toEqual({ servers: 2, apps: ['cursor', 'gemini-cli'] });
    writeFileSync(gemini, '{');
    expect(await count()).toEqual({ servers: 2, apps: ['cursor'] });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it('are named if unreadable, with the member, and cannot be taken over', async () => {
    const { desktop, file } = await openDesktop();
    writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, odd: { command: '/bin/odd', args: [{}] } } }));
    const { entries, unreadable } = await desktop.call('app:readEntries', { app: 'cursor' });
    expect(entries.map(({ name }) => name)).toEqual(['weather', 'mail', 'files']);
    expect(unreadable).toEqual([{ name: 'odd', member: 'args.0' }]);
  });

  it("are named with the app's setting that disables them, whether they are Postern's or not", async () => {
    const { desktop, file } = await openDesktop();
    const gemini = path.join(path.dirname(path.dirname(file)), '.gemini');
    mkdirSync(gemini);
    const settings = {
      mcp: { excluded: ['weather'] },
      mcpServers: { mail: mcpServers.mail, weather: mcpServers.weather },
    };
    writeFileSync(path.join(gemini, 'settings.json'), JSON.stringify(settings));
    const { excludedBy } = await desktop.call('app:readEntries', { app: 'gemini-cli' });
    expect(excludedBy).toEqual([{ name: 'weather', setting: 'mcp.excluded' }]);
  });

  it('are taken over with rules for the tools that they name, which the undo removes', async () => {
    const { desktop, file } = await openDesktop();
    const { store } = desktop.engine.ports;
    await store.write(mail);
    const entry = { url: mail.url, enabledTools: ['read'], disabledTools: ['send'] };
    writeFileSync(file, JSON.stringify({ mcpServers: { mail: entry } }));
    const { entries } = await desktop.call('app:readEntries', { app: 'cursor' });
    const { previews } = await desktop.call('app:previewTakeOver', { entry: entries[0]?.id ?? '' });
    expect(previews).toMatchObject([{ rules: [{ entry: 'mail', only: ['read'], denied: ['send'] }] }]);
    expect((await store.read(mail.id))?.permissions).toBeUndefined();
    const { made } = await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    const rules = [
      { tool: 'send', rule: 'deny' },
      { tool: 'read', rule: 'allow' },
    ];
    const apps = [{ app: 'cursor', preset: 'only-allowed', rules }];
    expect((await store.read(mail.id))?.permissions).toEqual({ apps });
    const change = made[0]?.change ?? '';
    const undo = await desktop.call('app:previewUndo', { changes: [{ app: 'cursor', change }] });
    expect(undo.previews).toMatchObject([{ revertsRules: true }]);
    await desktop.call('app:change', { tokens: undo.previews.map(({ token }) => token) });
    expect((await store.read(mail.id))?.permissions).toBeUndefined();
  });

  it('are tested with what sign-ins need, and reported if they would not work', async () => {
    const { desktop, file, text } = await openDesktop();
    const { store } = desktop.engine.ports;
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    const tested = async () =>
      (await desktop.call('storage:selfTest', {})).checks.filter(({ name }) => name === 'apps');
    expect(await tested()).toEqual([{ name: 'apps', ok: true }]);
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
      { name: 'apps', ok: false, of: 'Cursor', entry: expect.any(String) as unknown, fault: 'server-gone' },
    ]);
  });

  it("are left out if they are Postern's, and their problems are reported", async () => {
    const { desktop, file } = await openDesktop();
    await desktop.call('app:change', { tokens: [(await preview(desktop)).token] });
    const { entries } = await desktop.call('app:readEntries', { app: 'cursor' });
    expect(entries.map(({ name }) => name)).toEqual(['other']);
    writeFileSync(file, '{ damaged');
    expect(await desktop.callFailing('app:readEntries', { app: 'cursor' })).toMatchObject({ code: 'APP_FILE_DAMAGED' });
  });

  it('are imported after a check of every address, and their header and the key in the address stay in main', async () => {
    const { desktop, named } = await inspectEntries();
    const { id } = await desktop.call('connection:discover', {
      url: 'https://weather.example/mcp',
      options: {},
      importEntry: named('weather'),
    });
    const view = await desktop.connection(id, () => true);
    expect(view).toMatchObject({ name: 'weather', url: 'https://weather.example/mcp' });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it('are taken over under their name once their address is connected, and put back byte for byte', async () => {
    const { desktop, text, named } = await inspectEntries();
    const { previews } = await desktop.call('app:previewTakeOver', { entry: named('mail') });
    expect(previews).toMatchObject([{ app: 'cursor', action: 'updated', restores: false }]);
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    const { mcpServers: now } = JSON.parse(text()) as { mcpServers: Record<string, unknown> };
    expect(now).toEqual({
      ...mcpServers,
      mail: expect.objectContaining({ command: '/usr/bin/postern-pipe' }) as unknown,
    });
    const taken = await app(desktop);
    expect(taken).toMatchObject({ uses: [mail.id], lastChange: { names: ['mail'] } });
    const undo = await previewUndo(desktop, taken?.lastChange?.id);
    expect(undo).toMatchObject({
      restores: true,
      after: expect.arrayContaining([expect.stringMatching(/^ +"mail": /)]) as unknown,
    });
    await desktop.call('app:change', { tokens: [undo.token] });
    expect(text()).toBe(others);
    expect(await app(desktop)).toMatchObject({ uses: [] });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it.skipIf(process.platform === 'win32')(
    'that are commands are taken over once allowed as written, and put back byte for byte',
    async () => {
      const { desktop, file, text } = await openDesktop({ answer: async () => true });
      const { ports } = desktop.engine;
      afterTest(() => ports.local.close());
      const [command, ...args] = [process.execPath, ...scriptWords({})];
      const env = { ITS_TOKEN: 'canary-of-the-file' };
      const before = JSON.stringify({ mcpServers: { tickets: { command, args, env } } }, undefined, 2);
      writeFileSync(file, before);
      const inspect = async () => {
        const { entries } = await desktop.call('app:readEntries', { app: 'cursor' });
        return entries[0] ?? { id: '' };
      };
      const first = await inspect();
      expect(first).toMatchObject({ kind: 'local', secrets: ['ITS_TOKEN'] });
      expect(await desktop.callFailing('app:previewTakeOver', { entry: first.id })).toMatchObject({
        code: 'NOT_FOUND',
      });
      const { name, words, draft } = await desktop.call('local:draft', { entry: first.id });
      const prepared = await desktop.call('local:prepare', { name, words, draft, variables: [{ name: 'ITS_TOKEN' }] });
      const connected = await desktop.call('local:connect', { token: prepared.token, call: 'c' });
      const second = await inspect();
      expect(second).toMatchObject({ connectedAs: connected?.id });
      const { previews } = await desktop.call('app:previewTakeOver', { entry: second.id });
      expect(text()).toBe(before);
      // To the app, a server that is not allowed yet would look broken.
      const { command: approved } = (await ports.store.read(connected?.id ?? '')) ?? {};
      if (!approved) throw new Error('it is one');
      const allow = async (isAllowed: boolean): Promise<void> =>
        await saveCommand(await ports.vault(), connected?.id ?? '', approved, { values: env, isAllowed });
      await allow(false);
      const tokens = previews.map(({ token }) => token);
      expect(await desktop.callFailing('app:change', { tokens })).toMatchObject({ code: 'LOCAL_CONSENT' });
      expect(text()).toBe(before);
      await allow(true);
      const again = await desktop.call('app:previewTakeOver', { entry: second.id });
      await desktop.call('app:change', { tokens: again.previews.map(({ token }) => token) });
      expect(JSON.parse(text())).toMatchObject({ mcpServers: { tickets: { command: '/usr/bin/postern-pipe' } } });
      expect(text()).not.toContain('canary');
      const undo = await previewUndo(desktop, (await app(desktop))?.lastChange?.id);
      await desktop.call('app:change', { tokens: [undo.token] });
      expect(text()).toBe(before);
      expect(desktop.messages.join('\n')).not.toContain('canary');
    },
  );

  it('leave their key in the keychain if the server that takes them over has none', async () => {
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
    const { entries } = await desktop.call('app:readEntries', { app: 'cursor' });
    expect(entries).toMatchObject([{ connectedAs: mail.id, lacksCredential: true }]);
    const { previews } = await desktop.call('app:previewTakeOver', { entry: entries[0]?.id ?? '' });
    expect((await store.read(mail.id))?.options.headerName).toBeUndefined();
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(await store.read(mail.id)).toMatchObject({ options: { headerName: 'X-Key' }, state: 'integrated' });
    expect(desktop.messages.join('\n')).not.toContain('canary');
  });

  it('are not taken over if another address took their name, nor if nothing is connected', async () => {
    const { desktop, file, text, named } = await inspectEntries();
    const refused = (entry: string) => desktop.callFailing('app:previewTakeOver', { entry });
    for (const name of ['weather', 'files']) expect(await refused(named(name))).toMatchObject({ code: 'NOT_FOUND' });
    const other = others.replace('mail.example', 'other.example');
    writeFileSync(file, other);
    expect(await refused(named('mail'))).toMatchObject(changedError);
    expect(text()).toBe(other);
  });
});
