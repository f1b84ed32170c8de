import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IssuerKey, Person } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { accessTokenLength, accountLength, bodyLimit } from '../../limits.ts';
import { readJson } from '../wire/json-document.ts';
import { isJsonObject } from '../wire/oauth-error.ts';

/** Whose sign-in it was, for showing and comparing. */
interface IdTokenClaims {
  readonly subject: string;
  readonly person?: Person;
  /** Everything that it says. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface IdTokenContext {
  /** As its metadata publishes it. */
  readonly issuer: string;
  readonly clientId: string;
  /** As it was sent. */
  readonly nonce?: string | undefined;
  /** Where the answer came from. */
  readonly url: string;
  /** It only goes back to its issuer, who knows its own signature: nothing in it is believed here. */
  readonly isForIssuer?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const idTokenSkew = 300;

/**
 * What an ID token says of the person (OpenID Connect Core 1.0 section 3.1.3.7), or `undefined` for one that may not be
 * believed; never an error, since a sign-in does not depend on it. It has to come from the token endpoint over TLS,
 * which stands for its signature (6), be of this issuer (2), for this client alone (3 to 5), of now (9), for this
 * request (11), and say that it is signed (7).
 */
export function readIdToken(token: unknown, context: IdTokenContext): IdTokenClaims | undefined {
  const { issuer, clientId, nonce, url, isForIssuer = false, now } = context;
  if (typeof token !== 'string' || (!isForIssuer && !url.startsWith('https:'))) return undefined;
  const claims = readUnverifiedJwt(token)?.claims;
  if (!claims) return undefined;
  if (claims['iss'] !== issuer) return undefined;
  if (!isFor(clientId, claims)) return undefined;
  const { exp } = claims;
  if (typeof exp !== 'number' || exp + idTokenSkew <= now / 1_000) return undefined;
  if (nonce !== undefined && claims['nonce'] !== nonce) return undefined;
  const subject = personText(claims['sub']);
  if (subject === undefined) return undefined;
  const name = personText(claims['name']) ?? personText(claims['preferred_username']) ?? personText(claims['nickname']);
  // A boolean (OpenID Connect Core 1.0 section 5.1), which some services write as text.
  const isVerified = [undefined, true, 'true'].some((value) => value === claims['email_verified']);
  const email = isVerified ? personText(claims['email']) : undefined;
  // Of Auth0's Organizations, and Google's hosted domain (developers.google.com/identity/openid-connect/openid-connect,
  // claim `hd`: "The domain associated with the Google Cloud organization of the user").
  const organisation = personText(claims['org_name']) ?? personText(claims['hd']);
  const person = dropUndefined({ name, email, organisation });
  return { subject, claims, ...(Object.keys(person).length > 0 && { person }) };
}

/** Several audiences need `azp`, and `azp` is always the client (4, 5). */
function isFor(clientId: string, { aud, azp }: Readonly<Record<string, unknown>>): boolean {
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) return false;
  return azp === undefined ? audiences.length === 1 : azp === clientId;
}

/** As it may be shown, where it is short enough. */
export function personText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > accountLength) return undefined;
  const shown = displayText(value, accountLength);
  return shown === '' ? undefined : shown;
}

/** Why an assertion is of no use where it is to be shown. */
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
 * What speaks against showing `text` to an authorization server (RFC 7523 section 3). One that is for somebody else is
 * as good as their password: it names this issuer, or its token endpoint, or goes nowhere.
 */
export function judgeAssertion(
  text: string,
  { issuerKey, tokenEndpoint, now }: AssertionUse,
): AssertionFault | undefined {
  const claims = text.length > accessTokenLength ? undefined : readUnverifiedJwt(text)?.claims;
  if (!claims) return 'format';
  const { aud, exp } = claims;
  if (typeof exp !== 'number') return 'format';
  if (exp + assertionSkew <= now / 1_000) return 'ended';
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const ours = [addressOfKey(issuerKey), tokenEndpoint].map(withoutSlash);
  return audiences.some((one) => typeof one === 'string' && ours.includes(withoutSlash(one))) ? undefined : 'audience';
}

/** Many write the address of an issuer with a slash that it has not, or without the one that it has. */
function withoutSlash(address: string): string {
  return address.replace(/\/$/u, '');
}

/** What an identity assertion is asked for, and has to say (draft-ietf-oauth-identity-assertion-authz-grant section 3). */
export interface IdentityUse {
  /** Issuer of the authorization server that it is shown to. */
  readonly audience: string;
  /** The client there. */
  readonly clientId: string;
  /** The MCP server. */
  readonly resource?: string | undefined;
}

/** Why one is of no use; nothing of it goes anywhere then. */
export type IdentityFault = 'format' | 'type' | 'issuer' | 'ended' | 'audience' | 'client' | 'resource';

interface IdentityJudgement extends IdentityUse {
  /** Of the identity provider, as it publishes itself. */
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const identitySkew = 60;

/**
 * What speaks against showing `text`: it says who a person is, so one for another service, server or client would let
 * whoever gets it in there. Its signature is for the service to judge.
 */
export function judgeIdentityAssertion(
  text: string,
  { issuer, audience, clientId, resource, now }: IdentityJudgement,
): IdentityFault | undefined {
  const jwt = text.length > accessTokenLength ? undefined : readUnverifiedJwt(text);
  if (!jwt) return 'format';
  const { typ } = jwt.header;
  const { iss, aud, exp, client_id: client, resource: named } = jwt.claims;
  // RFC 8725 section 3.11: neither an ID token nor an access token is taken for one.
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'oauth-id-jag+jwt') return 'type';
  if (iss !== issuer) return 'issuer';
  if (typeof exp !== 'number') return 'format';
  if (exp + identitySkew <= now / 1_000) return 'ended';
  if (!isAllOf(aud, audience)) return 'audience';
  if (client !== clientId) return 'client';
  return named === undefined || resource === undefined || isAllOf(named, resource) ? undefined : 'resource';
}

/** One value, alone or as the only one of a list; a slash at the end is written or not. */
function isAllOf(value: unknown, wanted: string): boolean {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isWanted = (one: unknown): boolean =>
    typeof one === 'string' && one.replace(/\/$/u, '') === wanted.replace(/\/$/u, '');
  return values.length > 0 && values.every(isWanted);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** What a signed JWT says (RFC 7519 section 7.2); whoever it is for judges its signature. */
interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** `undefined` for what is no JWT in compact form (RFC 7515 section 7.1), or says that nobody has signed it. */
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

/** Bounded as any document of a server. */
function readPart(part: string): JsonObject | undefined {
  if (part.length > bodyLimit.token || !isBase64Url(part)) return undefined;
  try {
    const document = readJson(Buffer.from(part, 'base64url'), { stage: 'token' });
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
