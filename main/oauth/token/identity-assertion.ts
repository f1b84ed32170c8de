import { accessTokenLength } from '../../limits.ts';
import { readUnverifiedJwt } from '../wire/unverified-jwt.ts';

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

export interface IdentityJudgement extends IdentityUse {
  /** Of the identity provider, as it publishes itself. */
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const skew = 60;

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
  if (exp + skew <= now / 1_000) return 'ended';
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
