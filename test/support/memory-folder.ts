import { readFileSync, statfsSync } from 'node:fs';

/**
 * Imported by whatever starts tests: their temporary folders lie in memory. What a profile writes it flushes to the
 * disk, and that is most of the wait of a test on a busy machine. TMPDIR, where it is set, stands above it.
 */
const folder = '/dev/shm';
/** Bytes: containers often give 64 MB, and packages are built there. */
const enough = 4e9;

if (process.platform === 'linux' && hasRoom()) process.env['TMPDIR'] ??= folder;

/** Tests start programs there too. */
function hasRoom(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === folder)?.[3];
    const { bavail, bsize } = statfsSync(folder);
    return options?.split(',').includes('noexec') === false && bavail * bsize >= enough;
  } catch {
    return false;
  }
}
