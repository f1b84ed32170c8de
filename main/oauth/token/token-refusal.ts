import { waitAsTold } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { afterTokenRefusal } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { retryAfter } from '../../limits.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { isPassing, readErrorAnswer } from '../wire/oauth-error.ts';
import type { ErrorAnswer } from '../wire/oauth-error.ts';
import { parseRetryAfter, proofRefusalOf, refusedProof } from '../wire/response-headers.ts';

/**
 * Why a token endpoint, or one that authenticates clients as it does, granted nothing.
 * - `refused`: with an error of RFC 6749 section 5.2, or a status that stands for one (TOKEN_ERROR).
 * - `proof-refused`: what proves the key (RFC 9449 section 5) is not taken, or asked for once more (PROOF_REFUSED).
 *   `first`: what helps, where that is known.
 * - `busy`: not now, by status or by code (TOKEN_RATE_LIMITED, with the seconds to wait; TOKEN_SERVER_ERROR).
 */
export type RefusedAnswer =
  | TokenRefusal
  | { readonly kind: 'proof-refused'; readonly error: PosternError; readonly first?: NetworkRemedy }
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfter?: number; readonly error: PosternError };

export interface TokenRefusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly name: ErrorAnswer['error'];
  readonly sent: ErrorAnswer['sent'];
  readonly isAboutResource?: ErrorAnswer['isAboutResource'];
  readonly body: ErrorAnswer['body'];
  readonly error: PosternError;
}

/** What an answer with another status than 2xx says, of this endpoint and of others that authenticate clients as it does. */
export function readRefusal(answer: HttpResponse, clock: Clock, stage: Stage): RefusedAnswer {
  const { status, headers } = answer;
  const answered = readErrorAnswer(answer);
  const { error } = answered;
  const asksToWait = headers.has('retry-after') && (status === 503 || error === 'unknown');
  if (status === 429 || asksToWait) return busy(answer, clock, stage, true);
  if (status >= 500 && error === 'unknown') return busy(answer, clock, stage, false);
  // RFC 6749 section 5.2 knows 401 for `invalid_client` only; servers send it without a body that says so.
  const named = status === 401 && error === 'unknown' ? 'invalid_client' : error;
  return refusal(answer, clock, { ...answered, error: named }, stage);
}

function busy(
  answer: HttpResponse,
  clock: Clock,
  stage: Stage,
  isRateLimit: boolean,
  sent?: ErrorAnswer['sent'],
): RefusedAnswer {
  const { status, headers } = answer;
  const detail = { ...hostOf(answer), status, ...(sent !== undefined && { error: sent }) };
  const header = headers.get('retry-after');
  const code = isRateLimit ? 'TOKEN_RATE_LIMITED' : 'TOKEN_SERVER_ERROR';
  if (!isRateLimit && header === null)
    return { kind: 'busy', status, error: new PosternError(code, { stage, detail }) };
  const wait = parseRetryAfter(header, clock.now()) ?? retryAfter.fallback;
  const error = new PosternError(code, { stage, detail, remedy: waitAsTold(wait) });
  return { kind: 'busy', status, retryAfter: wait, error };
}

/** An answer with an error in its body, whatever its status. */
export function refusal(
  answer: HttpResponse,
  clock: Clock,
  { error: name, ...told }: ErrorAnswer,
  stage: Stage,
): RefusedAnswer {
  if (isPassing(name)) return busy(answer, clock, stage, name === 'slow_down', told.sent);
  const proof = proofRefusalOf(name);
  if (proof) {
    const { host } = hostOf(answer);
    return { kind: 'proof-refused', ...refusedProof(proof, { stage, host, headers: answer.headers, clock }) };
  }
  const { status } = answer;
  const detail = { ...hostOf(answer), error: told.sent, status };
  const error = new PosternError('TOKEN_ERROR', { stage, detail, remedy: afterTokenRefusal(name) });
  return { kind: 'refused', status, name, ...told, error };
}

function hostOf({ url }: HttpResponse): { host: string } {
  return { host: displayPlace(new URL(url)) };
}
