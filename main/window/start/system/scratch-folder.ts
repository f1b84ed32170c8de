import { mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const prefix = 'postern-command-';
/** Milliseconds. An empty folder younger than this may belong to a command that is just starting. */
const staleAfter = 600_000;

/** A temporary folder for Chromium's files of one command. */
export function makeScratchFolder(parent: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(parent, prefix));
  return {
    folder,
    remove: () => attempt(() => rmSync(folder, { recursive: true, force: true })),
  };
}

/** Removes empty leftovers: Chromium may recreate the folder after the command has removed it. */
export function removeStaleScratchFolders(parent: string): void {
  attempt(() => {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(prefix)) continue;
      const folder = path.join(parent, name);
      // `rmdir` fails for another user's folder and for one that is not empty.
      attempt(() => Date.now() - statSync(folder).mtimeMs > staleAfter && rmdirSync(folder));
    }
  });
}

/** Best effort: a leftover is better than a failed command. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // A later command tries again.
  }
}
