import { aliasOf, withAliases } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { localPlace } from '../../address/check-address.ts';
import type { IntegrationStore, Locks, Vault, VaultKey, VaultRecordToWrite } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { freeNames } from './new-integration.ts';

export interface HeldServers {
  /** As the given ports, but what is new stays in memory, and so does what gives a server that is there another key. */
  readonly ports: EnginePorts;
  /**
   * Writes what is new of `order`, ids in the order in which they are to be listed, and all that gives another a key:
   * one write of the vault, then one of the list, whose names and aliases are chosen only then. The rest stays in
   * memory, for the next call. Errors: KC_*, CFG_*; then nothing is left behind.
   */
  write(order: readonly string[]): Promise<void>;
}

/** Connects many servers as one change: a list of thousands would otherwise be written once for each. Errors: CFG_*. */
export async function holdNew(real: EnginePorts): Promise<HeldServers> {
  const there = await real.store.list();
  const leaving = await real.store.pendingDeletions();
  const known = new Set(there.map(({ id }) => id));
  const all: Integration[] = [...there];
  const places = new Map(all.map(({ id }, index) => [id, index]));
  const records = new Map<string, VaultRecordToWrite>();
  /** Of those that are there. */
  const changed = new Set<string>();
  /** For when they are listed: nothing is noted about a server that is not. */
  let later: { readonly id?: string; readonly note: () => unknown }[] = [];

  function put(integration: Integration): Integration {
    const place = places.get(integration.id) ?? all.length;
    places.set(integration.id, place);
    all[place] = integration;
    return integration;
  }
  const find = (id: string): Integration | undefined => {
    const place = places.get(id);
    return place === undefined ? undefined : all[place];
  };

  const store: IntegrationStore = {
    ...real.store,
    list: async () => all,
    pendingDeletions: async () => leaving,
    read: async (id) => (known.has(id) && !changed.has(id) ? await real.store.read(id) : find(id)),
    async write(integration) {
      if (!known.has(integration.id)) return put({ ...integration, alias: aliasOf(integration.name) });
      changed.add(integration.id);
      return put(integration);
    },
    async update(id, edit, ...because) {
      if (!known.has(id) || changed.has(id)) {
        const held = find(id);
        return held && put(edit(held));
      }
      const updated = await real.store.update(id, edit, ...because);
      return updated && put(updated);
    },
  };

  let readying: Promise<void> | undefined;
  let reading: ReturnType<Vault['snapshot']> | undefined;
  async function vault(): Promise<Vault> {
    const kept = await real.vault();
    const ready = (): Promise<void> => (readying ??= kept.ready());
    const read: Vault['read'] = async (key) => {
      const held = records.get(nameOf(key));
      if (held || !known.has(key.owner)) return held?.[1];
      return await (
        await (reading ??= kept.snapshot())
      )(key);
    };
    const writeTogether: Vault['writeTogether'] = async (together) => {
      await ready();
      for (const record of together) records.set(nameOf(record[0]), record);
    };
    return {
      ...kept,
      ready,
      read,
      snapshot: async () => read,
      write: (key, value) => writeTogether([[key, value]]),
      writeTogether,
    };
  }

  // The name is taken for good in `write`.
  const locks: Locks = {
    hold: (name, work, signal) => (name === 'names' ? work() : real.locks.hold(name, work, signal)),
  };

  const pins: EnginePorts['pins'] = {
    ...real.pins,
    async change(id, edit) {
      if (known.has(id) && !changed.has(id)) return await real.pins.change(id, edit);
      later.push({ id, note: () => real.pins.change(id, edit) });
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
      onGreeting: (server, icons) => void later.push({ note: () => real.onGreeting?.(server, icons) }),
    },
    async write(order) {
      const ordered = [...new Set(order)].flatMap((id) => (known.has(id) ? [] : (find(id) ?? [])));
      const fresh = new Set(ordered.map(({ id }) => id));
      const edited = new Set(changed);
      const isWritten = (id: string): boolean => fresh.has(id) || edited.has(id);
      if (ordered.length === 0 && edited.size === 0) return;
      const secrets = [...records.values()].filter(([{ owner }]) => isWritten(owner));
      const kept = secrets.length === 0 ? undefined : await real.vault();
      // The secrets first: there must never be an entry without its key.
      await kept?.writeTogether(secrets);
      try {
        await real.locks.hold('names', () =>
          real.store.changeList(({ integrations, pendingDeletions }) => {
            const gone = pendingDeletions.flatMap(({ kind, integration }) => (kind === 'remove' ? [integration] : []));
            const others = [...integrations, ...pendingDeletions.map(({ integration }) => integration)];
            const nameFor = freeNames(others);
            const named = ordered.map(({ alias: _held, ...one }): Integration => ({ ...one, name: nameFor(one) }));
            const aliased = withAliases([...gone, ...integrations, ...named]).slice(gone.length);
            const first = integrations.length;
            // Removed meanwhile: that was the user's last word.
            const renew = (one: Integration): Integration => {
              const held = edited.has(one.id) ? find(one.id) : undefined;
              return held ? { ...held, name: one.name, ...(one.alias !== undefined && { alias: one.alias }) } : one;
            };
            const isFresh = (index: number): boolean => index >= first;
            const listed = aliased.map((one, index) =>
              isFresh(index) ? (one.command ? { ...one, url: localPlace(one.alias ?? '') } : one) : renew(one),
            );
            return { integrations: listed, pendingDeletions };
          }),
        );
      } catch (error) {
        await kept?.delete(...secrets.flatMap(([key]) => (fresh.has(key.owner) ? [key] : [])));
        throw error;
      }
      for (const id of fresh) known.add(id);
      for (const id of edited) changed.delete(id);
      for (const [key] of secrets) records.delete(nameOf(key));
      // What the vault had before is not what it has now.
      reading = undefined;
      const isReady = ({ id }: (typeof later)[number]): boolean => id === undefined || known.has(id);
      const ready = later.filter(isReady);
      later = later.filter((each) => !isReady(each));
      for (const { note } of ready) await Promise.resolve(note()).catch(() => {});
    },
  };
}

function nameOf(key: VaultKey): string {
  return JSON.stringify(key);
}
