import { readFileSync, statfsSync } from 'node:fs';

/**
 * Imported by everything that starts tests: puts their temporary folders in memory. A profile flushes its writes to the
 * disk, which is most of a test's waiting time on a busy machine. TMPDIR takes precedence.
 */
const folder = '/dev/shm';
/** Bytes. Containers often have only 64 MB, and packages are built there. */
const requiredBytes = 4e9;

if (process.platform === 'linux' && hasRoom()) process.env['TMPDIR'] ??= folder;

/** Tests also run executables there. */
function hasRoom(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === folder)?.[3];
    const { bavail, bsize } = statfsSync(folder);
    return options?.split(',').includes('noexec') === false && bavail * bsize >= requiredBytes;
  } catch {
    return false;
  }
}
