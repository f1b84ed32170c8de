import { classifyHost } from '../../address/classify-host.ts';
import { registrableDomain, sameRegistrableDomain } from '../../address/registrable-domain.ts';
import { urlLength } from '../../limits.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import { metadataEndpoints, secretEndpoints } from '../wire/messages.ts';
import type { PublishedServerMetadata } from '../wire/messages.ts';

export type IssuerComparison = 'identical' | Exclude<IssuerFallback, 'origin'> | 'mismatch';

type Published = Pick<
  PublishedServerMetadata,
  (typeof metadataEndpoints)[number] | 'authorization_response_iss_parameter_supported'
>;

/**
 * Compares the issuer that metadata was asked for with the one that it names: identical as strings, without any
 * normalization (RFC 8414 section 3.3). The compatibility fallback (spec 2.3) accepts one terminating slash, or another
 * subdomain of the same registrable domain, if both are https and every endpoint stays under that domain. Names of one
 * domain may belong to many (a forgotten one is taken over), so under the second exception whatever is sent a code, a
 * token or a secret is on the published issuer's host, or else every endpoint, the page too, is where it was asked.
 */
export function compareIssuer(asked: string, published: string, metadata: Published): IssuerComparison {
  if (asked === published) return 'identical';
  const [one, other] = [parseIssuer(asked), parseIssuer(published)];
  if (one === undefined || other === undefined) return 'mismatch';
  const addressesOf = (names: typeof metadataEndpoints | typeof secretEndpoints): readonly (URL | null)[] =>
    names.flatMap((name) => metadata[name] ?? []).map((endpoint) => URL.parse(endpoint));
  const endpoints = addressesOf(metadataEndpoints);
  const endpointsStay = endpoints.every((endpoint) => sameRegistrableDomain(one.hostname, endpoint?.hostname ?? ''));
  if (!endpointsStay || !isTrustworthy(one) || !isTrustworthy(other)) return 'mismatch';
  if (asked === `${published}/` || published === `${asked}/`) return 'trailing-slash';
  const isOtherSubdomain =
    one.hostname !== other.hostname &&
    registrableDomain(one.hostname) !== undefined &&
    sameRegistrableDomain(one.hostname, other.hostname);
  if (!isOtherSubdomain || issuerKeyFor(published, asked, 'subdomain-name').length > urlLength.received)
    return 'mismatch';
  const secretsReachTheNamed = addressesOf(secretEndpoints).every((endpoint) => endpoint?.hostname === other.hostname);
  if (secretsReachTheNamed) return 'subdomain';
  // A response with `iss` would be the same from the honest page of that name, to which this page can hand on (RFC 9207).
  const namesIssuer = metadata.authorization_response_iss_parameter_supported === true;
  const isOnlyAName = !namesIssuer && endpoints.every((endpoint) => endpoint?.origin === one.origin);
  return isOnlyAName ? 'subdomain-name' : 'mismatch';
}

/** Where nobody named an issuer, metadata at the server's own origin may name any issuer of that origin. */
export function isIssuerOfOrigin(published: string, origin: string): boolean {
  return parseIssuer(published)?.origin === origin;
}

/** An issuer has neither query nor fragment (RFC 8414 section 2), and no user info here. */
function parseIssuer(text: string): URL | undefined {
  const url = URL.parse(text);
  return url === null || /[?#@\\\s]/.test(text) ? undefined : url;
}

/** https, or loopback of this machine, where a network attacker is not. */
function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && classifyHost(url.hostname) === 'loopback');
}
