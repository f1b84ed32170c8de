import type { IssuerKey } from '../../shared/issuer-key.ts';

/** By which exception an issuer is taken that is not identical with the one that was asked for. */
export type IssuerFallback = 'subdomain' | 'trailing-slash' | 'origin';

/**
 * What the secrets of an authorization server are keyed by: its issuer. Where it was taken under the sub-domain
 * exception, the one that was asked for is part of it, so that nothing that the named issuer itself ever gave or got is
 * looked up there, nor the other way round. A `#` joins the two: no issuer has one (RFC 8414 section 2), and an address
 * with one is refused wherever a server or a person gives it.
 */
export function issuerKeyFor(published: string, asked: string, fallback: IssuerFallback | undefined): IssuerKey {
  return fallback === 'subdomain' ? `${published}#${asked}` : published;
}

/** Under the exception whoever gets a secret is the named issuer's own host; elsewhere it is its owner. */
export function isUnderException(key: IssuerKey): boolean {
  return key.includes('#');
}
