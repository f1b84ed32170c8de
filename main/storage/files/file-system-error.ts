import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalog/storage-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { linkErrorCode, notAFileCode } from '../../plain-file.ts';

/** EFBIG and EDQUOT: to the user, a size limit or a quota is a full disk. */
const diskFullErrnos = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const readOnlyErrnos = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG']);
/** A pipe, socket, device or folder where a file was expected. */
const notAFileErrnos = new Set([notAFileCode, 'ENXIO']);

/** The `code` of a Node system error (`ENOENT`), if it is one. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Maps a file system error to CFG_LINK, CFG_DISK_FULL, CFG_READONLY or else INTERNAL. A PosternError passes through.
 */
export function toFileSystemError(error: unknown, stage: Stage): PosternError {
  if (error instanceof PosternError) return error;
  const errno = errnoOf(error) ?? '';
  if (notAFileErrnos.has(errno))
    return new PosternError('CFG_READONLY', {
      stage,
      cause: error,
      detail: { reason: 'not-a-file', ...fileOf(error) },
      remedy: storageRemedies.notAFile,
    });
  if (errno === linkErrorCode) return new PosternError('CFG_LINK', { stage, cause: error, detail: fileOf(error) });
  if (diskFullErrnos.has(errno)) return new PosternError('CFG_DISK_FULL', { stage, cause: error });
  if (readOnlyErrnos.has(errno)) return new PosternError('CFG_READONLY', { stage, cause: error });
  return new PosternError('INTERNAL', { stage, cause: error });
}

function fileOf(error: unknown): Readonly<Record<string, string>> {
  const file = error instanceof Error ? (error as NodeJS.ErrnoException).path : undefined;
  return file === undefined ? {} : { file: path.basename(file) };
}

/**
 * Creates a folder and its parents with mode 0700; existing ones are left alone. Not Node's `recursive` option, which
 * loops forever on file systems that return ENOENT because they cannot hold new folders (`/proc`).
 * Errors: CFG_READONLY, CFG_DISK_FULL.
 */
export function makeFolder(folder: string, stage: Stage): void {
  const missing: string[] = [];
  try {
    let current = path.resolve(folder);
    while (!tryMakeFolder(current)) {
      missing.push(current);
      current = path.dirname(current);
    }
    for (const child of missing.toReversed()) {
      if (!tryMakeFolder(child)) throw new PosternError('CFG_READONLY', { stage });
    }
  } catch (error) {
    throw toFileSystemError(error, stage);
  }
}

/** `false`: the parent is missing, according to the file system. */
function tryMakeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && path.dirname(folder) !== folder) return false;
    // An existing folder can also fail with EPERM or EROFS (a Windows drive, a read-only file system).
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    throw error;
  }
}
