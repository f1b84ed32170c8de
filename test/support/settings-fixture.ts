import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An empty profile folder and its stored list of servers. */
export function createSettingsFixture() {
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

/** The folder's contents after a write. */
export const filesAfterWrite = ['config.json', 'config.last-good.json', 'locks'];
