import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { applyReviewed } from '../../main/apps/apply-change.ts';
import { planUse } from '../../main/apps/plan/plan-use.ts';
import { gatewayUrlOf } from '../../main/apps/app-dependencies.ts';
import type { AppDependencies } from '../../main/apps/app-dependencies.ts';
import { authorizationOf, readStoredSecret, appSecret } from '../../main/apps/records/app-secret.ts';
import { apps } from '../../main/apps/table/apps.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AppRecord } from '../../shared/app-record.ts';
import { anIntegration } from '../support/an-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testApps } from '../support/test-desktop.ts';
import type { TestDesktopOptions } from '../support/test-desktop.ts';

const notes = anIntegration({ id: 'id-of-notes', name: 'Notes', alias: 'notes', url: 'https://notes.example/mcp' });
const mail = anIntegration({ id: 'id-of-mail', name: 'Mail', alias: 'mail', url: 'https://mail.example/mcp' });
const old = '{\n  "mcpServers": {\n    "other": { "command": "/bin/other", "env": { "KEY": "a-secret" } }\n  }\n}\n';

function appNamed(id: string) {
  const found = apps.find((each) => each.id === id);
  if (!found) throw new Error(id);
  return found;
}

async function addToApp(
  engine: AppDependencies,
  app: string,
  server: Integration,
  options: Parameters<typeof planUse>[3],
): Promise<void> {
  await applyReviewed(engine, { plan: () => planUse(engine, appNamed(app), [server], options) });
}

/** Cursor uses Notes and Mail, in its own file and Notes in one of a project; Windsurf uses Notes. */
async function open(answer = true, options: Pick<TestDesktopOptions, 'serves' | 'onGateway'> = {}) {
  const home = temporaryFolder();
  const project = temporaryFolder();
  const place = (file: string, text: string): string => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const cursor = place(path.join(home, '.cursor', 'mcp.json'), old);
  const windsurf = place(path.join(home, '.codeium', 'windsurf', 'mcp_config.json'), '{}\n');
  const ofProject = path.join(project, '.cursor', 'mcp.json');
  let engine: AppDependencies | undefined;
  const desktop = await createTestDesktop({
    ...options,
    answer: async () => answer,
    apps: (test) => (engine ??= testApps(test, home)),
  });
  const { ports, folder } = desktop.engine;
  const { apps: records } = openIntegrationStore({ folder, locks: ports.locks });
  for (const each of [notes, mail]) await ports.store.write(each);
  const use = async (app: string, server: Integration, more: { project?: string } = {}): Promise<void> => {
    if (engine) await addToApp(engine, app, server, more);
  };
  mkdirSync(path.dirname(ofProject));
  await use('cursor', notes);
  await use('cursor', mail);
  await use('cursor', notes, { project });
  await use('windsurf', notes);
  const text = (file: string): string => readFileSync(file, 'utf8');
  /** Connects with the address and the secret of the app's record, which it then has. */
  const useOverHttp = async (app: string, server: Integration): Promise<AppRecord> => {
    const find = async () => (await records.list()).find((each) => each.app === app);
    const record = await find();
    if (!engine || !record) throw new Error(app);
    const secret = await appSecret({ vault: desktop.engine.vault, apps: records, random: ports.random }, record);
    const http = { gatewayUrl: gatewayUrlOf(47_600), authorization: authorizationOf(secret) };
    await addToApp(engine, app, server, { http });
    return (await find()) ?? record;
  };
  return { desktop, cursor, windsurf, ofProject, text, records, useOverHttp };
}

const shownOf = async ({ desktop }: Awaited<ReturnType<typeof open>>, what: object = { integrations: [notes.id] }) =>
  await desktop.call('app:previewLeaving', what as { integrations: string[] });

