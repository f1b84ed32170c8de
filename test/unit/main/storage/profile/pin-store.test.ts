import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isUnreviewed } from '../../../../../main/engine/records/tool-pins.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { openPinStore } from '../../../../../main/storage/profile/server-files.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const some = { isWhole: true, tools: [{ name: 'a', forms: ['f'], text: '{}' }], changed: [] };

async function start() {
  const folder = temporaryFolder();
  const locks = createLocks(folder);
  const list = openIntegrationStore({ folder, locks });
  await list.write(anIntegration({ id: 'one' }));
  const pins = openPinStore({ profileFolder: folder, locks, list });
  return { folder, list, pins, file: path.join(folder, 'pins', 'one.json') };
}

it('stores tool definitions in a file only the user can read, and only for listed servers', async () => {
  const { folder, list, pins, file } = await start();
  expect(await pins.read('one')).toBeUndefined();
  await pins.change('one', () => some);
  await pins.change('gone', () => some);
  expect(await pins.read('one')).toEqual(some);
  expect(readdirSync(path.join(folder, 'pins'))).toEqual(['one.json']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  await list.delete('one');
  await pins.sweep();
  expect(readdirSync(path.join(folder, 'pins'))).toEqual([]);
});

it.each(['not json', '{"isWhole":true}', '[]'])(
  'PM-15 treats all tools as new if the file is damaged: %s',
  async (text) => {
    const { pins, file } = await start();
    await pins.change('one', () => some);
    writeFileSync(file, text);
    expect(isUnreviewed(await pins.read('one'), { name: 'a', form: 'f' })).toBe(true);
  },
);

it.skipIf(process.platform === 'win32')('PM-15 does not read or write through a link', async () => {
  const { folder, pins, file } = await start();
  const elsewhere = path.join(folder, 'elsewhere.json');
  writeFileSync(elsewhere, JSON.stringify(some));
  mkdirSync(path.dirname(file));
  symlinkSync(elsewhere, file);
  expect(isUnreviewed(await pins.read('one'), { name: 'a', form: 'f' })).toBe(true);
  await pins.change('one', () => ({ ...some, tools: [] }));
  expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual(some);
});

it.skipIf(process.platform === 'win32')('PM-15 does not read or write through a linked folder', async () => {
  const { folder, pins, file } = await start();
  const elsewhere = path.join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(path.join(elsewhere, 'one.json'), JSON.stringify(some));
  symlinkSync(elsewhere, path.dirname(file));
  expect(isUnreviewed(await pins.read('one'), { name: 'a', form: 'f' })).toBe(true);
  await pins.change('one', () => ({ ...some, tools: [] })).catch(() => undefined);
  expect(JSON.parse(readFileSync(path.join(elsewhere, 'one.json'), 'utf8'))).toEqual(some);
});
