import * as z from 'zod';
import { activityBounds } from './activity-bounds.ts';
import { activityCallSchema } from './activity.ts';

/** A call as a window shows it. */
export const activityViewSchema = activityCallSchema.extend({
  programName: z.string().max(80).optional(),
  /** What an error of Postern means, in English: the window has the words of other languages alone. */
  failure: z.string().optional(),
});

export type ActivityView = z.infer<typeof activityViewSchema>;

/** What a window may ask of main about the calls of programs; a part of `ipc-contract.ts`. */
export const activityCalls = {
  /** Those that were noted after the one with the number `after`, oldest first; `last` is the number of the newest. */
  'activity:read': {
    input: z.strictObject({ after: z.number().int().min(0) }),
    output: z.strictObject({
      /** Number of the oldest that is still kept: older ones are to be forgotten. */
      first: z.number().int(),
      last: z.number().int(),
      calls: z.array(activityViewSchema).max(activityBounds.calls),
    }),
  },
  /** Saves calls by their numbers, newest first as they are shown, where the person says. */
  'activity:export': {
    input: z.strictObject({ calls: z.array(z.number().int()).max(activityBounds.calls) }),
    output: z.strictObject({ saved: z.boolean() }),
  },
} as const;
