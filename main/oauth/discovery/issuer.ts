import { classifyHost } from '../../address/classify-host.ts';
import { registrableDomain, sameRegistrableDomain } from '../../address/registrable-domain.ts';
import { urlLength } from '../../limits.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import { metadataEndpoints, secretEndpoints } from '../wire/messages.ts';
import type { PublishedServerMetadata } from '../wire/messages.ts';

export type IssuerComparison = 'identical' | 'subdomain' | 'trailing-slash' | 'mismatch';

type Endpoints = Pick<PublishedServerMetadata, (typeof metadataEndpoints)[number]>;

/**
 * Compares the issuer that metadata was asked for with the one that it names: identical as strings, without any
 * normalisation (RFC 8414 section 3.3). The compatibility fallback (spec 2.3) lets pass one terminating slash, or
 * another subdomain of the same registrable domain, if both are https and every endpoint stays under that domain. Names
 * of one domain may belong to many (a forgotten one is taken over), so under the second exception whatever is sent a
 * code, a token or a secret must be the named issuer's own host.
 */
export function compareIssuer(asked: string, published: string, metadata: Endpoints): IssuerComparison {
  if (asked === published) return 'identical';
  const [one, other] = [parseIssuer(asked), parseIssuer(published)];
  if (one === undefined || other === undefined) return 'mismatch';
  const endpointsStay = metadataEndpoints
    .flatMap((name) => metadata[name] ?? [])
    .every((endpoint) => sameRegistrableDomain(one.hostname, URL.parse(endpoint)?.hostname ?? ''));
  if (!endpointsStay || !isTrustworthy(one) || !isTrustworthy(other)) return 'mismatch';
  if (asked === `${published}/` || published === `${asked}/`) return 'trailing-slash';
  const isOtherSubdomain =
    one.hostname !== other.hostname &&
    registrableDomain(one.hostname) !== undefined &&
    sameRegistrableDomain(one.hostname, other.hostname);
  const secretsReachTheNamed = secretEndpoints
    .flatMap((name) => metadata[name] ?? [])
    .every((endpoint) => URL.parse(endpoint)?.hostname === other.hostname);
  const isKept = issuerKeyFor(published, asked, 'subdomain').length <= urlLength.received;
  return isOtherSubdomain && secretsReachTheNamed && isKept ? 'subdomain' : 'mismatch';
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
