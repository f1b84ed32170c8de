import { isOneOf, profileCodes } from '../../../shared/error-codes.ts';
import type { IntegrationStore, Locks } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { SettingsFile } from '../../window-ports.ts';
import { readLastGood } from './last-good-settings.ts';
import { restoreSettings } from './restore-settings.ts';
import { settingsPath } from './settings-file.ts';

interface SettingsFileOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly store: Pick<IntegrationStore, 'settings'>;
  readonly locks: Locks;
}

/** The settings file of a profile. What no code of the profile names is no trouble of the file's. */
export function openSettingsFile({ folder, store, locks }: SettingsFileOptions): SettingsFile {
  return {
    path: settingsPath(folder),
    async trouble() {
      try {
        await store.settings();
        return undefined;
      } catch (error) {
        if (!(error instanceof PosternError) || !isOneOf(profileCodes, error)) throw error;
        // By its code: the store is a port here.
        const good = error.code === 'CFG_CORRUPT' ? await readLastGood(folder) : undefined;
        const { document, writtenAt = 0 } = good ?? {};
        return { error, ...(document && { lastGood: { servers: document.integrations.length, writtenAt } }) };
      }
    },
    async restore() {
      await restoreSettings({ folder, locks });
    },
  };
}
