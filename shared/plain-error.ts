import * as z from 'zod';
import { errorCodes, stages } from './error-codes.ts';
import type { PlainError } from './error-codes.ts';
import { networkFaults } from './network-fault.ts';
import { oauthErrors } from './oauth-errors.ts';
import { remedySchema } from './remedy.ts';

/** An error as it crosses a process border. */
export const plainErrorSchema = z.strictObject({
  code: z.enum(errorCodes),
  cause: z.enum(errorCodes).optional(),
  fault: z.enum(networkFaults).optional(),
  stage: z.enum(stages),
  message: z.string(),
  remedy: remedySchema,
  retryable: z.boolean(),
  retryAt: z.number().optional(),
  callbackUrl: z.string().optional(),
  oauthError: z.enum(oauthErrors).optional(),
  missingScopes: z.array(z.string()).readonly().optional(),
  scopeAnswer: z.enum(['refused', 'granted']).optional(),
}) satisfies z.ZodType<PlainError>;
