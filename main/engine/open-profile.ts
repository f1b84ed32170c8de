import { join } from 'node:path';
import { createLog } from './log.ts';
import type { HistoryStore } from '../history-ports.ts';
import type { Locks, Log } from '../ports.ts';
import { openIntegrationStore } from '../storage/settings/integration-store.ts';
import type { StoredIntegrations } from '../storage/settings/integration-store.ts';
import { notingHistory } from '../storage/settings/noting-store.ts';
import { createLocks } from '../storage/files/kernel-locks.ts';

/**
 * What is kept in a profile folder in plain files: enough for whoever reads the list, so that nothing else is loaded.
 */
export interface Profile {
  readonly folder: string;
  readonly log: Log;
  readonly locks: Locks;
  readonly store: StoredIntegrations;
  /** Loaded only when there is something to tell or to show. */
  readonly history: () => Promise<HistoryStore>;
}

/** Opens files only when they are asked for. */
export function openProfile(folder: string): Profile {
  const locks = createLocks(folder);
  const list = openIntegrationStore({ folder, locks });
  const history = async (): Promise<HistoryStore> => {
    const { openHistoryStore } = await import('../storage/profile/history-store.ts');
    return openHistoryStore({ profileFolder: folder, locks, list });
  };
  return { folder, log: createLog(join(folder, 'logs')), locks, store: notingHistory(list, history), history };
}
