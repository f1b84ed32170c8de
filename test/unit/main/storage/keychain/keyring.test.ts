import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { createKeyring } from '../../../../../main/storage/keychain/keyring.ts';
import type { KeyringFile, KeyringKind } from '../../../../../main/storage/keychain/keyring.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function openFolder(folder = temporaryFolder()) {
  let secretRequests = 0;
  const open = ({
    mayCreate = true,
    secret = 'k'.repeat(40),
    kind = 'file',
  }: { mayCreate?: boolean; secret?: string; kind?: KeyringKind } = {}) =>
    createKeyring({
      folder,
      kind,
      locks: createLocks(folder),
      mayCreate,
      secret: async () => {
        secretRequests += 1;
        return Buffer.from(secret);
      },
    });
  const file = path.join(folder, 'keyring');
  const edit = (change: (keyring: KeyringFile) => object): void => {
    const keyring = JSON.parse(readFileSync(file, 'utf8')) as KeyringFile;
    writeFileSync(file, JSON.stringify({ ...keyring, ...change(keyring) }));
  };
  return { folder, open, file, edit, secretRequests: () => secretRequests };
}

describe('createKeyring', () => {
  it('stores values that only the secret opens, and requests the secret once', async () => {
    const { open, secretRequests, file } = openFolder();
    await open().write('vault-1', 'secret value');
    expect(readFileSync(file, 'utf8')).not.toContain('secret value');
    const again = open();
    const before = secretRequests();
    expect(await Promise.all([again.read('vault-1'), again.read('vault-2'), again.read('vault-1')])).toEqual([
      'secret value',
      null,
      'secret value',
    ]);
    expect(secretRequests()).toBe(before + 1);
    await again.delete('vault-1');
    expect(await open().read('vault-1')).toBeNull();
  });

  it('is created only if allowed', async () => {
    const { open } = openFolder();
    const notAllowed = open({ mayCreate: false });
    expect(await notAllowed.read('vault-1')).toBeNull();
    await expect(notAllowed.write('vault-1', 'x')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
    await expect(notAllowed.probe()).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
  });

  it('is one file if two processes create it at once, with the values of both', async () => {
    const { folder, open } = openFolder();
    const other = openFolder(folder);
    await Promise.all([open().write('vault-1', 'one'), other.open().write('vault-2', 'two')]);
    expect([await open().read('vault-1'), await open().read('vault-2')]).toEqual(['one', 'two']);
  });

  it('detects a wrong secret before it writes or reads anything', async () => {
    const { open, file } = openFolder();
    await open().write('vault-1', 'one');
    const before = readFileSync(file, 'utf8');
    const wrong = open({ secret: 'w'.repeat(40) });
    const uses = [
      () => wrong.read('vault-1'),
      () => wrong.read('other'),
      () => wrong.write('vault-2', 'x'),
      () => wrong.probe(),
    ];
    for (const use of uses) await expect(use()).rejects.toMatchObject({ code: 'KEYRING_WRONG_KEY' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('opens no value under another name, and none after its key derivation was edited', async () => {
    const { open, edit } = openFolder();
    await open().write('vault-1', 'one');
    edit(({ keys }) => ({ keys: { 'vault-2': keys['vault-1'] } }));
    await expect(open().read('vault-2')).rejects.toMatchObject({ code: 'KEYRING_WRONG_KEY' });
    edit(({ derivation }) => ({ derivation: { ...derivation, salt: '0'.repeat(32) } }));
    await expect(open().read('vault-2')).rejects.toMatchObject({ code: 'KEYRING_WRONG_KEY' });
  });

  const salt = '0'.repeat(32);
  const scrypt = { name: 'scrypt', cost: 131_072, blockSize: 8, parallelization: 1, salt };

  it.each([
    ['a cost of 1,024', { ...scrypt, cost: 1_024 }],
    ['a cost that takes all memory', { ...scrypt, cost: 2 ** 30 }],
    ['blocks of one', { ...scrypt, blockSize: 1 }],
    ['no salt', { ...scrypt, salt: '' }],
    ['another function', { name: 'hkdf-sha256', salt }],
  ])('rejects a passphrase keyring with %s, and derives no key', async (_, derivation) => {
    const { folder, file, secretRequests, open, edit } = openFolder();
    await open().write('vault-1', 'one');
    edit(() => ({ kind: 'passphrase', derivation }));
    const before = { secretRequests: secretRequests(), text: readFileSync(file, 'utf8') };
    await expect(openFolder(folder).open({ kind: 'passphrase' }).read('vault-1')).rejects.toMatchObject({
      code: 'KEYRING_UNREADABLE',
    });
    expect({ secretRequests: secretRequests(), text: readFileSync(file, 'utf8') }).toEqual(before);
  });

  it('deletes values that can no longer be opened', async () => {
    const { open, file } = openFolder();
    await open().write('vault-1', 'one');
    await open({ secret: 'w'.repeat(40) }).delete('vault-1');
    expect(readFileSync(file, 'utf8')).not.toContain('vault-1');
  });
});
