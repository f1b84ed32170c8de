import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '../../../../../main/storage/keychain/keyring.ts';
import type { KeyringFile } from '../../../../../main/storage/keychain/keyring-file.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function openFolder(folder = temporaryFolder()) {
  let asked = 0;
  const open = ({ mayMake = true, secret = 'k'.repeat(40) } = {}) =>
    createKeyring({
      folder,
      kind: 'file',
      locks: createLocks(folder),
      mayMake,
      secret: async () => {
        asked += 1;
        return Buffer.from(secret);
      },
    });
  const file = path.join(folder, 'keyring');
  const edit = (change: (keyring: KeyringFile) => object): void => {
    const keyring = JSON.parse(readFileSync(file, 'utf8')) as KeyringFile;
    writeFileSync(file, JSON.stringify({ ...keyring, ...change(keyring) }));
  };
  return { folder, open, file, edit, asked: () => asked };
}

describe('createKeyring', () => {
  it('keeps what it is given, for whoever has the secret, and asks for that once', async () => {
    const { open, asked, file } = openFolder();
    await open().write('vault-1', 'secret value');
    expect(readFileSync(file, 'utf8')).not.toContain('secret value');
    const again = open();
    const before = asked();
    expect(await Promise.all([again.read('vault-1'), again.read('vault-2'), again.read('vault-1')])).toEqual([
      'secret value',
      null,
      'secret value',
    ]);
    expect(asked()).toBe(before + 1);
    await again.delete('vault-1');
    expect(await open().read('vault-1')).toBeNull();
  });

  it('is made only where somebody has said so', async () => {
    const { open } = openFolder();
    const unsaid = open({ mayMake: false });
    expect(await unsaid.read('vault-1')).toBeNull();
    await expect(unsaid.write('vault-1', 'x')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
    await expect(unsaid.prove()).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
  });

  it('is one where two make it at once, with what both have written', async () => {
    const { folder, open } = openFolder();
    const other = openFolder(folder);
    await Promise.all([open().write('vault-1', 'one'), other.open().write('vault-2', 'two')]);
    expect([await open().read('vault-1'), await open().read('vault-2')]).toEqual(['one', 'two']);
  });

  it('tells a wrong secret before it writes or reads anything', async () => {
    const { open, file } = openFolder();
    await open().write('vault-1', 'one');
    const before = readFileSync(file, 'utf8');
    const wrong = open({ secret: 'w'.repeat(40) });
    const uses = [
      () => wrong.read('vault-1'),
      () => wrong.read('other'),
      () => wrong.write('vault-2', 'x'),
      () => wrong.prove(),
    ];
    for (const use of uses) await expect(use()).rejects.toMatchObject({ code: 'KEYRING_WRONG_KEY' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('opens no value under another name, and none after its derivation was edited', async () => {
    const { open, edit } = openFolder();
    await open().write('vault-1', 'one');
    edit(({ keys }) => ({ keys: { 'vault-2': keys['vault-1'] } }));
    await expect(open().read('vault-2')).rejects.toMatchObject({ code: 'KEYRING_WRONG_KEY' });
    edit(({ derivation }) => ({ derivation: { ...derivation, salt: '0'.repeat(32) } }));
    await expect(open().read('vault-2')).rejects.toMatchObject({ code: 'KEYRING_WRONG_KEY' });
  });

  it.each([
    ['a cost of 1,024', { name: 'scrypt', cost: 1_024, blockSize: 8, parallelization: 1, salt: '0'.repeat(32) }],
    [
      'a cost that takes all memory',
      { name: 'scrypt', cost: 2 ** 30, blockSize: 8, parallelization: 1, salt: '0'.repeat(32) },
    ],
    ['no salt', { name: 'scrypt', cost: 131_072, blockSize: 8, parallelization: 1, salt: '' }],
    ['another function', { name: 'hkdf-sha256', salt: '0'.repeat(32) }],
  ])('takes no keyring of a passphrase with %s', async (_, derivation) => {
    const { open, edit } = openFolder();
    await open().write('vault-1', 'one');
    edit(() => ({ kind: 'passphrase', derivation }));
    await expect(open().read('vault-1')).rejects.toMatchObject({ code: 'KEYRING_UNREADABLE' });
  });

  it('lets what nobody can open any more be deleted', async () => {
    const { open, file } = openFolder();
    await open().write('vault-1', 'one');
    await open({ secret: 'w'.repeat(40) }).delete('vault-1');
    expect(readFileSync(file, 'utf8')).not.toContain('vault-1');
  });
});
