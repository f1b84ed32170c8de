import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** True if this machine lets us mount a file system: Linux, as root. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

export interface SmallDisk {
  readonly folder: string;
  /** Leaves this many bytes, or as close as pages allow. */
  fill(leave: number): void;
  /** Frees what `fill` has used. */
  free(): void;
  /** Makes it read-only, for root too. */
  makeReadOnly(): void;
}

const page = 4_096;

/** A real file system, `bytes` large. Gone after the test. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const folder = temporaryFolder();
  mount(folder, bytes);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  const filler = join(folder, '.filler');
  return {
    folder,
    fill(leave) {
      const file = openSync(filler, 'w');
      let length = 0;
      try {
        for (;;) length += writeSync(file, Buffer.alloc(page, 'x'));
      } catch {
        // Full.
      } finally {
        closeSync(file);
      }
      truncateSync(filler, Math.max(0, length - Math.ceil(leave / page) * page));
    },
    free: () => existsSync(filler) && truncateSync(filler, 0),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
  };
}

function mount(folder: string, bytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder], { stdio: 'ignore' });
}

/** Containers often forbid it even to root. */
function tryMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
