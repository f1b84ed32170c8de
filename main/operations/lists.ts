import { randomUUID } from 'node:crypto';
import type { Integration } from '../../shared/integration.ts';
import { freeNames } from '../engine/connect/with-free-name.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { exportedAddress, isExportable, readExport, renderExport } from '../engine/records/exported-list.ts';
import type { ExportedCollection, ExportedIntegration, UnreadablePart } from '../engine/records/exported-list.ts';
import type { Collections } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';
import { withImported } from './collections.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/**
 * Exports the list for another computer: addresses and options, no secret. Local servers are left out. Errors: CFG_*.
 */
export async function exportList(
  {
    ports: { store },
    collections,
    saveList,
  }: {
    readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
    readonly collections: Pick<Collections, 'list'>;
    /** False: the user chose no file. */
    readonly saveList: (text: string) => Promise<boolean>;
  },
  _input: OperationInput<'list:export'>,
): Promise<OperationOutput<'list:export'>> {
  const servers = await store.list();
  const leftOut = servers.filter((server) => !isExportable(server)).map(({ name }) => name);
  return { saved: await saveList(renderExport(servers, await collections.list())), leftOut };
}

interface ImportedList {
  /** IDs of new servers. */
  readonly added: readonly string[];
  /** Names of new collections. */
  readonly collections: readonly string[];
  /** Number of servers that were already listed. */
  readonly skipped: number;
  /** Invalid entries, in file order. */
  readonly unreadable: readonly UnreadablePart[];
  /** Number of options that were not imported. */
  readonly leftOut: number;
}

interface Ports extends Pick<EnginePorts, 'store' | 'locks' | 'clock'>, Pick<Surface, 'changed'> {
  readonly collections: Collections;
}

/** Imports a file of `renderExport`, all servers in one write. `undefined`: not such a file. Errors: CFG_*. */
export async function importList(ports: Ports, text: string): Promise<ImportedList | undefined> {
  const file = readExport(text);
  if (!file) return undefined;
  const added: string[] = [];
  /** IDs by name in the file. */
  const ids = new Map<string, string>();
  let leftOut = 0;
  // Names are chosen and written under the lock that every sign-in takes for that.
  await ports.locks.hold('names', () =>
    ports.store.changeList((list) => {
      const known = new Map<string, string>();
      const keyOf = (name: string, url: string): string => JSON.stringify([name, url]);
      for (const { id, name, url } of list.integrations)
        for (const place of [exportedAddress(url), url]) known.set(keyOf(name, place), id);
      const nameFor = freeNames([...list.integrations, ...list.pendingDeletions.map(({ integration }) => integration)]);
      const fresh = file.entries.flatMap((entry) => {
        const place = keyOf(entry.name, entry.url);
        const existing = known.get(place);
        const id = existing ?? randomUUID();
        if (!ids.has(entry.name)) ids.set(entry.name, id);
        if (existing !== undefined) return [];
        known.set(place, id);
        added.push(id);
        leftOut += entry.leftOut;
        return [newEntry(entry, { id, name: nameFor(entry), createdAt: ports.clock.now() })];
      });
      return fresh.length === 0 ? list : { ...list, integrations: [...list.integrations, ...fresh] };
    }),
  );
  const collections = await addCollections(ports.collections, file.collections, ids);
  await ports.changed('integrations', 'collections');
  return { added, collections, skipped: file.entries.length - added.length, unreadable: file.unreadable, leftOut };
}

/** Returns the names of new collections. */
async function addCollections(
  collections: Collections,
  listed: readonly ExportedCollection[],
  ids: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (listed.length === 0) return [];
  const existing = new Set<string>();
  const after = await collections.change((before) => {
    for (const { name } of before) existing.add(name);
    const fresh = new Map(listed.map((one) => [one.name, one]));
    const made = [...fresh.values()].map((one) => ({
      ...one,
      members: one.members.flatMap((name) => ids.get(name) ?? []),
    }));
    return withImported(before, made);
  });
  return after.map(({ name }) => name).filter((name) => !existing.has(name));
}

function newEntry(
  { url, method, options }: ExportedIntegration,
  identity: Pick<Integration, 'id' | 'name' | 'createdAt'>,
): Integration {
  // Only a server that needs no secret is usable at once.
  const isUsable = method === 'NoAuth' && options.headerName === undefined;
  return { ...identity, url, method, options, state: isUsable ? 'integrated' : 'signedOut', notes: [] };
}

export const listOperations = {
  'list:export': exportList,
} as const;
