import { mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const prefix = 'postern-command-';
/** Milliseconds after which no command that is just starting has yet to fill its own. */
const leftAfter = 600_000;

/** A folder for what Chromium keeps of one command, and its end. */
export function makeScratchFolder(parent: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(parent, prefix));
  return {
    folder,
    remove: () => attempt(() => rmSync(folder, { recursive: true, force: true })),
  };
}

/** Chromium may make it again after the command has removed it: what it left empty goes with a later command. */
export function removeLeftScratchFolders(parent: string, now = Date.now()): void {
  attempt(() => {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(prefix)) continue;
      const folder = path.join(parent, name);
      // Another user's stays, and one with anything in it.
      attempt(() => now - statSync(folder).mtimeMs > leftAfter && rmdirSync(folder));
    }
  });
}

/** Left is better than a command that fails for it. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // Another command's turn.
  }
}
