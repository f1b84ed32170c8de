import type { CompatibilityNote } from '../shared/compatibility-notes.ts';
import type { IssuerKey } from '../shared/integration.ts';
import { displayPlace } from './address/display-text.ts';

/**
 * The exception by which an issuer is accepted that differs from the one that was asked for.
 * - `subdomain`: the published issuer is on another subdomain, and so is all that gets a secret.
 * - `subdomain-name`: only the published issuer is; every endpoint is on the host that was asked.
 */
export type IssuerFallback = 'subdomain' | 'subdomain-name' | 'trailing-slash' | 'origin';

/**
 * What the secrets of an authorization server are keyed by: its issuer. Under the subdomain exceptions the key holds
 * both issuers, first the one whose host gets the secrets, so that neither exception shares a secret with either issuer
 * on its own, nor with the other exception. `#` and `##` join them: no issuer has a fragment (RFC 8414 section 2), and
 * an address with one is refused wherever a server or a user gives it.
 */
export function issuerKeyFor(published: string, asked: string, fallback: IssuerFallback | undefined): IssuerKey {
  if (fallback === 'subdomain-name') return `${asked}##${published}`;
  return fallback === 'subdomain' ? `${published}#${asked}` : published;
}

/** Under a subdomain exception only the host of `addressOfKey` gets a secret; elsewhere any host of its owner may. */
export function isUnderException(key: IssuerKey): boolean {
  return key.includes('#');
}

/** The issuer whose host gets the secrets, or the typed token endpoint: a `#` and another issuer may follow. */
export function addressOfKey(key: IssuerKey): string {
  return key.split('#', 1)[0] ?? '';
}

/**
 * What `iss` of a response and of an ID token has to be: the published issuer. Where that is only a name, a response
 * that carries it comes from the honest page of that name, so it is the issuer that was asked for.
 */
export function expectedIssuer(key: IssuerKey, published: string): string {
  return key.includes('##') ? addressOfKey(key) : published;
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
  return isTyped ? undefined : (issuerKey.split('##')[1] ?? addressOfKey(issuerKey));
}

/** The host of an issuer, or of a typed token endpoint, as it is shown; empty for a key that is no address. */
export function keyHost(key: IssuerKey): string {
  return displayPlace(URL.parse(key) ?? { hostname: '', port: '' });
}
