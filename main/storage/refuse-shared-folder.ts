import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../postern-error.ts';

const writableByGroup = 0o020;
const writableByOthers = 0o002;
const sticky = 0o1000;

/** What Linux follows in one path before it gives up. */
const linksInAPath = 40;

/**
 * Refuses a profile folder in which another user of this computer could put or exchange files: one that is theirs, that
 * they may write to, or that a folder or link of theirs, or a folder in which they may rename, leads to. The system's
 * own (uid 0, gid 0) and the group that the user works in are trusted. Root is held to the same: where it comes to
 * another user's home (sudo) or to a mounted folder (a container), the owner could exchange what root would then read.
 * The root folder and, on Windows, all permissions are not looked at: a folder below a person's own is closed to others there.
 * Errors: CFG_SHARED (stage `settings`), those of the file system.
 */
export async function refuseSharedFolder(folder: string, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'win32') return;
  const { way, real } = await wayTo(folder);
  const own = await lstat(real);
  if (own.uid !== process.geteuid?.()) throw shared('owner', real);
  if ((own.mode & (writableByGroup | writableByOthers)) !== 0) throw shared('writable', real);
  for (const { place, stats } of way) {
    if (stats.uid !== 0 && stats.uid !== process.geteuid?.()) throw shared('owner-above', place);
    // The permissions of a link mean nothing. In a sticky folder people rename only what is theirs.
    if (stats.isSymbolicLink() || (stats.mode & sticky) !== 0) continue;
    if ((stats.mode & writableByOthers) !== 0 || isWritableByGroup(stats)) throw shared('writable', place);
  }
}

function isWritableByGroup({ mode, gid }: Stats): boolean {
  return (mode & writableByGroup) !== 0 && gid !== 0 && gid !== process.getegid?.();
}

/** Every folder and link that the path leads through, links followed one by one, and `real`, what it ends at. */
async function wayTo(folder: string): Promise<{ way: { place: string; stats: Stats }[]; real: string }> {
  const way: { place: string; stats: Stats }[] = [];
  const names = folder.split(path.sep);
  let at = path.parse(folder).root;
  for (let links = 0, name = names.shift(); name !== undefined; name = names.shift()) {
    const place = path.join(at, name);
    if (name === '' || name === '.' || name === '..') {
      at = place;
      continue;
    }
    const stats = await lstat(place);
    way.push({ place, stats });
    if (!stats.isSymbolicLink()) {
      at = place;
      continue;
    }
    if (++links > linksInAPath) throw Object.assign(new Error('too many links'), { code: 'ELOOP', path: place });
    const target = await readlink(place);
    if (path.isAbsolute(target)) at = path.parse(target).root;
    names.unshift(...target.split(path.sep));
  }
  return { way: way.filter(({ place }) => place !== at), real: at };
}

function shared(reason: 'owner' | 'owner-above' | 'writable', folder: string): PosternError {
  return new PosternError('CFG_SHARED', { stage: 'settings', detail: { reason, folder } });
}
