import * as z from 'zod/mini';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IssuerKey, SignedInUser } from '../../../shared/integration.ts';
import { isObject } from '../../../shared/json-object.ts';
import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import { displayText } from '../../address/display-text.ts';
import { accessTokenLength, accountLength, bodyLimit, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { ProofKey } from '../http/proof-key.ts';

/** What tokens are bound to (RFC 9449). */
export interface TokenBinding {
  /** Each refresh request proves it, since the refresh token may be bound to it too (RFC 9449 section 5). */
  readonly key: ProofKey;
  /** Unbound tokens would be useless: a response without binding is rejected. */
  readonly isDemanded: boolean;
  /** The access token is bound: sent with a proof, never as a bearer token. Otherwise it is a bearer token. */
  readonly bindsAccess: boolean;
}

/** What an identity provider issued to this client about the signed-in user (OpenID Connect Core 1.0 section 2). */
export interface Identity {
  readonly idToken: Secret;
  /** Issuer as published. */
  readonly issuer: string;
}

/** `scope` as sent (RFC 6749 section 6); absent if none was sent. */
export interface RefreshForm {
  readonly scope?: string;
}

/**
 * `answer`: HTTP status and error code of the token endpoint. `other-holder`: it returned tokens of another account.
 * `client-rejected`: it does not accept the client.
 */
export type RenewalRefusal =
  | { readonly kind: 'answer'; readonly status: number; readonly error?: OAuthError }
  | { readonly kind: 'other-holder' | 'client-rejected' };

/** The tokens of one integration, tied to the server they came from: they are sent nowhere else. */
export interface TokenSet {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
  /**
   * The previous refresh token, if the current one came with an unusable access token: should the current one be
   * refused, this one may still work.
   */
  readonly earlierToken?: Secret;
  /** Granted scope. Absent: the server did not say, so it is what was requested (RFC 6749 section 5.1). */
  readonly scope?: string;
  /** Wall clock, milliseconds. Absent: lifetime unknown; valid until a 401. */
  readonly expiresAt?: number;
  /** Time of receipt, milliseconds; `monotonic` only in the process that received them. */
  readonly receivedAt: { readonly wall: number; readonly monotonic?: number };
  readonly issuerKey: IssuerKey;
  /** Address of the only MCP server they are sent to. Absent in records of earlier versions. */
  readonly server?: string;
  /** RFC 8707 resource they were requested for, verbatim. */
  readonly resource?: string;
  /** The only address the refresh token is ever sent to. */
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  /**
   * Tokens of a client grant (RFC 6749 section 4.4), requested again with this `scope` instead of refreshed.
   * `byAssertion`: obtained with an assertion (RFC 7523 section 2.1), and renewed with a new one, for `audience` if an
   * identity provider issues it.
   */
  readonly asClient?: { readonly scope?: string; readonly byAssertion?: boolean; readonly audience?: string };
  /** Only for an identity provider: the identity for the servers it signs in for. */
  readonly identity?: Identity;
  /** Absent: bearer tokens, requested without a key. */
  readonly binding?: TokenBinding;
  /**
   * Wall clock, milliseconds, of the last refresh request with unknown outcome: the server may have rotated the refresh
   * token. Stored before each request, so that a crash before the response counts too.
   */
  readonly lostAt?: number;
  /** Consecutive renewals after a refusal by the MCP server; it has not accepted any of their tokens yet. */
  readonly refusals?: number;
  /** Consecutive failed attempts to refresh this pair. */
  readonly failures?: number;
  /** Wall clock, milliseconds: no request before then, at the server's wish or as backoff. */
  readonly retryAt?: number;
  /** Set if the last of those failures was a refusal to renew: the sign-in has most likely ended. */
  readonly refused?: RenewalRefusal;
  /** Form of the last successful refresh, reused by the next. Absent: none has succeeded yet. */
  readonly refreshForm?: RefreshForm;
  /** Account name from the response that granted the tokens. For comparison and display, not as proof. */
  readonly account?: string;
  /** Account IDs: a renewal with a different one is rejected. Absent in records of earlier versions. */
  readonly holder?: TokenHolder;
  /** The user's name and email, if trustworthy. Not stored. */
  readonly user?: SignedInUser;
  /** Deviations tolerated in the response that granted them. Not stored. */
  readonly notes: readonly CompatibilityNote[];
}

/**
 * Compatibility note: the service refused `resource` and granted tokens without it (`IntegrationOptions.sendResource`).
 */
export const refusedResourceNote = 'resource-refused';

/** Whether the tokens can be renewed without the user. */
export function canRenew({ refreshToken, asClient }: Pick<TokenSet, 'refreshToken' | 'asClient'>): boolean {
  return refreshToken !== undefined || asClient !== undefined;
}

const address = z.string().check(z.minLength(1), z.maxLength(urlLength.received));

/**
 * Tokens, and the members that say where they may go, are read all or nothing. Every other member is read on its own:
 * one that another version wrote differently counts as absent and costs no sign-in.
 */
const storedSchema = z.object({
  accessToken: z.string().check(z.minLength(1), z.maxLength(accessTokenLength)),
  refreshToken: z.optional(z.string().check(z.minLength(1), z.maxLength(accessTokenLength))),
  earlierToken: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(accessTokenLength))), undefined),
  scope: z.catch(z.optional(z.string()), undefined),
  expiresAt: z.catch(z.optional(z.int()), undefined),
  /** Unknown counts as long ago: tokens with an expiry are renewed. */
  receivedAt: z.catch(z.int(), 0),
  /** The `issuerKey`; stored records have always called it `issuer`. */
  issuer: address,
  server: z.optional(address),
  resource: z.optional(address),
  tokenEndpoint: address,
  revocationEndpoint: z.catch(z.optional(address), undefined),
  asClient: z.catch(
    z.optional(
      z.pipe(
        z.object({
          scope: z.optional(z.string()),
          byAssertion: z.optional(z.boolean()),
          audience: z.optional(address),
        }),
        z.transform(dropUndefined),
      ),
    ),
    undefined,
  ),
  identity: z.catch(
    z.optional(z.object({ idToken: z.string().check(z.minLength(1), z.maxLength(bodyLimit.token)), issuer: address })),
    undefined,
  ),
  lostAt: z.catch(z.optional(z.int()), undefined),
  refusals: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
  failures: z.catch(z.optional(z.int().check(z.minimum(0))), undefined),
  retryAt: z.catch(z.optional(z.int()), undefined),
  refused: z.catch(
    z.optional(
      z.discriminatedUnion('kind', [
        z.pipe(
          z.object({
            kind: z.literal('answer'),
            status: z.int(),
            error: z.catch(z.optional(z.enum(oauthErrors)), undefined),
          }),
          z.transform(dropUndefined),
        ),
        z.object({ kind: z.enum(['other-holder', 'client-rejected']) }),
      ]),
    ),
    undefined,
  ),
  refreshForm: z.catch(
    z.optional(z.pipe(z.object({ scope: z.optional(z.string()) }), z.transform(dropUndefined))),
    undefined,
  ),
  account: z.catch(z.optional(z.string().check(z.maxLength(accountLength))), undefined),
  holder: z.catch(
    z.optional(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(accountLength)))),
    undefined,
  ),
  binding: z.optional(z.object({ key: z.unknown(), isDemanded: z.boolean(), bindsAccess: z.boolean() })),
});

