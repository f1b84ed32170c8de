import { collectionNamed, collectionReference, titleOf } from '../../shared/collection-name.ts';
import type { Collection } from '../../shared/collection.ts';
import type { Integration } from '../../shared/integration.ts';

/** What an entry of Postern leads to: a server, or a collection, which is known by its name behind a `+` alone. */
export type UsedServer = Pick<Integration, 'id' | 'name' | 'alias'>;

export function asUsedServer(collection: Collection): UsedServer {
  const reference = collectionReference(collection);
  return { id: reference, alias: reference, name: titleOf(collection) };
}

/** All that entries may lead to. */
export function usedServers(
  integrations: readonly Integration[],
  collections: readonly Collection[],
): readonly UsedServer[] {
  return [...integrations, ...collections.map(asUsedServer)];
}

/** What an entry that leads there is called, unless a person says. */
export function entryNameFor({ id, alias = id }: UsedServer): string {
  return collectionNamed(alias) ?? alias;
}
