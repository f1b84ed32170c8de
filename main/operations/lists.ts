import { randomUUID } from 'node:crypto';
import type { Integration } from '../../shared/integration.ts';
import { freeNames } from '../engine/connect/new-integration.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { exportedAddress, isExported, readExport, renderExport } from '../engine/kept/exported-list.ts';
import type { ExportedCollection, ExportedIntegration, UnreadPart } from '../engine/kept/exported-list.ts';
import type { Collections } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';
import { withListed } from './collections.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/**
 * Writes the list for another computer: addresses and choices without any secret. Servers that run on this computer stay
 * out of it. Errors: CFG_*.
 */
export async function exportList(
  {
    ports: { store },
    collections,
    saveList,
  }: {
    readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
    readonly collections: Pick<Collections, 'list'>;
    /** False: the user chose no place for it. */
    readonly saveList: (text: string) => Promise<boolean>;
  },
  _input: OperationInput<'list:export'>,
): Promise<OperationOutput<'list:export'>> {
  const servers = await store.list();
  const leftOut = servers.filter((server) => !isExported(server)).map(({ name }) => name);
  return { saved: await saveList(renderExport(servers, await collections.list())), leftOut };
}

export interface ImportedList {
  /** Ids of those that are new here. */
  readonly added: readonly string[];
  /** Names of collections that are new here. */
  readonly collections: readonly string[];
  /** How many were here already. */
  readonly skipped: number;
  /** What does not fit, in the order of the file. */
  readonly unread: readonly UnreadPart[];
  /** How many choices of the file were not taken from there. */
  readonly leftOut: number;
}

interface Ports extends Pick<EnginePorts, 'store' | 'locks' | 'clock'>, Pick<Surface, 'changed'> {
  readonly collections: Collections;
}

/**
 * Adds the servers and collections of a file that `renderExport` made, all servers in one write. `undefined`: it is no
 * such file. Errors: CFG_*.
 */
export async function importList(ports: Ports, text: string): Promise<ImportedList | undefined> {
  const file = readExport(text);
  if (!file) return undefined;
  const added: string[] = [];
  /** By the name that it has in the file. */
  const ids = new Map<string, string>();
  let leftOut = 0;
  // A name is chosen and written under the lock that every other sign-in takes for that.
  await ports.locks.hold('names', () =>
    ports.store.changeList((list) => {
      const known = new Map<string, string>();
      const keyOf = (name: string, url: string): string => JSON.stringify([name, url]);
      for (const { id, name, url } of list.integrations)
        for (const place of [exportedAddress(url), url]) known.set(keyOf(name, place), id);
      const nameFor = freeNames([...list.integrations, ...list.pendingDeletions.map(({ integration }) => integration)]);
      const fresh = file.entries.flatMap((entry) => {
        const place = keyOf(entry.name, entry.url);
        const here = known.get(place);
        const id = here ?? randomUUID();
        if (!ids.has(entry.name)) ids.set(entry.name, id);
        if (here !== undefined) return [];
        known.set(place, id);
        added.push(id);
        leftOut += entry.leftOut;
        return [asListed(entry, { id, name: nameFor(entry), createdAt: ports.clock.now() })];
      });
      return fresh.length === 0 ? list : { ...list, integrations: [...list.integrations, ...fresh] };
    }),
  );
  const collections = await addCollections(ports.collections, file.collections, ids);
  await ports.changed('integrations', 'collections');
  return { added, collections, skipped: file.entries.length - added.length, unread: file.unread, leftOut };
}

/** Answers the names of those that are new here. */
async function addCollections(
  collections: Collections,
  listed: readonly ExportedCollection[],
  ids: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (listed.length === 0) return [];
  const here = new Set<string>();
  const after = await collections.change((before) => {
    for (const { name } of before) here.add(name);
    const fresh = new Map(listed.map((one) => [one.name, one]));
    const made = [...fresh.values()].map((one) => ({
      ...one,
      members: one.members.flatMap((name) => ids.get(name) ?? []),
    }));
    return withListed(before, made);
  });
  return after.map(({ name }) => name).filter((name) => !here.has(name));
}

function asListed(
  { url, method, options }: ExportedIntegration,
  own: Pick<Integration, 'id' | 'name' | 'createdAt'>,
): Integration {
  // Without its secrets there is nothing to go on with, except where none are needed.
  const isUsable = method === 'NoAuth' && options.headerName === undefined;
  return { ...own, url, method, options, state: isUsable ? 'integrated' : 'signedOut', notes: [] };
}

export const listOperations = {
  'list:export': exportList,
} as const;
