import { randomUUID } from 'node:crypto';
import { mostCollections } from '../../../shared/collection-name.ts';
import { withFreeName } from '../../integration/connect/with-free-name.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { exportedAddress, readExport } from './exported-list.ts';
import type { ExportedCollection, ExportedIntegration } from './exported-list.ts';

export interface ImportedList {
  /** Ids of those that are new here. */
  readonly added: readonly string[];
  /** Names of collections that are new here. */
  readonly collections: readonly string[];
  /** How many were here already. */
  readonly skipped: number;
  /** How many do not fit. */
  readonly refused: number;
  /** How many choices of the file were not taken from there. */
  readonly leftOut: number;
}

interface Ports extends Pick<EnginePorts, 'store' | 'locks' | 'clock'> {
  readonly collections: Collections;
}

/** Takes the servers and collections of a file that `renderExport` made; `undefined`: it is no such file. Errors: CFG_*. */
export async function importList(ports: Ports, text: string): Promise<ImportedList | undefined> {
  const file = readExport(text);
  if (!file) return undefined;
  const added: string[] = [];
  /** By the name that it has in the file. */
  const ids = new Map<string, string>();
  let leftOut = 0;
  for (const entry of file.entries) {
    const known = await findKnown(ports, entry);
    const id = known ?? (await add(ports, entry));
    if (!ids.has(entry.name)) ids.set(entry.name, id);
    if (known !== undefined) continue;
    added.push(id);
    leftOut += entry.leftOut;
  }
  const collections = await addCollections(ports.collections, file.collections, ids);
  const skipped = file.entries.length - added.length;
  return { added, collections, skipped, refused: file.refused, leftOut };
}

/** One whose name is taken stays as it is here; of the others as many as there is room for. */
async function addCollections(
  collections: Collections,
  listed: readonly ExportedCollection[],
  ids: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (listed.length === 0) return [];
  const here = new Set<string>();
  const after = await collections.change((before) => {
    for (const { name } of before) here.add(name);
    const fresh = new Map(listed.filter(({ name }) => !here.has(name)).map((one) => [one.name, one]));
    const made = [...fresh.values()].map((one) => ({
      ...one,
      members: one.members.flatMap((name) => ids.get(name) ?? []),
    }));
    return [...before, ...made].slice(0, mostCollections);
  });
  return after.map(({ name }) => name).filter((name) => !here.has(name));
}

/** Its id. */
async function findKnown({ store }: Ports, { name, url }: ExportedIntegration): Promise<string | undefined> {
  const known = await store.list();
  return known.find((there) => there.name === name && [there.url, exportedAddress(there.url)].includes(url))?.id;
}

async function add(ports: Ports, { name, url, method, options }: ExportedIntegration): Promise<string> {
  const id = randomUUID();
  await withFreeName(ports, { name, url }, (freeName) =>
    ports.store.write({
      id,
      name: freeName,
      url,
      method,
      // Without its secrets there is nothing to go on with, except where none are needed.
      state: method === 'NoAuth' && options.headerName === undefined ? 'integrated' : 'signedOut',
      createdAt: ports.clock.now(),
      notes: [],
      options,
    }),
  );
  return id;
}
