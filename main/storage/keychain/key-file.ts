import { randomBytes } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { readPlainFile } from '../../plain-file.ts';

/** Bytes. `most`: any passphrase or key file; `passphrase`, `file`: minimum of a new passphrase and of a key file. */
export const secretBytes = { max: 65_536, minPassphrase: 12, minKeyFile: 32 } as const;

/** Owner or permissions give others access. */
class SharedSecret extends Error {}

/**
 * Reads a secret from an ordinary file that belongs to this user or root and that nobody else may read or write. Links
 * are followed, because clusters mount secrets as links. `credential`: created by the service manager, which may grant
 * access by an ACL that shows up as group permissions. Errors: KEY_FILE_UNSAFE, KEY_FILE_MISSING.
 */
export async function readSecretFile(file: string, { credential = false } = {}): Promise<Buffer> {
  const check = ({ uid, mode }: Stats): void => {
    const ownUid = process.getuid?.();
    if (ownUid === undefined) return;
    const forbiddenBits = credential ? 0o027 : 0o077;
    if ((uid !== ownUid && uid !== 0) || (mode & forbiddenBits) !== 0) throw new SharedSecret('shared');
  };
  const detail = { file: path.basename(file) };
  try {
    const bytes = await readPlainFile(file, { limit: secretBytes.max, follow: true, check });
    if (bytes) return bytes;
  } catch (error) {
    const code = error instanceof SharedSecret ? 'KEY_FILE_UNSAFE' : 'KEY_FILE_MISSING';
    throw new PosternError(code, { stage: 'storage', cause: error, detail });
  }
  throw new PosternError('KEY_FILE_MISSING', { stage: 'storage', detail });
}

/** Creates a key file of 32 random bytes, mode 0600. Never overwrites an existing file. Errors: KEY_FILE_MISSING. */
export async function createKeyFile(file: string): Promise<Buffer> {
  const bytes = Buffer.from(`${randomBytes(32).toString('base64')}\n`);
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(file, 0o600);
    return bytes;
  } catch (error) {
    throw new PosternError('KEY_FILE_MISSING', {
      stage: 'storage',
      cause: error,
      detail: { file: path.basename(file) },
    });
  }
}

/** Reads a file descriptor to its end and closes it, so that no child inherits it. Errors: KEY_FILE_MISSING. */
export function readSecretDescriptor(descriptor: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      const chunk = Buffer.alloc(4_096);
      const count = readSync(descriptor, chunk);
      if (count === 0) break;
      length += count;
      chunks.push(chunk.subarray(0, count));
      if (length > secretBytes.max) throw new Error('too long');
    }
    if (descriptor > 2) closeSync(descriptor);
  } catch (error) {
    throw new PosternError('KEY_FILE_MISSING', {
      stage: 'storage',
      cause: error,
      detail: { descriptor },
    });
  }
  return Buffer.concat(chunks);
}
