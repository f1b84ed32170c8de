import * as z from 'zod/mini';
import { collectionSchema } from './collection.ts';
import { integrationSchema } from './integration.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));

/** What all records of one batch share: what was deleted by one act comes back by one. */
const batch = {
  /** Id of the batch. */
  batch: id,
  /** Ids of the changes of app files that were made for it and come back with it. */
  changes: z.optional(z.array(id)),
};

/**
 * A sign-out or a removal that can still be undone: the sign-in is no longer used, and its secrets stay for a moment.
 * Stored beside the list, so that the next process finishes the job if this one ends.
 */
export const pendingDeletionSchema = z.strictObject({
  ...batch,
  /** `back`: the server is in the list again, and only entries of apps are still to come back. */
  kind: z.enum(['signOut', 'remove', 'back']),
  /** Milliseconds since 1970. */
  since: z.int(),
  /** Too late to undo. */
  isFinal: z.optional(z.literal(true)),
  /** The entry as it was. */
  integration: integrationSchema,
});

export type PendingDeletion = z.infer<typeof pendingDeletionSchema>;

/**
 * A removed collection that can still be restored, unless another one takes its name. Apps' rights stay with it until
 * it is final; meanwhile they have no effect.
 */
export const removedCollectionSchema = z.strictObject({
  ...batch,
  /** `back`: as for a server. */
  kind: z.enum(['remove', 'back']),
  /** Milliseconds since 1970. */
  since: z.int(),
  until: z.int(),
  isFinal: z.optional(z.literal(true)),
  collection: collectionSchema,
  /** Its place in the list. */
  place: z.int().check(z.minimum(0)),
});

export type RemovedCollection = z.infer<typeof removedCollectionSchema>;
