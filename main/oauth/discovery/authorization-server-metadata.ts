import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { waitRetryAfter } from '../../../shared/error-catalog/catalog-entry.ts';
import { wrongIssuer } from '../../../shared/error-catalog/discovery-errors.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import { atSameOrigin, checkPublishedAddress } from '../../address/check-address.ts';
import type { CheckedAddress, PublishedAddress } from '../../address/check-address.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { registrableDomain, sameRegistrableDomain } from '../../address/domain-owner.ts';
import { classifyHost } from '../../address/host.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import { urlLength } from '../../limits.ts';
import {
  authorizationServerMembers,
  authorizationServerMetadataSchema,
  metadataEndpoints,
  secretEndpoints,
} from '../http/metadata-schemas.ts';
import type {
  AuthorizationServerMetadata,
  ProtectedResourceMetadata,
  PublishedServerMetadata,
} from '../http/metadata-schemas.ts';
import { limitContext } from './discovery.ts';
import type { DiscoveryContext } from './discovery.ts';
import {
  fetchMetadataDocument,
  ForeignDocument,
  isWebAddress,
  RefusedMember,
  serverUnavailableError,
} from './metadata-document.ts';
import type { MetadataAttempt, UnavailableResponse } from './metadata-document.ts';

/** An authorization server named by the resource, or the server's own origin if none is named. */
interface IssuerCandidate {
  readonly issuer: string;
  readonly isNamed: boolean;
}

interface AcceptedMetadata {
  readonly metadata: AuthorizationServerMetadata;
  /** The exception under which the issuer was accepted; absent if it is identical. */
  readonly issuerFallback?: IssuerFallback;
}

type ServerMetadataAttempt = MetadataAttempt<AcceptedMetadata>;

/**
 * Authorization server metadata (RFC 8414 and OpenID Connect Discovery 1.0), from its well-known URLs in order. If one
 * gives no usable document, the next is tried; of several failures the first is reported.
 * Errors: ISSUER_MISMATCH, URL_DOWNGRADE, HOST_BLOCKED, DNS_REBIND.
 */
