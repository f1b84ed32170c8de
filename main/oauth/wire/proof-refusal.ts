import { setClock, tellOfNonces } from '../../../shared/error-catalogue/token-errors.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock } from '../../ports.ts';
import { parseHttpDate } from './http-date.ts';
import type { ProofKey, ProvenRequest } from './proof-key.ts';

/** `invalid`: it does not take the proof. `nonce`: it wants another one, with a nonce of its own. */
export type ProofRefusal = 'invalid' | 'nonce';

/** What an error says about a proof (RFC 9449 sections 5, 7.1 and 8); `undefined`: nothing. */
export function proofRefusalOf(error: string | undefined): ProofRefusal | undefined {
  if (error === 'invalid_dpop_proof') return 'invalid';
  return error === 'use_dpop_nonce' ? 'nonce' : undefined;
}

/**
 * How a request that was refused so is proven once more; `undefined`: not at all. The nonce that came with the answer is
 * what helps, else to do without one of before, which may not be known there any more.
 */
export function nextProof(
  key: ProofKey,
  { reader, url }: Pick<ProvenRequest, 'reader' | 'url'>,
  refusal: ProofRefusal | undefined,
  headers: Headers,
): { readonly nonce?: string } | undefined {
  const nonce = key.takeNonce(reader, url, headers);
  if (refusal === undefined) return undefined;
  if (nonce !== undefined) return { nonce };
  return refusal === 'invalid' && key.forgetNonce(reader, url) ? {} : undefined;
}

/** Milliseconds by which two clocks differ before a proof is refused for it: what services allow at most, as a rule. */
const tolerated = 60_000;

interface Refused {
  readonly stage: Stage;
  readonly host: string;
  /** Of the answer. */
  readonly headers: Headers;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * PROOF_REFUSED. A proof says when it was made (RFC 9449 section 11.1), so one of a wrong clock is refused: the answer's
 * `Date` tells whether that may be why (`first`: then waiting does not help).
 */
export function refusedProof(
  refusal: ProofRefusal,
  { stage, host, headers, clock }: Refused,
): { readonly error: PosternError; readonly first?: NetworkRemedy } {
  if (refusal === 'nonce') {
    const told = { stage, detail: { host, again: 1 }, remedy: tellOfNonces(host) };
    return { error: new PosternError('PROOF_REFUSED', told) };
  }
  const theirs = parseHttpDate(headers.get('date') ?? '') ?? clock.now();
  const first = Math.abs(theirs - clock.now()) > tolerated ? setClock(host) : undefined;
  return {
    error: new PosternError('PROOF_REFUSED', { stage, detail: { host }, remedy: first }),
    ...(first && { first }),
  };
}
