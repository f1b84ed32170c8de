import { chmodSync, lstatSync, promises, readdirSync, readlinkSync, rmdirSync, rmSync, statSync, watch } from 'node:fs';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalog/storage-errors.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { makeFolder, toFileSystemError } from '../files/file-system-error.ts';
import { replaceFile } from '../files/replace-file.ts';
import { profilePath } from './profile-path.ts';
import type { ProfileEnvironment } from './profile-path.ts';

const profileEntries = new Set(['config.json', 'window.json', 'vault', 'locks', 'logs']);

/**
 * Creates the profile folder (`config.json`, `vault`, `logs/`, `locks/`) with mode 0700 if needed, and returns its
 * absolute path (`profilePath`). A read-only folder still opens, for reading.
 * Errors: CFG_SHARED if others could put files into it; CFG_READONLY, CFG_DISK_FULL if it cannot be created.
 */
export function makeProfileFolder(environment: ProfileEnvironment): string {
  const folder = profilePath(environment);
  try {
    makeFolder(folder, 'settings');
    refuseSharedFolder(folder, environment.platform);
    if (environment.platform !== 'win32') restrictFolder(folder);
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
  return folder;
}

/** Only restricts a folder that is clearly Postern's: POSTERN_HOME may name one that others need to read. */
function restrictFolder(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o077) === 0) return;
  const entries = readdirSync(folder);
  if (entries.length > 0 && !entries.some((entry) => profileEntries.has(entry))) return;
  if (lstatSync(folder).isSymbolicLink()) return;
  chmodSync(folder, 0o700);
}

const writableByGroup = 0o020;
const writableByOthers = 0o002;
const sticky = 0o1000;

/** Symbolic links that Linux follows in one path (ELOOP beyond that). */
const maxLinks = 40;

/**
 * Refuses a profile folder in which another local user could create or swap files: because they own it or can write
 * to it, or because the path leads through their folder or link, or through a folder in which they can rename. Trusted:
 * the system (uid 0, gid 0) and the user's primary group. Root is checked the same way: in another user's home (sudo)
 * or a mounted folder (a container), the owner could swap what root then reads. Not checked: the root folder; and
 * Windows permissions, because a folder below the user's own is private there.
 * Errors: CFG_SHARED (stage `settings`), those of the file system.
 */
export function refuseSharedFolder(folder: string, platform: NodeJS.Platform): void {
  if (platform === 'win32') return;
  const { steps, real } = tracePath(folder);
  const ownStats = lstatSync(real);
  if (ownStats.uid !== process.geteuid?.()) throw sharedFolderError('owner', real);
  if ((ownStats.mode & (writableByGroup | writableByOthers)) !== 0) throw sharedFolderError('writable', real);
  for (const { location, stats } of steps) {
    if (stats.uid !== 0 && stats.uid !== process.geteuid?.()) throw sharedFolderError('owner-above', location);
    // Link permissions are meaningless. In a sticky folder, users can only rename their own files.
    if (stats.isSymbolicLink() || (stats.mode & sticky) !== 0) continue;
    if ((stats.mode & writableByOthers) !== 0 || isWritableByGroup(stats))
      throw sharedFolderError('writable', location);
  }
}

function isWritableByGroup({ mode, gid }: Stats): boolean {
  return (mode & writableByGroup) !== 0 && gid !== 0 && gid !== process.getegid?.();
}

/** Every folder and link on the path, following links one by one, and `real`, where the path ends. */
function tracePath(folder: string): { steps: { location: string; stats: Stats }[]; real: string } {
  const steps: { location: string; stats: Stats }[] = [];
  const names = folder.split(path.sep);
  let current = path.parse(folder).root;
  for (let links = 0, name = names.shift(); name !== undefined; name = names.shift()) {
    const location = path.join(current, name);
    if (name === '' || name === '.' || name === '..') {
      current = location;
      continue;
    }
    const stats = lstatSync(location);
    steps.push({ location, stats });
    if (!stats.isSymbolicLink()) {
      current = location;
      continue;
    }
    if (++links > maxLinks) throw Object.assign(new Error('too many links'), { code: 'ELOOP', path: location });
    const target = readlinkSync(location);
    if (path.isAbsolute(target)) current = path.parse(target).root;
    names.unshift(...target.split(path.sep));
  }
  return { steps: steps.filter(({ location }) => location !== current), real: current };
}

function sharedFolderError(reason: 'owner' | 'owner-above' | 'writable', folder: string): PosternError {
  const remedy = reason === 'writable' ? undefined : storageRemedies.foreignFolder;
  return new PosternError('CFG_SHARED', { stage: 'settings', detail: { reason, folder }, remedy });
}

/** Milliseconds. One change causes several events: a temporary file, a rename, and a lock around them. */
const settleTime = 150;

/** Calls `onChange` when any process changes the settings or the list. Returns a function that stops watching. */
export function watchProfile(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name !== 'config.json') return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleTime);
    });
    // The folder was removed, or there are too many watches: the window still sees its own changes.
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => {};
  }
}

/** Where apps find the gateway. Only useful while one runs. */
function runFolder(profileFolder: string): string {
  return path.join(profileFolder, 'run');
}

/**
 * Removes files of an earlier process. Call it only while holding the gateway lock. Links are not followed and
 * subfolders are left alone. Never throws: writing there later reports any problem.
 */
export function emptyRunFolder(profileFolder: string, { all = false } = {}): void {
  const folder = runFolder(profileFolder);
  for (const name of namesIn(folder)) {
    // Lists child processes of local servers, which may still be running.
    if (!all && name.startsWith('children-')) continue;
    const file = path.join(folder, name);
    try {
      if (!lstatSync(file).isDirectory()) rmSync(file, { force: true });
    } catch {
      // Already removed, or not ours to remove.
    }
  }
}

/** Also removes the folder, and the separate one for sockets whose path would be too long. Never throws. */
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
    // Missing, or it contains a file that is not ours.
  }
}

const binFolder = (profileFolder: string): string => path.join(profileFolder, 'bin');

/** A stable path of the pipe for app entries: the package itself may move. */
export function installedPipePath(profileFolder: string): string {
  return path.join(binFolder(profileFolder), 'postern-pipe');
}

/**
 * Copies the pipe there, and next to it the path of `app`, which it starts. Unchanged files are not written. A running
 * pipe is unaffected. Errors: CFG_DISK_FULL, CFG_READONLY.
 */
export async function installPipe(profileFolder: string, source: string, app: string): Promise<void> {
  try {
    makeFolder(binFolder(profileFolder), 'storage');
    const file = installedPipePath(profileFolder);
    await replaceChanged(`${file}.start`, Buffer.from(app));
    await replaceChanged(file, await promises.readFile(source));
    await promises.chmod(file, 0o700);
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

export async function removePipe(profileFolder: string): Promise<void> {
  await promises.rm(binFolder(profileFolder), { recursive: true, force: true });
}

async function replaceChanged(file: string, bytes: Buffer): Promise<void> {
  const current = await promises.readFile(file).catch(() => undefined);
  if (current?.equals(bytes) !== true) await replaceFile(file, bytes);
}
