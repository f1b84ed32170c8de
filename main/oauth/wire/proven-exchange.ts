import type { DPoPHandle } from 'oauth4webapi';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { exchangeThrough } from './http-fetch.ts';
import type { HttpFetchSettings, LibraryOptions } from './http-fetch.ts';
import { readErrorAnswer } from './oauth-error.ts';
import type { ProofKey } from './proof-key.ts';
import { nextProof, proofRefusalOf } from './proof-refusal.ts';
import type { ProofRefusal } from './proof-refusal.ts';
import { parseTokenChallenge } from './token-challenge.ts';

/** What the library takes for a request that shows a key. */
export type ProvenOptions = LibraryOptions & { readonly DPoP?: DPoPHandle };

/**
 * As `exchangeThrough`, with a proof that the key is ours, where there is one. A refused proof is made once more, with
 * the nonce that came with the refusal (RFC 9449 section 8): the service has not acted on what it refused so. The answer
 * to that is the last, whatever it says. Errors: those of `exchangeThrough`.
 */
export async function exchangeProven(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  address: CheckedAddress,
  { key, ...settings }: HttpFetchSettings & { readonly key: ProofKey | undefined },
  request: (options: ProvenOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  if (!key) return await exchangeThrough(http, address, settings, request);
  const to = { reader: 'authorization-server', url: new URL(address) } as const;
  const send = async (nonce?: string): Promise<HttpResponse> => {
    const DPoP = await key.handleFor({ ...to, now: clock.now(), nonce });
    return await exchangeThrough(http, address, settings, (options) => request({ ...options, DPoP }));
  };
  const answer = await send();
  const next = nextProof(key, to, refusalOf(answer), answer.headers);
  if (!next) return answer;
  const last = await send(next.nonce);
  key.takeNonce(to.reader, to.url, last.headers);
  return last;
}

/** In the body as for any error of a token endpoint, or in the challenge as for a resource. */
function refusalOf(answer: HttpResponse): ProofRefusal | undefined {
  if (answer.status < 400 || answer.status > 499) return undefined;
  const challenge = parseTokenChallenge(answer.headers);
  return proofRefusalOf(readErrorAnswer(answer).error) ?? proofRefusalOf(challenge?.dpop?.error);
}
