import { atSameOrigin, checkPublishedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { displayHost, displayPlace } from '../../address/display-text.ts';
import { AddressWithFragment, parseAddress } from '../../address/parse-address.ts';
import { isOutcome } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { protectedResourceMembers, protectedResourceMetadataSchema } from '../wire/messages.ts';
import type { ProtectedResourceMetadata } from '../wire/messages.ts';
import type { TokenChallenge } from '../wire/response-headers.ts';
import { matchesResource } from './discovery.ts';
import type { DiscoveryContext } from './discovery.ts';
import {
  fetchMetadataDocument,
  ForeignDocument,
  isStop,
  isWebAddress,
  serverUnavailable,
} from './metadata-document.ts';
import type { MetadataAttempt } from './metadata-document.ts';

export type ResourceMetadataAttempt = MetadataAttempt<ProtectedResourceMetadata>;

/**
 * Protected resource metadata (RFC 9728): at the address of the challenge, else at the well-known form with the
 * server's path, else at the one without. An address that cannot be used or read gives way to the next; of several
 * failures the first is told. Errors: RESOURCE_MISMATCH at once; what the challenge's address is refused for, or why it
 * cannot be reached (`isStop`), when nothing stands in for it.
 */
export async function fetchProtectedResourceMetadata(
  context: DiscoveryContext,
  challenge: TokenChallenge | undefined,
): Promise<ResourceMetadataAttempt> {
  let refused: unknown;
  let failure: PosternError | undefined;
  const attempt = async (url: CheckedAddress) => {
    const result = await fetchResourceMetadataAt(context, url);
    if (result.kind === 'unusable') failure ??= result.error;
    return result;
  };
  let named: CheckedAddress | undefined;
  if (challenge?.resourceMetadata !== undefined) {
    try {
      named = checkNamedUrl(context, challenge.resourceMetadata);
      const result = await attempt(named);
      if (result.kind === 'found') return result;
    } catch (error) {
      if (!leavesOthersTheirTurn(error)) throw error;
      refused = error;
    }
  }
  for (const url of resourceMetadataUrls(context.address)) {
    if (url === named) continue;
    const result = await attempt(url);
    if (result.kind === 'found') return result;
  }
  const isAddress = challenge?.resourceMetadata !== undefined && isWebAddress(challenge.resourceMetadata);
  if (refused !== undefined && (isAddress || isStop(refused))) throw refused;
  return failure === undefined ? { kind: 'missing' } : { kind: 'unusable', error: failure };
}

/** The well-known forms of RFC 9728 section 3.1, in the order in which they are asked for. */
export function resourceMetadataUrls(server: CheckedAddress): [CheckedAddress, ...CheckedAddress[]] {
  const root = '/.well-known/oauth-protected-resource';
  const path = new URL(server).pathname.replace(/\/$/, '');
  const form = atSameOrigin(server, root);
  return path === '' ? [form] : [atSameOrigin(server, `${root}${path}`), form];
}

/** One form. Errors: RESOURCE_MISMATCH when it speaks for another server (RFC 9728 section 3.3). */
export function fetchResourceMetadataAt(
  context: DiscoveryContext,
  url: CheckedAddress,
): Promise<ResourceMetadataAttempt> {
  return fetchMetadataDocument(context, {
    step: 'resource-metadata',
    purpose: 'protected-resource-metadata',
    url,
    schema: protectedResourceMetadataSchema,
    unavailable: (answer) => serverUnavailable(context, answer),
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
    // RFC 8707 section 2: a malformed identifier; anything else that is no address of a server is not this server.
    if (error instanceof AddressWithFragment)
      throw error.with({ detail: { member: 'resource', publisher: displayPlace(serverUrl) } });
  }
  if (url !== undefined && matchesResource(url, serverUrl)) return;
  // Only another host is worth naming: it is where the person would have been sent.
  const detail = url === undefined || url.hostname === serverUrl.hostname ? {} : { host: displayHost(url.hostname) };
  throw new ForeignDocument('RESOURCE_MISMATCH', { stage: 'discovery', detail });
}

/**
 * The challenge's address, under the same rule as every other (RFC 9728 section 7.7): from a public server it is
 * https and public whatever its origin, since a downgrade and a private host are refused.
 */
function checkNamedUrl(context: DiscoveryContext, text: string): CheckedAddress {
  const place = { member: 'resource_metadata', publisher: context.serverUrl };
  return checkPublishedAddress(challengedUrl(text, context.serverUrl) ?? text, place, context.policy, 'discovery');
}

/** The address that a challenge names: a path alone is one of the server itself. `undefined`: it names none. */
export function challengedUrl(text: string, server: URL): string | undefined {
  return URL.parse(text, /^\/(?![/\\])/u.test(text) ? server.href : undefined)?.href;
}

/**
 * What is wrong with the challenge's address leaves the well-known forms their turn, unless the server lied about
 * itself.
 */
function leavesOthersTheirTurn(error: unknown): boolean {
  return isOutcome(error) && !(error instanceof ForeignDocument);
}
