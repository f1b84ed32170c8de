import type { CompatibilityNote } from '../shared/compatibility-notes.ts';
import type { IssuerKey } from '../shared/integration.ts';
import { displayHostAndPort } from './address/display-text.ts';

/**
 * Why an issuer is accepted that differs from the requested one.
 * - `subdomain`: the published issuer is on another subdomain, and so is every endpoint that gets a secret.
 * - `subdomain-name`: only the published issuer is; every endpoint is on the requested host.
 */
export type IssuerFallback = 'subdomain' | 'subdomain-name' | 'trailing-slash' | 'origin';

/**
 * The key under which secrets for an authorization server are stored: its issuer. Under a subdomain exception it
 * contains both issuers, first the one whose host gets the secrets, so that no exception shares secrets with either
 * issuer alone or with the other exception. They are joined by `#` or `##`: no issuer has a fragment (RFC 8414 section
 * 2), and URLs with a fragment are refused from servers and users alike.
 */
export function issuerKeyFor(published: string, requested: string, fallback: IssuerFallback | undefined): IssuerKey {
  if (fallback === 'subdomain-name') return `${requested}##${published}`;
  return fallback === 'subdomain' ? `${published}#${requested}` : published;
}

/** Under a subdomain exception, only the host of `addressOfKey` gets a secret; otherwise any host of its owner may. */
export function isSubdomainException(key: IssuerKey): boolean {
  return key.includes('#');
}

/** The issuer whose host gets the secrets, or the typed token endpoint. */
export function addressOfKey(key: IssuerKey): string {
  return key.split('#', 1)[0] ?? '';
}

/**
 * The expected `iss` of a response and of an ID token: the published issuer. Under `subdomain-name` it is the requested
 * issuer: a response with the published one comes from the real server of that name.
 */
export function expectedIssuer(key: IssuerKey, published: string): string {
  return key.includes('##') ? addressOfKey(key) : published;
}

/**
 * The published issuer; `undefined` if the key is a typed token endpoint. `tokenEndpoint` is the typed one. If it was
 * removed from the settings since, a key of typed endpoints cannot be assumed to be an issuer.
 */
export function publishedIssuer(
  { issuerKey, notes }: { readonly issuerKey?: IssuerKey | undefined; readonly notes: readonly CompatibilityNote[] },
  tokenEndpoint: string | undefined,
): string | undefined {
  if (issuerKey === undefined) return undefined;
  const isTyped =
    notes.includes('typed-endpoints') && (tokenEndpoint === undefined || URL.parse(tokenEndpoint)?.href === issuerKey);
  return isTyped ? undefined : (issuerKey.split('##')[1] ?? addressOfKey(issuerKey));
}

/** Display host of an issuer or of a typed token endpoint; empty if the key is not a URL. */
export function keyHost(key: IssuerKey): string {
  return displayHostAndPort(URL.parse(key) ?? { hostname: '', port: '' });
}
