import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';

/** Whether a window or `postern serve` answers the programs of a profile. Errors: CFG_*. */
export async function isServed(folder: string): Promise<boolean> {
  const free = await tryLockFile(lockFilePath(folder, 'gateway'));
  free?.release();
  return !free;
}
