import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { createKeyring } from '../../../../../main/storage/keychain/keyring.ts';
import type { KeyringFile, KeyringKind } from '../../../../../main/storage/keychain/keyring.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function openFolder(folder = temporaryFolder()) {
  let asked = 0;
  const open = ({
    mayMake = true,
    secret = 'k'.repeat(40),
    kind = 'file',
  }: { mayMake?: boolean; secret?: string; kind?: KeyringKind } = {}) =>
    createKeyring({
      folder,
      kind,
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

  const salt = '0'.repeat(32);
  const scrypt = { name: 'scrypt', cost: 131_072, blockSize: 8, parallelization: 1, salt };

  it.each([
    ['a cost of 1,024', { ...scrypt, cost: 1_024 }],
    ['a cost that takes all memory', { ...scrypt, cost: 2 ** 30 }],
    ['blocks of one', { ...scrypt, blockSize: 1 }],
    ['no salt', { ...scrypt, salt: '' }],
    ['another function', { name: 'hkdf-sha256', salt }],
  ])('takes no keyring of a passphrase with %s, and derives nothing by it', async (_, derivation) => {
    const { folder, file, asked, open, edit } = openFolder();
    await open().write('vault-1', 'one');
    edit(() => ({ kind: 'passphrase', derivation }));
    const before = { asked: asked(), text: readFileSync(file, 'utf8') };
    await expect(openFolder(folder).open({ kind: 'passphrase' }).read('vault-1')).rejects.toMatchObject({
      code: 'KEYRING_UNREADABLE',
    });
    expect({ asked: asked(), text: readFileSync(file, 'utf8') }).toEqual(before);
  });

  it('lets what nobody can open any more be deleted', async () => {
    const { open, file } = openFolder();
    await open().write('vault-1', 'one');
    await open({ secret: 'w'.repeat(40) }).delete('vault-1');
    expect(readFileSync(file, 'utf8')).not.toContain('vault-1');
  });
});
