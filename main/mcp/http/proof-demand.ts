import type { Clock } from '../../ports.ts';
import { proofRefusalOf, refusedProof } from '../../oauth/wire/proof-refusal.ts';
import type { ProofRefusal } from '../../oauth/wire/proof-refusal.ts';
import { parseTokenChallenge } from '../../oauth/wire/token-challenge.ts';

/** What a server has against the proof of a request, which it has not acted on then (RFC 9449 sections 7.1 and 9). */
export function proofDemand({ status, headers }: Response): ProofRefusal | undefined {
  if (status < 400 || status > 499) return undefined;
  return proofRefusalOf(parseTokenChallenge(headers)?.dpop?.error);
}

/** The answer, where it demands no other proof than there is. Errors: PROOF_REFUSED. */
export async function requireProofTaken(
  response: Response,
  { host }: URL,
  clock: Pick<Clock, 'now'>,
): Promise<Response> {
  const demand = proofDemand(response);
  if (demand === undefined) return response;
  await response.body?.cancel();
  throw refusedProof(demand, { stage: 'connection', host, headers: response.headers, clock }).error;
}
