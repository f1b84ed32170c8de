import * as z from 'zod';
import { blames } from '../../../shared/blame.ts';

/** Milliseconds since 1970. */
export const moment = z.number();
export const list = z.array(z.looseObject({}));

/** A server of the list, as every command tells it. */
export const integration = z.looseObject({
  id: z.string(),
  name: z.string(),
  alias: z.string().nullable(),
  url: z.string(),
  method: z.string(),
  issuer: z.string().nullable(),
  scope: z.string().nullable(),
  expiresAt: moment.nullable(),
  state: z.string(),
  /** The state in the words of `postern list`. */
  status: z.string(),
  account: z.string().nullable(),
  retryAt: moment.optional(),
  header: z.string().optional(),
});

/** What went wrong. */
export const failure = z.looseObject({
  code: z.string(),
  stage: z.string(),
  /** Whose mistake it is. */
  blame: z.enum(blames),
  message: z.string(),
  retryable: z.boolean(),
  nextStep: z.string(),
  cause: z.string().optional(),
  /** What the server said in a JSON-RPC error: its words, cleaned and cut. */
  serverWords: z.looseObject({ code: z.number().optional(), message: z.string() }).optional(),
  retryAt: moment.optional(),
  fault: z.string().optional(),
  oauthError: z.string().optional(),
  missingScopes: z.array(z.string()).optional(),
  scopeAnswer: z.enum(['refused', 'granted']).optional(),
  callbackUrl: z.string().optional(),
  /** The servers that one reference means. */
  candidates: z.array(z.looseObject({ id: z.string(), name: z.string() })).optional(),
  /** Lines to put into a file by hand. */
  paste: z.looseObject({ path: z.string(), lines: z.string() }).optional(),
});

export const file = z.looseObject({ path: z.string(), size: z.number().optional(), mimeType: z.string().optional() });
export const content = z.array(z.looseObject({ type: z.string() }));
/** What of the answer is not as MCP wants it: `index` from 0; `isKept` where the rest of the entry is there. */
export const unusable = z
  .array(
    z.looseObject({
      list: z.string(),
      index: z.number().optional(),
      name: z.string().optional(),
      member: z.string().optional(),
      isKept: z.literal(true).optional(),
    }),
  )
  .optional();
export const tool = z.looseObject({ name: z.string(), inputSchema: z.looseObject({}) });

/** What `remove --all` has deleted; of the services, how often each answer came. */
export const deleted = z.looseObject({
  integrations: z.number(),
  signIns: z.number(),
  keychainEntries: z.number(),
  revocations: z.record(z.string(), z.number()),
  registrations: z.record(z.string(), z.number()),
});
