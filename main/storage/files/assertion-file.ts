import type { Stats } from 'node:fs';
import { accessTokenLength } from '../../limits.ts';
import { notAFileCode, readPlainFile } from '../../plain-file.ts';
import type { AssertionFileFault, AssertionFiles } from '../../ports.ts';
import { Secret } from '../../secret.ts';

/**
 * Files that another program maintains, such as a Kubernetes projected token, which is a symbolic link that is replaced
 * at each renewal. So links are followed, and the target's owner and mode are checked.
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

/** Anyone who can write the file controls our identity. Windows reports no owner. */
function refuseForeign({ uid, mode }: Stats): void {
  const ownUid = process.getuid?.();
  if (ownUid === undefined) return;
  if ((uid !== ownUid && uid !== 0) || (mode & 0o002) !== 0) throw new ForeignFile('not ours');
}

function faultOf(error: unknown): AssertionFileFault {
  if (error instanceof ForeignFile) return 'foreign';
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  return code === notAFileCode || code === 'EISDIR' || code === 'ENXIO' || code === 'ELOOP' ? 'not-a-file' : 'denied';
}
