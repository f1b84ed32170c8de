import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { AuthenticationMethod } from '../../../shared/oauth.ts';
import { atSameOrigin, checkTypedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../http/metadata-schemas.ts';
import {
  authorizationServerCandidates,
  authorizationServerMetadataUrls,
  fetchAuthorizationServerMetadata,
  fetchServerMetadataAt,
  findAuthorizationServer,
  MissingServerMetadata,
} from './authorization-server-metadata.ts';
import type { FoundServer } from './authorization-server-metadata.ts';
import { createDiscoveryContext } from './discovery.ts';
import type { Discovery, DiscoveryContext, DiscoveryOptions, DiscoveryPorts, UnusableMember } from './discovery.ts';
import { requestMetadata } from './metadata-document.ts';
import type { MetadataAttempt, MetadataRequest } from './metadata-document.ts';
import { probeForChallenge, probeServer } from './probe.ts';
import type { ProbeOutcome } from './probe.ts';
import {
  resolveChallengeUrl,
  fetchProtectedResourceMetadata,
  fetchResourceMetadataAt,
  resourceMetadataUrls,
} from './protected-resource-metadata.ts';
import type { ResourceMetadataAttempt } from './protected-resource-metadata.ts';

/**
 * Determines how to sign in to a server (spec 3.1 and 4.1): probe, protected resource metadata, authorization server
 * metadata, method. Metadata that cannot be fetched or used is not an error but `NoAuth` with a `reason`.
 * Errors: network errors if the server is unreachable; RESOURCE_MISMATCH, ISSUER_MISMATCH, URL_DOWNGRADE, HOST_BLOCKED,
 * DNS_REBIND; USER_CANCELLED. Takes at most `limits.deadline.discovery`, not counting rate-limit waits.
 */
export async function discoverAuthenticationMethod(
  ports: DiscoveryPorts,
  options: DiscoveryOptions,
): Promise<Discovery> {
  const context = createDiscoveryContext(ports, options);
  const { challenge } = options;
  if (challenge !== undefined) {
    return await continueDiscovery(context, options, { challenge });
  }
  const probe = probeServer(context);
  const prefetching = prefetchMetadata(context, options.authorizationServer);
  const probeOutcome = await probeForChallenge(prefetching, probe);
  return await continueDiscovery(prefetching, options, probeOutcome);
}

/**
 * Second discovery (spec 3.2): re-fetches both documents in parallel from the addresses that worked, under the same
 * rules. If they are gone, or name another resource, server or issuer, all of discovery but the probe runs again.
 */
export async function rediscover(
  ports: DiscoveryPorts,
  discovery: Discovery,
  options: Omit<DiscoveryOptions, 'url' | 'challenge'>,
): Promise<Discovery> {
  if (discovery.legacyEndpoints) return discovery;
  if (options.isIssuer) {
    const typedCredentials = options.typedCredentials ?? discovery.method === 'OAuth';
    return await discoverIssuer(ports, { ...options, url: discovery.url, typedCredentials });
  }
  const sources: DiscoveryOptions = {
    ...options,
    url: discovery.url,
    typedCredentials: options.typedCredentials ?? discovery.method === 'OAuth',
    authorizationServer: options.authorizationServer ?? discovery.authorizationServer,
  };
  const refetched = await refetchDocuments(createDiscoveryContext(ports, sources), discovery);
  if (refetched !== undefined) {
    const method = decideAuthenticationMethod({ ...sources, metadata: refetched.metadata });
    return withTypedEndpoints({ ...discovery, ...refetched, method }, sources);
  }
  const { probeStatus, refusedStatus, responseKind, challenge } = discovery;
  const context = createDiscoveryContext(ports, sources);
  return await continueDiscovery(
    context,
    sources,
    dropUndefined({ status: probeStatus, refusedStatus, responseKind, challenge }),
  );
}

/**
 * Requests in advance what discovery will most likely need, without waiting for the probe: the first form of the
 * resource metadata, needed unless a challenge names another address; and authorization server metadata at the server's
 * own origin, where most are, and which is also the fallback without resource metadata. Unneeded responses are never
 * read and their failures do not count. `pinned`: the authorization server used before.
 */
function prefetchMetadata(context: DiscoveryContext, pinned: string | undefined): DiscoveryContext {
  const { address, serverUrl } = context;
  const [resource] = resourceMetadataUrls(address);
  const servers = authorizationServerMetadataUrls(atSameOrigin(address, '/')).slice(0, 1);
  const isElsewhere = pinned !== undefined && URL.parse(pinned)?.origin !== serverUrl.origin;
  const requests: readonly MetadataRequest[] = [
    { purpose: 'protected-resource-metadata', url: resource },
    ...(isElsewhere ? [] : servers).map((url) => ({ purpose: 'authorization-server-metadata', url }) as const),
  ];
  const prefetched = new Map(requests.map((request) => [request.url, requestMetadata(context, request)]));
  for (const response of prefetched.values()) response.catch(() => {});
  return { ...context, prefetched };
}

async function continueDiscovery(
  context: DiscoveryContext,
  options: DiscoveryOptions,
  probeOutcome: ProbeOutcome,
): Promise<Discovery> {
  const resource = await fetchProtectedResourceMetadata(context, probeOutcome.challenge);
  const resourceMetadata = resource.kind === 'found' ? resource.result : undefined;
  const candidates = authorizationServerCandidates(context.serverUrl, resourceMetadata, options.authorizationServer);
  const wantsLegacy = options.legacyEndpoints === true && resourceMetadata === undefined;
  // Only a server without any resource metadata follows MCP 2025-03-26; a broken document is not "none".
  const server =
    resource.kind === 'unusable' && !wantsLegacy ? resource : await findAuthorizationServer(context, candidates);
  const isLegacy = server.kind !== 'found' && wantsLegacy && probeOutcome.isOpen !== true;
  const found = server.kind === 'found' ? server : undefined;
  const metadata = isLegacy ? createLegacyMetadata(context.address) : found?.result.metadata;
  const method = decideAuthenticationMethod({ ...options, metadata });
  context.report({ step: 'method', outcome: metadata === undefined ? 'not-found' : 'found' });
  const chosen = found?.result.candidate.issuer;
  const metadataError =
    metadata === undefined ? explainMissingMetadata(context, resource, server, probeOutcome.challenge) : undefined;
  const discovery = dropUndefined({
    url: context.address,
    method,
    reason: metadataError?.code,
    metadataError,
    probeStatus: probeOutcome.status,
    refusedStatus: probeOutcome.refusedStatus,
    responseKind: probeOutcome.responseKind,
    protocol: probeOutcome.protocol,
    challenge: probeOutcome.challenge,
    resourceMetadata,
    resourceMetadataUrl: resource.kind === 'found' ? resource.url : undefined,
    // Without resource metadata, tokens are requested for this server (RFC 8707 section 2).
    resource: resourceMetadata?.resource ?? (found?.result.isFromCopy && context.address),
    metadata,
    metadataUrl: found?.url,
    authorizationServer: isLegacy ? context.serverUrl.origin : chosen,
    issuerKey: metadata && issuerKeyFor(metadata.issuer, chosen ?? metadata.issuer, found?.result.issuerFallback),
    issuerFallback: found?.result.issuerFallback,
    alternatives: (resourceMetadata?.authorization_servers ?? []).filter((issuer) => issuer !== chosen),
    legacyEndpoints: isLegacy,
    ...withUnusableMembers(compatibilityNotes(context, probeOutcome, resource, found?.result, isLegacy), [
      { document: 'resource-metadata', attempt: resource },
      { document: 'authorization-server-metadata', attempt: server },
    ]),
  });
  return withTypedEndpoints(discovery, options);
}

/** Why there is no metadata. Nothing found anywhere is PRM_MISSING: the server publishes no sign-in at all. */
function explainMissingMetadata(
  { serverUrl }: DiscoveryContext,
  resource: ResourceMetadataAttempt,
  server: MetadataAttempt<unknown>,
  challenge: ProbeOutcome['challenge'],
): PosternError {
  const named = challenge?.resourceMetadata;
  if (server.kind !== 'unusable' && resource.kind === 'missing') {
    if (named === undefined || resolveChallengeUrl(named, serverUrl) !== undefined)
      return new PosternError('PRM_MISSING', { stage: 'discovery' });
    // The challenge names a location that cannot be parsed (RFC 9728 section 5.1).
    const detail = { host: serverUrl.host, field: 'resource_metadata' };
    return new PosternError('SCHEMA_INVALID', { stage: 'discovery', detail });
  }
  const error = server.kind === 'unusable' ? server.error : new MissingServerMetadata({ stage: 'discovery' });
  // If the server publishes resource metadata, the default endpoints (MCP 2025-03-26) are not used.
  const canTypeEndpoints = error instanceof MissingServerMetadata && resource.kind === 'found';
  return canTypeEndpoints ? error.with({ remedy: { kind: 'type-endpoints' } }) : error;
}

function compatibilityNotes(
  context: DiscoveryContext,
  probeOutcome: ProbeOutcome,
  resource: ResourceMetadataAttempt,
  server: FoundServer | undefined,
  isLegacy: boolean,
): readonly CompatibilityNote[] {
  const isNamedUrlUnused =
    resource.kind === 'found' &&
    probeOutcome.challenge?.resourceMetadata !== undefined &&
    resolveChallengeUrl(probeOutcome.challenge.resourceMetadata, context.serverUrl) !== resource.url;
  return [
    ...noteIf(isNamedUrlUnused, 'challenge-metadata-url-unusable'),
    ...noteIf(server !== undefined && resource.kind !== 'found', 'no-resource-metadata'),
    ...noteIf(server !== undefined && server.skipped > 0, 'authorization-server-skipped'),
    ...fallbackNotes(server?.issuerFallback),
    ...noteIf(server?.isFromCopy === true, 'issuer-by-copy'),
    ...noteIf(isLegacy, 'legacy-endpoints'),
  ];
}

/** The default endpoints of a server that publishes nothing (MCP 2025-03-26, authorization 2.3.3); PKCE always. */
function createLegacyMetadata(server: CheckedAddress): AuthorizationServerMetadata {
  return {
    issuer: new URL(server).origin,
    authorization_endpoint: atSameOrigin(server, '/authorize'),
    token_endpoint: atSameOrigin(server, '/token'),
    registration_endpoint: atSameOrigin(server, '/register'),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

/**
 * Discovery for an identity provider: its address is the issuer itself, and no MCP server is probed.
 * Errors: those of `fetchAuthorizationServerMetadata`, ASM_MISSING, ASM_UNAVAILABLE.
 */
export async function discoverIssuer(ports: DiscoveryPorts, options: DiscoveryOptions): Promise<Discovery> {
  const context = createDiscoveryContext(ports, options);
  const { href, origin, pathname } = new URL(options.url);
  const issuer = pathname === '/' ? origin : href;
  const found = await fetchAuthorizationServerMetadata(context, { issuer, isNamed: true });
  if (found.kind === 'unusable') throw found.error;
  if (found.kind === 'missing') throw new MissingServerMetadata({ stage: 'discovery' });
  const { metadata, issuerFallback } = found.result;
  const discovery = dropUndefined({
    url: options.url,
    method: decideAuthenticationMethod({ ...options, metadata }),
    metadata,
    metadataUrl: found.url,
    authorizationServer: issuer,
    issuerKey: issuerKeyFor(metadata.issuer, issuer, issuerFallback),
    issuerFallback,
    alternatives: [],
    legacyEndpoints: false,
    ...withUnusableMembers(fallbackNotes(issuerFallback), [
      { document: 'authorization-server-metadata', attempt: found },
    ]),
  });
  return withTypedEndpoints(discovery, options);
}

/** Unusable members of accepted documents, with a note that is stored with the integration. */
function withUnusableMembers(
  notes: readonly CompatibilityNote[],
  documents: readonly { readonly document: UnusableMember['document']; readonly attempt: MetadataAttempt<unknown> }[],
): Pick<Discovery, 'notes' | 'unusableMembers'> {
  const unusableMembers = documents.flatMap(({ document, attempt }) =>
    attempt.kind === 'found' ? attempt.unusableMembers.map((member) => ({ document, member })) : [],
  );
  return unusableMembers.length === 0 ? { notes } : { notes: [...notes, 'metadata-partly-unusable'], unusableMembers };
}

/** Note for an integration whose issuer was accepted under an exception. */
function fallbackNotes(fallback: IssuerFallback | undefined): readonly CompatibilityNote[] {
  if (fallback === undefined) return [];
  return [fallback === 'subdomain-name' ? 'issuer-subdomain' : `issuer-${fallback}`];
}

interface MethodSources {
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The user has an OAuth app for this server. */
  readonly typedCredentials?: boolean | undefined;
  /** URL of this build's client ID metadata document. */
  readonly clientMetadataUrl?: string | undefined;
}

/** Spec 3.1: typed credentials, then client ID metadata documents, then registration (MCP 2026-07-28). */
export function decideAuthenticationMethod(sources: MethodSources): AuthenticationMethod {
  const { metadata, typedCredentials, clientMetadataUrl } = sources;
  if (metadata === undefined) return 'NoAuth';
  if (typedCredentials === true) return 'OAuth';
  if (metadata.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
    return 'OAuthWithCIMD';
  }
  return metadata.registration_endpoint === undefined ? 'OAuth' : 'OAuthWithDCR';
}

/**
 * Replaces published endpoints with those the user typed. Unless the token endpoint is the published one, secrets are
 * keyed by the typed endpoint: secrets for another server are neither looked up nor sent there (MCP 2026-07-28,
 * authorization server binding), and no client is registered, since the typed endpoint would get its secret. Without
 * metadata PKCE is used: it does no harm where it is unknown (RFC 7636 section 5).
 * Errors: those of the address rule.
 */
export function withTypedEndpoints(
  discovery: Discovery,
  { endpoints, policy }: Pick<DiscoveryOptions, 'endpoints' | 'policy'>,
): Discovery {
  if (endpoints === undefined) return discovery;
  const authorization_endpoint = checkTypedAddress(endpoints.authorization, policy);
  const token_endpoint = checkTypedAddress(endpoints.token, policy);
  const notes = [...new Set<CompatibilityNote>([...discovery.notes, 'typed-endpoints'])];
  const { metadata } = discovery;
  if (metadata?.token_endpoint === token_endpoint) {
    const { authorizationServer = metadata.issuer, issuerFallback } = discovery;
    const issuerKey = issuerKeyFor(metadata.issuer, authorizationServer, issuerFallback);
    return { ...discovery, metadata: { ...metadata, authorization_endpoint }, issuerKey, notes };
  }
  const { reason: _unpublished, metadataError: _unread, ...rest } = discovery;
  return {
    authorizationServer: token_endpoint,
    ...rest,
    method: 'OAuth',
    metadata: {
      ...(metadata
        ? withoutRegistration(metadata, token_endpoint)
        : {
            issuer: new URL(authorization_endpoint).origin,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          }),
      authorization_endpoint,
      token_endpoint,
    },
    issuerKey: token_endpoint,
    notes,
  };
}

/** Published metadata for a typed token endpoint, without registration and endpoints on other origins. */
function withoutRegistration(
  published: AuthorizationServerMetadata,
  tokenEndpoint: CheckedAddress,
): Omit<AuthorizationServerMetadata, 'registration_endpoint'> {
  // Published grant types need not hold for the typed endpoint.
  const {
    registration_endpoint: _,
    client_id_metadata_document_supported: __,
    grant_types_supported: ___,
    ...metadata
  } = published;
  const { revocation_endpoint, pushed_authorization_request_endpoint, device_authorization_endpoint, ...rest } =
    metadata;
  const origin = new URL(tokenEndpoint).origin;
  const isSameOrigin = (endpoint: string | undefined): boolean => URL.parse(endpoint ?? '')?.origin === origin;
  return {
    ...rest,
    ...(isSameOrigin(revocation_endpoint) && { revocation_endpoint }),
    ...(isSameOrigin(pushed_authorization_request_endpoint) && { pushed_authorization_request_endpoint }),
    ...(isSameOrigin(device_authorization_endpoint) && { device_authorization_endpoint }),
  };
}

interface CurrentDocuments {
  readonly resourceMetadata?: ProtectedResourceMetadata;
  readonly metadata: AuthorizationServerMetadata;
  readonly alternatives: readonly string[];
}

/**
 * Re-fetches both documents of `discovery` in parallel from where they were. `undefined` if one is gone or
 * unacceptable, or if resource, authorization server or issuer changed.
 * Errors: USER_CANCELLED.
 */
async function refetchDocuments(
  context: DiscoveryContext,
  discovery: Discovery,
): Promise<CurrentDocuments | undefined> {
  const { resourceMetadataUrl, metadataUrl, authorizationServer } = discovery;
  if (metadataUrl === undefined || authorizationServer === undefined) return undefined;
  const isNamed = (discovery.resourceMetadata?.authorization_servers ?? []).length > 0;
  const [resource, server] = await Promise.all([
    resourceMetadataUrl === undefined
      ? undefined
      : resultOrUndefined(fetchResourceMetadataAt(context, resourceMetadataUrl)),
    resultOrUndefined(fetchServerMetadataAt(context, metadataUrl, { issuer: authorizationServer, isNamed })),
  ]);
  if (server === undefined || (resourceMetadataUrl !== undefined && resource === undefined)) return undefined;
  if (resource !== undefined && resource.resource !== discovery.resource) return undefined;
  const candidates = authorizationServerCandidates(context.serverUrl, resource, undefined);
  if (!candidates.some((candidate) => candidate.issuer === authorizationServer && candidate.isNamed === isNamed))
    return undefined;
  if (!hasSameIssuer(discovery, server.metadata, server.issuerFallback)) return undefined;
  return {
    ...(resource && { resourceMetadata: resource }),
    metadata: server.metadata,
    alternatives: candidates.map(({ issuer }) => issuer).filter((issuer) => issuer !== authorizationServer),
  };
}

function hasSameIssuer(
  discovery: Discovery,
  metadata: AuthorizationServerMetadata,
  fallback: IssuerFallback | undefined,
): boolean {
  return metadata.issuer === discovery.metadata?.issuer && fallback === discovery.issuerFallback;
}

/** An expected error is not reported here: full discovery starts over and runs into it again. */
async function resultOrUndefined<Result>(attempt: Promise<MetadataAttempt<Result>>): Promise<Result | undefined> {
  try {
    const result = await attempt;
    return result.kind === 'found' ? result.result : undefined;
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return undefined;
  }
}
