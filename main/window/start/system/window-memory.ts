import { lstatSync } from 'node:fs';
import path from 'node:path';
import ElectronStore from 'electron-store';
import { fileBytes } from '../../../limits.ts';
import { rememberedSchema } from '../../../window-ports.ts';
import type { Remembered, WindowMemory } from '../../../window-ports.ts';

/** `window.json` of a profile, for its window alone. Never throws: where there is no such file, this run remembers. */
export function openWindowMemory(folder: string): WindowMemory {
  const store = openStore(folder);
  let remembered: Remembered = {};
  try {
    remembered = rememberedSchema.parse(store?.store ?? {});
  } catch {
    // It is nothing that anybody needs.
  }
  const put = (next: Remembered): void => {
    remembered = next;
    try {
      if (store) store.store = next;
    } catch {
      // A full disk, or a folder that may not be written.
    }
  };
  return {
    read: () => remembered,
    change: (change) => put({ ...remembered, ...change }),
    // The file goes with all that is deleted.
    forget: () => void (remembered = {}),
  };
}

function openStore(folder: string): ElectronStore<Remembered> | undefined {
  try {
    // The library would wait at a pipe for good.
    const found = lstatSync(path.join(folder, 'window.json'), { throwIfNoEntry: false });
    if (found && (!found.isFile() || found.size > fileBytes.window)) return undefined;
    return new ElectronStore({ cwd: folder, name: 'window', clearInvalidConfig: true, configFileMode: 0o600 });
  } catch {
    return undefined;
  }
}
