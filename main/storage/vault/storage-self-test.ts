import { randomUUID } from 'node:crypto';
import type { Keychain, Vault } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { toFileSystemError } from '../files/file-system-error.ts';

export interface StorageFinding {
  readonly name: 'keychain' | 'vault';
  /** Absent when all went well. */
  readonly error?: PosternError;
}

/**
 * Writes, reads and deletes an entry in the keychain and a record in the vault. Never throws; leaves nothing behind.
 */
export async function testStorage({
  keychain,
  vault,
}: {
  keychain: Keychain;
  vault: Vault;
}): Promise<StorageFinding[]> {
  const found = await attempt('keychain', () => tryKeychain(keychain));
  // Without a keychain the vault cannot be opened either; asking again would mean a second time limit.
  return found.error
    ? [found, { name: 'vault', error: found.error }]
    : [found, await attempt('vault', () => tryVault(vault))];
}

async function attempt(name: StorageFinding['name'], work: () => Promise<void>): Promise<StorageFinding> {
  try {
    await work();
    return { name };
  } catch (error) {
    return { name, error: toFileSystemError(error, 'storage') };
  }
}

async function tryKeychain(keychain: Keychain): Promise<void> {
  const account = `self-test-${randomUUID()}`;
  await keychain.write(account, account);
  const kept = await keychain.read(account);
  await keychain.delete(account);
  if (kept !== account || (await keychain.read(account)) !== null) throw unverified();
}

async function tryVault(vault: Vault): Promise<void> {
  const key = { kind: 'header', owner: `self-test-${randomUUID()}`, server: 'self-test' } as const;
  await vault.write(key, key.owner);
  const kept = await vault.read(key);
  await vault.delete(key);
  if (kept !== key.owner || (await vault.read(key)) !== undefined) throw unverified();
}

function unverified(): PosternError {
  return new PosternError('KC_WRITE_UNVERIFIED', { stage: 'storage' });
}
