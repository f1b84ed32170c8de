import type { Locks } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { copySettingsAside } from '../files/copy-aside.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { readLastGood } from './last-good-settings.ts';
import { profileLock } from '../files/profile-lock.ts';
import { readSettingsFile, settingsPath, writeSettingsFile } from './settings-file.ts';

export type RestoredSettings =
  /** The file can be read, and stays. */
  | { readonly outcome: 'not-needed' }
  | {
      readonly outcome: 'restored';
      readonly servers: number;
      /** Milliseconds since 1970 from which the settings are. */
      readonly writtenAt: number;
      /** What stood there before, in the profile folder; absent where there was nothing. */
      readonly keptAs?: string;
    };

/**
 * Puts the last good copy of the settings in the place of a file that cannot be read, of which a copy stays.
 * Takes the profile lock. Errors: CFG_NO_COPY, CFG_LINK, CFG_DISK_FULL, CFG_READONLY (stage `settings`).
 */
export async function restoreSettings({ folder, locks }: { folder: string; locks: Locks }): Promise<RestoredSettings> {
  return await locks.hold(profileLock, async () => {
    try {
      const reading = await readSettingsFile(folder);
      if (reading.state === 'read' && reading.unread.length === 0) return { outcome: 'not-needed' };
      if (reading.state === 'read' && reading.newer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
      const good = await readLastGood(folder);
      if (!good) throw new PosternError('CFG_NO_COPY', { stage: 'settings' });
      const keptAs = await setAside(folder);
      await writeSettingsFile(folder, good.document);
      return {
        outcome: 'restored',
        servers: good.document.integrations.length,
        writtenAt: good.writtenAt,
        ...(keptAs !== undefined && { keptAs }),
      };
    } catch (error) {
      throw toFileSystemError(error, 'settings');
    }
  });
}

async function setAside(folder: string): Promise<string | undefined> {
  try {
    return await copySettingsAside(folder, settingsPath(folder));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
