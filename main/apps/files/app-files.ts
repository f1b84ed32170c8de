import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { appCommandTimeout, appFileBytes } from '../../limits.ts';
import { notAFileCode, readPlainFile, syncFolder } from '../../plain-file.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { FoundPath, AppFile, AppFiles } from '../../app-ports.ts';
import { findAppCommand } from './find-app-command.ts';
import type { CommandSearch } from './find-app-command.ts';

interface AppFilesOptions {
  readonly home: string;
  readonly commands: CommandSearch;
}

export function createAppFiles({ home, commands }: AppFilesOptions): AppFiles {
  return {
    find,
    read: async (file) => await readText(file.path, await resolveInside(file, home)),
    peekFault: async (file) => await faultFromStat(file, home),
    async isReadableByOthers(file) {
      // The mode says nothing about Windows access control lists.
      if (process.platform === 'win32') return false;
      const stats = await stat(await resolveInside(file, home)).catch(() => undefined);
      return stats !== undefined && (stats.mode & 0o044) !== 0;
    },
    async write(file, before, after, folder) {
      const real = await resolveInside(file, home);
      const isUnchanged = async (): Promise<boolean> => (await readText(file.path, real)) === before;
      let isDone = await isUnchanged();
      try {
        const stats = isDone && before !== undefined ? await stat(real) : undefined;
        if (isDone && after !== undefined) isDone = await replaceText({ file: real, text: after, stats, isUnchanged });
        else if (isDone && before !== undefined) {
          await unlink(real);
          if (folder !== undefined) await removeFolders(path.dirname(file.path), folder);
        }
      } catch (error) {
        throw error instanceof PosternError ? error : denied(file.path, 'refused', error);
      }
      if (!isDone) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps', detail: { file: file.path } });
    },
    findCommand: async (name, places) => await findAppCommand(name, places, commands),
    run: (command, args) =>
      new Promise((resolve) => {
        const child = spawn(command, args, {
          cwd: home,
          stdio: 'ignore',
          timeout: appCommandTimeout,
          killSignal: 'SIGKILL',
          windowsHide: true,
        });
        child.once('error', () => resolve(false));
        child.once('exit', (code) => resolve(code === 0));
      }),
  };
}

