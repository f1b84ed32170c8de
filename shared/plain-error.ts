import * as z from 'zod';
import { errorCodes, stages } from './error-codes.ts';
import type { PlainError } from './error-codes.ts';
import { detailSchema } from './error-detail.ts';
import { blames, errorFacts } from './error-facts.ts';
import { remedySchema } from './remedy.ts';

/** An error as it crosses a process border. */
export const plainErrorSchema = z.strictObject({
  code: z.enum(errorCodes),
  cause: z.enum(errorCodes).optional(),
  stage: z.enum(stages),
  blame: z.enum(blames),
  about: z.array(z.enum(errorFacts)).readonly().optional(),
  message: z.string(),
  detail: detailSchema.optional(),
  remedy: remedySchema,
  retryable: z.boolean(),
  serverWords: z.strictObject({ code: z.number().optional(), message: z.string() }).optional(),
  retryAt: z.number().optional(),
}) satisfies z.ZodType<PlainError>;
