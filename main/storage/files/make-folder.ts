import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import { errnoOf, toFileSystemError } from './file-system-error.ts';

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
