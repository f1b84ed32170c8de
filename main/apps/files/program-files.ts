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
import { programCommandTime, programFileBytes } from '../../limits.ts';
import { notAFile, readPlainFile, syncFolder } from '../../plain-file.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { FoundPath, ProgramFile, ProgramFiles } from '../../program-ports.ts';
import { findOwnCommand } from './own-command.ts';
import type { CommandSearch } from './own-command.ts';

interface ProgramFilesOptions {
  readonly home: string;
  readonly commands: CommandSearch;
}

/** Files of other programs on this computer. */
export function createProgramFiles({ home, commands }: ProgramFilesOptions): ProgramFiles {
  return {
    find,
    read: async (file) => await readText(file.path, await realPlace(file, home)),
    faultAtAGlance: async (file) => await faultAtAGlance(file, home),
    async isReadByOthers(file) {
      // Windows has access control lists, which the mode does not show.
      if (process.platform === 'win32') return false;
      const stats = await stat(await realPlace(file, home)).catch(() => undefined);
      return stats !== undefined && (stats.mode & 0o044) !== 0;
    },
    async write(file, before, after, folder) {
      const real = await realPlace(file, home);
      const isAsBefore = async (): Promise<boolean> => (await readText(file.path, real)) === before;
      let isDone = await isAsBefore();
      try {
        const stats = isDone && before !== undefined ? await stat(real) : undefined;
        if (isDone && after !== undefined) isDone = await replaceText({ file: real, text: after, stats, isAsBefore });
        else if (isDone && before !== undefined) {
          await unlink(real);
          if (folder !== undefined) await removeFolders(path.dirname(file.path), folder);
        }
      } catch (error) {
        throw error instanceof PosternError ? error : denied(file.path, 'refused', error);
      }
      if (!isDone) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: file.path } });
    },
    findCommand: async (name, places) => await findOwnCommand(name, places, commands),
    run: (command, args) =>
      new Promise((resolve) => {
        const child = spawn(command, args, {
          cwd: home,
          stdio: 'ignore',
          timeout: programCommandTime,
          killSignal: 'SIGKILL',
          windowsHide: true,
        });
        child.once('error', () => resolve(false));
        child.once('exit', (code) => resolve(code === 0));
      }),
  };
}

/** From the inner one up to `last`, as long as they are empty. */
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
  if (star === -1) return await glance(pattern);
  const start = Math.max(pattern.lastIndexOf('/', star), pattern.lastIndexOf('\\', star));
  const rest = pattern.slice(star).search(/[\\/]/);
  const end = rest === -1 ? pattern.length : star + rest;
  const [before, after] = [pattern.slice(start + 1, star), pattern.slice(star + 1, end)];
  const names = await readdir(pattern.slice(0, start)).catch(() => []);
  const fitting = names.filter((name) => name.startsWith(before) && name.endsWith(after)).toSorted();
  for (const name of fitting.toReversed()) {
    const found = await glance(path.join(pattern.slice(0, start), name + pattern.slice(end)));
    if (found) return found;
  }
  return undefined;
}

async function glance(file: string): Promise<FoundPath | undefined> {
  try {
    const stats = await stat(file);
    return { path: file, kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other' };
  } catch (error) {
    // It is there, though nobody may look, or it is a link that leads nowhere.
    if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'ELOOP') return { path: file, kind: 'other' };
    return undefined;
  }
}

/** Why a file would not be read, as far as that shows without a look inside; nothing of one that is not there. */
async function faultAtAGlance(file: ProgramFile, home: string): Promise<PosternError | undefined> {
  try {
    const stats = await stat(await realPlace(file, home));
    if (!stats.isFile()) return denied(file.path, 'not-a-file');
    if (stats.size > programFileBytes) return denied(file.path, 'large');
    return isUnreadable(stats, process.getuid?.()) ? denied(file.path, 'refused') : undefined;
  } catch (error) {
    if (error instanceof PosternError) return error;
    return errnoOf(error) === 'ENOENT' ? undefined : denied(file.path, 'refused', error);
  }
}

