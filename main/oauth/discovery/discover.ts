import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { AuthenticationMethod } from '../../../shared/oauth.ts';
import { atSameOrigin, checkTypedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../wire/messages.ts';
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
import type { Discovery, DiscoveryContext, DiscoveryOptions, DiscoveryPorts, PassedOver } from './discovery.ts';
import { requestMetadata } from './metadata-document.ts';
import type { MetadataAttempt, MetadataRequest } from './metadata-document.ts';
import { probeForChallenge, probeServer } from './probe.ts';
import type { ProbeOutcome } from './probe.ts';
import {
  challengedUrl,
  fetchProtectedResourceMetadata,
  fetchResourceMetadataAt,
  resourceMetadataUrls,
} from './protected-resource-metadata.ts';
import type { ResourceMetadataAttempt } from './protected-resource-metadata.ts';

/**
 * How a server wants to be signed in to (spec 3.1 and 4.1): probe, protected resource metadata, authorization server
 * metadata, method. Metadata that cannot be fetched or used is no error but `NoAuth` with a `reason`.
 * Errors: the network's while the server cannot be reached; RESOURCE_MISMATCH, ISSUER_MISMATCH, URL_DOWNGRADE,
 * HOST_BLOCKED, DNS_REBIND; USER_CANCELLED. Takes at most `limits.deadline.discovery`, and as long as it waits for its
 * turn.
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
    ...withPassedOver(describe(context, probed, resource, found?.result, isLegacy), [
      { document: 'resource-metadata', attempt: resource },
      { document: 'authorization-server-metadata', attempt: server },
    ]),
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

/**
 * How an identity provider signs people in: its address is the issuer itself, so that nothing else names one. No MCP
 * server is asked there. Errors: as `fetchAuthorizationServerMetadata`, ASM_MISSING, ASM_UNAVAILABLE.
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
    ...withPassedOver(noteOfFallback(issuerFallback), [{ document: 'authorization-server-metadata', attempt: found }]),
  });
  return withTypedEndpoints(discovery, options);
}

/** What of documents that were used could not be, with a note that is kept with the integration. */
function withPassedOver(
  notes: readonly CompatibilityNote[],
  documents: readonly { readonly document: PassedOver['document']; readonly attempt: MetadataAttempt<unknown> }[],
): Pick<Discovery, 'notes' | 'passedOver'> {
  const passedOver = documents.flatMap(({ document, attempt }) =>
    attempt.kind === 'found' ? attempt.passedOver.map((member) => ({ document, member })) : [],
  );
  return passedOver.length === 0 ? { notes } : { notes: [...notes, 'metadata-partly-unusable'], passedOver };
}

/** What is noted with an integration whose issuer was accepted by an exception. */
function noteOfFallback(fallback: IssuerFallback | undefined): readonly CompatibilityNote[] {
  if (fallback === undefined) return [];
  return [fallback === 'subdomain-name' ? 'issuer-subdomain' : `issuer-${fallback}`];
}

interface MethodSources {
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The person has a client of their own for this server. */
  readonly typedCredentials?: boolean | undefined;
  /** Where this build's client metadata document is published. */
  readonly clientMetadataUrl?: string | undefined;
}

/** Spec 3.1, with typed credentials before client id metadata documents before registration (MCP 2026-07-28). */
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
 * A discovery with the endpoints that the person typed in place of the published ones. Unless the token endpoint is
 * the published one, secrets are keyed by the typed one: what was given for another is neither looked up nor sent
 * there (MCP 2026-07-28, authorization server binding), and no client is registered for it, whose secret it would get.
 * Where nothing is published, PKCE is used: it does no harm where it is not known (RFC 7636 section 5).
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
  const { reason: _unpublished, unread: _unread, ...rest } = discovery;
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

/** Published metadata with a typed token endpoint: its other addresses count only on the same origin. */
function withoutRegistration(
  published: AuthorizationServerMetadata,
  tokenEndpoint: CheckedAddress,
): Omit<AuthorizationServerMetadata, 'registration_endpoint'> {
  // The published endpoints' grants are not those of the typed one.
  const {
    registration_endpoint: _,
    client_id_metadata_document_supported: __,
    grant_types_supported: ___,
    ...metadata
  } = published;
  const { revocation_endpoint, pushed_authorization_request_endpoint, device_authorization_endpoint, ...rest } =
    metadata;
  const near = new URL(tokenEndpoint).origin;
  const isNear = (endpoint: string | undefined): boolean => URL.parse(endpoint ?? '')?.origin === near;
  return {
    ...rest,
    ...(isNear(revocation_endpoint) && { revocation_endpoint }),
    ...(isNear(pushed_authorization_request_endpoint) && { pushed_authorization_request_endpoint }),
    ...(isNear(device_authorization_endpoint) && { device_authorization_endpoint }),
  };
}

/** The documents as they are now. */
interface CurrentDocuments {
  readonly resourceMetadata?: ProtectedResourceMetadata;
  readonly metadata: AuthorizationServerMetadata;
  readonly alternatives: readonly string[];
}

/**
 * Reads both documents of `discovery` again, together, where they were. `undefined` when one is gone, cannot be
 * accepted, or when resource, authorization server or issuer are not the same any more. Errors: USER_CANCELLED.
 */
async function readAgain(context: DiscoveryContext, discovery: Discovery): Promise<CurrentDocuments | undefined> {
  const { resourceMetadataUrl, metadataUrl, authorizationServer } = discovery;
  if (metadataUrl === undefined || authorizationServer === undefined) return undefined;
  const isNamed = (discovery.resourceMetadata?.authorization_servers ?? []).length > 0;
  const [resource, server] = await Promise.all([
    resourceMetadataUrl === undefined ? undefined : settle(fetchResourceMetadataAt(context, resourceMetadataUrl)),
    settle(fetchServerMetadataAt(context, metadataUrl, { issuer: authorizationServer, isNamed })),
  ]);
  if (server === undefined || (resourceMetadataUrl !== undefined && resource === undefined)) return undefined;
  if (resource !== undefined && resource.resource !== discovery.resource) return undefined;
  const candidates = authorizationServerCandidates(context.serverUrl, resource, undefined);
  if (!candidates.some((one) => one.issuer === authorizationServer && one.isNamed === isNamed)) return undefined;
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

/** A refusal here is only the sign to start over: the full discovery meets it again and tells it. */
async function settle<Result>(attempt: Promise<MetadataAttempt<Result>>): Promise<Result | undefined> {
  try {
    const settled = await attempt;
    return settled.kind === 'found' ? settled.result : undefined;
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return undefined;
  }
}
