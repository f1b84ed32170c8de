import * as z from 'zod';
import { traceEntrySchema } from '../../shared/trace.ts';

/** A request as `--trace --json` tells it: the next step in words. */
export const toldTraceEntrySchema = traceEntrySchema
  .omit({ remedy: true, isNeedless: true })
  .extend({ nextStep: z.string().min(10).optional() });

export type ToldTraceEntry = z.infer<typeof toldTraceEntrySchema>;
