import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../log.ts';
import type { Locks, Log } from '../ports.ts';
import { openIntegrationStore, type StoredIntegrations } from '../storage/integration-store.ts';
import { describeError } from '../../shared/error-catalogue.ts';
import { createLocks } from '../storage/kernel-locks.ts';
import { openProfile } from '../storage/profile-folder.ts';
import type { CommandContext } from './command-context.ts';
import { installation } from './installation.ts';
import { printable } from './output/printable.ts';

export interface ProfileStore {
  readonly folder: string;
  readonly log: Log;
  readonly locks: Locks;
  readonly store: StoredIntegrations;
}

/** What `list` and `show` need: files alone, so that nothing else has to be loaded. Errors: CFG_*. */
export async function openProfileStore({ output, onAnswer, logTo }: CommandContext): Promise<ProfileStore> {
  const { folder } = await openProfile({
    env: process.env,
    platform: process.platform,
    home: homedir(),
    channel: installation().channel,
  });
  const log = createLog(join(folder, 'logs'));
  logTo(log);
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  onAnswer((failure) => {
    for (const { code, detail } of store.notices()) {
      if (code === failure) continue;
      const { message, nextStep } = describeError(code, detail);
      output.event('notice', { code, ...detail, message, nextStep });
      output.say(printable(`${message} ${nextStep}`));
    }
  });
  return { folder, log, locks, store };
}
