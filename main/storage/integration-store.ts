import { type Integration, integrationSchema } from '../../shared/integration.ts';
import { settingsSchema } from '../../shared/settings.ts';
import type { IntegrationStore, Locks } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import { toFileSystemError } from './file-system-error.ts';
import { profileLock } from './profile-lock.ts';
import type { SettingsDocument, SettingsReading } from './settings-document.ts';
import { copyDamagedSettings, readSettingsFile, recoverSettingsFile, writeSettingsFile } from './settings-file.ts';

/** Something about the file that a person should be told. */
export interface SettingsNotice {
  readonly code: 'CFG_CORRUPT' | 'CFG_NEWER';
  /** Name of the copy that was kept, in the profile folder; absent when none could be made. */
  readonly file?: string;
  /** Integrations that could not be read. */
  readonly hidden: number;
}

export interface StoredIntegrations extends IntegrationStore {
  /** What was found wrong with the file so far, once each. */
  notices(): readonly SettingsNotice[];
}

/**
 * Settings and integration list in `config.json`; every call reads the file anew. A damaged file is copied, mended and
 * told by `notices()`; one of a newer version is shown as far as it is understood and never written (CFG_NEWER).
 * Changes take the profile lock, so it must not be held. Errors: CFG_* (stage `settings`).
 */
export function openIntegrationStore({ folder, locks }: { folder: string; locks: Locks }): StoredIntegrations {
  const notices: SettingsNotice[] = [];

  function tell(notice: SettingsNotice): void {
    if (!notices.some(({ code }) => code === notice.code)) notices.push(notice);
  }

  /** Under the profile lock. Writes what is left of a damaged file, after a copy of it. */
  async function mend(): Promise<SettingsReading> {
    try {
      await recoverSettingsFile(folder);
      const reading = await readSettingsFile(folder);
      if (reading.damage === 'none' || reading.newer) return reading;
      const file = await copyDamagedSettings(folder);
      tell({ code: 'CFG_CORRUPT', file, hidden: reading.hidden });
      await writeSettingsFile(folder, reading.document);
      return reading;
    } catch (error) {
      throw toFileSystemError(error, 'settings');
    }
  }

  async function load(): Promise<SettingsDocument> {
    const reading = await readSettingsFile(folder);
    if (reading.newer) tell({ code: 'CFG_NEWER', hidden: reading.hidden });
    else if (reading.damage !== 'none') {
      try {
        return (await locks.hold(profileLock, mend)).document;
      } catch (error) {
        // A folder that cannot be written, a full disk: what can be read is still worth showing.
        if (!(error instanceof PosternError)) throw error;
        tell({ code: 'CFG_CORRUPT', hidden: reading.hidden });
      }
    }
    return reading.document;
  }

  async function change(edit: (document: SettingsDocument) => SettingsDocument): Promise<SettingsDocument> {
    return locks.hold(profileLock, async () => {
      const { document, newer } = await mend();
      if (newer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
      const edited = edit(document);
      if (edited !== document) await writeSettingsFile(folder, edited);
      return edited;
    });
  }

  return {
    notices: () => [...notices],
    list: async () => (await load()).integrations,
    read: async (id) => (await load()).integrations.find((integration) => integration.id === id),
    async write(integration) {
      const checked = check(integration);
      await change((document) => {
        const others = document.integrations.filter(({ id }) => id !== checked.id);
        const known = others.length < document.integrations.length;
        const integrations = known
          ? document.integrations.map((existing) => (existing.id === checked.id ? checked : existing))
          : [...others, checked];
        return { ...document, integrations };
      });
    },
    async update(id, edit) {
      const { integrations } = await change((document) => {
        const existing = document.integrations.find((entry) => entry.id === id);
        const changed = existing && edit(existing);
        if (!changed || changed === existing) return document;
        const checked = check(changed);
        const edited = document.integrations.map((entry) => (entry.id === id ? checked : entry));
        return { ...document, integrations: edited };
      });
      return integrations.find((integration) => integration.id === id);
    },
    async delete(id) {
      await change((document) => {
        const integrations = document.integrations.filter((existing) => existing.id !== id);
        return integrations.length < document.integrations.length ? { ...document, integrations } : document;
      });
    },
    settings: async () => (await load()).settings,
    async updateSettings(edit) {
      const { settings } = await change((document) => {
        const edited = edit(document.settings);
        if (edited === document.settings) return document;
        const parsed = settingsSchema.safeParse(edited);
        if (!parsed.success) throw new PosternError('INTERNAL', { stage: 'settings', cause: parsed.error });
        return { ...document, settings: parsed.data };
      });
      return settings;
    },
  };
}

/** What is written must be readable again: an entry that its own schema refuses is a mistake of the program. */
function check(integration: Integration): Integration {
  const parsed = integrationSchema.safeParse(integration);
  if (!parsed.success) throw new PosternError('INTERNAL', { stage: 'settings', cause: parsed.error });
  return parsed.data;
}