type StoredTokenSet = z.infer<typeof storedSchema>;

/**
 * Plain JSON for a sealed vault record, with the tokens and their key. One record, so tokens are never mixed or stored
 * without their key.
 */
export function storeTokenSet(tokens: TokenSet): StoredTokenSet {
  const {
    accessToken,
    refreshToken,
    earlierToken,
    receivedAt,
    issuerKey,
    binding,
    identity,
    notes: _,
    user: _displayed,
    ...rest
  } = tokens;
  return {
    ...rest,
    issuer: issuerKey,
    accessToken: accessToken.reveal(),
    ...(refreshToken === undefined ? {} : { refreshToken: refreshToken.reveal() }),
    ...(earlierToken && { earlierToken: earlierToken.reveal() }),
    receivedAt: receivedAt.wall,
    ...(identity && { identity: { ...identity, idToken: identity.idToken.reveal() } }),
    ...(binding && { binding: { ...binding, key: binding.key.store() } }),
  };
}

/**
 * Reads the result of `storeTokenSet`; `undefined` for anything else, since vault records are untrusted. Tokens with an
 * unreadable key are unusable.
 */
export function readTokenSet(record: unknown): TokenSet | undefined {
  const { success, data } = storedSchema.safeParse(record);
  if (!success) return undefined;
  const { accessToken, refreshToken, earlierToken, receivedAt, issuer, binding, identity, ...rest } =
    dropUndefined(data);
  const key = ProofKey.read(binding?.key);
  if (binding && !key) return undefined;
  return {
    ...rest,
    issuerKey: issuer,
    accessToken: new Secret(accessToken),
    ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
    ...(earlierToken !== undefined && { earlierToken: new Secret(earlierToken) }),
    receivedAt: { wall: receivedAt },
    ...(identity && { identity: { ...identity, idToken: new Secret(identity.idToken) } }),
    ...(binding && key && { binding: { ...binding, key } }),
    notes: [],
  };
}

