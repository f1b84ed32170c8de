import * as z from 'zod/mini';
import { integrationSchema } from './integration.ts';
import { plainErrorSchema } from './plain-error.ts';

/**
 * The status of an integration. `signIn`: the user signed out; `signInAgain`: the grant has ended; `failing`: it was
 * reached or started but did not work. `notAllowed`, `stopped`: a command that does not start.
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

const {
  issuerKey: _issuerKey,
  failure: _failure,
  allowedCommand: _allowedCommand,
  ...listed
} = integrationSchema.shape;

export const integrationViewSchema = z.strictObject({
  ...listed,
  /** Host of its sign-in, in punycode, with its port if it is not the default. */
  signInHost: z.optional(z.string()),
  /** The issuer as published; absent for a typed token endpoint. */
  issuer: z.optional(z.string()),
  host: z.string(),
  /** Version marks of its icons for the light and the dark theme; absent if it has none. */
  icons: z.optional(z.strictObject({ light: z.string(), dark: z.string() })),
  status: z.strictObject({
    name: z.enum(integrationStatuses),
    /** The next attempt (`offline`), in milliseconds since 1970. */
    retryAt: z.optional(z.number()),
    error: z.optional(plainErrorSchema),
    /** The endpoint is not an MCP server (`failing`): its address was right once, and nothing here can fix it. */
    mayHaveMoved: z.optional(z.literal(true)),
  }),
  /** Requested but not granted. */
  missingScopes: z.array(z.string()),
  /** The next token refresh, in milliseconds since 1970; absent if none is planned. */
  nextRefreshAt: z.optional(z.number()),
  /** An app whose call was refused, until the user acts. */
  wantedBy: z.optional(z.string().check(z.maxLength(80))),
  /** The operation in progress. */
  busy: z.optional(z.enum(['connecting', 'calling', 'refreshing', 'signingOut', 'removing', 'signingIn'])),
  /** The sign-in in progress, as in the slice `connections`. */
  connectionId: z.optional(z.string()),
});

export type IntegrationView = z.infer<typeof integrationViewSchema>;
export type IntegrationStatus = IntegrationView['status'];
