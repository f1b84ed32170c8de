import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import * as z from 'zod';
import { accessTokenLength, accountLength, bodyLimit, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import type { TokenHolder } from './token-holder.ts';
import type { Person } from '../../../shared/person.ts';
import { ProofKey } from '../wire/proof-key.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';

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

/** The tokens of one integration, bound to where they came from: they go nowhere else. */
export interface TokenSet {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
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
  /** Requests that carried this refresh token and whose outcome is not known; kept across a crash in between. */
  readonly refreshUses?: number;
  /** They came from a refresh after a refusal: if they are refused too, refreshing does not help. */
  readonly afterRefusal?: boolean;
  /** Consecutive tries to refresh this pair that a server answered without deciding. */
  readonly failures?: number;
  /** Wall clock, milliseconds: the server asked for, or gets, rest until then. */
  readonly retryAt?: number;
  /** Whose they are, as the answer that brought them named it. For comparing and showing, proves nothing. */
  readonly account?: string;
  /** The same by ids: a renewal that names another one is not taken. Absent in what an earlier version stored. */
  readonly holder?: TokenHolder;
  /** The same in words, where they may be believed. Not stored. */
  readonly person?: Person;
  /** What had to be tolerated in the answer that brought them, by name. Not stored. */
  readonly notes: readonly CompatibilityNote[];
}

/** Whether others come in their place without a person. */
export function canRenew({ refreshToken, asClient }: Pick<TokenSet, 'refreshToken' | 'asClient'>): boolean {
  return refreshToken !== undefined || asClient !== undefined;
}

const address = z.string().min(1).max(urlLength.received);

const storedSchema = z.object({
  accessToken: z.string().min(1).max(accessTokenLength),
  refreshToken: z.string().min(1).max(accessTokenLength).optional(),
  scope: z.string().optional(),
  expiresAt: z.number().int().optional(),
  receivedAt: z.number().int(),
  /** The `issuerKey`, which stored records have called `issuer` from the beginning. */
  issuer: address,
  server: address.optional(),
  resource: address.optional(),
  tokenEndpoint: address,
  revocationEndpoint: address.optional(),
  asClient: z
    .object({ scope: z.string().optional(), byAssertion: z.boolean().optional(), audience: address.optional() })
    .transform(dropUndefined)
    .optional(),
  identity: z.object({ idToken: z.string().min(1).max(bodyLimit.token), issuer: address }).optional(),
  refreshUses: z.number().int().min(0).optional(),
  afterRefusal: z.boolean().optional(),
  failures: z.number().int().min(0).optional(),
  retryAt: z.number().int().optional(),
  account: z.string().max(accountLength).optional(),
  holder: z.record(z.string().max(64), z.string().max(accountLength)).optional(),
  binding: z.object({ key: z.unknown(), isDemanded: z.boolean(), bindsAccess: z.boolean() }).optional(),
});

export type StoredTokenSet = z.infer<typeof storedSchema>;

/**
 * Plain JSON for a sealed vault record: holds the tokens themselves, and their key. All of it is one record, so there is
 * never a mix, nor tokens without their key.
 */
export function storeTokenSet(tokens: TokenSet): StoredTokenSet {
  const {
    accessToken,
    refreshToken,
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
  const { accessToken, refreshToken, receivedAt, issuer, binding, identity, ...rest } = dropUndefined(data);
  const key = ProofKey.read(binding?.key);
  if (binding && !key) return undefined;
  return {
    ...rest,
    issuerKey: issuer,
    accessToken: new Secret(accessToken),
    ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
    receivedAt: { wall: receivedAt },
    ...(identity && { identity: { ...identity, idToken: new Secret(identity.idToken) } }),
    ...(binding && key && { binding: { ...binding, key } }),
    notes: [],
  };
}
