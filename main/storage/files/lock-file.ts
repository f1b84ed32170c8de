import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { refuseLinks, requirePlainFileIfExists } from '../../plain-file.ts';
import { errnoOf, makeFolder, toFileSystemError } from './file-system-error.ts';

/** A lock that this process holds until `release`. */
export interface HeldLock {
  release(): void;
}

/** SQLite primary result codes. */
const busyCode = 5;
const notADatabaseCodes = new Set([11, 26]);
const deniedCodes = new Set([3, 8, 14, 23]);
const diskFullCode = 13;

/** Path of the lock file. Names that a file system might confuse (case, special characters) are hashed. */
export function lockFilePath(folder: string, name: string): string {
  const plain = /^[a-z0-9-]{1,64}$/.test(name);
  const base = plain ? name : `h-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  return path.join(folder, 'locks', `${base}.lock`);
}

/**
 * Tries to take the kernel lock on `file` without waiting; `undefined` if it is taken. The kernel releases it when the
 * process dies, however it dies, and keeps it while the process is suspended.
 * Errors: CFG_LINK, CFG_READONLY, CFG_DISK_FULL (stage `storage`).
 */
export async function tryLockFile(file: string): Promise<HeldLock | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  prepareLockFile(file);
  const inode = inodeOf(file);
  if (inode === undefined) return undefined;
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    // The file and its journal were removed meanwhile: not a disk error.
    if (inodeOf(file) !== inode) return undefined;
    // The primary code is in the lowest byte.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (code === busyCode) return undefined;
    if (code === diskFullCode) throw new PosternError('CFG_DISK_FULL', { stage: 'storage', cause: error });
    if (deniedCodes.has(code)) throw new PosternError('CFG_READONLY', { stage: 'storage', cause: error });
    if (!notADatabaseCodes.has(code)) throw toFileSystemError(error, 'storage');
    // Lock files never have content. Truncating in place keeps the inode, and with it the locks of other processes.
    truncateSync(file);
    return undefined;
  }
  const held = database;
  // The file was removed meanwhile. Others will create a new one, so a lock on this inode excludes nobody.
  if (inodeOf(file) !== inode) {
    held.close();
    return undefined;
  }
  return { release: () => held.close() };
}

/** Removes all lock files below `folder` that are not held. Best effort; never throws. */
export async function removeLockFiles(folder: string): Promise<void> {
  for (const name of namesOf(path.join(folder, 'locks'))) {
    if (!/\.lock(-next)?$/.test(name)) continue;
    const file = path.join(folder, 'locks', name);
    try {
      // Windows refuses to remove an open file, so a held lock is safe.
      if (process.platform === 'win32') rmSync(file);
      else {
        const held = await tryLockFile(file);
        if (held) rmSync(file);
        held?.release();
      }
    } catch {
      // In use, or not ours to remove.
    }
  }
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

/**
 * SQLite would create the file with mode 0644, and would open a read-only file without a lock that excludes others.
 * Synchronous: closing a descriptor drops every POSIX lock of this process on that file, so none may be taken
 * while it is open.
 */
function prepareLockFile(file: string): void {
  try {
    refuseLinks(path.dirname(file));
    // SQLite also opens both journals, and would block on a named pipe.
    for (const suffix of ['', '-journal', '-wal']) requirePlainFileIfExists(`${file}${suffix}`);
    if (existsSync(file)) return accessSync(file, constants.W_OK);
    makeFolder(path.dirname(file), 'storage');
    createIfMissing(file);
  } catch (error) {
    // Another process is removing lock files; the next attempt sees the result.
    if (errnoOf(error) === 'ENOENT') return;
    throw toFileSystemError(error, 'storage');
  }
}

function createIfMissing(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