describe('entries of apps that would stop working', () => {
  it('are all shown before a server is removed, including those of projects, and removed with one consent', async () => {
    const world = await open();
    const { desktop, cursor, windsurf, ofProject, text } = world;
    const before = [cursor, ofProject, windsurf].map(text);
    const { previews, refused } = await shownOf(world);
    expect(refused).toEqual([]);
    expect(previews.map((each) => each.path).toSorted()).toEqual([cursor, ofProject, windsurf].toSorted());
    expect([cursor, ofProject, windsurf].map(text)).toEqual(before);
    expect(JSON.stringify(previews)).not.toContain('a-secret');
    await desktop.call('integration:remove', { ids: [notes.id], entries: previews.map(({ token }) => token) });
    expect(desktop.confirmations).toMatchObject([{ detail: expect.stringContaining('Cursor and Windsurf') }]);
    expect(JSON.parse(text(cursor))).toEqual({
      mcpServers: { ...(JSON.parse(old) as { mcpServers: object }).mcpServers, mail: expect.anything() },
    });
    expect(text(windsurf)).toBe('{}\n');
    expect(() => text(ofProject)).toThrow('ENOENT');
    expect(await desktop.engine.ports.store.read(notes.id)).toBeUndefined();
  });

  it('are restored with the server when its removal is undone, except in a file that was changed since', async () => {
    const world = await open();
    const { desktop, cursor, windsurf, text, records } = world;
    const before = text(cursor);
    const rights = await records.list();
    const { previews } = await shownOf(world);
    const entries = previews.map(({ token }) => token);
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [notes.id], entries })) ?? {};
    expect(text(cursor)).not.toBe(before);
    writeFileSync(windsurf, 'no JSON');
    expect(await desktop.call('deletion:undo', { id: deletion })).toEqual({
      restored: 1,
      entriesNotRestored: ['Windsurf'],
    });
    expect(text(cursor)).toBe(before);
    expect(text(windsurf)).toBe('no JSON');
    const ofCursor = (all: typeof rights) => all.find(({ app }) => app === 'cursor')?.integrations.toSorted();
    expect(ofCursor(await records.list())).toEqual(ofCursor(rights));
    // It has no entry, and is offered one.
    expect((await records.list()).find(({ app }) => app === 'windsurf')).toBeUndefined();
  });

  it('work again with their secret when the removal of the only server of an app is undone', async () => {
    const world = await open();
    const { desktop, windsurf, text, records, useOverHttp } = world;
    const record = await useOverHttp('windsurf', notes);
    const before = text(windsurf);
    const { previews } = await shownOf(world);
    const entries = previews.map(({ token }) => token);
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [notes.id], entries })) ?? {};
    expect(text(windsurf)).not.toContain('Bearer');
    expect(await desktop.call('deletion:undo', { id: deletion })).toEqual({ restored: 1, entriesNotRestored: [] });
    expect(text(windsurf)).toBe(before);
    expect((await records.list()).find(({ app }) => app === 'windsurf')).toEqual(record);
    const secret = await readStoredSecret(desktop.engine.vault, record);
    expect(before).toContain(`Bearer ${secret?.reveal()}`);
  });

  it('lose their rights once the removal is final', async () => {
    const world = await open();
    const { desktop, records, useOverHttp } = world;
    const record = await useOverHttp('windsurf', notes);
    const { previews } = await shownOf(world);
    const entries = previews.map(({ token }) => token);
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [notes.id], entries })) ?? {};
    await desktop.call('deletion:finish', { id: deletion });
    expect((await records.list()).map(({ app, integrations }) => [app, integrations])).toEqual([['cursor', [mail.id]]]);
    expect(await readStoredSecret(desktop.engine.vault, record)).toBeUndefined();
  });

  it.each([
    ['integration:remove', { ids: [notes.id] }],
    ['storage:deleteEverything', {}],
  ] as const)('stay if the user wants that, and %s deletes anyway', async (call, input) => {
    const world = await open();
    const { desktop, cursor, text } = world;
    const before = text(cursor);
    await shownOf(world);
    expect(await desktop.call(call, { ...input, entries: [] })).not.toBeNull();
    expect(text(cursor)).toBe(before);
    expect(await desktop.engine.ports.store.read(notes.id)).toBeUndefined();
  });

  it.each([
    ['integration:remove', { ids: [notes.id] }],
    ['storage:deleteEverything', {}],
  ] as const)('are not touched if the user declines %s', async (call, input) => {
    const world = await open(false);
    const { desktop, cursor, text } = world;
    const before = text(cursor);
    const { previews } = await shownOf(world);
    expect(await desktop.call(call, { ...input, entries: previews.map(({ token }) => token) })).toBeNull();
    expect(text(cursor)).toBe(before);
    expect(await desktop.engine.ports.store.read(notes.id)).toMatchObject({ name: 'Notes' });
  });

  it.each([
    ['integration:remove', { ids: [notes.id] }],
    ['storage:deleteEverything', {}],
  ] as const)('are removed as shown, or %s deletes nothing', async (call, input) => {
    const world = await open();
    const { desktop, cursor, text } = world;
    const { previews } = await shownOf(world);
    const other = text(cursor).replace('/bin/other', '/bin/another');
    writeFileSync(cursor, other);
    const refused = await desktop.callFailing(call, { ...input, entries: previews.map(({ token }) => token) });
    expect(refused).toMatchObject({ code: 'APP_FILE_CHANGED' });
    expect(text(cursor)).toBe(other);
    expect(await desktop.engine.ports.store.read(notes.id)).toMatchObject({ name: 'Notes' });
  });

  it.each([
    ['integration:remove', { ids: [notes.id] }],
    ['storage:deleteEverything', {}],
  ] as const)('are restored if a later one cannot be removed, and %s deletes nothing', async (call, input) => {
    const world = await open();
    const { desktop, text, records } = world;
    const rights = async () => (await records.list()).map(({ app, integrations }) => [app, integrations.toSorted()]);
    const before = await rights();
    const { previews } = await shownOf(world);
    const places = previews.map((each) => each.path);
    writeFileSync(places.at(-1) ?? '', `${text(places.at(-1) ?? '')} `);
    const texts = places.map(text);
    const refused = await desktop.callFailing(call, { ...input, entries: previews.map(({ token }) => token) });
    expect(refused).toMatchObject({ code: 'APP_FILE_CHANGED' });
    expect(places.map(text)).toEqual(texts);
    expect(await rights()).toEqual(before);
    expect(await desktop.engine.ports.store.read(notes.id)).toMatchObject({ name: 'Notes' });
  });

  it('are named if a removal failed and they could not be restored', async () => {
    const world = await open();
    const { desktop, windsurf, text } = world;
    const before = text(windsurf);
    const { previews } = await shownOf(world);
    const entries = previews.map(({ token }) => token);
    vi.spyOn(desktop.engine.ports.store, 'changeList').mockImplementation(async () => {
      writeFileSync(windsurf, 'no JSON');
      throw new PosternError('CFG_READONLY', { stage: 'storage', detail: { file: 'config.json' } });
    });
    expect(await desktop.callFailing('integration:remove', { ids: [notes.id], entries })).toMatchObject({
      code: 'CFG_READONLY',
    });
    expect(text(windsurf)).not.toBe(before);
    const messages = desktop.messages.map((message): unknown => JSON.parse(message));
    expect(messages).toContainEqual({ event: 'entries-not-restored', apps: ['Windsurf'] });
  });

  it('are used by their apps again before the call that restored them returns', async () => {
    let notified = 0;
    const world = await open(true, {
      serves: true,
      onGateway: (gateway) => void vi.spyOn(gateway, 'changed').mockImplementation(async () => void (notified += 1)),
    });
    const { desktop, text } = world;
    const { previews } = await shownOf(world);
    const last = previews.at(-1)?.path ?? '';
    writeFileSync(last, `${text(last)} `);
    const entries = previews.map(({ token }) => token);
    expect(await desktop.callFailing('integration:remove', { ids: [notes.id], entries })).toMatchObject({
      code: 'APP_FILE_CHANGED',
    });
    expect(notified).toBe(1);
  });

  it('are named if their file cannot be read, and nothing else stops for it', async () => {
    const world = await open();
    const { desktop, cursor, windsurf, ofProject } = world;
    writeFileSync(windsurf, 'no JSON');
    const { previews, refused } = await shownOf(world);
    expect(previews.map((each) => each.path).toSorted()).toEqual([cursor, ofProject].toSorted());
    expect(refused).toMatchObject([{ name: 'Windsurf', error: { code: 'APP_FILE_DAMAGED' } }]);
    expect(JSON.stringify(refused)).toContain('mcp_config.json');
    expect(
      await desktop.call('integration:remove', { ids: [notes.id], entries: previews.map(({ token }) => token) }),
    ).not.toBeNull();
  });

  it('are removed completely for a revoked app, and for no other', async () => {
    const world = await open();
    const { desktop, cursor, ofProject, windsurf, text } = world;
    const ofWindsurf = text(windsurf);
    await desktop.call('app:revoke', { app: 'cursor' });
    const { previews } = await shownOf(world, { app: 'cursor' });
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    expect(text(cursor)).toBe(old);
    expect(() => text(ofProject)).toThrow('ENOENT');
    expect(text(windsurf)).toBe(ofWindsurf);
    expect(await shownOf(world, { app: 'cursor' })).toEqual({ previews: [], refused: [] });
  });

  it('are not searched for in files of apps that were not allowed to use the server', async () => {
    const world = await open();
    writeFileSync(world.windsurf, 'no JSON');
    const { previews, refused } = await shownOf(world, { integrations: [mail.id] });
    expect(previews.map((each) => each.path)).toEqual([world.cursor]);
    expect(refused).toEqual([]);
  });
});

