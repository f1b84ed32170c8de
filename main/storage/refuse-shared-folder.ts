import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../postern-error.ts';

const writableByGroupOrOthers = 0o022;
const writableByOthers = 0o002;
const sticky = 0o1000;

/**
 * Refuses a profile folder in which another user of this computer could put or exchange files: one that is theirs, that
 * they may write to, or that lies in a folder where they may rename it. Rights of Windows are not looked at: a folder
 * below a person's own is closed to others there. Errors: CFG_SHARED (stage `settings`), those of the file system.
 */
export async function refuseSharedFolder(folder: string, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'win32') return;
  const real = await realpath(folder);
  const { uid, mode } = await stat(real);
  if (uid !== process.geteuid?.()) throw shared('owner', real);
  if ((mode & writableByGroupOrOthers) !== 0) throw shared('writable', real);
  for (let above = path.dirname(real); above !== path.dirname(above); above = path.dirname(above)) {
    const { mode: rights } = await stat(above);
    if ((rights & writableByOthers) !== 0 && (rights & sticky) === 0) throw shared('writable', above);
  }
}

function shared(reason: 'owner' | 'writable', folder: string): PosternError {
  return new PosternError('CFG_SHARED', { stage: 'settings', detail: { reason, folder } });
}
