import { collectionTitleSchema } from '../../shared/collection.ts';
import type { Collection } from '../../shared/collection.ts';
import {
  collectionNameIn,
  collectionNameProblem,
  maxCollections,
  maxCollectionMembers,
  titleOf,
  withAliases,
} from '../../shared/entry-name.ts';
import { displayText } from '../address/display-text.ts';
import { asEntryTarget } from '../apps/app-dependencies.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import { removeWithEntries } from './app-changes.ts';
import type { RemovalScope } from './app-changes.ts';
import { readServers } from './operation.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/**
 * Creates a collection, whose name in entries is derived from its title once, or changes a collection's title or
 * servers. Errors: NAME_INVALID, NAME_TAKEN, NOT_FOUND, COLLECTIONS_FULL, CFG_*.
 */
export async function saveCollection(
  {
    collections,
    ports,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly collections: Collections;
    readonly ports: { readonly store: Pick<EnginePorts['store'], 'list'> };
  },
  input: OperationInput<'collection:save'>,
): Promise<OperationOutput<'collection:save'>> {
  const { members } = input;
  const name = input.id === undefined ? undefined : nameFromReference(input.id);
  const earlier = name === undefined ? undefined : findByName(await collections.list(), name);
  // A server whose removal can be undone stays a member.
  if (members)
    await readServers(
      ports,
      members.filter((id) => !earlier?.members.includes(id)),
    );
  const after = await collections.change((before) => {
    const now =
      input.id === undefined ? withNew(before, input) : withChanged(before, nameFromReference(input.id), input);
    if (now.length > maxCollections || now.some((each) => each.members.length > maxCollectionMembers))
      throw new PosternError('COLLECTIONS_FULL', { stage: 'settings' });
    return now;
  });
  await changed('collections');
  return findByName(after, name ?? after.at(-1)?.name ?? '');
}

interface NewCollection {
  readonly name: string;
  readonly members: readonly string[];
}

function withNew(before: readonly Collection[], { name: typed, members }: NewCollection): readonly Collection[] {
  const title = displayTitle(typed);
  refuseTaken(before, title);
  return [...before, newCollection(before, { name: title, title, members })];
}

/** `name`: used in entries if valid and free. */
function newCollection(
  before: readonly Collection[],
  { name: wanted, title, members }: NewCollection & { readonly title: string },
): Collection {
  const taken = before.map(({ name }) => ({ name, alias: name }));
  const alias = collectionNameProblem(wanted) === undefined ? wanted : undefined;
  const name = withAliases([...taken, { name: title, alias }]).at(-1)?.alias ?? title;
  return { name, ...(title !== name && { title }), members: [...new Set(members)] };
}

/**
 * Adds imported collections to `before`, up to the limit. A collection whose name exists is skipped; one whose title is
 * taken or cannot be displayed uses its name as title.
 */
export function withImported(before: readonly Collection[], listed: readonly Collection[]): readonly Collection[] {
  const names = new Set(before.map(({ name }) => name));
  return listed
    .filter(({ name }) => !names.has(name))
    .reduce<readonly Collection[]>((all, one) => {
      const titles = [titleOf(one), one.name, ...all.map((_, index) => `${one.name} ${index + 2}`)];
      const title = titles.map(collectionTitle).find((each) => each !== undefined && !isTaken(all, each));
      return [...all, newCollection(all, { ...one, title: title ?? one.name })];
    }, before)
    .slice(0, maxCollections);
}

/** Its name stays, since app files contain it. */
function withChanged(
  before: readonly Collection[],
  name: string,
  { name: typed, members }: { readonly name?: string | undefined; readonly members?: readonly string[] | undefined },
): readonly Collection[] {
  const earlier = findByName(before, name);
  const title = typed === undefined ? undefined : displayTitle(typed);
  const isRenamed = title !== undefined && title !== titleOf(earlier);
  if (isRenamed)
    refuseTaken(
      before.filter((each) => each !== earlier),
      title,
    );
  const now = { ...earlier, ...(isRenamed && { title }), ...(members && { members: [...new Set(members)] }) };
  return before.map((each) => (each === earlier ? now : each));
}

/**
 * Removes a collection after its entries in app files; its servers stay. An earlier failure leaves everything as it
 * was. Errors: NOT_FOUND, CFG_*, those of `removeWithEntries`.
 */
export async function removeCollection(
  scope: Pick<Surface, 'changed'> &
    RemovalScope & {
      /** Removes it, undoable as the surface allows. `changes`: those of app files made for it. */
      readonly removeFor: (collection: Collection, changes: readonly string[]) => Promise<unknown>;
    },
  { id, entries = [] }: OperationInput<'collection:remove'>,
): Promise<OperationOutput<'collection:remove'>> {
  const removed = findByName(await scope.collections.list(), nameFromReference(id));
  const removal = { kind: 'servers', servers: [asEntryTarget(removed)] } as const;
  await removeWithEntries(scope, removal, entries, (changes) => scope.removeFor(removed, changes));
  await scope.changed('collections', 'apps');
  return null;
}

/** With or without the `+`. */
function nameFromReference(reference: string): string {
  return collectionNameIn(reference) ?? reference;
}

function findByName(collections: readonly Collection[], name: string): Collection {
  const found = collections.find((each) => each.name === name);
  if (!found) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0, collection: name } });
  return found;
}

/** Errors: NAME_INVALID if none of it can be displayed. */
function displayTitle(typed: string): string {
  const title = collectionTitle(typed);
  if (title === undefined) throw new PosternError('NAME_INVALID', { stage: 'postern' });
  return title;
}

/** A title for display; `undefined`: none of it can be displayed. */
export function collectionTitle(typed: string): string | undefined {
  return collectionTitleSchema().safeParse(displayText(typed)).data;
}

export function isTaken(others: readonly Collection[], title: string): boolean {
  const plain = title.toLocaleLowerCase('en');
  return others.some((each) => titleOf(each).toLocaleLowerCase('en') === plain);
}

/** Errors: NAME_TAKEN. */
function refuseTaken(others: readonly Collection[], title: string): void {
  if (isTaken(others, title)) throw new PosternError('NAME_TAKEN', { stage: 'postern', detail: { collection: title } });
}

export const collectionOperations = {
  'collection:save': saveCollection,
  'collection:remove': removeCollection,
} as const;
