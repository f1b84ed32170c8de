import * as z from 'zod/mini';
import { callbackHosts, grants, pkcePolicies, secretMethods, windowSurfaces } from './choices.ts';
import { knownNotes } from './compatibility-notes.ts';
import { aliasPattern } from './entry-name.ts';
import { errorCodeSchema } from './error-code-schema.ts';
import { stages } from './error-codes.ts';
import { blames } from './error-traits.ts';
import { isKeyHeaderName } from './header-name.ts';
import { localCommandSchema } from './local-command.ts';
import { authenticationMethods } from './oauth.ts';
import { appIdSchema } from './app-record.ts';
import { changedToolRules, capabilities, permissionBounds, toolPresets, toolRules } from './tool-permissions.ts';

export const toolNameSchema = z.string().check(z.minLength(1), z.maxLength(permissionBounds.tool));

const level = {
  preset: z.optional(z.enum(toolPresets)),
  without: z.optional(z.array(z.enum(capabilities)).check(z.maxLength(capabilities.length))),
  rules: z.optional(
    z
      .array(z.strictObject({ tool: toolNameSchema, rule: z.enum(toolRules) }))
      .check(z.maxLength(permissionBounds.rules)),
  ),
};

export const toolPermissionsSchema = z.strictObject({
  ...level,
  changedTools: z.optional(z.enum(changedToolRules)),
  apps: z.optional(z.array(z.strictObject({ app: appIdSchema, ...level })).check(z.maxLength(permissionBounds.apps))),
});

const accountText = z.optional(z.string().check(z.minLength(1), z.maxLength(256)));

/** The signed-in account according to the service. A label for the user; nothing depends on it. */
const signedInUserSchema = z.strictObject({
  name: accountText,
  email: accountText,
  /** The organization, workspace or tenant chosen at the sign-in. */
  organization: accountText,
});

export type SignedInUser = z.infer<typeof signedInUserSchema>;

/** States of an integration that survive a restart (spec 3.2). */
export const storedStates = ['integrated', 'signedOut', 'reauthenticationRequired'] as const;

/**
 * The protocol form: `stateless` is MCP 2026-07-28, `session` starts with `initialize`, and so does `sse`, over the
 * HTTP+SSE transport of 2024-11-05.
 */
const serverProtocols = ['stateless', 'session', 'sse'] as const;

export type ServerProtocol = (typeof serverProtocols)[number];

/** How a connection starts, over either transport. */
export const protocolForms = ['stateless', 'session'] as const;

export type ProtocolForm = (typeof protocolForms)[number];

// One schema for all fields of a kind: each additional one slows every start.
const text = z.string().check(z.maxLength(2_048));
const optionalText = z.optional(text);
/** A granted scope may be as long as the token response allows. */
const optionalScope = z.optional(z.string().check(z.maxLength(8_192)));
const flag = z.boolean();
const optionalFlag = z.optional(flag);

/** Hosts that one integration may use besides the typed one. */
export const maxAllowedHosts = 20;

/** Additional headers that Postern sends to one server. */
export const maxFurtherHeaders = 20;

const headerName = z.string().check(z.refine(isKeyHeaderName));

/** The user's choices for this integration; they apply to every later sign-in. */
export const integrationOptionsSchema = z.strictObject({
  local: flag,
  /**
   * Entered by the user: hosts that this integration may use inside the user's network, and for a sign-in with another
   * owner.
   */
  allowedHosts: z.array(text).check(z.maxLength(maxAllowedHosts)),
  /** Hosts that the user allowed when asked. They permit no private address: a public name may point inside one day. */
  agreedHosts: z.optional(z.array(text).check(z.maxLength(maxAllowedHosts))),
  allowHttp: flag,
  scope: optionalScope,
  pkce: z.enum(pkcePolicies),
  legacyEndpoints: flag,
  clientMetadataUrl: optionalText,
  /** False: the authorization server rejects RFC 8707 `resource`. */
  sendResource: flag,
  /**
   * True: authorization requests are pushed wherever the service supports it, not only where it requires it (RFC 9126).
   */
  pushRequests: optionalFlag,
  /** How its client secret is sent; absent: as registration or metadata say. */
  clientAuthentication: z.optional(z.enum(secretMethods)),
  /** The grant, if not an interactive sign-in. */
  grant: z.optional(z.enum(grants)),
  /** The assertion file (`jwt-bearer`), an absolute path; read at each use, because others renew it. */
  assertionFile: optionalText,
  /** Id of the identity provider (`enterprise`), an integration of its own. */
  identityProvider: optionalText,
  /** It is such a provider: its address is an issuer, not an MCP server. */
  isIdentityProvider: optionalFlag,
  /** Name of the fixed header that this server needs instead of OAuth; its value is in the vault. */
  headerName: z.optional(headerName),
  /** Names of additional headers; their values are in the vault too. */
  furtherHeaders: z.optional(z.array(headerName).check(z.maxLength(maxFurtherHeaders))),
  /** The authorization server chosen from several. */
  authorizationServer: optionalText,
  /** Entered by the user, for a service that publishes none or wrong ones. */
  endpoints: z.optional(
    z.strictObject({ authorization: text.check(z.minLength(1)), token: text.check(z.minLength(1)) }),
  ),
  /** Where its sign-in page opens; absent: as in the settings. */
  signInSurface: z.optional(z.enum(windowSurfaces)),
  /** The callback host, for a service that accepts only one; absent: as in the settings. */
  callbackHost: z.optional(z.enum(callbackHosts)),
});

