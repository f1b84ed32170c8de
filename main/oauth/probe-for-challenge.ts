import type { WireEra } from '../../shared/integration.ts';
import type { BearerChallenge } from './bearer-challenge.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from './drop-undefined.ts';
import { prefetchResourceMetadata } from './prefetch-resource-metadata.ts';
import { probeServer, probeTools } from './probe.ts';
import { resourceMetadataUrls } from './protected-resource-metadata.ts';
import type { EarlyAttempts } from './protected-resource-metadata.ts';

export interface ProbeOutcome {
  readonly status?: number;
  readonly challenge?: BearerChallenge;
  /** The wire that the server showed; absent while it only asks for authorization. */
  readonly era?: WireEra;
  /** Tools were listed without a token: no sign-in is needed so far. */
  readonly isOpen?: boolean;
  /** Metadata that was asked for meanwhile. */
  readonly early?: EarlyAttempts;
}

/**
 * The probe and, when it brings no challenge though the server let it in, `tools/list`. The first well-known form goes
 * out together with the probe: it is needed whatever the probe says, unless a challenge names another address.
 */
export async function probeForChallenge(context: DiscoveryContext): Promise<ProbeOutcome> {
  const [url] = resourceMetadataUrls(context.serverUrl);
  const probe = probeServer(context);
  const early: EarlyAttempts = new Map([[url, prefetchResourceMetadata(context, url)]]);
  const { status, challenge, era } = await probe;
  // 401 without a hint: the whole server is protected, and tools/list would say nothing more.
  if (challenge !== undefined || status === undefined || status === 401) {
    return dropUndefined({ status, challenge, early });
  }
  const answer = await probeTools(context, era ?? 'modern');
  const isOpen = answer.status !== undefined && answer.status >= 200 && answer.status <= 299;
  return dropUndefined({ status, challenge: answer.challenge, era, isOpen, early });
}