/** By its mode. `own`: who asks. Windows has access control lists, which that does not show. */
export function isUnreadable({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, own: number | undefined): boolean {
  if (own === undefined || own === 0) return false;
  return (mode & (uid === own ? 0o400 : 0o044)) === 0;
}

interface Replacement {
  /** The file itself, no link. */
  readonly file: string;
  readonly text: string;
  /** Of the file that is there; `undefined`: there is none. */
  readonly stats: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
  /** Looked at last, before it is in place. */
  readonly isAsBefore: () => Promise<boolean>;
}

/**
 * Puts a text in the place of a file, whole or not at all: written beside it, synced, read back, renamed. `false`: it
 * was not as before. A file that appears meanwhile is not overwritten. Errors: those of the file system.
 */
export async function replaceText({ file, text, stats, isAsBefore }: Replacement): Promise<boolean> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `.${path.basename(file)}.postern-${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      if (stats) await keepOwner(handle, stats);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await readFile(temporary, 'utf8')) !== text) throw Object.assign(new Error('cut short'), { code: 'ENOSPC' });
    if (!(await isAsBefore())) return false;
    return stats ? await renameOver(temporary, file) : await putThere(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** The owner first: giving a file away takes bits of its mode. */
async function keepOwner(handle: Handle, { mode, uid, gid }: NonNullable<Replacement['stats']>): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
  await handle.chmod(mode & 0o7777);
}

async function renameOver(temporary: string, file: string): Promise<true> {
  await rename(temporary, file);
  await syncFolder(path.dirname(file));
  return true;
}

/** A second name is refused where there is a first one, which a renaming would not notice. */
async function putThere(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // A file system without second names.
    if ((await stat(file).catch(() => undefined)) !== undefined) return false;
    await rename(temporary, file);
  }
  await syncFolder(path.dirname(file));
  return true;
}

type DenialReason = 'outside' | 'not-a-file' | 'large' | 'refused';

export function denied(file: string, reason: DenialReason, cause?: unknown): ProgramFileFault {
  return new ProgramFileFault('denied', { file, reason }, cause);
}

function errnoOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/**
 * Where a file really is, with every link on the way followed; it need not be there yet. Errors: PROGRAM_FILE_DENIED
 * for what is not below home, nor below the project that a person named.
 */
async function realPlace({ path: file, project }: ProgramFile, home: string): Promise<string> {
  try {
    const real = await realOf(path.resolve(file));
    const roots = await Promise.all([home, ...(project === undefined ? [] : [project])].map((root) => realOf(root)));
    if (roots.some((root) => isBelow(real, root))) return real;
  } catch (error) {
    throw error instanceof PosternError ? error : denied(file, 'refused', error);
  }
  throw denied(file, 'outside');
}

/** Where nothing is there yet, its folders that exist. Nothing is written through a link that leads nowhere. */
async function realOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || path.dirname(file) === file) throw error;
    if (await isLink(file)) throw denied(file, 'outside');
    return path.join(await realOf(path.dirname(file)), path.basename(file));
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
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}

/**
 * The text of a program's file, or of a copy of one, at the place where it really is; `undefined`: there is none.
 * Anything may stand there. Errors, which name `file`: PROGRAM_FILE_DENIED, PROGRAM_FILE_DAMAGED.
 */
export async function readText(file: string, real = file): Promise<string | undefined> {
  try {
    const bytes = await readPlainFile(real, { limit: programFileBytes, follow: false });
    if (!bytes) throw denied(file, 'large');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof PosternError) throw error;
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (error instanceof TypeError && errnoOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new ProgramFileFault('damaged', { file, format: 'UTF-8' });
    const isNoFile = [notAFile, 'ENXIO', 'EISDIR'].includes(errnoOf(error) ?? '');
    throw denied(file, isNoFile ? 'not-a-file' : 'refused', error);
  }
}
