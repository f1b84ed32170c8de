import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/** Debian cannot be installed here, or not started; the message says why. */
export class NoDebian extends Error {}

const cacheFolder = process.env['POSTERN_ROOT_CACHE'] ?? path.join(userInfo().homedir, '.cache', 'postern-debian');

interface DebianSource {
  readonly suite: string;
  /** Shown while it is made, which takes minutes. */
  readonly purpose: string;
  /** Shell commands that install the rest, as root. */
  readonly install: readonly string[];
  /** Files on this machine, by their path in the new root; `install` may use and remove them. */
  readonly files: Readonly<Record<string, string>>;
  /** Of everything that `install` and `files` depend on. */
  readonly key: string;
}

/** Errors: NoDebian. */
export function requireDebianTools(): void {
  if (process.platform !== 'linux') throw new NoDebian(`it needs Linux, not ${process.platform}`);
  if (process.getuid?.() !== 0) throw new NoDebian('it needs root');
}

/** A minimal Debian in a cached folder, made once. Treat it as read-only: see `inDebian`. Errors: NoDebian. */
export function obtainDebian({ suite, purpose, install, files, key }: DebianSource): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([key, install]))
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(cacheFolder, `${suite}-${hash}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(cacheFolder, { recursive: true });
  console.log(`Installing a minimal Debian ${suite} ${purpose} (once)…`);
  try {
    run('debootstrap', ['--variant=minbase', suite, fresh]);
    for (const [target, file] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(fresh, target)), { recursive: true });
      copyFileSync(file, path.join(fresh, target));
    }
    const script = ['export DEBIAN_FRONTEND=noninteractive HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin', ...install];
    const enter = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" sh -c "$2"';
    run('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', fresh, script.join(' && ')]);
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/**
 * The words that run a command in an overlay of `layer` over a cached root, with this machine's network. Changes go to
 * `layer`, whose folder `mnt` is `/mnt` inside. Every process ends with the command. `chroot`: without user namespaces.
 */
export function inDebian(lower: string, layer: string, kind: 'root' | 'chroot'): readonly [string, ...string[]] {
  const script = path.join(import.meta.dirname, 'enter-debian.sh');
  return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', script, lower, layer, kind];
}

function run(command: string, words: readonly string[]): void {
  try {
    execFileSync(command, words, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 << 20 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new NoDebian(`${command} failed: ${`${String(stdout)}${String(stderr)}`.slice(-600)}`);
  }
}
