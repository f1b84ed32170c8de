import type { CompatibilityNote } from '../shared/compatibility-notes.ts';
import type { IssuerKey } from '../shared/issuer-key.ts';
import { displayPlace } from './address/display-place.ts';

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

/** The issuer in a key, or the typed token endpoint: a `#` and another issuer may follow. */
export function addressOfKey(key: IssuerKey): string {
  return key.split('#', 1)[0] ?? '';
}

/**
 * The issuer as it was published; absent where the key is a typed token endpoint. `tokenEndpoint` is the typed one:
 * without it (it was taken out of the settings since) nothing says that the key of typed endpoints is an issuer.
 */
export function publishedIssuer(
  { issuerKey, notes }: { readonly issuerKey?: IssuerKey | undefined; readonly notes: readonly CompatibilityNote[] },
  tokenEndpoint: string | undefined,
): string | undefined {
  if (issuerKey === undefined) return undefined;
  const isTyped =
    notes.includes('typed-endpoints') && (tokenEndpoint === undefined || URL.parse(tokenEndpoint)?.href === issuerKey);
  return isTyped ? undefined : addressOfKey(issuerKey);
}

/** The host of an issuer, or of a typed token endpoint, as it is shown; empty for a key that is no address. */
export function keyHost(key: IssuerKey): string {
  return displayPlace(URL.parse(key) ?? { hostname: '', port: '' });
}