it('a removed server is dropped from the records of apps, and an empty record is deleted', async () => {
  const { engine } = await createTestDesktop();
  const store = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  for (const each of [notes, mail]) await store.write(each);
  const record = { app: 'cursor', name: 'Cursor', createdAt: 1 };
  await store.apps.change(() => [
    { ...record, id: '1'.repeat(16), integrations: [notes.id, mail.id] },
    { ...record, id: '2'.repeat(16), integrations: [notes.id] },
    { ...record, id: '3'.repeat(16), integrations: [notes.id], revokedAt: 2 },
  ]);
  await store.delete(notes.id);
  expect(await store.apps.list()).toEqual([
    { ...record, id: '1'.repeat(16), integrations: [mail.id] },
    { ...record, id: '3'.repeat(16), integrations: [], revokedAt: 2 },
  ]);
});

it('an entry with the earlier port is shown with the new one and updated as shown, and the port stays', async () => {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, old);
  let engine: AppDependencies | undefined;
  const desktop = await createTestDesktop({
    apps: (test) => (engine ??= { ...testApps(test, home), gatewayUrl: 'http://127.0.0.1:47600/mcp' }),
  });
  await desktop.engine.ports.store.write(notes);
  const http = { gatewayUrl: 'http://127.0.0.1:47600/mcp', authorization: 'Bearer a-secret-of-cursor' };
  if (engine) await addToApp(engine, 'cursor', notes, { http });
  const before = readFileSync(file, 'utf8');
  const { previews, refused } = await desktop.call('app:previewPort', { port: 47_650 });
  expect(refused).toEqual([]);
  expect(previews).toMatchObject([{ app: 'cursor', secret: 'header', action: 'updated' }]);
  expect(JSON.stringify(previews)).toContain('127.0.0.1:47650/mcp/notes');
  expect(JSON.stringify(previews)).not.toContain('a-secret');
  // Only the call that updates the entries stores it.
  expect(await desktop.callFailing('settings:update', { gatewayPort: 47_650 })).toMatchObject({ code: 'IPC_SCHEMA' });
  const tokens = previews.map(({ token }) => token);
  const settingsFile = path.join(desktop.engine.folder, 'config.json');
  const stored = readFileSync(settingsFile);
  writeFileSync(settingsFile, '{');
  expect(await desktop.callFailing('app:changePort', { port: 47_650, tokens })).toMatchObject({ code: 'CFG_CORRUPT' });
  writeFileSync(settingsFile, stored);
  expect(readFileSync(file, 'utf8')).toBe(before);
  await desktop.call('app:changePort', { port: 47_650, tokens });
  expect(readFileSync(file, 'utf8')).toBe(before.replace(':47600/', ':47650/'));
  expect((await desktop.call('desktop:snapshots', {})).desktop.settings).toMatchObject({ gatewayPort: 47_650 });
  expect(await desktop.call('app:previewPort', { port: 47_650 })).toEqual({ previews: [], refused: [] });
  // A later preview replaces this one.
  const shown = await desktop.call('app:previewPort', { port: 47_651 });
  await desktop.call('app:previewPort', { port: 47_652 });
  const late = { port: 47_651, tokens: shown.previews.map(({ token }) => token) };
  expect(await desktop.callFailing('app:changePort', late)).toMatchObject({ code: 'APP_FILE_CHANGED' });
  expect((await desktop.call('desktop:snapshots', {})).desktop.settings).toMatchObject({ gatewayPort: 47_650 });
});

