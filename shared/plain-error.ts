import * as z from 'zod/mini';
import { errorCodeSchema } from './error-code-schema.ts';
import { stages } from './error-codes.ts';
import type { PlainError } from './error-codes.ts';
import { detailSchema } from './error-detail.ts';
import { blames, errorTraits } from './error-traits.ts';
import { remedySchema } from './remedy.ts';

/** An error that crosses a process boundary. */
export const plainErrorSchema = z.strictObject({
  code: errorCodeSchema,
  cause: z.optional(errorCodeSchema),
  stage: z.enum(stages),
  blame: z.enum(blames),
  traits: z.optional(z.readonly(z.array(z.enum(errorTraits)))),
  message: z.string(),
  detail: z.optional(detailSchema),
  remedy: remedySchema,
  retryable: z.boolean(),
  serverWords: z.optional(z.strictObject({ code: z.optional(z.number()), message: z.string() })),
  retryAt: z.optional(z.number()),
}) satisfies z.ZodMiniType<PlainError>;
