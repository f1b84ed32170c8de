import { isOutcome } from '../../cancellation.ts';
import { fetchServerMetadataAt } from './authorization-server-metadata.ts';
import type { Discovery } from './discovery.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { authorizationServerCandidates } from './find-authorization-server.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../wire/messages.ts';
import type { MetadataAttempt } from './metadata-document.ts';
import { fetchResourceMetadataAt } from './protected-resource-metadata.ts';

/** The documents as they are now. */
export interface CurrentDocuments {
  readonly resourceMetadata?: ProtectedResourceMetadata;
  readonly metadata: AuthorizationServerMetadata;
  readonly alternatives: readonly string[];
}

/**
 * Reads both documents of `discovery` again, together, where they were. `undefined` when one is gone, cannot be
 * accepted, or when resource, authorization server or issuer are not the same any more. Errors: USER_CANCELLED.
 */
export async function readAgain(
  context: DiscoveryContext,
  discovery: Discovery,
): Promise<CurrentDocuments | undefined> {
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
