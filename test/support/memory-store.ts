import type { IntegrationStore } from '../../main/ports.ts';
import { integrationSchema } from '../../shared/integration.ts';
import type { Integration } from '../../shared/integration.ts';
import type { PendingDeletion } from '../../shared/pending-deletion.ts';
import type { Settings } from '../../shared/settings.ts';

/** The list and settings in memory, validated with the same schema as the file. */
export function createMemoryStore(): IntegrationStore {
  const integrations = new Map<string, Integration>();
  let settings: Settings = {};
  let pendingDeletions: readonly PendingDeletion[] = [];
  const put = (integration: Integration): Integration => {
    const checked = integrationSchema.parse(integration);
    integrations.set(checked.id, checked);
    return checked;
  };
  return {
    list: async () => [...integrations.values()],
    isListComplete: async () => true,
    read: async (id) => integrations.get(id),
    write: async (integration) => put(integration),
    update: async (id, change) => {
      const stored = integrations.get(id);
      return stored && put(change(stored));
    },
    delete: async (...ids) => {
      for (const id of ids) integrations.delete(id);
      pendingDeletions = pendingDeletions.filter(({ integration }) => !ids.includes(integration.id));
    },
    pendingDeletions: async () => pendingDeletions,
    changeList: async (change) => {
      const after = change({ integrations: [...integrations.values()], pendingDeletions });
      pendingDeletions = after.pendingDeletions;
      integrations.clear();
      for (const integration of after.integrations) put(integration);
    },
    settings: async () => settings,
    updateSettings: async (change) => (settings = change(settings)),
    async resetSetting(name) {
      const { [name]: _gone, ...left } = settings;
      settings = left;
    },
  };
}
