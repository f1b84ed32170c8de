import * as z from 'zod';
import { blames, errorCodes, stages } from './error-codes.ts';
import type { PlainError } from './error-codes.ts';
import { remedySchema } from './remedy.ts';

/** What fills the gaps of a sentence. */
export const detailSchema = z.record(z.string(), z.union([z.string(), z.number()])).readonly();

/** An error as it crosses a process border. */
export const plainErrorSchema = z.strictObject({
  code: z.enum(errorCodes),
  cause: z.enum(errorCodes).optional(),
  stage: z.enum(stages),
  blame: z.enum(blames),
  message: z.string(),
  detail: detailSchema.optional(),
  remedy: remedySchema,
  retryable: z.boolean(),
  serverWords: z.strictObject({ code: z.number(), message: z.string() }).optional(),
  retryAt: z.number().optional(),
}) satisfies z.ZodType<PlainError>;
