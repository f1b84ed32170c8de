import { noteIf } from '../../../shared/compatibility-notes.ts';
import { PosternError } from '../../postern-error.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { authorizationServerMetadataUrls, MissingServerMetadata } from './authorization-server-metadata.ts';
import { decideAuthenticationMethod } from './authentication-method.ts';
import type { Discovery, DiscoveryOptions, DiscoveryPorts } from './discovery.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { createDiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { discoverIssuer, noteOfFallback } from './discover-issuer.ts';
import type { FoundServer } from './find-authorization-server.ts';
import { authorizationServerCandidates, findAuthorizationServer } from './find-authorization-server.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { MetadataAttempt, MetadataRequest } from './metadata-document.ts';
import { requestMetadata } from './metadata-document.ts';
import { probeServer, probeForChallenge } from './probe.ts';
import type { ProbeOutcome } from './probe.ts';
import type { ResourceMetadataAttempt } from './protected-resource-metadata.ts';
import { challengedUrl, fetchProtectedResourceMetadata, resourceMetadataUrls } from './protected-resource-metadata.ts';
import { readAgain } from './read-again.ts';
import { withTypedEndpoints } from './typed-endpoints.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';

/**
 * How a server wants to be signed in to (spec 3.1 and 4.1): probe, protected resource metadata, authorization server
 * metadata, method. Metadata that cannot be fetched or used is no error but `NoAuth` with a `reason`.
 * Errors: the network's while the server cannot be reached; RESOURCE_MISMATCH, ISSUER_MISMATCH, URL_DOWNGRADE,
 * HOST_BLOCKED, DNS_REBIND; USER_CANCELLED. Takes at most `limits.deadline.discovery`.
 */
export async function discoverAuthenticationMethod(
  ports: DiscoveryPorts,
  options: DiscoveryOptions,
): Promise<Discovery> {
  const context = createDiscoveryContext(ports, options);
  const { challenge } = options;
  if (challenge !== undefined) {
    return await discoverFrom(context, options, { challenge });
  }
  const probe = probeServer(context);
  const early = askEarly(context, options.authorizationServer);
  const probed = await probeForChallenge(early, probe);
  return await discoverFrom(early, options, probed);
}

/**
 * The second discovery (spec 3.2): both documents once more, together, at the addresses that worked, under the same
 * rules. When they are gone or name another resource, server or issuer, everything but the probe runs again.
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
  const again = await readAgain(createDiscoveryContext(ports, sources), discovery);
  if (again !== undefined) {
    const method = decideAuthenticationMethod({ ...sources, metadata: again.metadata });
    return withTypedEndpoints({ ...discovery, ...again, method }, sources);
  }
  const { probeStatus, refusedStatus, answer, challenge } = discovery;
  const context = createDiscoveryContext(ports, sources);
  return await discoverFrom(context, sources, dropUndefined({ status: probeStatus, refusedStatus, answer, challenge }));
}

/**
 * Sends out what discovery will most likely ask the server for next, without waiting for the probe: the first form of
 * its resource metadata, needed unless a challenge names another address; and that of an authorization server at its
 * own origin, where most of them are, and which is also needed where there is no resource metadata. What turns out not
 * to be needed is never read, and its failure does not count. `pinned`: the authorization server that was used before.
 */
function askEarly(context: DiscoveryContext, pinned: string | undefined): DiscoveryContext {
  const { address, serverUrl } = context;
  const [resource] = resourceMetadataUrls(address);
  const servers = authorizationServerMetadataUrls(atSameOrigin(address, '/')).slice(0, 1);
  const isElsewhere = pinned !== undefined && URL.parse(pinned)?.origin !== serverUrl.origin;
  const requests: readonly MetadataRequest[] = [
    { purpose: 'protected-resource-metadata', url: resource },
    ...(isElsewhere ? [] : servers).map((url) => ({ purpose: 'authorization-server-metadata', url }) as const),
  ];
  const early = new Map(requests.map((request) => [request.url, requestMetadata(context, request)]));
  for (const answer of early.values()) answer.catch(() => {});
  return { ...context, early };
}

