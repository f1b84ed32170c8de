import * as z from 'zod/mini';
import { callbackHosts, grants, pkcePolicies, secretMethods, windowSurfaces } from './choices.ts';
import { knownNotes } from './compatibility-notes.ts';
import { aliasPattern } from './entry-name.ts';
import { errorCodes, stages } from './error-codes.ts';
import { blames } from './error-facts.ts';
import { isKeyHeaderName } from './header-name.ts';
import { localCommandSchema } from './local-command.ts';
import { authenticationMethods } from './oauth.ts';
import { programIdSchema } from './program-record.ts';
import { changedToolRules, offers, permissionBounds, toolPresets, toolRules } from './tool-permissions.ts';

export const ruledToolSchema = z.string().check(z.minLength(1), z.maxLength(permissionBounds.tool));

const level = {
  preset: z.optional(z.enum(toolPresets)),
  without: z.optional(z.array(z.enum(offers)).check(z.maxLength(offers.length))),
  rules: z.optional(
    z
      .array(z.strictObject({ tool: ruledToolSchema, rule: z.enum(toolRules) }))
      .check(z.maxLength(permissionBounds.rules)),
  ),
};

export const toolPermissionsSchema = z.strictObject({
  ...level,
  changedTools: z.optional(z.enum(changedToolRules)),
  programs: z.optional(
    z.array(z.strictObject({ program: programIdSchema, ...level })).check(z.maxLength(permissionBounds.programs)),
  ),
});

const personText = z.optional(z.string().check(z.minLength(1), z.maxLength(256)));

/** Who is signed in, as the service said it. A label for the person; nothing is decided by it. */
const personSchema = z.strictObject({
  name: personText,
  email: personText,
  /** The organisation, workspace or tenant that was chosen at the sign-in. */
  organisation: personText,
});

export type Person = z.infer<typeof personSchema>;

/** States in which an integration may rest across a restart (spec 3.2). */
export const restingStates = ['integrated', 'signedOut', 'reauthenticationRequired'] as const;

/**
 * MCP wire: `modern` is stateless 2026-07-28, `legacy` starts with `initialize`, and so does `sse`, over the transport
 * of 2024-11-05 (HTTP+SSE).
 */
const wireEras = ['modern', 'legacy', 'sse'] as const;

export type WireEra = (typeof wireEras)[number];

/** How a connection begins, over whichever transport. */
export const handshakes = ['modern', 'legacy'] as const;

export type Handshake = (typeof handshakes)[number];

// One schema for all fields of a kind: each that is made costs every start.
const text = z.string().check(z.maxLength(2_048));
const optionalText = z.optional(text);
/** A granted scope may be as long as the token answer lets it be. */
const optionalScope = z.optional(z.string().check(z.maxLength(8_192)));
const flag = z.boolean();
const optionalFlag = z.optional(flag);

/** Hosts that one integration may use besides the typed one. */
export const mostAllowedHosts = 20;

/** Headers beside the first that one server is sent. */
export const mostFurtherHeaders = 20;

const headerName = z.string().check(z.refine(isKeyHeaderName));

/** What the person chose for this integration; holds for every later sign-in. */
export const integrationOptionsSchema = z.strictObject({
  local: flag,
  /** Typed: this integration may use these, inside the person's network, and for a sign-in of another owner. */
  allowedHosts: z.array(text).check(z.maxLength(mostAllowedHosts)),
  /** Those that a question was answered with yes for. They open no address: a public name may lead inside one day. */
  agreedHosts: z.optional(z.array(text).check(z.maxLength(mostAllowedHosts))),
  allowHttp: flag,
  scope: optionalScope,
  pkce: z.enum(pkcePolicies),
  legacyEndpoints: flag,
  clientMetadataUrl: optionalText,
  /** False: the authorization server refuses RFC 8707 `resource`. */
  sendResource: flag,
  /** True: authorization requests are pushed wherever the service takes that, not only where it must be (RFC 9126). */
  pushRequests: optionalFlag,
  /** How its client's secret is sent; left out: as registration or metadata say. */
  clientAuthentication: z.optional(z.enum(secretMethods)),
  /** How it comes by its access, if not by the sign-in of a person. */
  grant: z.optional(z.enum(grants)),
  /** The file whose assertion is shown (`jwt-bearer`), an absolute path; read at each use, since others renew it. */
  assertionFile: optionalText,
  /** Id of the identity provider that says who is signed in (`enterprise`): an integration of its own. */
  identityProvider: optionalText,
  /** It is such a provider: its address is an issuer, and there is no MCP server. */
  isIdentityProvider: optionalFlag,
  /** Name of the fixed header that this server wants instead of OAuth; its value is in the vault. */
  headerName: z.optional(headerName),
  /** Names of headers that go with it; their values are in the vault too. */
  furtherHeaders: z.optional(z.array(headerName).check(z.maxLength(mostFurtherHeaders))),
  /** Authorization server chosen among several. */
  authorizationServer: optionalText,
  /** Typed by the person, for a service that publishes none or the wrong ones. */
  endpoints: z.optional(
    z.strictObject({ authorization: text.check(z.minLength(1)), token: text.check(z.minLength(1)) }),
  ),
  /** Where its sign-in page opens; left out: as in the settings of the program. */
  signInSurface: z.optional(z.enum(windowSurfaces)),
  /** Where the browser comes back to, for a service that takes only the other; left out: as in the settings. */
  callbackHost: z.optional(z.enum(callbackHosts)),
});

