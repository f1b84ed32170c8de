import type { Collection } from '../../../shared/collection.ts';
import { collectionNameIn, collectionNameProblem, collectionReference } from '../../../shared/entry-name.ts';
import { asEntryTarget } from '../../apps/app-dependencies.ts';
import type { EntryTarget } from '../../apps/app-dependencies.ts';
import { findKnownApp, knownApps } from '../../apps/records/app-records.ts';
import type { App } from '../../apps/table/app.ts';
import { closestWord } from '../../closest-word.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, AppRecords } from '../../gateway-ports.ts';
import type { IntegrationStore } from '../../ports.ts';
import type { CommandName } from '../options/command-spec.ts';
import { didYouMean, UsageError } from '../options/parse-arguments.ts';
import { printableLine } from '../text.ts';

/** The app with this name: a known one or one the user added. Errors: APP_NOT_FOUND, CFG_*. */
export async function resolveApp(word: string, records: Pick<AppRecords, 'list'>): Promise<App> {
  const app = findKnownApp(word, await records.list());
  if (!app) throw await appNotFound(word, records);
  return app;
}

/** APP_NOT_FOUND with the app that was probably meant. */
export async function appNotFound(word: string, records: Pick<AppRecords, 'list'>): Promise<PosternError> {
  const known = await knownApps({ records });
  const closest = closestWord(
    word,
    known.flatMap(({ id, name }) => [id, name]),
  );
  const suggestion = known.find(({ id, name }) => closest === id || closest === name)?.id;
  return new PosternError('APP_NOT_FOUND', {
    stage: 'apps',
    detail: { unknown: true, ...(suggestion !== undefined && { meant: suggestion }) },
  });
}

/** Without duplicates. Errors: as `resolveApp`. */
export async function resolveApps(
  words: readonly string[],
  records: Pick<AppRecords, 'list'>,
): Promise<readonly App[]> {
  const resolved = await Promise.all(words.map((word) => resolveApp(word, records)));
  return [...new Map(resolved.map((app) => [app.id, app])).values()];
}

interface Lists {
  readonly store: IntegrationStore;
  readonly collections: Pick<Collections, 'list'>;
}

/** A server, or a collection after `+`. A server may also have a name with `+`. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function resolveTarget(
  { store, collections }: Lists,
  reference: string,
  command: CommandName,
): Promise<EntryTarget> {
  if (collectionNameIn(reference) === undefined) return await findIntegration(store, reference);
  const server = (await store.list()).find(({ name }) => name === reference);
  if (server && !(await collections.list()).some((each) => collectionReference(each) === reference)) return server;
  return asEntryTarget(await resolveCollection(collections, reference, command));
}

/** Finds a collection, with or without `+`. Errors: USAGE, CFG_*. */
export async function resolveCollection(
  collections: Pick<Collections, 'list'>,
  reference: string,
  command: CommandName,
): Promise<Collection> {
  const name = parseCollectionName(reference, command);
  const all = await collections.list();
  const found = all.find((each) => each.name === name);
  if (!found)
    throw new UsageError(
      `There is no collection “${printableLine(name, 40)}”.${didYouMean(
        name,
        all.map((each) => each.name),
      )} “postern collection” lists all.`,
      command,
    );
  return found;
}

/** Errors: USAGE for an invalid name. */
export function parseCollectionName(reference: string, command: CommandName): string {
  const name = collectionNameIn(reference) ?? reference;
  if (collectionNameProblem(name) === 'letters')
    throw new UsageError('A collection name has at most 24 lowercase letters, digits and hyphens.', command);
  return name;
}
