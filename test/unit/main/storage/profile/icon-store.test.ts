import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIconStore } from '../../../../../main/storage/profile/icon-store.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const key = 'a'.repeat(32);
const other = 'b'.repeat(32);
const kept = { named: 'x', at: 1, light: 'AAAA', dark: 'BBBB' };
const marks = { light: '1'.repeat(16), dark: '2'.repeat(16) };

describe('the store of icons', () => {
  it('knows what it has without reading it, and has one file for each server', async () => {
    const folder = temporaryFolder();
    const store = openIconStore(folder);
    expect([...(await store.list())]).toEqual([]);
    await store.write(key, { kept, marks });
    const later = { light: '3'.repeat(16), dark: '4'.repeat(16) };
    await store.write(key, { kept: { ...kept, at: 2 }, marks: later });
    expect(await store.read(other)).toBeUndefined();
    expect([...(await store.list())]).toEqual([[key, later]]);
    expect(await store.read(key)).toEqual({ ...kept, at: 2 });
    expect(readdirSync(join(folder, 'icons'))).toHaveLength(1);
    await store.write(key, undefined);
    expect(await store.read(key)).toBeUndefined();
    expect(readdirSync(join(folder, 'icons'))).toEqual([]);
  });

  it('forgets the servers that are gone, and touches no file that is not its own', async () => {
    const folder = temporaryFolder();
    const store = openIconStore(folder);
    for (const each of [key, other]) await store.write(each, { kept, marks });
    writeFileSync(join(folder, 'icons', 'mine.png'), '');
    await store.retain(new Set([other]));
    expect([...(await store.list()).keys()]).toEqual([other]);
    expect(readdirSync(join(folder, 'icons'))).toContain('mine.png');
  });

  it('takes nothing for a picture that is damaged, or that a link leads to', async () => {
    const folder = temporaryFolder();
    const store = openIconStore(folder);
    mkdirSync(join(folder, 'icons'));
    writeFileSync(join(folder, 'icons', `${key}-${marks.light}-${marks.dark}.json`), '{');
    expect(await store.read(key)).toBeUndefined();
    const elsewhere = temporaryFolder();
    await openIconStore(elsewhere).write(other, { kept, marks });
    const linking = temporaryFolder();
    symlinkSync(join(elsewhere, 'icons'), join(linking, 'icons'));
    expect([...(await openIconStore(linking).list())]).toEqual([]);
    await openIconStore(linking).retain(new Set());
    await openIconStore(linking)
      .write(key, { kept, marks })
      .catch(() => undefined);
    expect(readdirSync(join(elsewhere, 'icons'))).toHaveLength(1);
    expect(await openIconStore(elsewhere).read(other)).toEqual(kept);
  });
});
