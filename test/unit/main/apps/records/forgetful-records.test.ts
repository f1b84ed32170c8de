import { expect, it } from 'vitest';
import type { ProgramRecords } from '../../../../../main/gateway-ports.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { createForgetfulRecords } from '../../../../../main/apps/records/program-secret.ts';
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
