import path from 'node:path';
import * as z from 'zod';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import { PosternError } from '../../postern-error.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { derivationSchema } from './keyring-key.ts';

const keyringSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(['passphrase', 'file']),
  derivation: derivationSchema,
  /** A value that is known, sealed: by it a wrong key is told before anything else is tried. */
  check: z.string().max(200),
  /** The sealed key of each vault, by the name that the vault has for it. */
  keys: z.record(z.string().max(200), z.string().max(1_000)),
});

/** The file that holds keys of a vault where no keychain does. */
export type KeyringFile = z.infer<typeof keyringSchema>;

export function keyringPath(folder: string): string {
  return path.join(folder, 'keyring');
}

/** `undefined` where there is none. Errors: KEYRING_UNREADABLE, CFG_LINK, CFG_READONLY. */
export async function readKeyring(folder: string): Promise<KeyringFile | undefined> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readPlainFile(keyringPath(folder), { limit: fileBytes.settings, follow: false });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileSystemError(error, 'storage');
  }
  try {
    const keyring = keyringSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
    if ((keyring.kind === 'passphrase') === (keyring.derivation.name === 'scrypt')) return keyring;
  } catch (error) {
    throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage', cause: error });
  }
  throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
}

export function renderKeyring(keyring: KeyringFile): Uint8Array {
  return Buffer.from(`${JSON.stringify(keyring, null, 1)}\n`);
}
