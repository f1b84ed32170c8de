import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { programFileBytes } from '../limits.ts';
import { notAFile, readPlainFile } from '../plain-file.ts';
import { PosternError } from '../errors/postern-error.ts';
import { ProgramFileFault } from '../program-ports.ts';
import type { ProgramFile } from '../program-ports.ts';

type DenialReason = 'outside' | 'not-a-file' | 'large' | 'refused';

export function denied(file: string, reason: DenialReason, cause?: unknown): ProgramFileFault {
  return new ProgramFileFault('denied', { file, reason }, cause);
}

export function errnoOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/**
 * Where a file really is, with every link on the way followed; it need not be there yet. Errors: PROGRAM_FILE_DENIED
 * for what is not below home, nor below the project that a person named.
 */
export async function realPlace({ path: file, project }: ProgramFile, home: string): Promise<string> {
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
