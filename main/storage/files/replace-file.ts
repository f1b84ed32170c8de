import { open, readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../postern-error.ts';
import { syncFolder } from '../../sync-folder.ts';
import { toFileSystemError } from './file-system-error.ts';

/** Every moment at which a crash leaves something else on the disk. */
export const replaceSteps = ['sweep', 'create', 'write', 'sync', 'compare', 'rename', 'sync-folder', 'done'] as const;

export type ReplaceStep = (typeof replaceSteps)[number];

/**
 * Puts `bytes` in place of `file`, whole or not at all (mode 0600). To be called under the lock that guards `file`:
 * temporary files that a crash left behind are removed first. `beforeStep` lets a test stop in between.
 * Errors: CFG_DISK_FULL, CFG_READONLY (stage `storage`), the old file then being as it was.
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  beforeStep: (step: ReplaceStep) => void = () => {},
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = `${file}.tmp-${crypto.randomUUID()}`;
  try {
    beforeStep('sweep');
    await removeTemporaryFiles(file);
    beforeStep('create');
    const handle = await open(temporary, 'wx', 0o600);
    try {
      beforeStep('write');
      await handle.writeFile(bytes);
      beforeStep('sync');
      await handle.sync();
    } finally {
      await handle.close();
    }
    beforeStep('compare');
    // A write that was cut short is not always an error (a nearly full disk), so what is there is what counts.
    if (!(await readFile(temporary)).equals(bytes)) throw new PosternError('CFG_DISK_FULL', { stage: 'storage' });
    beforeStep('rename');
    await rename(temporary, file);
    beforeStep('sync-folder');
    await syncFolder(folder);
    beforeStep('done');
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw toFileSystemError(error, 'storage');
  }
}

/** Puts `from` in the place of `to` in the same folder, so that it lasts. Errors: CFG_DISK_FULL, CFG_READONLY. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(path.dirname(to));
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

/** Removes what an interrupted replacement of `file` left beside it. */
export async function removeTemporaryFiles(file: string): Promise<void> {
  const prefix = `${path.basename(file)}.tmp-`;
  const folder = path.dirname(file);
  const stale = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  await Promise.all(stale.map((name) => rm(path.join(folder, name), { force: true })));
}
