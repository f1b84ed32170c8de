import { lstatSync } from 'node:fs';
import path from 'node:path';
import ElectronStore from 'electron-store';
import { fileBytes } from '../../../limits.ts';
import { windowStateSchema } from '../../../window-ports.ts';
import type { WindowState, WindowStateStore } from '../../../window-ports.ts';

/** Stores window state in `window.json`. Never throws: without the file, state lasts for this run. */
export function openWindowStateStore(folder: string): WindowStateStore {
  const store = openStore(folder);
  let state: WindowState = {};
  try {
    state = windowStateSchema.parse(store?.store ?? {});
  } catch {
    // Nothing here is essential.
  }
  const save = (next: WindowState): void => {
    state = next;
    try {
      if (store) store.store = next;
    } catch {
      // Disk full, or read-only folder.
    }
  };
  return {
    read: () => state,
    change: (change) => save({ ...state, ...change }),
    // *Delete everything* removes the file itself.
    forget: () => void (state = {}),
  };
}

function openStore(folder: string): ElectronStore<WindowState> | undefined {
  try {
    // The library would block forever on a named pipe.
    const found = lstatSync(path.join(folder, 'window.json'), { throwIfNoEntry: false });
    if (found && (!found.isFile() || found.size > fileBytes.window)) return undefined;
    return new ElectronStore({ cwd: folder, name: 'window', clearInvalidConfig: true, configFileMode: 0o600 });
  } catch {
    return undefined;
  }
}
