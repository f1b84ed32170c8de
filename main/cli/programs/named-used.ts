import { aliasPattern } from '../../../shared/integration-alias.ts';
import { collectionNamed, collectionReference } from '../../../shared/collection-name.ts';
import type { Collection } from '../../../shared/collection.ts';
import type { Collections } from '../../gateway-ports.ts';
import { findIntegration } from '../../integration/kept/find-integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { asUsedServer, type UsedServer } from '../../programs/used-server.ts';
import type { CommandName } from '../options/command-specs.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import { printableLine } from '../text/printable.ts';

interface Lists {
  readonly store: IntegrationStore;
  readonly collections: Pick<Collections, 'list'>;
}

/** A server, or behind a `+` a collection; where there is none, a server of that name. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function namedUsed(
  { store, collections }: Lists,
  reference: string,
  command: CommandName,
): Promise<UsedServer> {
  if (collectionNamed(reference) === undefined) return await findIntegration(store, reference);
  const server = (await store.list()).find(({ name }) => name === reference);
  if (server && !(await collections.list()).some((each) => collectionReference(each) === reference)) return server;
  return asUsedServer(await namedCollection(collections, reference, command));
}

/** With or without the `+`. Errors: USAGE, CFG_*. */
export async function namedCollection(
  collections: Pick<Collections, 'list'>,
  reference: string,
  command: CommandName,
): Promise<Collection> {
  const name = collectionName(reference, command);
  const all = await collections.list();
  const found = all.find((each) => each.name === name);
  if (!found)
    throw new UsageError(
      `There is no collection “${printableLine(name, 40)}”.${didYouMean(
        name,
        all.map((each) => each.name),
      )} “postern collection” lists them.`,
      command,
    );
  return found;
}

/** Errors: USAGE for what can be none. */
export function collectionName(reference: string, command: CommandName): string {
  const name = collectionNamed(reference) ?? reference;
  if (!aliasPattern.test(name))
    throw new UsageError('A collection’s name has small letters, digits and hyphens, at most 24 of them.', command);
  return name;
}
