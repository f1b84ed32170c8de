import { readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { createMemoryVault, openVault } from '../../../../../main/storage/vault/vault.ts';
import type { VaultOptions } from '../../../../../main/storage/vault/vault.ts';
import { createMemoryKeychain } from '../../../../support/memory-keychain.ts';
import type { MemoryKeychain } from '../../../../support/memory-keychain.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { tokensKey, vaultContract } from '../../../../support/vault-contract.ts';

interface Bench {
  readonly folder: string;
  readonly file: string;
  readonly keychain: MemoryKeychain;
  /** Opens the same profile again, as a second process would. */
  open(change?: Partial<VaultOptions>): ReturnType<typeof openVault>;
  document(): { version: number; records: Record<string, unknown>[] } & Record<string, unknown>;
  rewrite(change: (document: ReturnType<Bench['document']>) => unknown): void;
}

function bench(): Bench {
  const folder = temporaryFolder();
  const file = path.join(folder, 'vault');
  const keychain = createMemoryKeychain();
  const document = () => JSON.parse(readFileSync(file, 'utf8')) as ReturnType<Bench['document']>;
  return {
    folder,
    file,
    keychain,
    open: (change) => openVault({ folder, keychain, locks: createLocks(folder), random: systemRandom, ...change }),
    document,
    rewrite: (change) => writeFileSync(file, JSON.stringify(change(document()))),
  };
}

const credentialsKey = { ...tokensKey, kind: 'credentials' } as const;

describe('openVault', () => {
  vaultContract(() => bench().open());

  it('touches neither keychain nor disk until needed', async () => {
    const { open, folder, keychain } = bench();
    const vault = await open();
    expect(await vault.read(tokensKey)).toBeUndefined();
    expect(await vault.keysOf('one')).toEqual([]);
    expect(keychain.calls).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('creates one key for many concurrent callers, and stores it outside the folder', async () => {
    const { open, keychain, file } = bench();
    const vaults = await Promise.all([1, 2, 3].map(() => open()));
    await Promise.all(vaults.map((vault) => vault.ready()));
    expect(keychain.entries.size).toBe(1);
    const [[account, key] = ['', '']] = keychain.entries;
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(readFileSync(file, 'utf8')).toContain(account);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
  });

  it('reads the keychain once for many reads', async () => {
    const { open, keychain } = bench();
    await (await open()).write(tokensKey, 1);
    keychain.calls.length = 0;
    const vault = await open();
    for (let count = 0; count < 3; count += 1) expect(await vault.read(tokensKey)).toBe(1);
    expect(keychain.calls).toEqual(['read']);
  });

  it('shows what another process wrote meanwhile, and loses no record of either', async () => {
    const { open } = bench();
    const [first, second] = [await open(), await open()];
    await first.write(tokensKey, 'first');
    expect(await second.read(tokensKey)).toBe('first');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? first : second).write({ ...tokensKey, owner: `many-${index}` }, index),
      ),
    );
    for (let index = 0; index < 20; index += 1) {
      expect(await first.read({ ...tokensKey, owner: `many-${index}` })).toBe(index);
    }
  });

  it('contains no readable secret, in a file for this user only (CF-08)', async () => {
    const { open, file, folder } = bench();
    await (await open()).write(tokensKey, { accessToken: 'canary-token' });
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const content = readFileSync(path.join(name.parentPath, name.name));
      expect(content.includes('canary-token')).toBe(false);
      expect(content.includes(Buffer.from('canary-token').toString('base64').slice(0, -2))).toBe(false);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("fails with KC_LOCKED and creates no new key if the vault's key is missing", async () => {
    const { open, keychain, file } = bench();
    await (await open()).write(tokensKey, 1);
    const before = readFileSync(file);
    keychain.entries.clear();
    const vault = await open();
    const attempts = [vault.ready(), vault.read(tokensKey), vault.write(tokensKey, 2)];
    for (const result of await Promise.allSettled(attempts)) {
      expect(result).toMatchObject({ reason: { code: 'KC_LOCKED', detail: { file: 'vault' } } });
    }
    expect(keychain.entries.size).toBe(0);
    expect(readFileSync(file)).toEqual(before);
  });

  it('deletes and lists records without the keychain: removal must always work (KC-15)', async () => {
    const { open, keychain, document } = bench();
    await (await open()).write(tokensKey, 1);
    keychain.failure = new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
    const vault = await open();
    expect(await vault.keysOf('one')).toEqual([tokensKey]);
    await vault.delete(tokensKey);
    expect(document().records).toEqual([]);
  });

  it('reports, for an unreachable keychain, that data is stored, and suggests unlocking it', async () => {
    const { open, keychain } = bench();
    const failure = new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
    keychain.failure = failure;
    const first = await (await open()).ready().catch((error: unknown) => error);
    expect(first).toBe(failure);
    keychain.failure = undefined;
    await (await open()).write(tokensKey, 1);
    keychain.failure = failure;
    const vault = await open();
    for (const result of await Promise.allSettled([vault.ready(), vault.read(tokensKey), vault.write(tokensKey, 2)])) {
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toMatchObject({ code: 'KC_UNAVAILABLE', remedy: { kind: 'unlock-keychain' } });
      expect(toPlainError(reason).message).not.toBe(toPlainError(failure).message);
    }
  });

  it('stores the server of an API key in the member of version 1, and reads it back', async () => {
    const { open, document } = bench();
    const key = { kind: 'header', owner: 'one', server: 'https://mcp.example/mcp' } as const;
    await (await open()).write(key, 'value');
    expect(document().records).toMatchObject([{ kind: 'header', owner: 'one', issuer: 'https://mcp.example/mcp' }]);
    expect(await (await open()).keysOf('one')).toEqual([key]);
  });

  it("passes on the keychain's error before anything is on disk", async () => {
    const { open, keychain, folder } = bench();
    keychain.failure = new PosternError('KC_DENIED', { stage: 'storage' });
    const vault = await open();
    await expect(vault.ready()).rejects.toMatchObject({ code: 'KC_DENIED' });
    await expect(vault.write(tokensKey, 1)).rejects.toMatchObject({ code: 'KC_DENIED' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails with KC_WRITE_UNVERIFIED if the keychain does not store the key (KC-09)', async () => {
    const { open, keychain, folder } = bench();
    const lossy = { ...keychain, write: async () => {} };
    await expect((await open({ keychain: lossy })).ready()).rejects.toMatchObject({ code: 'KC_WRITE_UNVERIFIED' });
    expect(readdirSync(folder)).toEqual(['locks']);
  });

  it('fails with KC_WRITE_UNVERIFIED if the disk does not store the record (RF-01, KC-09)', async () => {
    const { open } = bench();
    await (await open()).ready();
    const vault = await open({ replace: async () => {} });
    await expect(vault.write(tokensKey, 1)).rejects.toMatchObject({ code: 'KC_WRITE_UNVERIFIED' });
  });

  it('fails with KC_UNAVAILABLE, naming both, if another kind of keychain sealed it (KC-04)', async () => {
    const { open, keychain, rewrite } = bench();
    await (await open()).write(tokensKey, 1);
    rewrite((document) => ({ ...document, backend: 'basic_text\u001b[2J' }));
    keychain.calls.length = 0;
    await expect((await open({ backend: 'libsecret' })).read(tokensKey)).rejects.toMatchObject({
      code: 'KC_UNAVAILABLE',
      detail: { from: 'basic_text2J', to: 'libsecret' },
    });
    expect(keychain.calls).toEqual([]);
  });

  it('fails with KC_CORRUPT for a changed or moved record, and can replace or delete it (KC-08)', async () => {
    const { open, rewrite } = bench();
    const vault = await open();
    await vault.write(tokensKey, 1);
    await vault.write(credentialsKey, 2);
    rewrite((document) => {
      const [tokens, credentials] = document.records;
      return {
        ...document,
        records: [
          { ...tokens, sealed: credentials?.['sealed'] },
          { ...credentials, sealed: 5 },
        ],
      };
    });
    await expect(vault.read(tokensKey)).rejects.toMatchObject({ code: 'KC_CORRUPT' });
    await expect(vault.read(credentialsKey)).rejects.toMatchObject({ code: 'KC_CORRUPT' });
    await vault.write(tokensKey, 3);
    await vault.delete(credentialsKey);
    expect(await vault.read(tokensKey)).toBe(3);
    expect(await vault.read(credentialsKey)).toBeUndefined();
  });

  it.each([
    ['not JSON', () => '{"version": 1'],
    ['another shape', () => '[]'],
    ['empty', () => ''],
    ['null', () => 'null'],
    ['5,000 levels deep', () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ])('fails with KC_CORRUPT for a file that is %s, and a new sign-in starts over', async (_, content) => {
    const { open, file, folder } = bench();
    const vault = await open();
    await vault.write(tokensKey, 1);
    writeFileSync(file, content());
    await expect(vault.read(tokensKey)).rejects.toMatchObject({ code: 'KC_CORRUPT' });
    expect(await vault.keysOf('one')).toEqual([]);
    await expect(vault.delete(tokensKey)).resolves.toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe(content());
    const next = await open();
    await next.ready();
    await next.write(tokensKey, 2);
    expect(await next.read(tokensKey)).toBe(2);
    expect(readFileSync(path.join(folder, 'vault.corrupt-1'), 'utf8')).toBe(content());
  });

  it('fails with CFG_NEWER for a vault of a newer version, and changes nothing (CF-10)', async () => {
    const { open, rewrite, file } = bench();
    const vault = await open();
    await vault.write(tokensKey, 1);
    rewrite((document) => ({ ...document, version: 2 }));
    const before = readFileSync(file, 'utf8');
    const attempts = [vault.ready(), vault.read(tokensKey), vault.write(tokensKey, 2), vault.delete(tokensKey)];
    for (const result of await Promise.allSettled(attempts)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'CFG_NEWER' } });
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('rejects a symbolic link in place of the vault', async () => {
    const { open, file, folder } = bench();
    const vault = await open();
    await vault.write(tokensKey, 1);
    const elsewhere = path.join(folder, 'elsewhere');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const before = readFileSync(elsewhere, 'utf8');
    await expect(vault.read(tokensKey)).rejects.toMatchObject({ code: 'CFG_LINK' });
    await expect(vault.write(tokensKey, 2)).rejects.toMatchObject({ code: 'CFG_LINK' });
    expect(readFileSync(elsewhere, 'utf8')).toBe(before);
  });

  it('starts over with the same key if the file was deleted meanwhile', async () => {
    const { open, file, folder, keychain } = bench();
    const vault = await open();
    await vault.write(tokensKey, 1);
    renameSync(file, path.join(folder, 'moved'));
    expect(await vault.read(tokensKey)).toBeUndefined();
    await vault.write(tokensKey, 2);
    expect(await (await open()).read(tokensKey)).toBe(2);
    expect(keychain.entries.size).toBe(1);
  });

  it('uses the key of a vault that another process recreated', async () => {
    const { open, file, folder } = bench();
    const vault = await open();
    await vault.write(tokensKey, 1);
    renameSync(file, path.join(folder, 'moved'));
    await (await open()).write(tokensKey, 'other');
    expect(await vault.read(tokensKey)).toBe('other');
  });
});

describe('createMemoryVault', () => {
  vaultContract(async () => createMemoryVault());

  it('is not persistent', async () => {
    expect(createMemoryVault().isPersistent).toBe(false);
    expect((await bench().open()).isPersistent).toBe(true);
  });
});