async function discoverFrom(
  context: DiscoveryContext,
  options: DiscoveryOptions,
  probed: ProbeOutcome,
): Promise<Discovery> {
  const resource = await fetchProtectedResourceMetadata(context, probed.challenge);
  const resourceMetadata = resource.kind === 'found' ? resource.result : undefined;
  const candidates = authorizationServerCandidates(context.serverUrl, resourceMetadata, options.authorizationServer);
  const wantsLegacy = options.legacyEndpoints === true && resourceMetadata === undefined;
  // Only a server without any resource metadata is one of MCP 2025-03-26; a broken document is not "none".
  const server =
    resource.kind === 'unusable' && !wantsLegacy ? resource : await findAuthorizationServer(context, candidates);
  const isLegacy = server.kind !== 'found' && wantsLegacy && probed.isOpen !== true;
  const found = server.kind === 'found' ? server : undefined;
  const metadata = isLegacy ? createLegacyMetadata(context.address) : found?.result.metadata;
  const method = decideAuthenticationMethod({ ...options, metadata });
  context.report({ step: 'method', outcome: metadata === undefined ? 'not-found' : 'found' });
  const chosen = found?.result.asked.issuer;
  const unread = metadata === undefined ? whyUnread(context, resource, server, probed.challenge) : undefined;
  const discovery = dropUndefined({
    url: context.address,
    method,
    reason: unread?.code,
    unread,
    probeStatus: probed.status,
    refusedStatus: probed.refusedStatus,
    answer: probed.answer,
    era: probed.era,
    challenge: probed.challenge,
    resourceMetadata,
    resourceMetadataUrl: resource.kind === 'found' ? resource.url : undefined,
    // Where nothing says whose sign-in service it is, tokens are requested for this server (RFC 8707 section 2).
    resource: resourceMetadata?.resource ?? (found?.result.byCopy && context.address),
    metadata,
    metadataUrl: found?.url,
    authorizationServer: isLegacy ? context.serverUrl.origin : chosen,
    issuerKey: metadata && issuerKeyFor(metadata.issuer, chosen ?? metadata.issuer, found?.result.issuerFallback),
    issuerFallback: found?.result.issuerFallback,
    alternatives: (resourceMetadata?.authorization_servers ?? []).filter((issuer) => issuer !== chosen),
    legacyEndpoints: isLegacy,
    notes: describe(context, probed, resource, found?.result, isLegacy),
  });
  return withTypedEndpoints(discovery, options);
}

/** Nothing anywhere is told as PRM_MISSING: the server publishes no sign-in at all. */
function whyUnread(
  { serverUrl }: DiscoveryContext,
  resource: ResourceMetadataAttempt,
  server: MetadataAttempt<unknown>,
  challenge: ProbeOutcome['challenge'],
): PosternError {
  const named = challenge?.resourceMetadata;
  if (server.kind !== 'unusable' && resource.kind === 'missing') {
    if (named === undefined || challengedUrl(named, serverUrl) !== undefined)
      return new PosternError('PRM_MISSING', { stage: 'discovery' });
    // It says where, in a form that nobody can read (RFC 9728 section 5.1).
    const detail = { host: serverUrl.host, field: 'resource_metadata' };
    return new PosternError('SCHEMA_INVALID', { stage: 'discovery', detail });
  }
  const error = server.kind === 'unusable' ? server.error : new MissingServerMetadata({ stage: 'discovery' });
  // Where the server publishes resource metadata, what stands in for none (MCP 2025-03-26) is not used.
  const typingHelps = error instanceof MissingServerMetadata && resource.kind === 'found';
  return typingHelps ? error.with({ remedy: { kind: 'type-endpoints' } }) : error;
}

function describe(
  context: DiscoveryContext,
  probed: ProbeOutcome,
  resource: ResourceMetadataAttempt,
  server: FoundServer | undefined,
  isLegacy: boolean,
): readonly CompatibilityNote[] {
  const isNamedUrlUnused =
    resource.kind === 'found' &&
    probed.challenge?.resourceMetadata !== undefined &&
    challengedUrl(probed.challenge.resourceMetadata, context.serverUrl) !== resource.url;
  return [
    ...noteIf(isNamedUrlUnused, 'challenge-metadata-url-unusable'),
    ...noteIf(server !== undefined && resource.kind !== 'found', 'no-resource-metadata'),
    ...noteIf(server !== undefined && server.skipped > 0, 'authorization-server-skipped'),
    ...noteOfFallback(server?.issuerFallback),
    ...noteIf(server?.byCopy === true, 'issuer-by-copy'),
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
