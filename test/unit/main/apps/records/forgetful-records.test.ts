import { expect, it } from 'vitest';
import {
  createForgetfulCollections,
  createForgetfulRecords,
  createForgetfulStore,
} from '../../../../../main/apps/records/program-secret.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { Collections, ProgramRecords } from '../../../../../main/gateway-ports.ts';
import { createMemoryVault } from '../../../../../main/storage/vault/vault.ts';
import type { ProgramRecord } from '../../../../../shared/program-record.ts';

const record = (id: string, change: Partial<ProgramRecord> = {}): ProgramRecord => ({
  id: id.repeat(16),
  program: 'cursor',
  name: 'Cursor',
  integrations: ['notes'],
  secretHash: '0'.repeat(64),
  createdAt: 0,
  ...change,
});

async function open(...records: readonly ProgramRecord[]) {
  let kept = records;
  const done: string[] = [];
  const vault = createMemoryVault();
  for (const { id } of records) await vault.write({ kind: 'program', owner: `program:${id}` }, 'a-secret');
  const store: ProgramRecords = {
    list: async () => kept,
    async change(work) {
      done.push((await vault.owners()).join());
      kept = work(kept);
      return kept;
    },
  };
  return { vault, store, done, owners: () => vault.owners() };
}

it('deletes the secret of a program before its record goes or is revoked, and no other', async () => {
  const { vault, store, done, owners } = await open(record('a'), record('b'), record('c'));
  const records = createForgetfulRecords(store, async () => vault);
  await records.change((all) => all.filter(({ id }) => id !== 'a'.repeat(16)));
  expect(done.at(-1)).not.toContain('aaaa');
  await records.change((all) => all.map((each) => (each.id.startsWith('b') ? { ...each, revokedAt: 1 } : each)));
  expect(done.at(-1)).not.toContain('bbbb');
  await records.change((all) => all.map((each) => ({ ...each, integrations: [] })));
  expect(await owners()).toEqual([`program:${'c'.repeat(16)}`]);
});

it('opens no vault where no secret goes, and takes a right away where none can be opened', async () => {
  const { store } = await open(record('a'), record('b', { secretHash: undefined }));
  let opened = 0;
  const records = createForgetfulRecords(store, async () => {
    opened += 1;
    throw new PosternError('KC_LOCKED', { stage: 'storage' });
  });
  expect(await records.change((all) => all.slice(0, 1))).toHaveLength(1);
  expect(opened).toBe(0);
  expect(await records.change(() => [])).toEqual([]);
  expect(opened).toBe(1);
});

it('deletes the secret of a program before the last server that it may use', async () => {
  const { vault, store, owners } = await open(record('a'), record('b', { integrations: ['notes', 'mail'] }));
  const deleted: string[][] = [];
  const list = { delete: async (...ids: readonly string[]) => void deleted.push([...ids, ...(await owners())]) };
  await createForgetfulStore(list, store, async () => vault).delete('notes');
  expect(deleted).toEqual([['notes', `program:${'b'.repeat(16)}`]]);
});

it('deletes the secret of a program before a new collection gets the name that it had a right to', async () => {
  const before = [{ name: 'home', members: [] }];
  const { vault, store, owners } = await open(
    record('a', { integrations: ['+work'] }),
    record('b', { integrations: ['+home'] }),
  );
  const done: string[] = [];
  const collections: Pick<Collections, 'list' | 'change'> = {
    list: async () => before,
    async change(work) {
      done.push((await owners()).join());
      return work(before);
    },
  };
  const forgetful = createForgetfulCollections(collections as Collections, store, async () => vault);
  await forgetful.change((all) => all.map((each) => ({ ...each, title: 'Home' })));
  expect(await owners()).toHaveLength(2);
  await forgetful.change((all) => [...all, { name: 'work', members: [] }]);
  expect(done.at(-1)).toBe(`program:${'b'.repeat(16)}`);
});
