import { addressOfKey } from '../../issuer-key.ts';
import type { IssuerKey } from '../../../shared/issuer-key.ts';
import { accessTokenLength } from '../../limits.ts';
import { readUnverifiedJwt } from '../wire/unverified-jwt.ts';

/** Why an assertion is of no use where it is to be shown. */
export type AssertionFault = 'format' | 'ended' | 'audience';

export interface AssertionUse {
  readonly issuerKey: IssuerKey;
  readonly tokenEndpoint: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds by which two clocks may differ. */
const skew = 60;

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
  if (exp + skew <= now / 1_000) return 'ended';
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const ours = [addressOfKey(issuerKey), tokenEndpoint].map(withoutSlash);
  return audiences.some((one) => typeof one === 'string' && ours.includes(withoutSlash(one))) ? undefined : 'audience';
}

/** Many write the address of an issuer with a slash that it has not, or without the one that it has. */
function withoutSlash(address: string): string {
  return address.replace(/\/$/u, '');
}
