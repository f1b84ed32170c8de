import * as z from 'zod';
import { integrationSchema } from './integration.ts';

/**
 * A sign-out or a removal that can still be taken back: nobody uses the sign-in any more, and its secrets are there for
 * a moment. Kept beside the list, so that whatever ends the process, the next one finishes it.
 */
export const pendingDeletionSchema = z.strictObject({
  kind: z.enum(['signOut', 'remove']),
  /** Milliseconds since 1970. */
  since: z.number().int(),
  /** It cannot be taken back any more. */
  isFinal: z.literal(true).optional(),
  /** The entry as it was. */
  integration: integrationSchema,
});

export type PendingDeletion = z.infer<typeof pendingDeletionSchema>;
