import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Where programs find whoever serves a profile: of use only as long as somebody does. */
function runFolder(profileFolder: string): string {
  return path.join(profileFolder, 'run');
}

/**
 * Takes out what an earlier process left there. Only for whoever holds the lock of the gateway. What a link names is
 * not ours, and a folder was not made by us. Never throws: whoever writes there says what stands against it.
 */
export function emptyRunFolder(profileFolder: string, { all = false } = {}): void {
  const folder = runFolder(profileFolder);
  for (const name of namesIn(folder)) {
    // Of processes that a command started, which may still run.
    if (!all && name.startsWith('children-')) continue;
    const file = path.join(folder, name);
    try {
      if (!lstatSync(file).isDirectory()) rmSync(file, { force: true });
    } catch {
      // Gone meanwhile, or not ours to remove.
    }
  }
}

/** The same with the folder itself, and that of a socket whose path is too long to be in it. Never throws. */
export function removeRunFolder(profileFolder: string, socket: string | undefined): void {
  emptyRunFolder(profileFolder, { all: true });
  if (socket !== undefined && path.dirname(socket) !== runFolder(profileFolder)) {
    removeQuietly(() => rmSync(socket, { force: true }));
    removeQuietly(() => rmdirSync(path.dirname(socket)));
  }
  removeQuietly(() => rmdirSync(runFolder(profileFolder)));
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function removeQuietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // It is not there, or holds a file that is not ours.
  }
}
