import type { ErrorCode } from '../../../shared/error-codes.ts';
import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import { UnsentRequest } from '../../request-error.ts';
import { renewLater } from './renew-later.ts';
import type { TokenAnswer } from './token-response.ts';

/**
 * Why a refresh brought no tokens, and so whether, and when, the same refresh token may be sent again. `error` tells a
 * person of it.
 * - `revoked`: the server refused the refresh token for good (REFRESH_REVOKED); sign in again.
 * - `client-rejected`: it refused the client (CLIENT_REJECTED); tokens are kept.
 * - `unsent`: nothing left this computer (REFRESH_TRANSIENT, or what stood in the way); tokens are kept.
 * - `busy`: a server answered, and not to the point (5xx, 429, a page in between): it never said that the token is
 *   dead (REFRESH_TRANSIENT). `retryAfter`: the seconds that it asked to wait.
 * - `cut`, `late`: the connection broke, or the time was over; the server may have obeyed (REFRESH_UNCERTAIN).
 * - `unusable`: it answered as if it had obeyed, with something that cannot be used (TOKEN_RESPONSE_INVALID and
 *   others).
 * - `other-holder`: it answered with tokens of another account or organisation, which are not taken; sign in again.
 */
export type RefreshFailure =
  | { readonly kind: 'other-holder' }
  | { readonly kind: 'busy'; readonly retryAfter?: number; readonly error: PosternError }
  | {
      readonly kind: 'late';
      readonly error: PosternError;
      /** REFRESH_TRANSIENT, where it may be sent once more. */
      readonly transient: PosternError;
    }
  | { readonly kind: 'revoked' | 'client-rejected' | 'unsent' | 'cut' | 'unusable'; readonly error: PosternError };

/**
 * The request never reached a token endpoint, or what answered was not one (a captive portal, a proxy), as the HTTP port
 * tells it.
 */
const notReached = new Set<ErrorCode>([
  'DNS_FAIL',
  'TLS_FAIL',
  'PROXY_FAIL',
  'REDIRECT_REFUSED',
  'REDIRECT_LOOP',
  'HEADERS_TOO_LARGE',
  'BODY_ENCODING',
  'BODY_TOO_LARGE',
]);

/**
 * What a token endpoint's no means. RFC 6749 section 5.2 has one error for a refresh token that is dead and two for a
 * client. Whatever else a server says, or leaves out, may be a fault of its own, and a sign-in that was given up for it
 * cannot be brought back. `byAssertion`: a dead assertion is followed by another one, which nobody has to sign in for.
 */
export function judgeRefreshAnswer(
  answer: Exclude<TokenAnswer, { readonly kind: 'granted' }>,
  tokenEndpoint: string,
  byAssertion = false,
): RefreshFailure {
  if (answer.kind === 'busy') {
    return {
      kind: 'busy',
      ...(answer.retryAfter !== undefined && { retryAfter: answer.retryAfter }),
      error: renewLater(tokenEndpoint, { cause: answer.error, status: answer.status }),
    };
  }
  if (answer.kind === 'page') return { kind: 'busy', error: renewLater(tokenEndpoint, { cause: answer.error }) };
  // Only the proof was refused: the refresh token may be sent again with another proof.
  if (answer.kind === 'proof-refused') {
    const { error: cause, first } = answer;
    return { kind: 'busy', error: renewLater(tokenEndpoint, { cause, first, isRefusal: true }) };
  }
  const { name, body, error } = answer;
  if (name === 'invalid_grant' && !byAssertion)
    return { kind: 'revoked', error: as('REFRESH_REVOKED', error, tokenEndpoint) };
  const isOfClient = name === 'invalid_client' || name === 'unauthorized_client';
  // A page under 401 may be a gateway's in front of the server: the server's own word is an error or nothing.
  if (!isOfClient || body === 'other')
    return { kind: 'busy', error: renewLater(tokenEndpoint, { cause: error, isRefusal: true }) };
  return { kind: 'client-rejected', error: as('CLIENT_REJECTED', error, tokenEndpoint) };
}

/**
 * What an error of sending means, which came in place of an answer. `isRepeatable`: what was sent is not used up by it.
 * Throws what is not ours.
 */
export function judgeRefreshError(error: unknown, tokenEndpoint: string, isRepeatable = false): RefreshFailure {
  if (!(error instanceof PosternError)) throw error;
  const { code } = error;
  const isLost = code === 'CONNECT_FAIL' || code === 'DEADLINE';
  if (!isLost && !notReached.has(code)) return { kind: 'unsent', error };
  const transient = renewLater(tokenEndpoint, { cause: error });
  if (error instanceof UnsentRequest) return { kind: 'unsent', error: transient };
  if (!isLost || isRepeatable) return { kind: 'busy', error: transient };
  const uncertain = as('REFRESH_UNCERTAIN', error, tokenEndpoint);
  return code === 'DEADLINE' ? { kind: 'late', error: uncertain, transient } : { kind: 'cut', error: uncertain };
}

function as(code: ErrorCode, cause: PosternError, tokenEndpoint: string): PosternError {
  const host = displayPlace(new URL(tokenEndpoint));
  return new PosternError(code, { stage: 'refresh', cause, detail: { ...cause.detail, host } });
}
