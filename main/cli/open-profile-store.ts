import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../log.ts';
import type { IntegrationStore, Locks, Log } from '../ports.ts';
import { openIntegrationStore } from '../storage/integration-store.ts';
import type { SettingsNotice } from '../storage/integration-store.ts';
import { createLocks } from '../storage/kernel-locks.ts';
import { openProfile } from '../storage/profile-folder.ts';
import type { CommandContext } from './command-context.ts';
import { installation } from './installation.ts';

export interface ProfileStore {
  readonly folder: string;
  readonly log: Log;
  readonly locks: Locks;
  readonly store: IntegrationStore;
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
  onAnswer(() => {
    for (const notice of store.notices()) {
      output.event('notice', { ...notice });
      output.say(describeNotice(notice));
    }
  });
  return { folder, log, locks, store };
}

function describeNotice({ code, file, hidden }: SettingsNotice): string {
  const lost = hidden === 0 ? '' : ` ${hidden} of your servers could not be read.`;
  if (code === 'CFG_NEWER') return `Your settings were written by a newer Postern, so nothing is changed here.${lost}`;
  const copy = file === undefined ? '' : ` A copy is kept in ${file}.`;
  return `Your settings file was damaged and has been mended.${lost}${copy}`;
}
