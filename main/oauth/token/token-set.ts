import * as z from 'zod/mini';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IssuerKey, Person } from '../../../shared/integration.ts';
import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import { displayText } from '../../address/display-text.ts';
import { accessTokenLength, accountLength, bodyLimit, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { isJsonObject } from '../wire/oauth-error.ts';
import { ProofKey } from '../wire/proof-key.ts';

/** What tokens are bound to (RFC 9449). */
export interface TokenBinding {
  /** Each refresh shows it, since the refresh token may be bound to it as well (RFC 9449 section 5). */
  readonly key: ProofKey;
  /** Without it the tokens would be of no use: an answer that binds nothing is not taken. */
  readonly isDemanded: boolean;
  /** The access token is bound: it goes with a proof, and never as a bearer token. Else it is one. */
  readonly bindsAccess: boolean;
}

/** What an identity provider has told this client about who is signed in (OpenID Connect Core 1.0 section 2). */
export interface Identity {
  readonly idToken: Secret;
  /** As it publishes itself. */
  readonly issuer: string;
}

/** `scope` as it was sent (RFC 6749 section 6); absent: none was. */
export interface RefreshForm {
  readonly scope?: string;
}

/**
 * `answer`: HTTP status and error code of the token endpoint. `other-holder`: it answered with tokens of somebody else.
 * `client-rejected`: it does not take the client.
 */
export type RenewalRefusal =
  | { readonly kind: 'answer'; readonly status: number; readonly error?: OAuthError }
  | { readonly kind: 'other-holder' | 'client-rejected' };

/** The tokens of one integration, bound to where they came from: they go nowhere else. */
export interface TokenSet {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
  /**
   * The refresh token before that one, which came with an access token that cannot be used: where the newer one is
   * refused, this one may still be good.
   */
  readonly earlierToken?: Secret;
  /** As granted. Absent: the server did not say, so what was requested (RFC 6749 section 5.1). */
  readonly scope?: string;
  /** Wall clock, milliseconds. Absent: lifetime unknown, valid until a 401 says otherwise. */
  readonly expiresAt?: number;
  /** Milliseconds at the moment of receipt; `monotonic` only in the process that received them. */
  readonly receivedAt: { readonly wall: number; readonly monotonic?: number };
  readonly issuerKey: IssuerKey;
  /** Address of the only MCP server that they are sent to. Absent in what an earlier version stored. */
  readonly server?: string;
  /** RFC 8707 resource that they were requested for, verbatim. */
  readonly resource?: string;
  /** The only address that the refresh token is ever sent to. */
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  /**
   * They are the client's own (RFC 6749 section 4.4), and asked for again with this `scope` instead of refreshed; or they
   * came by an assertion (RFC 7523 section 2.1), and the next ones come by another, which is for `audience` where an
   * identity provider is asked for it.
   */
  readonly asClient?: { readonly scope?: string; readonly byAssertion?: boolean; readonly audience?: string };
  /** Of an identity provider alone, for the servers that it signs in for. */
  readonly identity?: Identity;
  /** Absent: bearer tokens, which were asked for without a key. */
  readonly binding?: TokenBinding;
  /**
   * Wall clock, milliseconds, of the last refresh request whose outcome is not known: the refresh token may have been
   * rotated for it. Stored before each request, so that a crash before the answer counts as one.
   */
  readonly lostAt?: number;
  /** Renewals in a row that followed a refusal by the MCP server; it has taken none of their tokens yet. */
  readonly refusals?: number;
  /** Consecutive failed tries to refresh this pair. */
  readonly failures?: number;
  /** Wall clock, milliseconds: the server asked for, or gets, rest until then. */
  readonly retryAt?: number;
  /** The last of those failures was a refusal to renew them, which most likely means that the sign-in has ended. */
  readonly refused?: RenewalRefusal;
  /** The form of the last refresh that worked, which the next one has too. Absent: none has. */
  readonly refreshForm?: RefreshForm;
  /** Whose they are, as the answer that brought them named it. For comparing and showing, proves nothing. */
  readonly account?: string;
  /** The same by ids: a renewal that names another one is not taken. Absent in what an earlier version stored. */
  readonly holder?: TokenHolder;
  /** The same in words, where they may be believed. Not stored. */
  readonly person?: Person;
  /** What had to be tolerated in the answer that brought them, by name. Not stored. */
  readonly notes: readonly CompatibilityNote[];
}

/** What these tokens are noted with: the service refused `resource`, and gave them without (`IntegrationOptions.sendResource`). */
export const refusedResourceNote = 'resource-refused';

/** Whether others come in their place without a person. */
export function canRenew({ refreshToken, asClient }: Pick<TokenSet, 'refreshToken' | 'asClient'>): boolean {
  return refreshToken !== undefined || asClient !== undefined;
}

const address = z.string().check(z.minLength(1), z.maxLength(urlLength.received));

/**
 * Tokens, and what says where they may go, are read as a whole or not at all. Everything else is read member by member:
 * what another version has written there in another way counts as absent, and costs no sign-in.
 */
const storedSchema = z.object({
  accessToken: z.string().check(z.minLength(1), z.maxLength(accessTokenLength)),
  refreshToken: z.optional(z.string().check(z.minLength(1), z.maxLength(accessTokenLength))),
  earlierToken: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(accessTokenLength))), undefined),
  scope: z.catch(z.optional(z.string()), undefined),
  expiresAt: z.catch(z.optional(z.int()), undefined),
  /** Unknown counts as long ago: what has an end is renewed. */
  receivedAt: z.catch(z.int(), 0),
  /** The `issuerKey`, which stored records have called `issuer` from the beginning. */
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
 * Plain JSON for a sealed vault record: holds the tokens themselves, and their key. All of it is one record, so there
 * is never a mix, nor tokens without their key.
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
    person: _shown,
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
 * What `storeTokenSet` made; `undefined` for anything else, since vault records are untrusted. Tokens whose key cannot
 * be read are of no use.
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
 * Whose tokens these are, and of which organisation: ids that stay what they are, by where a service says them, so that
 * only like is compared with like. A name or an e-mail address may change, and is none.
 */
