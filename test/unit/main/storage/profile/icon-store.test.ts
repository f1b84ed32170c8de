import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIconStore } from '../../../../../main/storage/profile/icon-store.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const key = 'a'.repeat(32);
const other = 'b'.repeat(32);
const icons = { named: 'x', at: 1, light: 'AAAA', dark: 'BBBB' };
const digests = { light: '1'.repeat(16), dark: '2'.repeat(16) };

describe('the store of icons', () => {
  it('lists its icons without reading them, and has one file per server', async () => {
    const folder = temporaryFolder();
    const store = openIconStore(folder);
    expect([...(await store.list())]).toEqual([]);
    await store.write(key, { original: icons, digests });
    const later = { light: '3'.repeat(16), dark: '4'.repeat(16) };
    await store.write(key, { original: { ...icons, at: 2 }, digests: later });
    expect(await store.read(other)).toBeUndefined();
    expect([...(await store.list())]).toEqual([[key, later]]);
    expect(await store.read(key)).toEqual({ ...icons, at: 2 });
    expect(readdirSync(join(folder, 'icons'))).toHaveLength(1);
    await store.write(key, undefined);
    expect(await store.read(key)).toBeUndefined();
    expect(readdirSync(join(folder, 'icons'))).toEqual([]);
  });

  it('deletes icons of removed servers, and touches no foreign file', async () => {
    const folder = temporaryFolder();
    const store = openIconStore(folder);
    for (const each of [key, other]) await store.write(each, { original: icons, digests });
    writeFileSync(join(folder, 'icons', 'mine.png'), '');
    await store.retain(new Set([other]));
    expect([...(await store.list()).keys()]).toEqual([other]);
    expect(readdirSync(join(folder, 'icons'))).toContain('mine.png');
  });

  it('ignores icons that are damaged or reached through a link', async () => {
    const folder = temporaryFolder();
    const store = openIconStore(folder);
    mkdirSync(join(folder, 'icons'));
    writeFileSync(join(folder, 'icons', `${key}-${digests.light}-${digests.dark}.json`), '{');
    expect(await store.read(key)).toBeUndefined();
    const elsewhere = temporaryFolder();
    await openIconStore(elsewhere).write(other, { original: icons, digests });
    const linking = temporaryFolder();
    symlinkSync(join(elsewhere, 'icons'), join(linking, 'icons'));
    expect([...(await openIconStore(linking).list())]).toEqual([]);
    await openIconStore(linking).retain(new Set());
    await openIconStore(linking)
      .write(key, { original: icons, digests })
      .catch(() => undefined);
    expect(readdirSync(join(elsewhere, 'icons'))).toHaveLength(1);
    expect(await openIconStore(elsewhere).read(other)).toEqual(icons);
  });
});
