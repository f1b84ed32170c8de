import * as z from 'zod/mini';
import { traceEntrySchema } from '../../shared/trace.ts';

/** A request as `--trace --json` tells it: the next step in words. */
export const toldTraceEntrySchema = z.extend(z.omit(traceEntrySchema, { remedy: true, isNeedless: true }), {
  nextStep: z.optional(z.string().check(z.minLength(10))),
});

export type ToldTraceEntry = z.infer<typeof toldTraceEntrySchema>;