it('the port changes if the only file that may hold it is unmanaged or its app has changed meanwhile', async () => {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, old);
  let engine: AppDependencies | undefined;
  const desktop = await createTestDesktop({
    apps: (test) => (engine ??= { ...testApps(test, home), gatewayUrl: 'http://127.0.0.1:47600/mcp' }),
  });
  await desktop.engine.ports.store.write(notes);
  const http = { gatewayUrl: 'http://127.0.0.1:47600/mcp', authorization: 'Bearer a-secret-of-cursor' };
  if (engine) await addToApp(engine, 'cursor', notes, { http });
  const port = async () => (await desktop.call('desktop:snapshots', {})).desktop.settings.gatewayPort;
  const { previews } = await desktop.call('app:previewPort', { port: 47_650 });
  writeFileSync(file, 'no JSON');
  const tokens = previews.map(({ token }) => token);
  const { made, refused } = await desktop.call('app:changePort', { port: 47_650, tokens });
  expect({ made, refused }).toMatchObject({ made: [], refused: [{ app: 'cursor' }] });
  expect(await port()).toBe(47_650);
  const again = await desktop.call('app:previewPort', { port: 47_651 });
  expect(again).toMatchObject({ previews: [], refused: [{ app: 'cursor' }] });
  await desktop.call('app:changePort', { port: 47_651, tokens: [] });
  expect(await port()).toBe(47_651);
});
