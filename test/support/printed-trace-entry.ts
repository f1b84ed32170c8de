import * as z from 'zod/mini';
import { traceEntrySchema } from '../../shared/trace.ts';

/** A request as `--trace --json` prints it, with the next step as text. */
export const printedTraceEntrySchema = z.extend(z.omit(traceEntrySchema, { remedy: true, isNeedless: true }), {
  nextStep: z.optional(z.string().check(z.minLength(10))),
});

export type PrintedTraceEntry = z.infer<typeof printedTraceEntrySchema>;
