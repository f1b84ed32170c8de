import { lstatSync } from 'node:fs';
import path from 'node:path';
import ElectronStore from 'electron-store';
import { fileBytes } from '../../../limits.ts';
import { rememberedSchema } from '../../../window-ports.ts';
import type { Remembered, WindowMemory } from '../../../window-ports.ts';

/** Stores window state in `window.json`. Never throws: without the file, state lasts for this run. */
export function openWindowMemory(folder: string): WindowMemory {
  const store = openStore(folder);
  let remembered: Remembered = {};
  try {
    remembered = rememberedSchema.parse(store?.store ?? {});
  } catch {
    // Nothing here is essential.
  }
  const put = (next: Remembered): void => {
    remembered = next;
    try {
      if (store) store.store = next;
    } catch {
      // Disk full, or read-only folder.
    }
  };
  return {
    read: () => remembered,
    change: (change) => put({ ...remembered, ...change }),
    // The file itself is removed by deleting everything.
    forget: () => void (remembered = {}),
  };
}

function openStore(folder: string): ElectronStore<Remembered> | undefined {
  try {
    // The library would block forever on a named pipe.
    const found = lstatSync(path.join(folder, 'window.json'), { throwIfNoEntry: false });
    if (found && (!found.isFile() || found.size > fileBytes.window)) return undefined;
    return new ElectronStore({ cwd: folder, name: 'window', clearInvalidConfig: true, configFileMode: 0o600 });
  } catch {
    return undefined;
  }
}
