import * as z from 'zod';
import { collectionTitleSchema } from './collection.ts';
import { mostMembers } from './collection-name.ts';
import { changeTokens } from './program-calls.ts';

const id = z.string().min(1).max(64);
const members = z.array(id).max(mostMembers);

/** A collection as a window shows it. */
export const collectionViewSchema = z.strictObject({
  /** What stands for it where a server may stand too (`+work`). */
  id,
  /** What people call it. */
  name: collectionTitleSchema,
  /** Ids of the servers that are there. */
  members,
});

export type CollectionView = z.infer<typeof collectionViewSchema>;

/** What a window may do about collections; a part of `ipc-contract.ts`. */
export const collectionCalls = {
  /** Without `id` a new one. Errors: NAME_TAKEN, NOT_FOUND, COLLECTIONS_FULL. */
  'collection:save': {
    input: z.strictObject({ id: id.optional(), name: collectionTitleSchema, members }),
    output: z.null(),
  },
  /** It can be undone as a removal of servers can. `entries`: as of `integration:remove`. */
  'collection:remove': { input: z.strictObject({ id, entries: changeTokens.optional() }), output: z.null() },
} as const;
