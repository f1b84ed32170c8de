import type { Stats } from 'node:fs';
import { accessTokenLength } from '../../limits.ts';
import { notAFile, readPlainFile } from '../../plain-file.ts';
import type { AssertionFileFault, AssertionFiles } from '../../ports.ts';
import { Secret } from '../../secret.ts';

/**
 * A file of somebody else's choosing, such as the token that a cluster projects into a folder: there a link leads to it,
 * which is changed at each renewal. So links are followed, and it is the file itself that is judged.
 */
export const assertionFiles: AssertionFiles = {
  async read(path) {
    try {
      const bytes = await readPlainFile(path, { limit: accessTokenLength, follow: true, check: refuseForeign });
      return bytes ? new Secret(bytes.toString('utf8').trim()) : 'large';
    } catch (error) {
      return faultOf(error);
    }
  },
};

class ForeignFile extends Error {}

/** Whoever can write it decides who we are. Windows tells no owner. */
function refuseForeign({ uid, mode }: Stats): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  if ((uid !== own && uid !== 0) || (mode & 0o002) !== 0) throw new ForeignFile('not ours');
}

function faultOf(error: unknown): AssertionFileFault {
  if (error instanceof ForeignFile) return 'foreign';
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  return code === notAFile || code === 'EISDIR' || code === 'ENXIO' || code === 'ELOOP' ? 'not-a-file' : 'denied';
}
