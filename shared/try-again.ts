import * as z from 'zod';

/**
 * How a sign-in may go on although nobody types a client, where one that Postern came by itself failed. `passing`: what
 * failed is a passing fault, and before `until` (milliseconds since 1970) trying again is of no use. `perhaps`: it may
 * be one.
 */
export const tryAgainSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('perhaps') }),
  z.strictObject({ kind: z.literal('passing'), until: z.number().optional() }),
]);

export type TryAgain = z.infer<typeof tryAgainSchema>;
