import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/** The root file system cannot be made here; the message says why. */
export class NoEmptyRoot extends Error {}

const cacheFolder = process.env['POSTERN_ROOT_CACHE'] ?? path.join(userInfo().homedir, '.cache', 'postern-empty-root');
/** Increment it to invalidate the cache. */
const cacheVersion = 1;

/**
 * A minimal Debian with the deb's dependencies, without recommended packages and without the deb itself. Cached by list
 * of dependencies; takes a few minutes and 400 MB the first time. Errors: NoEmptyRoot.
 */
export function obtainRoot(deb: string, suite: string): string {
  const depends = execFileSync('dpkg-deb', ['--field', deb, 'Depends', 'Architecture'], { encoding: 'utf8' });
  const key = createHash('sha256').update(depends).digest('hex').slice(0, 12);
  const folder = path.join(cacheFolder, `${suite}-${key}-${cacheVersion}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(cacheFolder, { recursive: true });
  console.log(`Making a minimal Debian ${suite} with the deb's dependencies (once)…`);
  try {
    run('debootstrap', ['--variant=minbase', suite, fresh]);
    copyFileSync(deb, path.join(fresh, 'postern.deb'));
    const install = [
      'export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      'apt-get update -q',
      'apt-get install -y -q --no-install-recommends /postern.deb',
      'dpkg --purge postern',
      'apt-get clean',
      'rm /postern.deb',
    ].join(' && ');
    const enter = 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "$2"';
    run('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', fresh, install]);
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

function run(command: string, words: readonly string[]): void {
  try {
    execFileSync(command, words, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 << 20 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new NoEmptyRoot(`${command} failed: ${`${String(stdout)}${String(stderr)}`.slice(-600)}`);
  }
}
