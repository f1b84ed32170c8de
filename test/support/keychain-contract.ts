import { expect, it } from 'vitest';
import type { Keychain } from '../../main/ports.ts';

/** What every implementation of the `Keychain` port must do. */
export function keychainContract(open: () => Keychain): void {
  it('reads what was written', async () => {
    const keychain = open();
    await keychain.write('contract-a', 'value');
    expect(await keychain.read('contract-a')).toBe('value');
  });

  it('replaces an entry', async () => {
    const keychain = open();
    await keychain.write('contract-b', 'old');
    await keychain.write('contract-b', 'new');
    expect(await keychain.read('contract-b')).toBe('new');
  });

  it('returns null for a missing entry', async () => {
    expect(await open().read('contract-none')).toBeNull();
  });

  it('separates entries by account', async () => {
    const keychain = open();
    await keychain.write('contract-c', 'c');
    await keychain.write('contract-d', 'd');
    await keychain.delete('contract-c');
    expect(await keychain.read('contract-c')).toBeNull();
    expect(await keychain.read('contract-d')).toBe('d');
  });

  it('deletes a missing entry without an error', async () => {
    await expect(open().delete('contract-none')).resolves.toBeUndefined();
  });

  it('proves that it stores entries, without touching existing ones', async () => {
    const keychain = open();
    await keychain.write('contract-proven', 'value');
    await expect(keychain.probe()).resolves.toBeUndefined();
    expect(await keychain.read('contract-proven')).toBe('value');
  });

  it('preserves every character of a value', async () => {
    const keychain = open();
    const value = 'ü€😀 "quoted" \\ \t end';
    await keychain.write('contract-text', value);
    expect(await keychain.read('contract-text')).toBe(value);
  });

  it('handles concurrent calls', async () => {
    const keychain = open();
    const accounts = Array.from({ length: 8 }, (_, index) => `contract-many-${index}`);
    await Promise.all(accounts.map((account) => keychain.write(account, account)));
    expect(await Promise.all(accounts.map((account) => keychain.read(account)))).toEqual(accounts);
  });
}
