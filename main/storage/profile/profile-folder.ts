import { lstatSync, readdirSync, rmdirSync, rmSync, watch } from 'node:fs';
import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalogue/storage-errors.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { makeFolder, toFileSystemError } from '../files/file-system-error.ts';
import { replaceFile } from '../files/replace-file.ts';
import { profilePath } from './profile-path.ts';
import type { ProfileSurroundings } from './profile-path.ts';

const ourNames = new Set(['config.json', 'window.json', 'vault', 'locks', 'logs']);

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

/** Milliseconds: a change is a file written beside and renamed, with a lock around it. */
const settling = 150;

/** Tells when settings or list were changed, by a command beside this window too. Answers how to stop. */
export function watchProfile(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name !== 'config.json') return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settling);
    });
    // A folder that goes away, or too many watches: the window still sees its own changes.
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => {};
  }
}

/** Where programs find whoever serves a profile: of use only as long as somebody does. */
function runFolder(profileFolder: string): string {
  return path.join(profileFolder, 'run');
}

/**
 * Takes out what an earlier process left there. Only for whoever holds the lock of the gateway. What a link names is
 * not ours, and a folder was not made by us. Never throws: whoever writes there says what stands against it.
 */
export function emptyRunFolder(profileFolder: string, { all = false } = {}): void {
  const folder = runFolder(profileFolder);
  for (const name of namesIn(folder)) {
    // Of processes that a command started, which may still run.
    if (!all && name.startsWith('children-')) continue;
    const file = path.join(folder, name);
    try {
      if (!lstatSync(file).isDirectory()) rmSync(file, { force: true });
    } catch {
      // Gone meanwhile, or not ours to remove.
    }
  }
}

/** The same with the folder itself, and that of sockets whose path is too long to be in it. Never throws. */
export function removeRunFolder(profileFolder: string, socket: string | undefined): void {
  emptyRunFolder(profileFolder, { all: true });
  if (socket !== undefined && path.dirname(socket) !== runFolder(profileFolder)) {
    for (const name of [path.basename(socket), 'control.sock'])
      removeQuietly(() => rmSync(path.join(path.dirname(socket), name), { force: true }));
    removeQuietly(() => rmdirSync(path.dirname(socket)));
  }
  removeQuietly(() => rmdirSync(runFolder(profileFolder)));
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function removeQuietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // It is not there, or holds a file that is not ours.
  }
}

const folderOf = (profileFolder: string): string => path.join(profileFolder, 'bin');

/** Where entries of programs find the pipe of a package that itself may lie elsewhere tomorrow. */
export function keptPipe(profileFolder: string): string {
  return path.join(folderOf(profileFolder), 'postern-pipe');
}

/**
 * Puts a copy of the pipe there, and beside it where `program` lies, which it starts; what is the same stays.
 * One that runs goes on with the file that it was started from. Errors: CFG_DISK_FULL, CFG_READONLY.
 */
export async function keepPipe(profileFolder: string, source: string, program: string): Promise<void> {
  try {
    makeFolder(folderOf(profileFolder), 'storage');
    const file = keptPipe(profileFolder);
    await replaceChanged(`${file}.start`, Buffer.from(program));
    await replaceChanged(file, await readFile(source));
    await chmod(file, 0o700);
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

export async function forgetPipe(profileFolder: string): Promise<void> {
  await rm(folderOf(profileFolder), { recursive: true, force: true });
}

async function replaceChanged(file: string, bytes: Buffer): Promise<void> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept?.equals(bytes) !== true) await replaceFile(file, bytes);
}
