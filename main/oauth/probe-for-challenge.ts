import type { WireEra } from '../../shared/integration.ts';
import type { BearerChallenge } from './bearer-challenge.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from './drop-undefined.ts';
import type { Probe } from './probe.ts';
import { probeTools } from './probe.ts';

export interface ProbeOutcome {
  readonly status?: number;
  readonly challenge?: BearerChallenge;
  /** The wire that the server showed; absent while it only asks for authorization. */
  readonly era?: WireEra;
  /** Tools were listed without a token: no sign-in is needed so far. */
  readonly isOpen?: boolean;
}

/** What the probe says and, when it brings no challenge though the server let it in, what `tools/list` says. */
export async function probeForChallenge(context: DiscoveryContext, probe: Promise<Probe>): Promise<ProbeOutcome> {
  const { status, challenge, era } = await probe;
  // 401 without a hint: the whole server is protected, and tools/list would say nothing more.
  if (challenge !== undefined || status === undefined || status === 401) return dropUndefined({ status, challenge });
  const answer = await probeTools(context, era ?? 'modern');
  const isOpen = answer.status !== undefined && answer.status >= 200 && answer.status <= 299;
  return dropUndefined({ status, challenge: answer.challenge, era, isOpen });
}
