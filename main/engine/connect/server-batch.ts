import { aliasOf, withAliases } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { localAddress } from '../../address/check-address.ts';
import type { IntegrationStore, Locks, Vault, VaultKey, VaultRecordToWrite } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { freeNames } from './with-free-name.ts';

export interface ServerBatch {
  /** The given ports, except that new servers, and new keys for existing ones, stay in memory until `write`. */
  readonly ports: EnginePorts;
  /**
   * Writes the new servers in `order` (IDs, in list order) and all changed keys: one write of the vault, then one of
   * the list, when names and aliases are chosen. The rest stays in memory for the next call. Errors: KC_*, CFG_*; then
   * nothing is left behind.
   */
  write(order: readonly string[]): Promise<void>;
}

/** Connects many servers as one change; otherwise a list of thousands would be written once for each. Errors: CFG_*. */
export async function openServerBatch(realPorts: EnginePorts): Promise<ServerBatch> {
  const existing = await realPorts.store.list();
  const deletions = await realPorts.store.pendingDeletions();
  const listedIds = new Set(existing.map(({ id }) => id));
  const all: Integration[] = [...existing];
  const positions = new Map(all.map(({ id }, index) => [id, index]));
  const records = new Map<string, VaultRecordToWrite>();
  /** IDs of existing servers with a new key. */
  const changed = new Set<string>();
  /** Deferred until the servers are listed: nothing is recorded about one that is not. */
  let deferred: { readonly id?: string; readonly run: () => unknown }[] = [];

  function put(integration: Integration): Integration {
    const position = positions.get(integration.id) ?? all.length;
    positions.set(integration.id, position);
    all[position] = integration;
    return integration;
  }
  const find = (id: string): Integration | undefined => {
    const position = positions.get(id);
    return position === undefined ? undefined : all[position];
  };

  const store: IntegrationStore = {
    ...realPorts.store,
    list: async () => all,
    pendingDeletions: async () => deletions,
    read: async (id) => (listedIds.has(id) && !changed.has(id) ? await realPorts.store.read(id) : find(id)),
    async write(integration) {
      if (!listedIds.has(integration.id)) return put({ ...integration, alias: aliasOf(integration.name) });
      changed.add(integration.id);
      return put(integration);
    },
    async update(id, edit, ...cause) {
      if (!listedIds.has(id) || changed.has(id)) {
        const pending = find(id);
        return pending && put(edit(pending));
      }
      const updated = await realPorts.store.update(id, edit, ...cause);
      return updated && put(updated);
    },
  };

  let preparing: Promise<void> | undefined;
  let reading: ReturnType<Vault['snapshot']> | undefined;
  async function vault(): Promise<Vault> {
    const realVault = await realPorts.vault();
    const ready = (): Promise<void> => (preparing ??= realVault.ready());
    const read: Vault['read'] = async (key) => {
      const pending = records.get(nameOf(key));
      if (pending || !listedIds.has(key.owner)) return pending?.[1];
      return await (
        await (reading ??= realVault.snapshot())
      )(key);
    };
    const writeTogether: Vault['writeTogether'] = async (together) => {
      await ready();
      for (const record of together) records.set(nameOf(record[0]), record);
    };
    return {
      ...realVault,
      ready,
      read,
      snapshot: async () => read,
      write: (key, value) => writeTogether([[key, value]]),
      writeTogether,
    };
  }

  // The final name is chosen in `write`.
  const locks: Locks = {
    hold: (name, work, signal) => (name === 'names' ? work() : realPorts.locks.hold(name, work, signal)),
  };

  const pins: EnginePorts['pins'] = {
    ...realPorts.pins,
    async change(id, edit) {
      if (listedIds.has(id) && !changed.has(id)) return await realPorts.pins.change(id, edit);
      deferred.push({ id, run: () => realPorts.pins.change(id, edit) });
      return edit(undefined);
    },
  };

  return {
    ports: {
      ...realPorts,
      store,
      vault,
      locks,
      pins,
      onServerIcons: (server, icons) => void deferred.push({ run: () => realPorts.onServerIcons?.(server, icons) }),
    },
    async write(order) {
      const ordered = [...new Set(order)].flatMap((id) => (listedIds.has(id) ? [] : (find(id) ?? [])));
      const addedIds = new Set(ordered.map(({ id }) => id));
      const editedIds = new Set(changed);
      const isWritten = (id: string): boolean => addedIds.has(id) || editedIds.has(id);
      if (ordered.length === 0 && editedIds.size === 0) return;
      const secrets = [...records.values()].filter(([{ owner }]) => isWritten(owner));
      const realVault = secrets.length === 0 ? undefined : await realPorts.vault();
      // The secrets first: there must never be an entry without its key.
      await realVault?.writeTogether(secrets);
      try {
        await realPorts.locks.hold('names', () =>
          realPorts.store.changeList(({ integrations, pendingDeletions }) => {
            const removed = pendingDeletions.flatMap(({ kind, integration }) =>
              kind === 'remove' ? [integration] : [],
            );
            const others = [...integrations, ...pendingDeletions.map(({ integration }) => integration)];
            const nameFor = freeNames(others);
            const named = ordered.map(({ alias: _held, ...one }): Integration => ({ ...one, name: nameFor(one) }));
            const aliased = withAliases([...removed, ...integrations, ...named]).slice(removed.length);
            const first = integrations.length;
            // Do not bring back what the user removed meanwhile.
            const withEdits = (one: Integration): Integration => {
              const pending = editedIds.has(one.id) ? find(one.id) : undefined;
              return pending
                ? { ...pending, name: one.name, ...(one.alias !== undefined && { alias: one.alias }) }
                : one;
            };
            const isAdded = (index: number): boolean => index >= first;
            const listed = aliased.map((one, index) =>
              isAdded(index) ? (one.command ? { ...one, url: localAddress(one.alias ?? '') } : one) : withEdits(one),
            );
            return { integrations: listed, pendingDeletions };
          }),
        );
      } catch (error) {
        await realVault?.delete(...secrets.flatMap(([key]) => (addedIds.has(key.owner) ? [key] : [])));
        throw error;
      }
      for (const id of addedIds) listedIds.add(id);
      for (const id of editedIds) changed.delete(id);
      for (const [key] of secrets) records.delete(nameOf(key));
      // The snapshot is outdated now.
      reading = undefined;
      const isReady = ({ id }: (typeof deferred)[number]): boolean => id === undefined || listedIds.has(id);
      const ready = deferred.filter(isReady);
      deferred = deferred.filter((each) => !isReady(each));
      for (const { run } of ready) await Promise.resolve(run()).catch(() => {});
    },
  };
}

function nameOf(key: VaultKey): string {
  return JSON.stringify(key);
}
