import * as z from 'zod';
import { errorCodes, stages } from './error-codes.ts';
import type { PlainError } from './error-codes.ts';
import { remedySchema } from './remedy.ts';

/** An error as it crosses a process border. */
export const plainErrorSchema = z.strictObject({
  code: z.enum(errorCodes),
  cause: z.enum(errorCodes).optional(),
  stage: z.enum(stages),
  message: z.string(),
  remedy: remedySchema,
  retryable: z.boolean(),
  retryAt: z.number().optional(),
}) satisfies z.ZodType<PlainError>;
