import { spawn } from 'node:child_process';
import { readdir, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Stats } from 'node:fs';
import { programCommandTime, programFileBytes } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { FoundPath, ProgramFiles, ProgramFile } from '../program-ports.ts';
import { type CommandSearch, findOwnCommand } from './own-command.ts';
import { readText } from './read-text.ts';
import { denied, errnoOf, realPlace } from './real-place.ts';
import { replaceText } from './replace-text.ts';

export interface ProgramFilesOptions {
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
