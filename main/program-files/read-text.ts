import { programFileBytes } from '../limits.ts';
import { notAFile, readPlainFile } from '../plain-file.ts';
import { PosternError } from '../postern-error.ts';
import { ProgramFileFault } from '../program-ports.ts';
import { denied, errnoOf } from './real-place.ts';

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
