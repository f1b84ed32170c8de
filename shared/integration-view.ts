import * as z from 'zod/mini';
import { integrationSchema } from './integration.ts';
import { plainErrorSchema } from './plain-error.ts';

/**
 * The one truthful state of an integration. `signIn`: signed out by the person; `signInAgain`: the grant has ended;
 * `failing`: it was reached or started, and was of no use. `notAllowed`, `stopped`: a command that is not started.
 */
export const integrationStatuses = [
  'ready',
  'signIn',
  'signInAgain',
  'offline',
  'failing',
  'notAllowed',
  'stopped',
  'needsAccess',
  'storageProblem',
] as const;

const { issuerKey: _kept, failure: _shown, allowedCommand: _allowed, ...listed } = integrationSchema.shape;

export const integrationViewSchema = z.strictObject({
  ...listed,
  /** Where it was signed in to, in punycode, with its port where it is not the default. */
  signInHost: z.optional(z.string()),
  /** As its sign-in service published it; absent where it was signed in at a typed token endpoint. */
  issuer: z.optional(z.string()),
  host: z.string(),
  /** What tells its pictures apart, for a light and a dark window; absent where it has none that can be shown. */
  icons: z.optional(z.strictObject({ light: z.string(), dark: z.string() })),
  status: z.strictObject({
    name: z.enum(integrationStatuses),
    /** Milliseconds since 1970 of the next try (`offline`). */
    retryAt: z.optional(z.number()),
    error: z.optional(plainErrorSchema),
    /** What answers there is no MCP server (`failing`): its address was right once, and nothing here changes it. */
    mayHaveMoved: z.optional(z.literal(true)),
  }),
  /** Requested, and not granted. */
  missingScopes: z.array(z.string()),
  /** Milliseconds since 1970 at which its token is refreshed next; absent when it is not. */
  nextRefreshAt: z.optional(z.number()),
  /** A program whose call was refused, as long as the person has to help. */
  wantedBy: z.optional(z.string().check(z.maxLength(80))),
  /** Something is being done with it. */
  busy: z.optional(z.enum(['connecting', 'calling', 'refreshing', 'signingOut', 'removing', 'signingIn'])),
  /** The sign-in in progress, as in the slice `connections`. */
  connectionId: z.optional(z.string()),
});

export type IntegrationView = z.infer<typeof integrationViewSchema>;
export type IntegrationStatus = IntegrationView['status'];
