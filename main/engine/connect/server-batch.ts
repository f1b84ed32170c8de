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
export async function openServerBatch(real: EnginePorts): Promise<ServerBatch> {
  const existing = await real.store.list();
  const deletions = await real.store.pendingDeletions();
  const listedIds = new Set(existing.map(({ id }) => id));
  const all: Integration[] = [...existing];
  const positions = new Map(all.map(({ id }, index) => [id, index]));
  const records = new Map<string, VaultRecordToWrite>();
  /** IDs of existing servers with a new key. */
  const changed = new Set<string>();
  /** Deferred until the servers are listed: nothing is recorded about one that is not. */
  let deferred: { readonly id?: string; readonly note: () => unknown }[] = [];

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
    ...real.store,
    list: async () => all,
    pendingDeletions: async () => deletions,
    read: async (id) => (listedIds.has(id) && !changed.has(id) ? await real.store.read(id) : find(id)),
    async write(integration) {
      if (!listedIds.has(integration.id)) return put({ ...integration, alias: aliasOf(integration.name) });
      changed.add(integration.id);
      return put(integration);
    },
    async update(id, edit, ...because) {
      if (!listedIds.has(id) || changed.has(id)) {
        const held = find(id);
        return held && put(edit(held));
      }
      const updated = await real.store.update(id, edit, ...because);
      return updated && put(updated);
    },
  };

  let preparing: Promise<void> | undefined;
  let reading: ReturnType<Vault['snapshot']> | undefined;
  async function vault(): Promise<Vault> {
    const realVault = await real.vault();
    const ready = (): Promise<void> => (preparing ??= realVault.ready());
    const read: Vault['read'] = async (key) => {
      const held = records.get(nameOf(key));
      if (held || !listedIds.has(key.owner)) return held?.[1];
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
    hold: (name, work, signal) => (name === 'names' ? work() : real.locks.hold(name, work, signal)),
  };

  const pins: EnginePorts['pins'] = {
    ...real.pins,
    async change(id, edit) {
      if (listedIds.has(id) && !changed.has(id)) return await real.pins.change(id, edit);
      deferred.push({ id, note: () => real.pins.change(id, edit) });
      return edit(undefined);
    },
  };

  return {
    ports: {
      ...real,
      store,
      vault,
      locks,
      pins,
      onServerIcons: (server, icons) => void deferred.push({ note: () => real.onServerIcons?.(server, icons) }),
    },
    async write(order) {
      const ordered = [...new Set(order)].flatMap((id) => (listedIds.has(id) ? [] : (find(id) ?? [])));
      const fresh = new Set(ordered.map(({ id }) => id));
      const edited = new Set(changed);
      const isWritten = (id: string): boolean => fresh.has(id) || edited.has(id);
      if (ordered.length === 0 && edited.size === 0) return;
      const secrets = [...records.values()].filter(([{ owner }]) => isWritten(owner));
      const realVault = secrets.length === 0 ? undefined : await real.vault();
      // The secrets first: existing must never be an entry without its key.
      await realVault?.writeTogether(secrets);
      try {
        await real.locks.hold('names', () =>
          real.store.changeList(({ integrations, pendingDeletions }) => {
            const gone = pendingDeletions.flatMap(({ kind, integration }) => (kind === 'remove' ? [integration] : []));
            const others = [...integrations, ...pendingDeletions.map(({ integration }) => integration)];
            const nameFor = freeNames(others);
            const named = ordered.map(({ alias: _held, ...one }): Integration => ({ ...one, name: nameFor(one) }));
            const aliased = withAliases([...gone, ...integrations, ...named]).slice(gone.length);
            const first = integrations.length;
            // Do not bring back what the user removed meanwhile.
            const renew = (one: Integration): Integration => {
              const held = edited.has(one.id) ? find(one.id) : undefined;
              return held ? { ...held, name: one.name, ...(one.alias !== undefined && { alias: one.alias }) } : one;
            };
            const isFresh = (index: number): boolean => index >= first;
            const listed = aliased.map((one, index) =>
              isFresh(index) ? (one.command ? { ...one, url: localAddress(one.alias ?? '') } : one) : renew(one),
            );
            return { integrations: listed, pendingDeletions };
          }),
        );
      } catch (error) {
        await realVault?.delete(...secrets.flatMap(([key]) => (fresh.has(key.owner) ? [key] : [])));
        throw error;
      }
      for (const id of fresh) listedIds.add(id);
      for (const id of edited) changed.delete(id);
      for (const [key] of secrets) records.delete(nameOf(key));
      // The snapshot is outdated now.
      reading = undefined;
      const isReady = ({ id }: (typeof deferred)[number]): boolean => id === undefined || listedIds.has(id);
      const ready = deferred.filter(isReady);
      deferred = deferred.filter((each) => !isReady(each));
      for (const { note } of ready) await Promise.resolve(note()).catch(() => {});
    },
  };
}

function nameOf(key: VaultKey): string {
  return JSON.stringify(key);
}
