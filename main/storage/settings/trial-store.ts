import type { Integration } from '../../../shared/integration.ts';
import { withAliases } from '../../../shared/integration-alias.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { IntegrationStore } from '../../ports.ts';

/**
 * The integration list where secrets are kept in memory alone: what is added or changed ends with this process, as its
 * tokens do.
 * Settings go to `kept`: the callback port that a service may have been told has to stay.
 */
export function createTrialStore(kept: IntegrationStore): IntegrationStore {
  const changed = new Map<string, Integration | undefined>();
  let pendingDeletions: readonly PendingDeletion[] = [];

  async function read(id: string): Promise<Integration | undefined> {
    return changed.has(id) ? changed.get(id) : await kept.read(id);
  }

  async function list(): Promise<readonly Integration[]> {
    const others = (await kept.list()).filter(({ id }) => !changed.has(id));
    return withAliases([...others, ...Array.from(changed.values()).filter((integration) => integration !== undefined)]);
  }

  return {
    ...kept,
    read,
    list,
    async write(integration) {
      changed.set(integration.id, integration);
      return (await list()).find(({ id }) => id === integration.id) ?? integration;
    },
    async update(id, change) {
      const before = await read(id);
      if (before === undefined) return undefined;
      const after = change(before);
      changed.set(id, after);
      return after;
    },
    async delete(id) {
      changed.set(id, undefined);
      pendingDeletions = pendingDeletions.filter(({ integration }) => integration.id !== id);
    },
    pendingDeletions: async () => pendingDeletions,
    async changeList(change) {
      const before = { integrations: await list(), pendingDeletions };
      const after = change(before);
      pendingDeletions = after.pendingDeletions;
      for (const { id } of before.integrations) changed.set(id, undefined);
      for (const integration of after.integrations) changed.set(integration.id, integration);
    },
  };
}
