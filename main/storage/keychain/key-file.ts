import { randomBytes } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { readPlainFile } from '../../plain-file.ts';

/** Bytes: of a passphrase or key file at most, of a new passphrase and of a key file at least. */
export const keySecret = { most: 65_536, passphrase: 12, file: 32 } as const;

/** Owner and permissions do not keep others from it. */
class SharedSecret extends Error {}

/**
 * A file with a secret of its own: an ordinary file (a link leads to it, as where a cluster mounts secrets) that is this
 * user's or the system's, and that nobody else may read or write. `credential`: the service manager made it, which may
 * let a user read it by an access list, shown as its group. Errors: KEY_FILE_UNSAFE, KEY_FILE_MISSING.
 */
export async function readSecretFile(file: string, { credential = false } = {}): Promise<Buffer> {
  const check = ({ uid, mode }: Stats): void => {
    const own = process.getuid?.();
    if (own === undefined) return;
    const others = credential ? 0o027 : 0o077;
    if ((uid !== own && uid !== 0) || (mode & others) !== 0) throw new SharedSecret('shared');
  };
  const detail = { file: path.basename(file) };
  try {
    const bytes = await readPlainFile(file, { limit: keySecret.most, follow: true, check });
    if (bytes) return bytes;
  } catch (error) {
    const code = error instanceof SharedSecret ? 'KEY_FILE_UNSAFE' : 'KEY_FILE_MISSING';
    throw new PosternError(code, { stage: 'storage', cause: error, detail });
  }
  throw new PosternError('KEY_FILE_MISSING', { stage: 'storage', detail });
}

/** A new key file of 32 random bytes that only this user can read; never over one that is there. Errors: KEY_FILE_MISSING. */
export async function makeKeyFile(file: string): Promise<Buffer> {
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

/** All that a descriptor gives, which is closed then: no child is to find it. Errors: KEY_FILE_MISSING. */
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
      if (length > keySecret.most) throw new Error('too long');
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
