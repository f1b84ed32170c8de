import type { Collection } from '../../../shared/collection.ts';
import { aliasOf, mostCollections, mostMembers, titleOf, withAliases } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayPlace, serverName } from '../../address/display-text.ts';
import type { Collections } from '../../gateway-ports.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';

/** Errors: NOT_FOUND, CFG_*. */
export async function findCollection(collections: Pick<Collections, 'list'>, name: string): Promise<Collection> {
  return named(await collections.list(), name);
}

/** Makes one with these members, or gives them to the one of that name. Errors: COLLECTIONS_FULL, CFG_*. */
export async function putCollection(
  collections: Collections,
  name: string,
  members: readonly string[],
): Promise<Collection> {
  const put = await collections.change((before) => {
    const collection = { ...before.find((each) => each.name === name), name, members: [...new Set(members)] };
    const isThere = before.some((each) => each.name === name);
    return withinBounds(
      isThere ? before.map((each) => (each.name === name ? collection : each)) : [...before, collection],
    );
  });
  return named(put, name);
}

/** A new one, whose name is made from its title, once and for all. Errors: NAME_TAKEN, COLLECTIONS_FULL, CFG_*. */
export async function addCollection(
  collections: Collections,
  title: string,
  members: readonly string[],
): Promise<Collection> {
  const after = await collections.change((before) => {
    refuseTaken(before, title);
    const taken = before.map(({ name }) => ({ name, alias: name }));
    const name = withAliases([...taken, { name: title, alias: undefined }]).at(-1)?.alias ?? aliasOf(title);
    return withinBounds([...before, { name, ...(title !== name && { title }), members: [...new Set(members)] }]);
  });
  return named(after, after.at(-1)?.name ?? '');
}

/** Its name in entries stays: files of programs hold it. Errors: NAME_TAKEN, NOT_FOUND, CFG_*. */
export async function renameCollection(collections: Collections, name: string, title: string): Promise<Collection> {
  const after = await collections.change((before) => {
    const renamed = named(before, name);
    const others = before.filter((each) => each !== renamed);
    refuseTaken(others, title);
    return before.map((each) => (each === renamed ? { ...each, title } : each));
  });
  return named(after, name);
}

/** The right of programs to use it goes with it. Errors: CFG_*. */
export async function removeCollection(collections: Collections, name: string): Promise<void> {
  await collections.change((before) =>
    before.some((each) => each.name === name) ? before.filter((each) => each.name !== name) : before,
  );
}

function withinBounds(collections: readonly Collection[]): readonly Collection[] {
  if (collections.length > mostCollections || collections.some(({ members }) => members.length > mostMembers))
    throw new PosternError('COLLECTIONS_FULL', { stage: 'settings' });
  return collections;
}

function named(collections: readonly Collection[], name: string): Collection {
  const found = collections.find((each) => each.name === name);
  if (!found) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0, collection: name } });
  return found;
}

function refuseTaken(others: readonly Collection[], title: string): void {
  const plain = title.toLocaleLowerCase('en');
  const taken = others.some((each) => titleOf(each).toLocaleLowerCase('en') === plain);
  if (taken) throw new PosternError('NAME_TAKEN', { stage: 'app', detail: { collection: title } });
}

/**
 * Gives an integration another name; its alias stays, since files of programs hold it. `serverName` leaves something of `name`.
 * Errors: NAME_TAKEN where another one has it in whatever case, also one that may still come back; NOT_FOUND; CFG_*.
 */
export async function renameIntegration(
  { store, locks }: Pick<EnginePorts, 'store' | 'locks'>,
  { id }: Integration,
  name: string,
): Promise<Integration> {
  const shown = serverName(name);
  const plain = shown.toLocaleLowerCase('en');
  return await locks.hold('names', async () => {
    const leaving = (await store.pendingDeletions()).map(({ integration }) => integration);
    const other = [...(await store.list()), ...leaving].find(
      (one) => one.id !== id && one.name.toLocaleLowerCase('en') === plain,
    );
    if (other) {
      const place = displayPlace(new URL(other.url));
      throw new PosternError('NAME_TAKEN', { stage: 'app', detail: { name: other.name, place } });
    }
    const renamed = await store.update(id, (kept) => ({ ...kept, name: shown }));
    if (!renamed) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    return renamed;
  });
}
