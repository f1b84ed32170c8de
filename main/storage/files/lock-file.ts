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
import { refuseLinks, refuseUnlessFileOrNothing } from '../../plain-file.ts';
import { errnoOf, makeFolder, toFileSystemError } from './file-system-error.ts';

/** A lock that this process holds, until `release`. */
export interface HeldLock {
  release(): void;
}

/** Primary result codes of SQLite. */
const busy = 5;
const notOurs = new Set([11, 26]);
const refused = new Set([3, 8, 14, 23]);
const diskFull = 13;

/** Where the lock of `name` lives. Names that a file system could mistake for one another are hashed. */
export function lockFilePath(folder: string, name: string): string {
  const plain = /^[a-z0-9-]{1,64}$/.test(name);
  const base = plain ? name : `h-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  return path.join(folder, 'locks', `${base}.lock`);
}

/**
 * Takes the kernel lock on `file` if nobody has it, without waiting; `undefined` when somebody has.
 * The kernel frees it when the process dies, however it dies, and keeps it while the process is stopped.
 * Errors: CFG_LINK, CFG_READONLY, CFG_DISK_FULL (stage `storage`).
 */
export async function tryLockFile(file: string): Promise<HeldLock | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  prepare(file);
  const inode = inodeOf(file);
  if (inode === undefined) return undefined;
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    // Removed meanwhile, its journal too: nothing is wrong with the disk.
    if (inodeOf(file) !== inode) return undefined;
    // The primary code is in the lowest byte.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (code === busy) return undefined;
    if (code === diskFull) throw new PosternError('CFG_DISK_FULL', { stage: 'storage', cause: error });
    if (refused.has(code)) throw new PosternError('CFG_READONLY', { stage: 'storage', cause: error });
    if (!notOurs.has(code)) throw toFileSystemError(error, 'storage');
    // Nothing is ever written to a lock file; emptied in place, it keeps its inode and with it others' locks.
    truncateSync(file);
    return undefined;
  }
  const held = database;
  // Removed meanwhile: others make a new file, so a lock on this one keeps nobody out.
  if (inodeOf(file) !== inode) {
    held.close();
    return undefined;
  }
  return { release: () => held.close() };
}

/** Removes the files of all locks below `folder` that nobody holds. Never throws: they hold nothing. */
export async function removeLockFiles(folder: string): Promise<void> {
  for (const name of namesOf(path.join(folder, 'locks'))) {
    if (!/\.lock(-next)?$/.test(name)) continue;
    const file = path.join(folder, 'locks', name);
    try {
      // Windows removes no file that anybody has open, and so neither one that is held.
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
 * SQLite would make the file 0644, and would open one that it may not write without locking it for others.
 * Synchronous: closing a descriptor drops every lock of this process on that file, so none may be taken in between.
 */
function prepare(file: string): void {
  try {
    refuseLinks(path.dirname(file));
    // SQLite looks at both journals too, and waits for a pipe.
    for (const part of ['', '-journal', '-wal']) refuseUnlessFileOrNothing(`${file}${part}`);
    if (existsSync(file)) return accessSync(file, constants.W_OK);
    makeFolder(path.dirname(file), 'storage');
    createUnlessThere(file);
  } catch (error) {
    // Somebody removes lock files; the next try finds out what is there.
    if (errnoOf(error) === 'ENOENT') return;
    throw toFileSystemError(error, 'storage');
  }
}

function createUnlessThere(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
