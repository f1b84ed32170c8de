import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const prefix = 'electron-stand-in-';

/** A temporary folder for one Chromium; also removes folders left by killed apps. */
export function makeChromiumFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) removeChromiumFolder(path.join(tmpdir(), name));
  }
  return mkdtempSync(path.join(tmpdir(), `${prefix}${process.pid}-`));
}

export function removeChromiumFolder(folder: string): void {
  try {
    // A killed Chromium also leaves its socket.
    const socket = lstatSync(path.join(folder, 'SingletonSocket'), { throwIfNoEntry: false });
    const socketFolder = socket?.isSymbolicLink()
      ? path.dirname(readlinkSync(path.join(folder, 'SingletonSocket')))
      : folder;
    if (path.basename(socketFolder).includes('org.chromium.')) rmSync(socketFolder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A browser process is still writing; the next start tries again.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
