import type { BearerChallenge } from './bearer-challenge.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from './drop-undefined.ts';
import { probeServer, probeTools } from './probe.ts';
import { fetchResourceMetadataAt, resourceMetadataUrls } from './protected-resource-metadata.ts';
import type { EarlyAttempts } from './protected-resource-metadata.ts';

export interface ProbeOutcome {
  readonly status?: number;
  readonly challenge?: BearerChallenge;
  /** Tools were listed without a token: no sign-in is needed so far. */
  readonly isOpen?: boolean;
  /** Metadata that was asked for meanwhile. */
  readonly early?: EarlyAttempts;
}

/**
 * The probe and, when it brings no challenge though the server let it in, `tools/list`. That one goes out together
 * with the first well-known form, which is needed unless its challenge names another address.
 */
export async function probeForChallenge(context: DiscoveryContext): Promise<ProbeOutcome> {
  const { status, challenge, era } = await probeServer(context);
  // 401 without a hint: the whole server is protected, and tools/list would say nothing more.
  if (challenge !== undefined || status === undefined || status === 401) return dropUndefined({ status, challenge });
  const [url] = resourceMetadataUrls(context.serverUrl);
  const tools = probeTools(context, era ?? 'modern');
  const early = fetchResourceMetadataAt(context, url);
  // Whoever needs it awaits it; until then, and if nobody does, its failure is nobody's.
  early.catch(() => {});
  const answer = await tools;
  const isOpen = answer.status !== undefined && answer.status >= 200 && answer.status <= 299;
  return dropUndefined({ status, challenge: answer.challenge, isOpen, early: new Map([[url, early]]) });
}
