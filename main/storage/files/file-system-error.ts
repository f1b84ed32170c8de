import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalogue/storage-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { aLink, notAFile } from '../../plain-file.ts';

/** EFBIG and EDQUOT: a size limit or quota is a full disk to the person who meets it. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const refused = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG']);
/** A pipe, a socket, a device or a folder where a file should be. */
const unusual = new Set([notAFile, 'ENXIO']);

/** The `code` of a Node system error (`ENOENT`), if it is one. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Types what the file system refused: CFG_LINK, CFG_DISK_FULL, CFG_READONLY, else INTERNAL. A PosternError stays as it
 * is.
 */
export function toFileSystemError(error: unknown, stage: Stage): PosternError {
  if (error instanceof PosternError) return error;
  const errno = errnoOf(error) ?? '';
  if (unusual.has(errno))
    return new PosternError('CFG_READONLY', {
      stage,
      cause: error,
      detail: { reason: 'not-a-file', ...fileOf(error) },
      remedy: storageRemedies.notAFile,
    });
  if (errno === aLink) return new PosternError('CFG_LINK', { stage, cause: error, detail: fileOf(error) });
  if (full.has(errno)) return new PosternError('CFG_DISK_FULL', { stage, cause: error });
  if (refused.has(errno)) return new PosternError('CFG_READONLY', { stage, cause: error });
  return new PosternError('INTERNAL', { stage, cause: error });
}

function fileOf(error: unknown): Readonly<Record<string, string>> {
  const file = error instanceof Error ? (error as NodeJS.ErrnoException).path : undefined;
  return file === undefined ? {} : { file: path.basename(file) };
}

/**
 * Makes a folder, and what leads to it, each 0700; one that is there stays as it is. Not Node's `recursive`: where a
 * file system answers ENOENT because it has no room for new folders (`/proc`), that tries again for ever.
 * Errors: CFG_READONLY, CFG_DISK_FULL.
 */
export function makeFolder(folder: string, stage: Stage): void {
  const missing: string[] = [];
  try {
    let place = path.resolve(folder);
    while (!tryToMake(place)) {
      missing.push(place);
      place = path.dirname(place);
    }
    for (const later of missing.toReversed()) {
      if (!tryToMake(later)) throw new PosternError('CFG_READONLY', { stage });
    }
  } catch (error) {
    throw toFileSystemError(error, stage);
  }
}

/** `false`: what leads to it is missing, or so the file system says. */
function tryToMake(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && path.dirname(folder) !== folder) return false;
    // Some say EPERM or EROFS of a folder that is there (a drive on Windows, a file system without writing).
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    throw error;
  }
}
