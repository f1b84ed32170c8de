import type { Keychain, Random } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import { vaultKeyLength } from './sealed-record.ts';
import type { VaultContent } from './vault-file.ts';

/** The key that opens a vault, and the keychain account that it stands under. */
export interface VaultCipherKey {
  readonly account: string;
  readonly bytes: Uint8Array;
}

/**
 * The key of a vault that exists. None in the keychain is KC_LOCKED and never a reason to make one: that would destroy
 * what is sealed, and a locked keyring looks the same. Errors: KC_*; KC_UNAVAILABLE when another keychain sealed it.
 */
export async function fetchVaultKey(
  { account, backend }: Pick<VaultContent, 'account' | 'backend'>,
  keychain: Keychain,
  currentBackend: string,
): Promise<VaultCipherKey> {
  if (backend !== currentBackend) {
    const detail = { from: backend.replaceAll(/[^\w -]/g, ''), to: currentBackend };
    throw new PosternError('KC_UNAVAILABLE', { stage: 'storage', detail });
  }
  const text = await keychain.read(account);
  if (text === null) throw new PosternError('KC_LOCKED', { stage: 'storage', detail: { file: 'vault' } });
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== vaultKeyLength) throw new PosternError('KC_CORRUPT', { stage: 'storage' });
  return { account, bytes };
}

/** Makes a key and keeps it under `account`, which a file has to name before. Under the profile lock. Errors: KC_*, KC_WRITE_UNVERIFIED. */
export async function makeVaultKey(keychain: Keychain, random: Random, account: string): Promise<VaultCipherKey> {
  const bytes = random.bytes(vaultKeyLength);
  const text = Buffer.from(bytes).toString('base64');
  await keychain.write(account, text);
  if ((await keychain.read(account)) !== text) throw new PosternError('KC_WRITE_UNVERIFIED', { stage: 'storage' });
  return { account, bytes };
}
