import { atSameOrigin, checkPublishedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { displayHost, displayHostAndPort } from '../../address/display-text.ts';
import { AddressWithFragment, parseAddress } from '../../address/parse-address.ts';
import { isExpectedError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { protectedResourceMembers, protectedResourceMetadataSchema } from '../http/metadata-schemas.ts';
import type { ProtectedResourceMetadata } from '../http/metadata-schemas.ts';
import type { TokenChallenge } from '../http/response-headers.ts';
import { matchesResource } from './discovery.ts';
import type { DiscoveryContext } from './discovery.ts';
import {
  fetchMetadataDocument,
  ForeignDocument,
  endsDiscovery,
  isWebAddress,
  serverUnavailableError,
} from './metadata-document.ts';
import type { MetadataAttempt } from './metadata-document.ts';

export type ResourceMetadataAttempt = MetadataAttempt<ProtectedResourceMetadata>;

/**
 * Protected resource metadata (RFC 9728): from the challenge's address, else the well-known URL with the server's path,
 * else the one without. If an address cannot be used or read, the next is tried; of several failures the first is
 * reported.
 * Errors: RESOURCE_MISMATCH at once; if nothing else is found, why the challenge's address was refused or is
 * unreachable (`endsDiscovery`).
 */
export async function fetchProtectedResourceMetadata(
  context: DiscoveryContext,
  challenge: TokenChallenge | undefined,
): Promise<ResourceMetadataAttempt> {
  let challengeError: unknown;
  let failure: PosternError | undefined;
  const attempt = async (url: CheckedAddress) => {
    const result = await fetchResourceMetadataAt(context, url);
    if (result.kind === 'unusable') failure ??= result.error;
    return result;
  };
  let challengeUrl: CheckedAddress | undefined;
  if (challenge?.resourceMetadata !== undefined) {
    try {
      challengeUrl = checkChallengeUrl(context, challenge.resourceMetadata);
      const result = await attempt(challengeUrl);
      if (result.kind === 'found') return result;
    } catch (error) {
      if (!allowsFallback(error)) throw error;
      challengeError = error;
    }
  }
  for (const url of resourceMetadataUrls(context.address)) {
    if (url === challengeUrl) continue;
    const result = await attempt(url);
    if (result.kind === 'found') return result;
  }
  const isAddress = challenge?.resourceMetadata !== undefined && isWebAddress(challenge.resourceMetadata);
  if (challengeError !== undefined && (isAddress || endsDiscovery(challengeError))) throw challengeError;
  return failure === undefined ? { kind: 'missing' } : { kind: 'unusable', error: failure };
}

/** The well-known URLs of RFC 9728 section 3.1, in the order they are requested. */
export function resourceMetadataUrls(server: CheckedAddress): [CheckedAddress, ...CheckedAddress[]] {
  const root = '/.well-known/oauth-protected-resource';
  const path = new URL(server).pathname.replace(/\/$/, '');
  const rootUrl = atSameOrigin(server, root);
  return path === '' ? [rootUrl] : [atSameOrigin(server, `${root}${path}`), rootUrl];
}

/**
 * Fetches one well-known URL. Errors: RESOURCE_MISMATCH if the document is for another server (RFC 9728 section 3.3).
 */
export function fetchResourceMetadataAt(
  context: DiscoveryContext,
  url: CheckedAddress,
): Promise<ResourceMetadataAttempt> {
  return fetchMetadataDocument(context, {
    step: 'resource-metadata',
    purpose: 'protected-resource-metadata',
    url,
    schema: protectedResourceMetadataSchema,
    unavailableError: (response) => serverUnavailableError(context, response),
    accept(metadata) {
      checkResource(metadata.resource, context.serverUrl);
      return metadata;
    },
    members: protectedResourceMembers,
    accepted: (metadata) => metadata,
  });
}

function checkResource(resource: string, serverUrl: URL): void {
  let url: URL | undefined;
  try {
    url = parseAddress(resource, 'discovery');
  } catch (error) {
    // RFC 8707 section 2: a malformed identifier; anything else that does not parse is simply not this server.
    if (error instanceof AddressWithFragment)
      throw error.with({ detail: { member: 'resource', publisher: displayHostAndPort(serverUrl) } });
  }
  if (url !== undefined && matchesResource(url, serverUrl)) return;
  // Name only a different host: the user would have been sent there.
  const detail = url === undefined || url.hostname === serverUrl.hostname ? {} : { host: displayHost(url.hostname) };
  throw new ForeignDocument('RESOURCE_MISMATCH', { stage: 'discovery', detail });
}

/**
 * The challenge's address, under the usual rule (RFC 9728 section 7.7): from a public server it must be https and
 * public, whatever its origin; downgrades and private hosts are refused.
 */
function checkChallengeUrl(context: DiscoveryContext, text: string): CheckedAddress {
  const source = { member: 'resource_metadata', publisher: context.serverUrl };
  return checkPublishedAddress(
    resolveChallengeUrl(text, context.serverUrl) ?? text,
    source,
    context.policy,
    'discovery',
  );
}

/** The address in a challenge: a bare path is relative to the server. `undefined`: not an address. */
export function resolveChallengeUrl(text: string, server: URL): string | undefined {
  return URL.parse(text, /^\/(?![/\\])/u.test(text) ? server.href : undefined)?.href;
}

/** An unusable challenge address falls back to the well-known URLs, unless the document is for another server. */
function allowsFallback(error: unknown): boolean {
  return isExpectedError(error) && !(error instanceof ForeignDocument);
}
