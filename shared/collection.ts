import * as z from 'zod/mini';
import { lazy } from './lazy.ts';
import { aliasPattern, collectionReference, maxCollectionMembers } from './entry-name.ts';
import { withoutServer } from './app-record.ts';
import type { AppRecord } from './app-record.ts';

/** A single line. */
export const collectionTitleSchema = lazy(() =>
  z.string().check(z.minLength(1), z.maxLength(80), z.regex(/^(?=.*\S)[^\p{C}\u2028\u2029]+$/u)),
);

/** Several servers that apps use through one entry. */
export const collectionSchema = lazy(() =>
  z.strictObject({
    /** An alias; it never changes, because apps' files contain it. */
    name: z.string().check(z.regex(aliasPattern)),
    /** Its display name; absent: `name`. */
    title: z.optional(collectionTitleSchema()),
    /** Ids, in the order in which apps see them. Unknown ids are ignored. */
    members: z.pipe(
      z.array(z.string().check(z.regex(/^[a-z0-9-]{1,64}$/))).check(z.maxLength(maxCollectionMembers)),
      z.transform((ids) => [...new Set(ids)]),
    ),
  }),
);

export type Collection = z.infer<ReturnType<typeof collectionSchema>>;

/** Removes servers that are gone for good. */
export function withoutMembers(collections: readonly Collection[], gone: ReadonlySet<string>): readonly Collection[] {
  if (!collections.some(({ members }) => members.some((id) => gone.has(id)))) return collections;
  return collections.map((collection) => ({
    ...collection,
    members: collection.members.filter((id) => !gone.has(id)),
  }));
}

/** Removes the right to use deleted and new collections: a new one may reuse the name of an old one. */
export function withoutCollections(
  records: readonly AppRecord[],
  before: readonly Collection[],
  after: readonly Collection[],
): readonly AppRecord[] {
  const changed = [...newCollections(before, after), ...newCollections(after, before)];
  return changed.reduce((rest, collection) => withoutServer(rest, collectionReference(collection)), records);
}

/** The collections of `after` whose names are not in `before`. */
export function newCollections(before: readonly Collection[], after: readonly Collection[]): readonly Collection[] {
  const names = new Set(before.map(({ name }) => name));
  return after.filter(({ name }) => !names.has(name));
}
