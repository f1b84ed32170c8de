import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A profile folder with nothing in it, and the list of servers that is kept there. */
export function settingsBench() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'config.json');
  return {
    folder,
    file,
    open: () => openIntegrationStore({ folder, locks: createLocks(folder) }),
    text: () => readFileSync(file, 'utf8'),
    names: () => readdirSync(folder).toSorted(),
  };
}

/** What is in the folder after a write. */
export const keptAfterWrite = ['config.json', 'config.last-good.json', 'locks'];
