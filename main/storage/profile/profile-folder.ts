import { chmod, lstat, readdir, stat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { toFileSystemError } from '../files/file-system-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { Stats } from 'node:fs';
import { storageRemedies } from '../../../shared/error-catalogue/storage-remedies.ts';
import { PosternError } from '../../postern-error.ts';
import { profilePath } from './profile-path.ts';
import type { ProfileSurroundings } from './profile-path.ts';

const ourNames = new Set(['config.json', 'vault', 'locks', 'logs']);

/**
 * Makes the one folder that everything of a person is kept in (`config.json`, `vault`, `logs/`, `locks/`) if need be
 * (0700), and answers its absolute path (`profilePath`). A folder that cannot be written still opens, for reading.
 * Errors: CFG_SHARED where others could put files into it, CFG_READONLY, CFG_DISK_FULL when it cannot be made.
 */
export async function makeProfileFolder(surroundings: ProfileSurroundings): Promise<string> {
  const folder = profilePath(surroundings);
  try {
    makeFolder(folder, 'settings');
    await refuseSharedFolder(folder, surroundings.platform);
    if (surroundings.platform !== 'win32') await tighten(folder);
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
  return folder;
}

/** Only a folder of ours is closed to others: POSTERN_HOME may name one that they are to read in. */
async function tighten(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return;
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.some((entry) => ourNames.has(entry))) return;
  if ((await lstat(folder)).isSymbolicLink()) return;
  await chmod(folder, 0o700);
}

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
 * The root folder and, on Windows, all permissions are not looked at: a folder below a person's own is closed to others
 * there. Errors: CFG_SHARED (stage `settings`), those of the file system.
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
  const remedy = reason === 'writable' ? undefined : storageRemedies.foreignFolder;
  return new PosternError('CFG_SHARED', { stage: 'settings', detail: { reason, folder }, remedy });
}
