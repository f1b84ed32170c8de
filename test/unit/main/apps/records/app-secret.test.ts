import { expect, it } from 'vitest';
import {
  collectionsWithSecretCleanup,
  withSecretCleanup,
  storeWithSecretCleanup,
} from '../../../../../main/apps/records/app-secret.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { Collections, AppRecords } from '../../../../../main/gateway-ports.ts';
import { createMemoryVault } from '../../../../../main/storage/vault/vault.ts';
import type { AppRecord } from '../../../../../shared/app-record.ts';

const record = (id: string, change: Partial<AppRecord> = {}): AppRecord => ({
  id: id.repeat(16),
  app: 'cursor',
  name: 'Cursor',
  integrations: ['notes'],
  secretHash: '0'.repeat(64),
  createdAt: 0,
  ...change,
});

async function open(...records: readonly AppRecord[]) {
  let current = records;
  const done: string[] = [];
  const vault = createMemoryVault();
  for (const { id } of records) await vault.write({ kind: 'app', owner: `app:${id}` }, 'a-secret');
  const store: AppRecords = {
    list: async () => current,
    async change(work) {
      done.push((await vault.owners()).join());
      current = work(current);
      return current;
    },
  };
  return { vault, store, done, owners: () => vault.owners() };
}

it("deletes an app's secret before its record is removed or revoked, and no other secret", async () => {
  const { vault, store, done, owners } = await open(record('a'), record('b'), record('c'));
  const records = withSecretCleanup(store, async () => vault);
  await records.change((all) => all.filter(({ id }) => id !== 'a'.repeat(16)));
  expect(done.at(-1)).not.toContain('aaaa');
  await records.change((all) => all.map((each) => (each.id.startsWith('b') ? { ...each, revokedAt: 1 } : each)));
  expect(done.at(-1)).not.toContain('bbbb');
  await records.change((all) => all.map((each) => ({ ...each, integrations: [] })));
  expect(await owners()).toEqual([`app:${'c'.repeat(16)}`]);
});

it('opens no vault if no secret is deleted, and revokes access even if the vault cannot be opened', async () => {
  const { store } = await open(record('a'), record('b', { secretHash: undefined }));
  let opened = 0;
  const records = withSecretCleanup(store, async () => {
    opened += 1;
    throw new PosternError('KC_LOCKED', { stage: 'storage' });
  });
  expect(await records.change((all) => all.slice(0, 1))).toHaveLength(1);
  expect(opened).toBe(0);
  expect(await records.change(() => [])).toEqual([]);
  expect(opened).toBe(1);
});

it("deletes an app's secret before the last server that it can use", async () => {
  const { vault, store, owners } = await open(record('a'), record('b', { integrations: ['notes', 'mail'] }));
  const deleted: string[][] = [];
  const list = { delete: async (...ids: readonly string[]) => void deleted.push([...ids, ...(await owners())]) };
  await storeWithSecretCleanup(list, store, async () => vault).delete('notes');
  expect(deleted).toEqual([['notes', `app:${'b'.repeat(16)}`]]);
});

it("deletes an app's secret before a new collection gets a name to which the app had access", async () => {
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
  const cleaning = collectionsWithSecretCleanup(collections as Collections, store, async () => vault);
  await cleaning.change((all) => all.map((each) => ({ ...each, title: 'Home' })));
  expect(await owners()).toHaveLength(2);
  await cleaning.change((all) => [...all, { name: 'work', members: [] }]);
  expect(done.at(-1)).toBe(`app:${'b'.repeat(16)}`);
});