/**
 * Account and organization of the tokens: stable IDs by the member they came from, so that only the same member is
 * compared. Names and email addresses may change and are not used.
 */
export type TokenHolder = Readonly<Record<string, string>>;

/**
 * Members of token responses. `organization_id` is WorkOS (workos.com/docs/reference/authkit/authentication),
 * `workspace_id` Notion (developers.notion.com/reference/create-a-token), `team.id` Slack (oauth.v2.access).
 */
const holderMembers = ['sub', 'account_id', 'user_id', 'organization_id', 'workspace_id', 'team.id'] as const;
/**
 * ID token claims: OpenID Connect Core 1.0 section 2; Auth0's organization
 * (auth0.com/docs/manage-users/organizations/using-tokens); Microsoft's tenant (learn.microsoft.com, ID token claims).
 */
const holderClaims = ['sub', 'org_id', 'tid'] as const;

/** `claims`: from a trusted ID token. */
export function readHolder(
  response: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>> = {},
): TokenHolder {
  return Object.fromEntries([
    ...holderMembers.flatMap((member) => idAt(response, member).map((id) => [member, id])),
    ...holderClaims.flatMap((name) => idAt(claims, name).map((id) => [`id_token ${name}`, id])),
  ]) as TokenHolder;
}

/**
 * Whether a known ID has changed. The ID token of a renewal has the same `sub` (OpenID Connect Core 1.0 section 12.2).
 */
export function isOtherHolder(before: TokenHolder | undefined, after: TokenHolder): boolean {
  return Object.entries(after).some(([path, id]) => before?.[path] !== undefined && before[path] !== id);
}

/** Organization name, from Notion and Slack token responses. */
export function readOrganization(response: Readonly<Record<string, unknown>>): unknown {
  const { workspace_name: workspace, team } = response;
  return workspace ?? (isObject(team) ? team['name'] : undefined);
}

/** Members that name the account, most stable first; no standard defines one. */
const accountMembers = ['sub', 'account_id', 'user_id', 'account', 'username', 'email'] as const;

/**
 * The account, as display text, if the token response names it; most servers do not. Enough to warn about a different
 * account, never proof of identity. `jwt-claims.ts` reads the OpenID Connect equivalent.
 */
export function readAccount(response: Readonly<Record<string, unknown>>): string | undefined {
  for (const member of accountMembers) {
    const value = response[member];
    if (Number.isSafeInteger(value)) return String(value);
    if (typeof value !== 'string' || value.length > accountLength) continue;
    const text = displayText(value);
    if (text !== '') return text;
  }
  return undefined;
}

function idAt(object: Readonly<Record<string, unknown>>, path: string): string[] {
  const [outer = '', inner] = path.split('.');
  const found = object[outer];
  const value = inner === undefined ? found : isObject(found) ? found[inner] : undefined;
  if (Number.isSafeInteger(value)) return [String(value)];
  return typeof value === 'string' && value !== '' && value.length <= accountLength ? [value] : [];
}
