import * as z from 'zod/mini';
import { collectionSchema } from './collection.ts';
import { integrationSchema } from './integration.ts';
import { lazy } from './lazy.ts';

/** The batch of a record: what was deleted together is restored together. */
const batch = lazy(() => {
  const id = z.string().check(z.minLength(1), z.maxLength(64));
  return {
    /** Id of the batch. */
    batch: id,
    /** Ids of the app file changes made for it, which are undone with it. */
    changes: z.optional(z.array(id)),
  };
});

/**
 * A sign-out or a removal that can still be undone: the sign-in is no longer used, but its secrets are still
 * stored. Stored beside the list, so that another process can finish it.
 */
export const pendingDeletionSchema = lazy(() =>
  z.strictObject({
    ...batch(),
    /** `back`: the server is restored; only app entries are not yet. */
    kind: z.enum(['signOut', 'remove', 'back']),
    /** Milliseconds since 1970. */
    since: z.int(),
    /** Too late to undo. */
    isFinal: z.optional(z.literal(true)),
    /** The entry as it was. */
    integration: integrationSchema,
  }),
);

export type PendingDeletion = z.infer<ReturnType<typeof pendingDeletionSchema>>;

/**
 * A removed collection that can still be restored, unless another one takes its name. Apps' rights stay with it until
 * it is final; meanwhile they have no effect.
 */
export const removedCollectionSchema = lazy(() =>
  z.strictObject({
    ...batch(),
    /** `back`: as for a server. */
    kind: z.enum(['remove', 'back']),
    /** Milliseconds since 1970. */
    since: z.int(),
    until: z.int(),
    isFinal: z.optional(z.literal(true)),
    collection: collectionSchema(),
    /** Its place in the list. */
    place: z.int().check(z.minimum(0)),
  }),
);

export type RemovedCollection = z.infer<ReturnType<typeof removedCollectionSchema>>;
