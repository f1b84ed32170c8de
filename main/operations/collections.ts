import { collectionTitleSchema } from '../../shared/collection.ts';
import type { Collection } from '../../shared/collection.ts';
import {
  collectionNamed,
  collectionNameProblem,
  mostCollections,
  mostMembers,
  titleOf,
  withAliases,
} from '../../shared/entry-name.ts';
import { displayText } from '../address/display-text.ts';
import { asUsedServer } from '../apps/program-engine.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import { removeWithEntries } from './app-changes.ts';
import type { RemovalScope } from './app-changes.ts';
import { readServers } from './operation.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/**
 * Makes a collection, whose name in entries is made from its title once and for all, or changes the title or the servers
 * of one. Errors: NAME_INVALID, NAME_TAKEN, NOT_FOUND, COLLECTIONS_FULL, CFG_*.
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
  const name = input.id === undefined ? undefined : nameIn(input.id);
  const earlier = name === undefined ? undefined : named(await collections.list(), name);
  // One that is being removed, and may come back, keeps its place.
  if (members)
    await readServers(
      ports,
      members.filter((id) => !earlier?.members.includes(id)),
    );
  const after = await collections.change((before) => {
    const now = input.id === undefined ? withNew(before, input) : withChanged(before, nameIn(input.id), input);
    if (now.length > mostCollections || now.some((each) => each.members.length > mostMembers))
      throw new PosternError('COLLECTIONS_FULL', { stage: 'settings' });
    return now;
  });
  await changed('collections');
  return named(after, name ?? after.at(-1)?.name ?? '');
}

interface NewCollection {
  readonly name: string;
  readonly members: readonly string[];
}

function withNew(before: readonly Collection[], { name: typed, members }: NewCollection): readonly Collection[] {
  const title = shownTitle(typed);
  refuseTaken(before, title);
  return [...before, newCollection(before, { name: title, title, members })];
}

/** `name`: for entries, where it may stand there and is free. */
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
 * Those of a list beside `before`, as many as there is room for. One whose name is there stays as it is there; one whose
 * title is taken, or cannot be shown, goes by its name.
 */
export function withListed(before: readonly Collection[], listed: readonly Collection[]): readonly Collection[] {
  const names = new Set(before.map(({ name }) => name));
  return listed
    .filter(({ name }) => !names.has(name))
    .reduce<readonly Collection[]>((all, one) => {
      const titles = [titleOf(one), one.name, ...all.map((_, index) => `${one.name} ${index + 2}`)];
      const title = titles.map(collectionTitle).find((each) => each !== undefined && !isTaken(all, each));
      return [...all, newCollection(all, { ...one, title: title ?? one.name })];
    }, before)
    .slice(0, mostCollections);
}

/** Its name in entries stays: files of apps hold it. */
function withChanged(
  before: readonly Collection[],
  name: string,
  { name: typed, members }: { readonly name?: string | undefined; readonly members?: readonly string[] | undefined },
): readonly Collection[] {
  const earlier = named(before, name);
  const title = typed === undefined ? undefined : shownTitle(typed);
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
 * Removes a collection, after its entries in the files of apps; its servers stay. What fails before leaves all as it is.
 * Errors: NOT_FOUND, CFG_*, those of `removeWithEntries`.
 */
export async function removeCollection(
  scope: Pick<Surface, 'changed'> &
    RemovalScope & {
      /** Removes it for as long as the surface lets the user take it back; `changes`: those of app files made for it. */
      readonly removeFor: (collection: Collection, changes: readonly string[]) => Promise<unknown>;
    },
  { id, entries = [] }: OperationInput<'collection:remove'>,
): Promise<OperationOutput<'collection:remove'>> {
  const removed = named(await scope.collections.list(), nameIn(id));
  const leaving = { kind: 'servers', servers: [asUsedServer(removed)] } as const;
  await removeWithEntries(scope, leaving, entries, (changes) => scope.removeFor(removed, changes));
  await scope.changed('collections', 'programs');
  return null;
}

/** With or without the `+`. */
function nameIn(reference: string): string {
  return collectionNamed(reference) ?? reference;
}

function named(collections: readonly Collection[], name: string): Collection {
  const found = collections.find((each) => each.name === name);
  if (!found) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0, collection: name } });
  return found;
}

/** Errors: NAME_INVALID, where nothing of it can be shown. */
function shownTitle(typed: string): string {
  const title = collectionTitle(typed);
  if (title === undefined) throw new PosternError('NAME_INVALID', { stage: 'app' });
  return title;
}

/** A typed or listed title as it is shown; `undefined`: nothing of it can be. */
export function collectionTitle(typed: string): string | undefined {
  return collectionTitleSchema.safeParse(displayText(typed)).data;
}

export function isTaken(others: readonly Collection[], title: string): boolean {
  const plain = title.toLocaleLowerCase('en');
  return others.some((each) => titleOf(each).toLocaleLowerCase('en') === plain);
}

/** Errors: NAME_TAKEN. */
function refuseTaken(others: readonly Collection[], title: string): void {
  if (isTaken(others, title)) throw new PosternError('NAME_TAKEN', { stage: 'app', detail: { collection: title } });
}

export const collectionOperations = {
  'collection:save': saveCollection,
  'collection:remove': removeCollection,
} as const;
