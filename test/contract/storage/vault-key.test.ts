import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../main/errors/postern-error.ts';
import { systemRandom } from '../../../main/host/system-ports.ts';
import type { Keychain } from '../../../main/ports.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { moveFile } from '../../../main/storage/files/replace-file.ts';
import { openVault } from '../../../main/storage/vault/vault.ts';
import type { VaultOptions } from '../../../main/storage/vault/vault.ts';
import { CrashPoints } from '../../support/crash-points.ts';
import { createFileKeychain } from '../../support/file-keychain.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const;

function open(folder: string, options: Partial<VaultOptions> = {}) {
  const keychain = createFileKeychain(folder);
  return openVault({ folder, keychain, locks: createLocks(folder), random: systemRandom, ...options });
}

const entriesOf = (folder: string): string[] => {
  const file = path.join(folder, 'test-keychain.json');
  return readdirSync(folder).includes('test-keychain.json')
    ? Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)
    : [];
};
const vaultFilesOf = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('vault'));
const accountOf = (folder: string): string =>
  (JSON.parse(readFileSync(path.join(folder, 'vault'), 'utf8')) as { account: string }).account;

describe('the key of a new vault', () => {
  it('leaves no keychain entry that no file names and no half-written file, wherever its creator is killed', async () => {
    const created = temporaryFolder();
    const record = new CrashPoints(created, () => null);
    const real = createFileKeychain(created);
    const write: Keychain['write'] = async (account, value) => {
      record.pass('before the entry');
      await real.write(account, value);
      record.pass('after the entry');
    };
    const move: VaultOptions['move'] = async (from, to) => {
      record.pass('before the move');
      await moveFile(from, to);
      record.pass('after the move');
    };
    const vault = await open(created, { keychain: { ...real, write }, replace: record.replace, move });
    await vault.ready();
    await vault.write(key, 'saved');
    record.pass('the end');
    expect(record.points.map(({ name }) => name)).toContain('after the entry');
    for (const { name: point, folder } of record.points) {
      const remaining = vaultFilesOf(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
      for (const entry of entriesOf(folder)) expect(remaining.join(), point).toContain(entry);
      await (await open(folder)).ready();
      expect(entriesOf(folder), point).toEqual([accountOf(folder)]);
      expect(vaultFilesOf(folder), point).toEqual(['vault']);
    }
  });

  it('is named in a file before the keychain has its entry', async () => {
    const folder = temporaryFolder();
    const real = createFileKeychain(folder);
    const named: boolean[] = [];
    const write: Keychain['write'] = async (account, value) => {
      named.push(vaultFilesOf(folder).some((name) => readFileSync(path.join(folder, name), 'utf8').includes(account)));
      await real.write(account, value);
    };
    await (await open(folder, { keychain: { ...real, write } })).ready();
    expect(named).toEqual([true]);
  });

  it('does not lock the profile while the keychain asks the user to unlock it', async () => {
    const folder = temporaryFolder();
    const real = createFileKeychain(folder);
    const prompt = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    const probe: Keychain['probe'] = async () => {
      requested.resolve();
      await prompt.promise;
    };
    const ready = (await open(folder, { keychain: { ...real, probe } })).ready();
    await requested.promise;
    await createLocks(folder, { timeout: 0 }).hold('profile', async () => {});
    prompt.resolve();
    await ready;
    expect(entriesOf(folder)).toEqual([accountOf(folder)]);
  });

  it('is deleted again if the vault cannot be written', async () => {
    const folder = temporaryFolder();
    const move: VaultOptions['move'] = async () => {
      throw new PosternError('CFG_DISK_FULL', { stage: 'storage' });
    };
    await expect((await open(folder, { move })).ready()).rejects.toMatchObject({ code: 'CFG_DISK_FULL' });
    expect(entriesOf(folder)).toEqual([]);
    expect(vaultFilesOf(folder)).toEqual([]);
  });

  it('keeps its name on disk while the keychain does not delete it', async () => {
    const folder = temporaryFolder();
    const real = createFileKeychain(folder);
    const refuse = (): never => {
      throw new PosternError('KC_DENIED', { stage: 'storage' });
    };
    const write: Keychain['write'] = async (account, value) => {
      await real.write(account, value);
      refuse();
    };
    const keychain: Keychain = { ...real, write, delete: async () => refuse() };
    await expect((await open(folder, { keychain })).ready()).rejects.toMatchObject({ code: 'KC_DENIED' });
    expect(vaultFilesOf(folder)).toEqual(['vault.new']);
    await (await open(folder)).ready();
    expect(entriesOf(folder)).toEqual([accountOf(folder)]);
  });

  it('is cleaned up by a command that only reads, too', async () => {
    const folder = temporaryFolder();
    await (await open(folder)).write(key, 1);
    writeFileSync(path.join(folder, 'vault.tmp-left'), '{');
    expect(await (await open(folder)).read(key)).toBe(1);
    expect(vaultFilesOf(folder)).toEqual(['vault']);
  });

  it('and its files are not touched while another process holds the lock', async () => {
    const folder = temporaryFolder();
    await (await open(folder)).write(key, 1);
    writeFileSync(path.join(folder, 'vault.tmp-live'), '{');
    await createLocks(folder).hold('profile', async () => {
      expect(await (await open(folder)).read(key)).toBe(1);
      expect(vaultFilesOf(folder)).toContain('vault.tmp-live');
    });
  });
});