/** Removes empty folders, from the innermost up to `last`. */
async function removeFolders(inner: string, last: string): Promise<void> {
  for (let folder = inner; folder === last || folder.startsWith(`${last}${path.sep}`); folder = path.dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

async function find(pattern: string): Promise<FoundPath | undefined> {
  const star = pattern.indexOf('*');
  if (star === -1) return await inspectPath(pattern);
  const start = Math.max(pattern.lastIndexOf('/', star), pattern.lastIndexOf('\\', star));
  const rest = pattern.slice(star).search(/[\\/]/);
  const end = rest === -1 ? pattern.length : star + rest;
  const [before, after] = [pattern.slice(start + 1, star), pattern.slice(star + 1, end)];
  const names = await readdir(pattern.slice(0, start)).catch(() => []);
  const matching = names.filter((name) => name.startsWith(before) && name.endsWith(after)).toSorted();
  for (const name of matching.toReversed()) {
    const found = await inspectPath(path.join(pattern.slice(0, start), name + pattern.slice(end)));
    if (found) return found;
  }
  return undefined;
}

async function inspectPath(file: string): Promise<FoundPath | undefined> {
  try {
    const stats = await stat(file);
    return { path: file, kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other' };
  } catch (error) {
    // It exists, but access is denied or it is a symlink loop.
    if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'ELOOP') return { path: file, kind: 'other' };
    return undefined;
  }
}

/** `undefined` if no fault is visible, or the file does not exist. */
async function faultFromStat(file: AppFile, home: string): Promise<PosternError | undefined> {
  try {
    const stats = await stat(await resolveInside(file, home));
    if (!stats.isFile()) return denied(file.path, 'not-a-file');
    if (stats.size > appFileBytes) return denied(file.path, 'large');
    return isUnreadable(stats, process.getuid?.()) ? denied(file.path, 'refused') : undefined;
  } catch (error) {
    if (error instanceof PosternError) return error;
    return errnoOf(error) === 'ENOENT' ? undefined : denied(file.path, 'refused', error);
  }
}

/** By the file mode, which says nothing about Windows access control lists. `own`: the user ID of this process. */
export function isUnreadable({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, own: number | undefined): boolean {
  if (own === undefined || own === 0) return false;
  return (mode & (uid === own ? 0o400 : 0o044)) === 0;
}

interface Replacement {
  /** The resolved path, not a symlink. */
  readonly file: string;
  readonly text: string;
  /** Of the existing file; `undefined` if there is none. */
  readonly stats: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
  /** Checked last, right before the file is put in place. */
  readonly isUnchanged: () => Promise<boolean>;
}

/**
 * Atomic replace: writes a temporary file next to it, syncs, reads back, renames. Returns `false` if the file has
 * changed or has appeared in the meantime. Errors: those of the file system.
 */
export async function replaceText({ file, text, stats, isUnchanged }: Replacement): Promise<boolean> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `.${path.basename(file)}.postern-${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      if (stats) await copyOwner(handle, stats);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await readFile(temporary, 'utf8')) !== text) throw Object.assign(new Error('cut short'), { code: 'ENOSPC' });
    if (!(await isUnchanged())) return false;
    return stats ? await replaceFile(temporary, file) : await createFile(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** Owner first: `chown` clears the setuid and setgid bits. */
async function copyOwner(handle: Handle, { mode, uid, gid }: NonNullable<Replacement['stats']>): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
  await handle.chmod(mode & 0o7777);
}

async function replaceFile(temporary: string, file: string): Promise<true> {
  await rename(temporary, file);
  await syncFolder(path.dirname(file));
  return true;
}

/** A hard link fails if the file exists, whereas a rename would overwrite it. */
async function createFile(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // The file system has no hard links.
    if ((await stat(file).catch(() => undefined)) !== undefined) return false;
    await rename(temporary, file);
  }
  await syncFolder(path.dirname(file));
  return true;
}

type DenialReason = 'outside' | 'not-a-file' | 'large' | 'refused';

export function denied(file: string, reason: DenialReason, cause?: unknown): AppFileFault {
  return new AppFileFault('denied', { file, reason }, cause);
}

function errnoOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/**
 * Resolves all symlinks; the file need not exist. Errors: APP_FILE_DENIED if the result is below neither the home
 * folder nor the project that the user named.
 */
async function resolveInside({ path: file, project }: AppFile, home: string): Promise<string> {
  try {
    const real = await resolveLinks(path.resolve(file));
    const roots = await Promise.all(
      [home, ...(project === undefined ? [] : [project])].map((root) => resolveLinks(root)),
    );
    if (roots.some((root) => isBelow(real, root))) return real;
  } catch (error) {
    throw error instanceof PosternError ? error : denied(file, 'refused', error);
  }
  throw denied(file, 'outside');
}

/** Resolves the existing part of the path. Refuses a dangling symlink: writing through it would create its target. */
async function resolveLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || path.dirname(file) === file) throw error;
    if (await isLink(file)) throw denied(file, 'outside');
    return path.join(await resolveLinks(path.dirname(file)), path.basename(file));
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}

function isBelow(file: string, folder: string): boolean {
  const relativePath = path.relative(folder, file);
  return relativePath !== '' && !relativePath.startsWith('..') && !path.isAbsolute(relativePath);
}

/**
 * Reads an app's file or a backup. `real`: its resolved path, at which anything may be. `undefined` if it does not
 * exist. Errors, with `file` as the detail: APP_FILE_DENIED, APP_FILE_DAMAGED.
 */
export async function readText(file: string, real = file): Promise<string | undefined> {
  try {
    const bytes = await readPlainFile(real, { limit: appFileBytes, follow: false });
    if (!bytes) throw denied(file, 'large');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof PosternError) throw error;
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (error instanceof TypeError && errnoOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new AppFileFault('damaged', { file, format: 'UTF-8' });
    const isNoFile = [notAFileCode, 'ENXIO', 'EISDIR'].includes(errnoOf(error) ?? '');
    throw denied(file, isNoFile ? 'not-a-file' : 'refused', error);
  }
}