export async function fetchAuthorizationServerMetadata(
  context: DiscoveryContext,
  candidate: IssuerCandidate,
): Promise<ServerMetadataAttempt> {
  let issuer: CheckedAddress;
  try {
    issuer = checkIssuerUrl(context, candidate.issuer);
  } catch (error) {
    if (!(error instanceof PosternError) || !hasTrait(error, 'not-an-address')) throw error;
    // Not an issuer at all (a query, not an address): the document is invalid.
    if (isWebAddress(candidate.issuer) && !/[?#]/u.test(candidate.issuer)) throw error;
    return { kind: 'unusable', error };
  }
  let failure: PosternError | undefined;
  for (const url of authorizationServerMetadataUrls(issuer)) {
    const attempt = await fetchServerMetadataAt(context, url, candidate);
    if (attempt.kind === 'found') return attempt;
    if (attempt.kind === 'unusable') failure ??= attempt.error;
  }
  return failure === undefined ? { kind: 'missing' } : { kind: 'unusable', error: failure };
}

/** A server without resource metadata publishes another issuer's metadata at its own origin. */
class ForeignIssuer extends ForeignDocument {
  readonly published: PublishedServerMetadata;

  constructor(published: PublishedServerMetadata, options: PosternErrorOptions) {
    super('ISSUER_MISMATCH', options);
    this.published = published;
  }
}

/** No authorization server metadata was found: ASM_MISSING. */
export class MissingServerMetadata extends PosternError {
  constructor(options: PosternErrorOptions) {
    super('ASM_MISSING', options);
  }

  override with(more: Partial<PosternErrorOptions>): MissingServerMetadata {
    return new MissingServerMetadata(super.with(more).options);
  }
}

/**
 * RFC 8414 sections 3.1 and 5: path inserted, path inserted with the OpenID suffix, path before the OpenID suffix. An
 * issuer without a path has only two. The path is never dropped: the root may belong to another tenant.
 */
export function authorizationServerMetadataUrls(issuer: CheckedAddress): CheckedAddress[] {
  const path = new URL(issuer).pathname.replace(/\/$/, '');
  const first = atSameOrigin(issuer, `/.well-known/oauth-authorization-server${path}`);
  const second = atSameOrigin(issuer, `/.well-known/openid-configuration${path}`);
  if (path === '') return [first, second];
  return [first, second, atSameOrigin(issuer, `${path}/.well-known/openid-configuration`)];
}

/** Fetches one well-known URL for the given issuer. Errors: those of `fetchAuthorizationServerMetadata`. */
export function fetchServerMetadataAt(
  context: DiscoveryContext,
  url: CheckedAddress,
  candidate: IssuerCandidate,
): Promise<ServerMetadataAttempt> {
  return fetchMetadataDocument(context, {
    step: 'authorization-server-metadata',
    purpose: 'authorization-server-metadata',
    url,
    schema: authorizationServerMetadataSchema,
    unavailableError: (response) =>
      candidate.isNamed ? serviceUnavailableError(response) : serverUnavailableError(context, response),
    async accept(published) {
      const issuerFallback = checkIssuer(candidate, published);
      const metadata = await checkEndpoints(context, new URL(url), published);
      return { metadata, ...(issuerFallback && { issuerFallback }) };
    },
    members: authorizationServerMembers,
    accepted: ({ metadata }) => metadata,
  });
}

function serviceUnavailableError({ retryAfter, ...detail }: UnavailableResponse): PosternError {
  const remedy = retryAfter === undefined ? undefined : waitRetryAfter(retryAfter);
  return new PosternError('ASM_UNAVAILABLE', { stage: 'discovery', detail, remedy });
}

function checkIssuer(candidate: IssuerCandidate, metadata: PublishedServerMetadata): IssuerFallback | undefined {
  const comparison = compareIssuer(candidate.issuer, metadata.issuer, metadata);
  if (comparison === 'identical') return undefined;
  if (comparison !== 'mismatch') return comparison;
  if (!candidate.isNamed && isIssuerOfOrigin(metadata.issuer, candidate.issuer)) return 'origin';
  const detail = { host: displayHostAndPort(new URL(candidate.issuer)) };
  if (!candidate.isNamed)
    throw new ForeignIssuer(metadata, { stage: 'discovery', detail, remedy: wrongIssuer.ofServer });
  const options = { stage: 'discovery', detail: { ...detail, named: true }, remedy: wrongIssuer.ofService } as const;
  throw new ForeignDocument('ISSUER_MISMATCH', options);
}

/** Not needed for sign-in: dropped if refused. */
const optionalEndpoints: ReadonlySet<string> = new Set(['revocation_endpoint', 'device_authorization_endpoint']);

/**
 * Endpoints that we may later open in a browser or send a secret to (MCP security best practices, URL validation).
 * Names are resolved here, before any registration. An endpoint that resolves to a private address or not at all
 * invalidates the document, like a refused address, so that our requests do not reveal which it was.
 */
async function checkEndpoints(
  context: DiscoveryContext,
  publisher: URL,
  published: PublishedServerMetadata,
): Promise<AuthorizationServerMetadata> {
  const checks = metadataEndpoints.flatMap((member) => {
    const endpoint = published[member];
    return endpoint === undefined ? [] : [{ member, check: checkEndpoint(endpoint, { member, publisher }, context) }];
  });
  await Promise.allSettled(checks.map(({ check }) => check));
  const accepted: Partial<Record<(typeof metadataEndpoints)[number], CheckedAddress | undefined>> = {};
  for (const { member, check } of checks) {
    accepted[member] = await check.catch((error: unknown) => {
      if (error instanceof RefusedMember && optionalEndpoints.has(member)) return undefined;
      throw error;
    });
  }
  return dropUndefined({ ...published, ...accepted }) as AuthorizationServerMetadata;
}

async function checkEndpoint(
  endpoint: string,
  source: PublishedAddress,
  context: DiscoveryContext,
): Promise<CheckedAddress> {
  try {
    const address = checkPublishedAddress(endpoint, source, context.policy, 'discovery');
    await resolveEndpointHost(context, address, source.publisher);
    return address;
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    // The browser may reach a page whose name Postern cannot resolve.
    const isPage = source.member === 'authorization_endpoint';
    const mayAllow = isPage && error instanceof UnsentRequest && error.fault === 'name-not-found';
    const { options } = error.with({
      detail: { member: source.member, publisher: displayHostAndPort(source.publisher) },
    });
    const remedy = { kind: 'allow-host', host: URL.parse(endpoint)?.hostname } as const;
    throw new RefusedMember(error.code, mayAllow ? { ...options, remedy } : options);
  }
}

/** Resolves the host of an endpoint; the publisher itself has just responded. */
async function resolveEndpointHost(
  context: DiscoveryContext,
  url: CheckedAddress,
  { hostname: publisher }: URL,
): Promise<void> {
  const { hostname } = new URL(url);
  if (hostname === publisher) return;
  let lookup = context.lookups.get(hostname);
  if (lookup === undefined) {
    const { http, policy, signal } = context;
    const purpose = 'authorization-server-metadata';
    lookup = http.resolveHost({ purpose, stage: 'discovery', url, policy, signal, deadline: context.remaining() });
    context.lookups.set(hostname, lookup);
  }
  await lookup;
}

function checkIssuerUrl(context: DiscoveryContext, text: string): CheckedAddress {
  const source = { member: 'authorization_servers', publisher: context.serverUrl };
  const issuer = checkPublishedAddress(text, source, context.policy, 'discovery');
  // RFC 8414 section 2: an issuer has neither query nor fragment.
  if (!text.includes('?')) return issuer;
  const detail = { member: source.member, publisher: displayHostAndPort(source.publisher) };
  throw new PosternError('URL_FRAGMENT', { stage: 'discovery', blame: 'document', detail });
}

export interface FoundServer extends AcceptedMetadata {
  readonly candidate: IssuerCandidate;
  /** Servers listed before it that did not work. */
  readonly skipped: number;
  /** Known only from a copy of its metadata at the server's own origin. */
  readonly isFromCopy?: true;
}

/**
 * Authorization servers to try, in order: those the resource names, otherwise the server's own origin (MCP 2025-03-26
 * and the spec).
 */
export function authorizationServerCandidates(
  serverUrl: URL,
  resourceMetadata: ProtectedResourceMetadata | undefined,
  pinned: string | undefined,
): readonly IssuerCandidate[] {
  const named = [...new Set(resourceMetadata?.authorization_servers)];
  if (named.length === 0) return [{ issuer: serverUrl.origin, isNamed: false }];
  const chosen = named.filter((issuer) => issuer === pinned);
  return (chosen.length > 0 ? chosen : named).map((issuer) => ({ issuer, isNamed: true }));
}

/**
 * The first candidate that works (RFC 9728 section 7.6), tried in turn, each with its share of the time. If none works,
 * throws the error of the first refused one, otherwise returns the first failure.
 */
export async function findAuthorizationServer(
  context: DiscoveryContext,
  candidates: readonly IssuerCandidate[],
): Promise<MetadataAttempt<FoundServer>> {
  let refused: PosternError | undefined;
  let failure: PosternError | undefined;
  for (const [index, candidate] of candidates.entries()) {
    try {
      const attempt = await fetchAuthorizationServerMetadata(shareTime(context, candidates.length - index), candidate);
      if (attempt.kind === 'found') return { ...attempt, result: { ...attempt.result, candidate, skipped: index } };
      if (attempt.kind === 'unusable') failure ??= attempt.error;
    } catch (error) {
      if (!isExpectedError(error)) throw error;
      const copied = error instanceof ForeignIssuer ? await readAtForeignIssuer(context, error) : undefined;
      if (copied)
        return {
          ...copied.found,
          result: { ...copied.found.result, candidate: copied.candidate, skipped: 0, isFromCopy: true },
        };
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return failure === undefined ? { kind: 'missing' } : { kind: 'unusable', error: failure };
}

function shareTime(context: DiscoveryContext, servers: number): DiscoveryContext {
  return servers === 1 ? context : limitContext(context, Math.ceil(context.remaining() / servers));
}

type Found = Extract<ServerMetadataAttempt, { readonly kind: 'found' }>;

/**
 * The metadata of a foreign issuer that an MCP server without resource metadata publishes at its own origin, as MCP
 * 2025-03-26 servers with a hosted sign-in do. Used only if every address in the server's copy matches the issuer's own
 * metadata: then the result is the same as if resource metadata named the issuer, under the same rules (RFC 9728
 * section 7.6, RFC 8414 section 3.3). Otherwise `undefined`.
 * Errors: those of `fetchAuthorizationServerMetadata`.
 */
async function readAtForeignIssuer(
  context: DiscoveryContext,
  { published }: ForeignIssuer,
): Promise<{ readonly candidate: IssuerCandidate; readonly found: Found } | undefined> {
  const candidate: IssuerCandidate = { issuer: published.issuer, isNamed: true };
  const found = await fetchAuthorizationServerMetadata(context, candidate);
  if (found.kind !== 'found' || found.result.issuerFallback !== undefined) return undefined;
  const { metadata } = found.result;
  const isLeftOut = (name: string): boolean => optionalEndpoints.has(name) && !(name in metadata);
  const isCopy = metadataEndpoints.every(
    (name) => published[name] === undefined || URL.parse(published[name])?.href === metadata[name] || isLeftOut(name),
  );
  return isCopy ? { candidate, found } : undefined;
}

type IssuerComparison = 'identical' | Exclude<IssuerFallback, 'origin'> | 'mismatch';

type Published = Pick<
  PublishedServerMetadata,
  (typeof metadataEndpoints)[number] | 'authorization_response_iss_parameter_supported'
>;

/**
 * Compares the requested issuer with the one the metadata names: identical strings, without normalization (RFC 8414
 * section 3.3). The compatibility fallback (spec 2.3) accepts one trailing slash, or another subdomain of the same
 * registrable domain, if both are https and every endpoint stays under that domain. Subdomains may belong to different
 * owners (an abandoned one can be taken over). So under the second exception every endpoint that gets a code, token or
 * secret must be on the published issuer's host, or else every endpoint, including the page, must be at the requested
 * origin.
 */
export function compareIssuer(requested: string, published: string, metadata: Published): IssuerComparison {
  if (requested === published) return 'identical';
  const [requestedUrl, publishedUrl] = [parseIssuer(requested), parseIssuer(published)];
  if (requestedUrl === undefined || publishedUrl === undefined) return 'mismatch';
  const addressesOf = (names: typeof metadataEndpoints | typeof secretEndpoints): readonly (URL | null)[] =>
    names.flatMap((name) => metadata[name] ?? []).map((endpoint) => URL.parse(endpoint));
  const endpoints = addressesOf(metadataEndpoints);
  const endpointsShareDomain = endpoints.every((endpoint) =>
    sameRegistrableDomain(requestedUrl.hostname, endpoint?.hostname ?? ''),
  );
  if (!endpointsShareDomain || !isTrustworthy(requestedUrl) || !isTrustworthy(publishedUrl)) return 'mismatch';
  if (requested === `${published}/` || published === `${requested}/`) return 'trailing-slash';
  const isOtherSubdomain =
    requestedUrl.hostname !== publishedUrl.hostname &&
    registrableDomain(requestedUrl.hostname) !== undefined &&
    sameRegistrableDomain(requestedUrl.hostname, publishedUrl.hostname);
  if (!isOtherSubdomain || issuerKeyFor(published, requested, 'subdomain-name').length > urlLength.received)
    return 'mismatch';
  const secretsStayOnPublishedHost = addressesOf(secretEndpoints).every(
    (endpoint) => endpoint?.hostname === publishedUrl.hostname,
  );
  if (secretsStayOnPublishedHost) return 'subdomain';
  // A response with `iss` would look the same from the honest page of that name, to which this page can forward (RFC
  // 9207).
  const namesIssuer = metadata.authorization_response_iss_parameter_supported === true;
  const onlyNameDiffers = !namesIssuer && endpoints.every((endpoint) => endpoint?.origin === requestedUrl.origin);
  return onlyNameDiffers ? 'subdomain-name' : 'mismatch';
}

/** If no issuer was named, metadata at the server's own origin may name any issuer of that origin. */
export function isIssuerOfOrigin(published: string, origin: string): boolean {
  return parseIssuer(published)?.origin === origin;
}

/** RFC 8414 section 2: no query, no fragment. We also reject user info. */
function parseIssuer(text: string): URL | undefined {
  const url = URL.parse(text);
  return url === null || /[?#@\\\s]/.test(text) ? undefined : url;
}

/** https, or loopback, which is out of a network attacker's reach. */
function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && classifyHost(url.hostname) === 'loopback');
}
