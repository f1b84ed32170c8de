import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IssuerKey, SignedInUser } from '../../../shared/integration.ts';
import { isObject } from '../../../shared/json-object.ts';
import { displayText } from '../../address/display-text.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { accessTokenLength, accountLength, bodyLimit } from '../../limits.ts';
import { readJson } from '../http/json-document.ts';

/** Identity of the signed-in user, for display and comparison. */
interface IdTokenClaims {
  readonly subject: string;
  readonly user?: SignedInUser;
  /** All claims. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface IdTokenContext {
  /** Issuer as published in its metadata. */
  readonly issuer: string;
  readonly clientId: string;
  /** Nonce as sent. */
  readonly nonce?: string | undefined;
  /** URL of the token response. */
  readonly url: string;
  /** The token only goes back to its issuer, which can check its own signature: nothing in it is trusted here. */
  readonly isForIssuer?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const idTokenSkew = 300;

/**
 * The user's identity from an ID token (OpenID Connect Core 1.0 section 3.1.3.7), or `undefined` if it cannot be
 * trusted. Never an error, since sign-in does not depend on it. The token must come from the token endpoint over TLS,
 * which replaces checking its signature (6), be from this issuer (2), for this client alone (3 to 5), unexpired (9),
 * for this request (11), and claim to be signed (7).
 */
export function readIdToken(token: unknown, context: IdTokenContext): IdTokenClaims | undefined {
  const { issuer, clientId, nonce, url, isForIssuer = false, now } = context;
  if (typeof token !== 'string' || (!isForIssuer && !url.startsWith('https:'))) return undefined;
  const claims = readUnverifiedJwt(token)?.claims;
  if (!claims) return undefined;
  if (claims['iss'] !== issuer) return undefined;
  if (!isForClient(clientId, claims)) return undefined;
  const { exp } = claims;
  if (typeof exp !== 'number' || exp + idTokenSkew <= now / 1_000) return undefined;
  if (nonce !== undefined && claims['nonce'] !== nonce) return undefined;
  const subject = profileText(claims['sub']);
  if (subject === undefined) return undefined;
  const name =
    profileText(claims['name']) ?? profileText(claims['preferred_username']) ?? profileText(claims['nickname']);
  // A boolean (OpenID Connect Core 1.0 section 5.1); some services send a string.
  const isVerified = [undefined, true, 'true'].some((value) => value === claims['email_verified']);
  const email = isVerified ? profileText(claims['email']) : undefined;
  // Of Auth0's Organizations, and Google's hosted domain (developers.google.com/identity/openid-connect/openid-connect,
  // claim `hd`: "The domain associated with the Google Cloud organization of the user").
  const organization = profileText(claims['org_name']) ?? profileText(claims['hd']);
  const user = dropUndefined({ name, email, organization });
  return { subject, claims, ...(Object.keys(user).length > 0 && { user }) };
}

/** With several audiences `azp` is required, and it must always be the client (4, 5). */
function isForClient(clientId: string, { aud, azp }: Readonly<Record<string, unknown>>): boolean {
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) return false;
  return azp === undefined ? audiences.length === 1 : azp === clientId;
}

/** Display text; `undefined` if it is too long or empty. */
export function profileText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > accountLength) return undefined;
  const text = displayText(value, accountLength);
  return text === '' ? undefined : text;
}

/** Why an assertion must not be sent. */
export type AssertionFault = 'format' | 'ended' | 'audience';

export interface AssertionUse {
  readonly issuerKey: IssuerKey;
  readonly tokenEndpoint: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const assertionSkew = 60;

/**
 * What is wrong with sending `text` to an authorization server (RFC 7523 section 3). An assertion for another service
 * is as sensitive as the user's password there: it must name this issuer or its token endpoint.
 */
export function findAssertionFault(
  text: string,
  { issuerKey, tokenEndpoint, now }: AssertionUse,
): AssertionFault | undefined {
  const claims = text.length > accessTokenLength ? undefined : readUnverifiedJwt(text)?.claims;
  if (!claims) return 'format';
  const { aud, exp } = claims;
  if (typeof exp !== 'number') return 'format';
  if (exp + assertionSkew <= now / 1_000) return 'ended';
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const ownAudiences = [addressOfKey(issuerKey), tokenEndpoint].map(withoutSlash);
  return audiences.some((entry) => typeof entry === 'string' && ownAudiences.includes(withoutSlash(entry)))
    ? undefined
    : 'audience';
}

/** Issuers are often written with an extra trailing slash, or without theirs. */
function withoutSlash(address: string): string {
  return address.replace(/\/$/u, '');
}

/**
 * What an identity assertion is requested for, and must contain (draft-ietf-oauth-identity-assertion-authz-grant
 * section 3).
 */
export interface IdentityUse {
  /** Issuer of the authorization server that receives it. */
  readonly audience: string;
  /** Client ID at that server. */
  readonly clientId: string;
  /** The MCP server. */
  readonly resource?: string | undefined;
}

/** Why an identity assertion is unusable; it is then sent nowhere. */
export type IdentityFault = 'format' | 'type' | 'issuer' | 'ended' | 'audience' | 'client' | 'resource';

interface ExpectedIdentity extends IdentityUse {
  /** Issuer of the identity provider, as published. */
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const identitySkew = 60;

/**
 * What is wrong with sending `text`. It identifies a user: one meant for another service, server or client would let
 * its receiver in there. The receiving service checks the signature.
 */
export function findIdentityFault(
  text: string,
  { issuer, audience, clientId, resource, now }: ExpectedIdentity,
): IdentityFault | undefined {
  const jwt = text.length > accessTokenLength ? undefined : readUnverifiedJwt(text);
  if (!jwt) return 'format';
  const { typ } = jwt.header;
  const { iss, aud, exp, client_id: client, resource: named } = jwt.claims;
  // RFC 8725 section 3.11: an ID token or access token must not pass as one.
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'oauth-id-jag+jwt') return 'type';
  if (iss !== issuer) return 'issuer';
  if (typeof exp !== 'number') return 'format';
  if (exp + identitySkew <= now / 1_000) return 'ended';
  if (!isExactly(aud, audience)) return 'audience';
  if (client !== clientId) return 'client';
  return named === undefined || resource === undefined || isExactly(named, resource) ? undefined : 'resource';
}

/** A string, or a list with only that string; trailing slashes are ignored. */
function isExactly(value: unknown, expected: string): boolean {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isExpected = (entry: unknown): boolean =>
    typeof entry === 'string' && entry.replace(/\/$/u, '') === expected.replace(/\/$/u, '');
  return values.length > 0 && values.every(isExpected);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Contents of a signed JWT (RFC 7519 section 7.2); its recipient checks the signature. */
interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** `undefined` if the text is not a compact JWT (RFC 7515 section 7.1), or is unsigned by its own account. */
export function readUnverifiedJwt(text: string): UnverifiedJwt | undefined {
  const [head, body, signature, ...more] = text.split('.');
  if (!head || !body || !signature || more.length > 0 || !isBase64Url(signature)) return undefined;
  const header = readPart(head);
  const claims = readPart(body);
  const alg = header?.['alg'];
  if (!header || !claims || typeof alg !== 'string' || alg.toLowerCase() === 'none') return undefined;
  return { header, claims };
}

const isBase64Url = (part: string): boolean => /^[\w-]+$/u.test(part);

/** Bounded like any server document. */
function readPart(part: string): JsonObject | undefined {
  if (part.length > bodyLimit.token || !isBase64Url(part)) return undefined;
  try {
    const document = readJson(Buffer.from(part, 'base64url'), { stage: 'token' });
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
