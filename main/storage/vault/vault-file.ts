import { createCipheriv, createDecipheriv } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { PosternError } from '../../errors/postern-error.ts';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { Random, VaultKey } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { memoizeParse, unusedCopyName } from '../files/replace-file.ts';

export const vaultVersion = 1;

const recordSchema = z.strictObject({
  kind: z.enum(['tokens', 'credentials', 'registration', 'header', 'environment', 'app']),
  owner: z.string(),
  /**
   * For a header, the server's URL; for an environment, the command. The member's name predates those kinds.
   */
  issuer: z.string(),
  /** Validated when it is opened, so that one bad record does not hide the others. */
  sealed: z.unknown(),
});

const contentSchema = z.strictObject({
  version: z.literal(vaultVersion),
  /** Keychain account of the key. */
  account: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Which system keychain holds the key; see `keychainBackend`. */
  backend: z.string().check(z.maxLength(100)),
  records: z.array(z.unknown()),
});

/** The vault file is unreadable as a whole. */
export class DamagedVault extends PosternError {}

/** A newer version of Postern wrote the file, and only that version can read it. */
export class NewerVault extends PosternError {}

export type VaultRecord = z.infer<typeof recordSchema>;

export interface VaultContent extends Omit<z.infer<typeof contentSchema>, 'records'> {
  readonly records: readonly VaultRecord[];
}

export function vaultPath(folder: string): string {
  return path.join(folder, 'vault');
}

/**
 * Reads the vault file; `undefined` if there is none. Not cached, because another process may replace it.
 * Errors: KC_CORRUPT; CFG_NEWER if a newer version wrote it; CFG_READONLY if there is no read permission.
 */
export async function readVaultFile(folder: string): Promise<VaultContent | undefined> {
  const text = await readText(vaultPath(folder));
  return text === undefined ? undefined : readContent(text);
}

const readContent = memoizeParse((text: string): VaultContent => {
  const document = parse(text);
  const version = (document as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > vaultVersion) {
    throw new NewerVault('CFG_NEWER', { stage: 'storage' });
  }
  const content = contentSchema.safeParse(document);
  if (!content.success) throw new DamagedVault('KC_CORRUPT', { stage: 'storage', cause: content.error });
  // A record without a valid key could never be requested.
  const records = content.data.records.flatMap((record) => recordSchema.safeParse(record).data ?? []);
  return { ...content.data, records };
});

export function renderVaultFile(content: VaultContent): Uint8Array {
  return Buffer.from(`${JSON.stringify(content, null, 1)}\n`);
}

/** Renames an unreadable vault to `vault.corrupt-<n>`. Call it under the profile lock. */
export async function setVaultAside(folder: string): Promise<string> {
  try {
    const name = await unusedCopyName(folder, 'vault', '');
    await rename(vaultPath(folder), path.join(folder, name));
    return name;
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

export function isRecordOf(record: VaultRecord, key: VaultKey): boolean {
  return record.kind === key.kind && record.owner === key.owner && record.issuer === scopeOf(key);
}

/** The key of a record, as stored in the file. */
export function storedKeyOf(key: VaultKey): Omit<VaultRecord, 'sealed'> {
  return { kind: key.kind, owner: key.owner, issuer: scopeOf(key) };
}

/** The inverse of `storedKeyOf`. */
export function keyOfRecord({ kind, owner, issuer }: VaultRecord): VaultKey {
  switch (kind) {
    case 'header':
      return { kind, owner, server: issuer };
    case 'environment':
      return { kind, owner, command: issuer };
    case 'app':
      return { kind, owner };
    default:
      return { kind, owner, issuerKey: issuer };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedVault('KC_CORRUPT', { stage: 'storage', cause: error });
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    const bytes = await readPlainFile(file, { limit: fileBytes.vault, follow: false });
    if (!bytes) throw new DamagedVault('KC_CORRUPT', { stage: 'storage' });
    return bytes.toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileSystemError(error, 'storage');
  }
}

const nonceLength = 12;
const tagLength = 16;

/** Bytes of the key in the keychain. */
export const vaultKeyLength = 32;

/** Seals `text` with AES-256-GCM (NIST SP 800-38D): base64 of nonce, tag, ciphertext. */
export function sealRecord(cipherKey: Uint8Array, key: VaultKey, text: string, random: Random): string {
  const nonce = random.bytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(key));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Opens a record that was sealed for the same `key`. Errors: KC_CORRUPT. */
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

/** What a record is bound to besides its owner: the third part of its key. */
export function scopeOf(key: VaultKey): string {
  switch (key.kind) {
    case 'header':
      return key.server;
    case 'environment':
      return key.command;
    case 'app':
      return '';
    default:
      return key.issuerKey;
  }
}

/** JSON, so that no characters in the parts can make two keys look alike. */
function associatedData(key: VaultKey): Buffer {
  return Buffer.from(JSON.stringify(['postern-vault-1', key.kind, key.owner, scopeOf(key)]));
}

/** A record as JSON. Fails with INTERNAL if it contains a `Secret`, which would be stored as "[secret]" and lost. */
export function renderRecord(value: unknown): string {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name, rendered: unknown) {
    if (this[name] instanceof Secret) throw new PosternError('INTERNAL', { stage: 'storage' });
    return rendered;
  }) as string | undefined;
  if (text === undefined) throw new PosternError('INTERNAL', { stage: 'storage' });
  return text;
}
