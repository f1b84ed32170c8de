import { waitRetryAfter } from '../../../shared/error-catalog/catalog-entry.ts';
import { afterTokenRefusal } from '../../../shared/error-catalog/sign-in-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { retryAfter } from '../../limits.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { isTransient, readErrorResponse } from '../http/oauth-error.ts';
import type { ErrorResponse } from '../http/oauth-error.ts';
import { parseRetryAfter, readProofRefusal, proofRefusedError } from '../http/response-headers.ts';

/**
 * Why a token endpoint, or an endpoint with the same client authentication, granted nothing.
 * - `refused`: an error of RFC 6749 section 5.2, or a status that means one (TOKEN_ERROR).
 * - `proof-refused`: the DPoP proof (RFC 9449 section 5) was refused, or demanded once more (PROOF_REFUSED). `first`:
 *   the remedy, if known.
 * - `busy`: temporary, by status or by code (TOKEN_RATE_LIMITED, with the seconds to wait; TOKEN_SERVER_ERROR).
 */
export type TokenFailure =
  | TokenRefusal
  | { readonly kind: 'proof-refused'; readonly error: PosternError; readonly first?: NetworkRemedy }
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfter?: number; readonly error: PosternError };

export interface TokenRefusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly name: ErrorResponse['error'];
  readonly sent: ErrorResponse['sent'];
  readonly isAboutResource?: ErrorResponse['isAboutResource'];
  readonly body: ErrorResponse['body'];
  readonly error: PosternError;
}

/** Reads a non-2xx response of a token endpoint, or of an endpoint with the same client authentication. */
export function readTokenFailure(response: HttpResponse, clock: Clock, stage: Stage): TokenFailure {
  const { status, headers } = response;
  const errorResponse = readErrorResponse(response);
  const { error } = errorResponse;
  const asksToWait = headers.has('retry-after') && (status === 503 || error === 'unknown');
  if (status === 429 || asksToWait) return busyFailure(response, clock, stage, true);
  if (status >= 500 && error === 'unknown') return busyFailure(response, clock, stage, false);
  // In RFC 6749 section 5.2, 401 is only for `invalid_client`; some servers send it without a body that says so.
  const effectiveError = status === 401 && error === 'unknown' ? 'invalid_client' : error;
  return toTokenFailure(response, clock, { ...errorResponse, error: effectiveError }, stage);
}

function busyFailure(
  response: HttpResponse,
  clock: Clock,
  stage: Stage,
  isRateLimit: boolean,
  sent?: ErrorResponse['sent'],
): TokenFailure {
  const { status, headers } = response;
  const detail = { ...hostOf(response), status, ...(sent !== undefined && { error: sent }) };
  const header = headers.get('retry-after');
  const code = isRateLimit ? 'TOKEN_RATE_LIMITED' : 'TOKEN_SERVER_ERROR';
  if (!isRateLimit && header === null)
    return { kind: 'busy', status, error: new PosternError(code, { stage, detail }) };
  const wait = parseRetryAfter(header, clock.now()) ?? retryAfter.fallback;
  const error = new PosternError(code, { stage, detail, remedy: waitRetryAfter(wait) });
  return { kind: 'busy', status, retryAfter: wait, error };
}

/** A response with an error in its body, whatever its status. */
export function toTokenFailure(
  response: HttpResponse,
  clock: Clock,
  { error: name, ...errorInfo }: ErrorResponse,
  stage: Stage,
): TokenFailure {
  if (isTransient(name)) return busyFailure(response, clock, stage, name === 'slow_down', errorInfo.sent);
  const proof = readProofRefusal(name);
  if (proof) {
    const { host } = hostOf(response);
    return { kind: 'proof-refused', ...proofRefusedError(proof, { stage, host, headers: response.headers, clock }) };
  }
  const { status } = response;
  const detail = { ...hostOf(response), error: errorInfo.sent, status };
  const error = new PosternError('TOKEN_ERROR', { stage, detail, remedy: afterTokenRefusal(name) });
  return { kind: 'refused', status, name, ...errorInfo, error };
}

function hostOf({ url }: HttpResponse): { host: string } {
  return { host: displayHostAndPort(new URL(url)) };
}
