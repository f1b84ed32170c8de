import { atSameOrigin } from '../../address/check-address.ts';
import { authorizationServerMetadataUrls } from './authorization-server-metadata.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { requestMetadata } from './metadata-document.ts';
import type { MetadataRequest } from './metadata-document.ts';
import { resourceMetadataUrls } from './protected-resource-metadata.ts';

/**
 * Sends out what discovery will most likely ask the server for next, without waiting for the probe: the first form of
 * its resource metadata, needed unless a challenge names another address; and that of an authorization server at its
 * own origin, where most of them are, and which is also needed where there is no resource metadata. What turns out not
 * to be needed is never read, and its failure does not count. `pinned`: the authorization server that was used before.
 */
export function askEarly(context: DiscoveryContext, pinned: string | undefined): DiscoveryContext {
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
