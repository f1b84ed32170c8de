import * as z from 'zod/mini';
import { aliasPattern, collectionReference, mostMembers } from './entry-name.ts';
import { withoutServer } from './program-record.ts';
import type { ProgramRecord } from './program-record.ts';

/** `title`: as people write it, on one line. */
export const collectionTitleSchema = z
  .string()
  .check(z.minLength(1), z.maxLength(80), z.regex(/^(?=.*\S)[^\p{C}\u2028\u2029]+$/u));

/** Several servers that programs use by one entry. */
export const collectionSchema = z.strictObject({
  /** As an alias: it stands in programs' files, so it is kept. */
  name: z.string().check(z.regex(aliasPattern)),
  /** What people call it; left out: its name. */
  title: z.optional(collectionTitleSchema),
  /** Ids, in the order in which programs see them. One that is not in the list counts for nothing. */
  members: z.pipe(
    z.array(z.string().check(z.regex(/^[a-z0-9-]{1,64}$/))).check(z.maxLength(mostMembers)),
    z.transform((ids) => [...new Set(ids)]),
  ),
});

export type Collection = z.infer<typeof collectionSchema>;

/** Without servers that are gone for good. */
export function withoutMembers(collections: readonly Collection[], gone: ReadonlySet<string>): readonly Collection[] {
  if (!collections.some(({ members }) => members.some((id) => gone.has(id)))) return collections;
  return collections.map((collection) => ({
    ...collection,
    members: collection.members.filter((id) => !gone.has(id)),
  }));
}

/** Programs without the right to use collections that are gone, or new: a name may have been another one's before. */
export function withoutCollections(
  records: readonly ProgramRecord[],
  before: readonly Collection[],
  after: readonly Collection[],
): readonly ProgramRecord[] {
  const changed = [...newCollections(before, after), ...newCollections(after, before)];
  return changed.reduce((kept, collection) => withoutServer(kept, collectionReference(collection)), records);
}

/** Those of `after` whose names are not in `before`. */
export function newCollections(before: readonly Collection[], after: readonly Collection[]): readonly Collection[] {
  const names = new Set(before.map(({ name }) => name));
  return after.filter(({ name }) => !names.has(name));
}
