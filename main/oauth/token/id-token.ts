import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Person } from '../../../shared/person.ts';
import { displayText } from '../../address/display-text.ts';
import { accountLength } from '../../limits.ts';
import { readUnverifiedJwt } from '../wire/unverified-jwt.ts';

/** Whose sign-in it was, for showing and comparing. */
export interface IdTokenClaims {
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
const skew = 300;

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
  if (typeof exp !== 'number' || exp + skew <= now / 1_000) return undefined;
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
