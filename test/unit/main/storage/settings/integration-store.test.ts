import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileBytes } from '../../../../../main/limits.ts';
import { toStoredIntegration } from '../../../../../main/storage/settings/read-settings-parts.ts';
import { emptySettings } from '../../../../../main/storage/settings/settings-document.ts';
import { writeSettingsFile } from '../../../../../main/storage/settings/settings-file.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { filesAfterWrite, createSettingsFixture } from '../../../../support/settings-fixture.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const one = anIntegration({ id: 'one' });
const two = anIntegration({ id: 'two', name: 'Two' });

describe('openIntegrationStore', () => {
  it('is empty if there is no file, and reading creates none', async () => {
    const { open, names } = createSettingsFixture();
    const store = open();
    expect(await store.list()).toEqual([]);
    expect(await store.settings()).toEqual({});
    expect(await store.read('one')).toBeUndefined();
    expect(store.notices()).toEqual([]);
    expect(names()).toEqual([]);
  });

  it('inserts, replaces in place, updates and deletes', async () => {
    const store = createSettingsFixture().open();
    await store.write(one);
    await store.write(two);
    await store.write({ ...one, name: 'Renamed' });
    expect((await store.list()).map(({ name }) => name)).toEqual(['Renamed', 'Two']);
    expect(await store.update('two', (found) => ({ ...found, state: 'signedOut' }))).toMatchObject({
      id: 'two',
      state: 'signedOut',
    });
    expect(await store.update('none', (found) => found)).toBeUndefined();
    await store.delete('one');
    await store.delete('one');
    expect((await store.list()).map(({ id }) => id)).toEqual(['two']);
  });

  it('returns a written entry as stored, with its alias', async () => {
    const store = createSettingsFixture().open();
    const { alias: _none, ...nameless } = anIntegration({ id: 'one', name: 'My notes' });
    const written = await store.write(nameless);
    expect(written.alias).toBe('my-notes');
    expect(await store.read('one')).toEqual(written);
    expect(await store.write({ ...nameless, name: 'Other' })).toMatchObject({ name: 'Other', alias: 'my-notes' });
  });

  it('keeps tool permissions when an entry is rewritten, as by a sign-in or another key', async () => {
    const store = createSettingsFixture().open();
    await store.write(one);
    const permissions = { preset: 'read-only', rules: [{ tool: 'look', rule: 'deny' }] } as const;
    await store.update('one', (stored) => ({
      ...stored,
      permissions: { ...permissions, rules: [...permissions.rules] },
    }));
    expect(await store.write({ ...one, signedInAt: 5 })).toMatchObject({ signedInAt: 5, permissions });
    await store.update('one', ({ permissions: _lifted, ...stored }) => stored);
    expect(await store.write(one)).not.toHaveProperty('permissions');
  });

  it('stores settings and the list for the next process', async () => {
    const { open } = createSettingsFixture();
    await open().write(one);
    expect(await open().updateSettings((settings) => ({ ...settings, callbackPort: 4711 }))).toEqual({
      callbackPort: 4711,
    });
    await open().updateSettings((settings) => ({ ...settings, signInSurface: 'browser' }));
    expect(await open().settings()).toEqual({ callbackPort: 4711, signInSurface: 'browser' });
    expect(await open().list()).toEqual([one]);
  });

  it('derives an alias from the name once, and keeps it', async () => {
    const store = createSettingsFixture().open();
    const { alias: _alias, ...nameless } = anIntegration({ id: 'one', name: 'My Notes' });
    const alias = async (id: string) => (await store.read(id))?.alias;
    await store.write(nameless);
    await Promise.all(['two', 'three'].map((id) => store.write({ ...nameless, id })));
    expect(await Promise.all(['one', 'two', 'three'].map(alias))).toEqual(['my-notes', 'my-notes-2', 'my-notes-3']);
    await store.write({ ...nameless, name: 'Renamed' });
    await store.update('two', (found) => ({ ...found, name: 'Renamed too' }));
    expect(await Promise.all(['one', 'two'].map(alias))).toEqual(['my-notes', 'my-notes-2']);
  });

  it('removes a server from its collections once it is gone for good, but not while its deletion can be undone', async () => {
    const store = createSettingsFixture().open();
    const collections = [
      { name: 'work', members: ['one', 'two', 'elsewhere'] },
      { name: 'home', members: ['two'] },
    ];
    for (const each of [one, two]) await store.write(each);
    await store.collections.change(() => collections);
    await store.write({ ...one, name: 'Renamed' });
    await store.changeList(({ integrations }) => ({
      integrations: integrations.filter(({ id }) => id !== 'two'),
      pendingDeletions: [{ batch: 'b1', kind: 'remove', since: 5, integration: two }],
    }));
    expect(await store.collections.list()).toEqual(collections);
    await store.changeList((list) => ({ ...list, pendingDeletions: [] }));
    expect(await store.collections.list()).toEqual([
      { name: 'work', members: ['one', 'elsewhere'] },
      { name: 'home', members: [] },
    ]);
    await store.delete('one');
    expect((await store.collections.list())[0]?.members).toEqual(['elsewhere']);
  });

  it('removes access to a collection together with the collection', async () => {
    const store = createSettingsFixture().open();
    const record = { id: '0'.repeat(16), app: 'cursor', name: 'Cursor', createdAt: 5 };
    await store.collections.change(() => [{ name: 'work', title: 'Work', members: [] }]);
    await store.apps.change(() => [{ ...record, integrations: ['+work', 'one'] }]);
    await store.collections.change((before) => before.map((each) => ({ ...each, members: ['one'] })));
    expect((await store.apps.list())[0]?.integrations).toEqual(['+work', 'one']);
    await store.collections.change(() => []);
    expect((await store.apps.list())[0]?.integrations).toEqual(['one']);
    await expect(store.collections.change(() => [{ name: 'My work', members: [] }])).rejects.toMatchObject({
      code: 'INTERNAL',
    });
  });

  it('stores app records with the list, and applies each change to the previous one', async () => {
    const { open, text } = createSettingsFixture();
    const app = (id: string) => ({ id, app: 'cursor', name: 'Cursor', integrations: ['one'], createdAt: 5 });
    const [first, second] = [app('0'.repeat(16)), app('1'.repeat(16))];
    expect(await open().apps.list()).toEqual([]);
    await Promise.all([first, second].map((each) => open().apps.change((before) => [...before, each])));
    await open().write(one);
    expect((await open().apps.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([first, second]);
    const before = text();
    await expect(open().apps.change(() => [app('short')])).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(text()).toBe(before);
    expect(await open().apps.change(() => [])).toEqual([]);
  });

  it('writes the file and a copy, readable by this user only (CF-08)', async () => {
    const { open, file, names } = createSettingsFixture();
    await open().write(one);
    await open().write(two);
    expect(names()).toEqual(filesAfterWrite);
    for (const each of [file, file.replace('.json', '.last-good.json')])
      expect(statSync(each).mode & 0o777).toBe(0o600);
  });

  it('does not write what it could not read', async () => {
    const { open, names } = createSettingsFixture();
    const store = open();
    const unreadable = { ...one, url: 'x'.repeat(3_000) };
    await expect(store.write(unreadable)).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(store.updateSettings(() => ({ callbackPort: 80 }))).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(names()).not.toContain('config.json');
  });

  it('cannot store a secret: a token in an entry is rejected (CF-14)', async () => {
    const { open } = createSettingsFixture();
    const withToken = { ...one, accessToken: 'canary-token' } as typeof one;
    await expect(open().write(withToken)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('leaves an unreadable file unchanged, and reports the position of the fault to every call (CF-02)', async () => {
    const { open, file, names, text } = createSettingsFixture();
    for (const [damaged, detail] of [
      ['{"version": 1,\n "settings"', { reason: 'syntax', line: 2, column: 12 }],
      ['[]', { reason: 'shape', line: 1, column: 1 }],
      ['', { reason: 'empty' }],
      ['x'.repeat(fileBytes.settings + 1), { reason: 'large' }],
    ] as const) {
      writeFileSync(file, damaged);
      const store = open();
      for (const attempt of [
        () => store.list(),
        () => store.isListComplete(),
        () => store.settings(),
        () => store.write(one),
        () => store.delete('one'),
        () => store.updateSettings((settings) => ({ ...settings, callbackPort: 4711 })),
        () => store.resetSetting('theme'),
      ]) {
        const error: unknown = await attempt().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'CFG_CORRUPT', stage: 'settings', detail });
      }
      expect(text()).toBe(damaged);
    }
    expect(names()).toEqual(['config.json', 'locks']);
  });

  it('adds missing members, and keeps the rest across writes', async () => {
    const { open, file } = createSettingsFixture();
    writeFileSync(file, JSON.stringify({ integrations: [toStoredIntegration(one)] }));
    expect(await open().list()).toEqual([one]);
    await open().write(two);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      settings: {},
      integrations: [one, two].map(toStoredIntegration),
    });
  });

  it('skips a bad entry, reports it, and preserves it in every write (CF-12)', async () => {
    const { open, file, text, names } = createSettingsFixture();
    await open().write(one);
    await open().write(two);
    writeFileSync(file, text().replace('"id": "one"', '"id": "../one"').replace('"settings": {}', '"settings": 5'));
    await expect(open().list()).rejects.toMatchObject({ code: 'CFG_CORRUPT' });
    writeFileSync(file, text().replace('"settings": 5', '"settings": { "theme": "drak", "callbackPort": 4711 }'));
    const store = open();
    expect(await store.list()).toEqual([two]);
    expect(await store.isListComplete()).toBe(false);
    expect(store.notices()).toMatchObject([
      { code: 'CFG_PART_IGNORED', detail: { part: 'server', name: one.name, line: 6 } },
      { code: 'CFG_PART_IGNORED', detail: { part: 'setting', name: 'theme', line: 3 } },
    ]);
    await store.update('two', (entry) => ({ ...entry, name: 'Second' }));
    await store.updateSettings((settings) => ({ ...settings, callbackPort: 4712 }));
    expect(JSON.parse(text())).toMatchObject({
      settings: { theme: 'drak', callbackPort: 4712 },
      integrations: [{ name: 'Second' }, { ...toStoredIntegration(one), id: '../one' }],
    });
    await store.updateSettings((settings) => ({ ...settings, theme: 'dark' }));
    expect(text()).not.toContain('drak');
    writeFileSync(file, text().replace('"../one"', '"one"'));
    expect((await open().list()).map(({ id }) => id)).toEqual(['two', 'one']);
    expect(await open().isListComplete()).toBe(true);
    expect(names()).toEqual(filesAfterWrite);
  });

  it('resets a setting, even an invalid one', async () => {
    const { open, file } = createSettingsFixture();
    writeFileSync(file, '{"settings": {"theme": "drak", "callbackPort": 4711}}');
    await open().resetSetting('theme');
    expect(await open().settings()).toEqual({ callbackPort: 4711 });
    await open().resetSetting('callbackPort');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ settings: {} });
  });

  it('treats a missing list, with or without its file, as lost if it had servers', async () => {
    const { open, file } = createSettingsFixture();
    await open().write(one);
    rmSync(file);
    await expect(open().write(two)).rejects.toMatchObject({ code: 'CFG_CORRUPT', detail: { reason: 'missing' } });
    writeFileSync(file, '{"settings": {}}');
    await expect(open().list()).rejects.toMatchObject({ code: 'CFG_CORRUPT', detail: { reason: 'no-list' } });
    writeFileSync(file, '{"integrations": []}');
    expect(await open().list()).toEqual([]);
  });

  it('reads but never writes a file of a newer version (CF-10)', async () => {
    const { open, file, names, text } = createSettingsFixture();
    await open().write(one);
    const newer = text().replace('"version": 1', '"version": 2, "news": {}');
    writeFileSync(file, newer);
    const store = open();
    expect(await store.list()).toEqual([one]);
    expect(store.notices()).toMatchObject([{ code: 'CFG_NEWER', detail: { hidden: 0 } }]);
    for (const attempt of [
      () => store.write(two),
      () => store.delete('one'),
      () => store.updateSettings((settings) => ({ ...settings, callbackPort: 4711 })),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'CFG_NEWER', stage: 'settings' });
    }
    expect(text()).toBe(newer);
    expect(names()).toEqual(filesAfterWrite);
  });

  it('rejects a file that is a link, and writes nothing through it', async () => {
    const { open, folder, file } = createSettingsFixture();
    await open().write(one);
    const { renameSync, symlinkSync } = process.getBuiltinModule('fs');
    const elsewhere = path.join(temporaryFolder(), 'dotfile.json');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const before = readFileSync(elsewhere);
    for (const attempt of [() => open().list(), () => open().write(two), () => open().settings()]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'CFG_LINK', detail: { file: 'config.json' } });
    }
    await expect(writeSettingsFile(folder, emptySettings)).rejects.toMatchObject({ code: 'CFG_LINK' });
    expect(readFileSync(elsewhere)).toEqual(before);
  });

  it('removes what a crash during a write left', async () => {
    const { open, file, names } = createSettingsFixture();
    await open().write(one);
    writeFileSync(`${file}.tmp-0123456789abcdef`, 'rest');
    await open().write(two);
    expect((await open().list()).map(({ id }) => id)).toEqual(['one', 'two']);
    expect(names()).toEqual(filesAfterWrite);
  });
});