export type IntegrationOptions = z.infer<typeof integrationOptionsSchema>;

/** Milliseconds since 1970. */
const moment = z.int();
const optionalMoment = z.optional(moment);

/** One server, one account, its state: all that is kept outside the vault. Holds no secret. */
export const integrationSchema = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,64}$/)),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Unique, made from the name once and kept, since programs' files hold it. Left out only until the list is read. */
  alias: z.optional(z.string().check(z.regex(aliasPattern))),
  /** Of a server that runs on this computer: `local:` and a name, which no request can go to. */
  url: text,
  /** What is started, for a server on this computer; any other is reached at its address. */
  command: z.optional(localCommandSchema),
  /** Hash of the command that a person has allowed, as far as is known: for showing, since the vault decides. */
  allowedCommand: z.optional(z.hash('sha256')),
  method: z.enum(authenticationMethods),
  state: z.enum(restingStates),
  /** Why no sign-in metadata could be had (NoAuth). */
  reason: z.optional(z.enum(errorCodes)),
  /** What its tokens and credentials are kept under. */
  issuerKey: optionalText,
  /** Issuer that the metadata was asked for; differs from the published one only by the recorded fallback. */
  authorizationServer: optionalText,
  issuerFallback: z.optional(z.enum(['subdomain', 'subdomain-name', 'trailing-slash', 'origin'])),
  /** RFC 8707 resource, the protected resource metadata's string verbatim. */
  resource: optionalText,
  redirectUri: optionalText,
  /** Space-separated, as granted; equal to the requested ones when the server did not say. */
  scope: optionalScope,
  scopeRequested: optionalScope,
  /** Whose it is, where the token answer says so; for showing and comparing. */
  account: optionalText,
  /** The same in words: by an ID token of the sign-in, or by a tool of the server that the person had asked. */
  person: z.optional(personSchema),
  /** When the client secret ends, where that is known. */
  clientSecretExpiresAt: optionalMoment,
  /** Absent when the server gave no lifetime. */
  expiresAt: optionalMoment,
  /** Renewing it failed for the moment, and is not tried before. */
  retryAt: optionalMoment,
  /** The service refused the last renewal, so that the sign-in has most likely ended. It is kept, and tried again. */
  renewalRefused: optionalFlag,
  /** The access is bound to a key that stays in the vault (RFC 9449): it is of use here alone. */
  boundToKey: optionalFlag,
  /** Used last, it was of no use (`MCP_FAILED` and others): what was shown of that, until a use succeeds. */
  failure: z.optional(
    z.strictObject({
      /** Milliseconds since 1970. */
      since: moment,
      code: z.enum(errorCodes),
      stage: z.enum(stages),
      /** Left out: the usual one of the code. */
      blame: z.optional(z.enum(blames)),
      /** As in `shared/error-detail.ts` and `shared/remedy.ts`, and read by them only where it is shown: every command reads the list. */
      detail: z.optional(z.record(text, z.union([text, z.number(), flag, z.array(text)]))),
      remedy: z.optional(z.looseObject({ kind: text })),
    }),
  ),
  /** False: the access cannot be renewed without a person. Absent where that was not noted. */
  hasRefreshToken: optionalFlag,
  signedInAt: optionalMoment,
  /** When its fixed headers were kept: a key in place of another one is another access. */
  keySavedAt: optionalMoment,
  refreshedAt: optionalMoment,
  createdAt: moment,
  era: z.optional(z.enum(wireEras)),
  /** Compatibility notes by name, for the status page. */
  notes: z.pipe(
    z.array(text).check(z.maxLength(50)),
    z.transform((notes) => knownNotes(notes)),
  ),
  options: integrationOptionsSchema,
  /** Of its tools: when a person looked at what they say last, and since when they say something else. */
  toolReview: z.optional(z.strictObject({ reviewedAt: optionalMoment, changedAt: optionalMoment })),
  /** Left out: programs may call every tool. */
  permissions: z.optional(toolPermissionsSchema),
});

export type Integration = z.infer<typeof integrationSchema>;

/**
 * What the secrets of a sign-in service are kept under: its issuer, but with typed endpoints the token endpoint, and
 * under the sub-domain exception two issuers. It is compared with other keys alone; shown as an issuer is only its
 * `publishedIssuer`.
 */
export type IssuerKey = string;

/** The servers that an identity provider signs in for. */
export function servedBy<Kept extends Pick<Integration, 'options'>>(
  { id }: Pick<Integration, 'id'>,
  all: readonly Kept[],
): readonly Kept[] {
  return all.filter(({ options }) => options.grant === 'enterprise' && options.identityProvider === id);
}
