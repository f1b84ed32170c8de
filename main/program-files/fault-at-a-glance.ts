import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { programFileBytes } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { ProgramFile } from '../program-ports.ts';
import { denied, errnoOf, realPlace } from './real-place.ts';

/** Why a file would not be read, as far as that shows without a look inside; nothing of one that is not there. */
export async function faultAtAGlance(file: ProgramFile, home: string): Promise<PosternError | undefined> {
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
