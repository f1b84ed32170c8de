import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random, VaultKey } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

const nonceLength = 12;
const tagLength = 16;

/** Bytes of the key that the keychain holds. */
export const vaultKeyLength = 32;

/** Seals `text` with AES-256-GCM (NIST SP 800-38D): base64 of nonce, tag, ciphertext. */
export function sealRecord(cipherKey: Uint8Array, key: VaultKey, text: string, random: Random): string {
  const nonce = random.bytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(key));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Opens what `sealRecord` made for the same `key`. Errors: KC_CORRUPT for anything else. */
export function openRecord(cipherKey: Uint8Array, key: VaultKey, sealed: unknown): string {
  try {
    const bytes = Buffer.from(String(sealed), 'base64');
    const nonce = bytes.subarray(0, nonceLength);
    const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength });
    decipher.setAAD(associatedData(key));
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    const text = decipher.update(bytes.subarray(nonceLength + tagLength));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (error) {
    throw new PosternError('KC_CORRUPT', { stage: 'storage', cause: error });
  }
}

/** What a record belongs to beside its owner. It is the third part of every name, at rest too. */
export function originOf(key: VaultKey): string {
  switch (key.kind) {
    case 'header':
      return key.server;
    case 'environment':
      return key.command;
    case 'program':
      return '';
    default:
      return key.issuerKey;
  }
}

/** JSON keeps the parts apart, whatever characters they hold. */
function associatedData(key: VaultKey): Buffer {
  return Buffer.from(JSON.stringify(['postern-vault-1', key.kind, key.owner, originOf(key)]));
}
