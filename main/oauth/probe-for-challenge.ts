import type { WireEra } from '../../shared/integration.ts';
import type { BearerChallenge } from './bearer-challenge.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from './drop-undefined.ts';
import type { Probe } from './probe.ts';
import type { AnswerKind } from './probe-body.ts';
import { probeTools } from './probe.ts';

export interface ProbeOutcome {
  readonly status?: number;
  readonly challenge?: BearerChallenge;
  /** The wire that the server showed; absent while it only asks for authorization. */
  readonly era?: WireEra;
  /** Tools were listed without a token: no sign-in is needed so far. */
  readonly isOpen?: boolean;
  /** The status with which it first asked for authorization. */
  readonly refusedStatus?: number;
  /** What kind of thing answered, `mcp` when it did once; absent while it only asks for authorization. */
  readonly answer?: AnswerKind;
}

/** What the probe says and, when it brings no challenge though the server let it in, what `tools/list` says. */
export async function probeForChallenge(context: DiscoveryContext, probe: Promise<Probe>): Promise<ProbeOutcome> {
  const { status, challenge, era, answer: first } = await probe;
  // 401 without a hint: the whole server is protected, and tools/list would say nothing more.
  if (challenge !== undefined || status === 401) return dropUndefined({ status, challenge, refusedStatus: status });
  if (status === undefined) return {};
  const tools = await probeTools(context, era ?? 'modern');
  const isOpen = tools.status !== undefined && tools.status >= 200 && tools.status <= 299;
  const refusedStatus = tools.challenge !== undefined || tools.status === 401 ? tools.status : undefined;
  const answer = tools.answer === 'mcp' ? tools.answer : first;
  return dropUndefined({ status, challenge: tools.challenge, era, isOpen, refusedStatus, answer });
}