export type TokenHolder = Readonly<Record<string, string>>;

/**
 * Members of token answers. `organization_id` is WorkOS's (workos.com/docs/reference/authkit/authentication),
 * `workspace_id` Notion's (developers.notion.com/reference/create-a-token), `team.id` Slack's (oauth.v2.access).
 */
const members = ['sub', 'account_id', 'user_id', 'organization_id', 'workspace_id', 'team.id'] as const;
/**
 * Of ID tokens: OpenID Connect Core 1.0 section 2; Auth0's organisation
 * (auth0.com/docs/manage-users/organizations/using-tokens); Microsoft's tenant (learn.microsoft.com, ID token claims).
 */
const claimNames = ['sub', 'org_id', 'tid'] as const;

/** `claims`: of an ID token that may be believed. */
export function readHolder(
  answer: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>> = {},
): TokenHolder {
  return Object.fromEntries([
    ...members.flatMap((member) => idAt(answer, member).map((id) => [member, id])),
    ...claimNames.flatMap((name) => idAt(claims, name).map((id) => [`id_token ${name}`, id])),
  ]) as TokenHolder;
}

/** Whether an id that was known is another one now. The ID token of a renewal has the same `sub` (section 12.2 there). */
export function isOtherHolder(before: TokenHolder | undefined, after: TokenHolder): boolean {
  return Object.entries(after).some(([place, id]) => before?.[place] !== undefined && before[place] !== id);
}

/** What the organisation is called: by Notion and Slack in the token answer. */
export function organisationIn(answer: Readonly<Record<string, unknown>>): unknown {
  const { workspace_name: workspace, team } = answer;
  return workspace ?? (isJsonObject(team) ? team['name'] : undefined);
}

/** Members in which providers say whose tokens they answer with; no standard knows one. The most stable comes first. */
const accountMembers = ['sub', 'account_id', 'user_id', 'account', 'username', 'email'] as const;

/**
 * Whose tokens these are, where the token answer says so itself, as text that can be shown; `undefined` for most
 * servers. Enough to warn that another account came back; never a proof of who somebody is. `id-token.ts` beside
 * reads what OpenID Connect has for it.
 */
export function namedAccount(answer: Readonly<Record<string, unknown>>): string | undefined {
  for (const member of accountMembers) {
    const value = answer[member];
    if (Number.isSafeInteger(value)) return String(value);
    if (typeof value !== 'string' || value.length > accountLength) continue;
    const text = displayText(value);
    if (text !== '') return text;
  }
  return undefined;
}

function idAt(object: Readonly<Record<string, unknown>>, place: string): string[] {
  const [outer = '', inner] = place.split('.');
  const found = object[outer];
  const value = inner === undefined ? found : isJsonObject(found) ? found[inner] : undefined;
  if (Number.isSafeInteger(value)) return [String(value)];
  return typeof value === 'string' && value !== '' && value.length <= accountLength ? [value] : [];
}