export type IntegrationOptions = z.infer<typeof integrationOptionsSchema>;

/** Milliseconds since 1970. */
const moment = z.int();
const optionalMoment = z.optional(moment);

/** One server, one account, its state: everything stored outside the vault. Contains no secret. */
export const integrationSchema = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,64}$/)),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /**
   * Unique, derived from the name once and never changed, because apps' files contain it. Absent only until the list is
   * read.
   */
  alias: z.optional(z.string().check(z.regex(aliasPattern))),
  /** For a local server: `local:` and a name, to which no request can go. */
  url: text,
  /** The command of a local server; any other server is reached at its address. */
  command: z.optional(localCommandSchema),
  /** Hash of the command that the user allowed, for display only: the vault decides. */
  allowedCommand: z.optional(z.hash('sha256')),
  method: z.enum(authenticationMethods),
  state: z.enum(storedStates),
  /** Why there was no sign-in metadata (NoAuth). */
  reason: z.optional(errorCodeSchema),
  /** The key of its tokens and credentials in the vault. */
  issuerKey: optionalText,
  /** The issuer whose metadata was requested; differs from the published one only by the recorded fallback. */
  authorizationServer: optionalText,
  issuerFallback: z.optional(z.enum(['subdomain', 'subdomain-name', 'trailing-slash', 'origin'])),
  /** RFC 8707 resource, the protected resource metadata's string verbatim. */
  resource: optionalText,
  redirectUri: optionalText,
  /** Space-separated granted scopes; the requested ones if the server did not say. */
  scope: optionalScope,
  scopeRequested: optionalScope,
  /** The account, if the token response names it; for display and comparison. */
  account: optionalText,
  /** The same in words, from the sign-in's ID token or from a tool that the user let Postern call. */
  user: z.optional(signedInUserSchema),
  /** When the client secret expires, if known. */
  clientSecretExpiresAt: optionalMoment,
  /** Absent when the server gave no lifetime. */
  expiresAt: optionalMoment,
  /** The next renewal attempt after a temporary failure. */
  retryAt: optionalMoment,
  /** The service refused the last renewal, so the sign-in has probably ended. It stays stored and is tried again. */
  renewalRefused: optionalFlag,
  /** The tokens are bound to a key in the vault (RFC 9449), so they work only here. */
  boundToKey: optionalFlag,
  /** The failure of the last use (`MCP_FAILED` and others), until a use succeeds. */
  failure: z.optional(
    z.strictObject({
      /** Milliseconds since 1970. */
      since: moment,
      code: errorCodeSchema,
      stage: z.enum(stages),
      /** Absent: the usual one of the code. */
      blame: z.optional(z.enum(blames)),
      /**
       * As in `shared/error-detail.ts` and `shared/remedy.ts`, which validate it only for display: every command reads
       * the list.
       */
      detail: z.optional(z.record(text, z.union([text, z.number(), flag, z.array(text)]))),
      remedy: z.optional(z.looseObject({ kind: text })),
    }),
  ),
  /** False: it can't be renewed without the user. Absent if that was not recorded. */
  hasRefreshToken: optionalFlag,
  signedInAt: optionalMoment,
  /** When its fixed headers were saved: a replaced key is a different credential. */
  keySavedAt: optionalMoment,
  refreshedAt: optionalMoment,
  createdAt: moment,
  protocol: z.optional(z.enum(serverProtocols)),
  /** Compatibility notes by name, for the status page. */
  notes: z.pipe(
    z.array(text).check(z.maxLength(50)),
    z.transform((notes) => knownNotes(notes)),
  ),
  options: integrationOptionsSchema,
  /** When the user last reviewed its tools, and since when they differ from that. */
  toolReview: z.optional(z.strictObject({ reviewedAt: optionalMoment, changedAt: optionalMoment })),
  /** Absent: apps may call every tool. */
  permissions: z.optional(toolPermissionsSchema),
});

export type Integration = z.infer<typeof integrationSchema>;

/**
 * The vault key of a sign-in service's secrets: its issuer; with typed endpoints, the token endpoint; under the
 * subdomain exception, two issuers. Only compared with other keys; for display, use `publishedIssuer`.
 */
export type IssuerKey = string;

/** The servers that an identity provider signs in to. */
export function servedBy<Server extends Pick<Integration, 'options'>>(
  { id }: Pick<Integration, 'id'>,
  all: readonly Server[],
): readonly Server[] {
  return all.filter(({ options }) => options.grant === 'enterprise' && options.identityProvider === id);
}
