import type { ErrorCode } from '../../../shared/error-codes.ts';
import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import { UnsentRequest } from '../../request-error.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { renewLater } from './renew-later.ts';
import type { TokenAnswer } from './token-response.ts';
import type { RenewalRefusal } from './token-set.ts';

/**
 * Why a refresh brought no tokens. `error` tells a user of it.
 *
 * | kind              | what came                                                    | the sign-in                                     |
 * | ----------------- | ------------------------------------------------------------ | ----------------------------------------------- |
 * | `revoked`         | `invalid_grant`, in whatever spelling and status             | ended: its tokens are deleted                   |
 * | `client-rejected` | `invalid_client`, `unauthorized_client`, a 401 without words | kept; needs another client, so the user is asked |
 * | `refused`         | any other 4xx, or error under 2xx, but a page                | kept, tried again; the user is asked            |
 * | `other-holder`    | tokens of another account, which are not taken               | kept; the user is asked                         |
 * | `busy`            | 5xx, 429, a page, a proof that is not taken                  | kept, tried again                               |
 * | `lost`            | nothing, or half of an answer: it may have been obeyed       | kept, tried again                               |
 * | `unusable`        | 2xx that cannot be used: it may have been obeyed             | kept, tried again                               |
 * | `unsent`          | nothing left this computer                                   | kept, tried again                               |
 *
 * This is the one place that decides it: nothing but `revoked` deletes tokens (RFC 6749 section 5.2), and whatever is
 * kept is sent again after a rest, since a rotated refresh token that is never shown again is lost as well.
 */
export type RefreshFailure =
  | { readonly kind: 'revoked' | 'client-rejected' | 'unsent' | 'unusable'; readonly error: PosternError }
  | { readonly kind: 'other-holder' }
  | {
      readonly kind: 'refused';
      readonly name: OAuthErrorName;
      readonly refusal: RenewalRefusal;
      readonly error: PosternError;
    }
  /** `retryAfter`: seconds that the server asked to wait. */
  | { readonly kind: 'busy'; readonly retryAfter?: number; readonly error: PosternError }
  /** `isCut`: the connection broke, before the time was over. */
  | { readonly kind: 'lost'; readonly isCut: boolean; readonly error: PosternError };

/**
 * The request never reached a token endpoint, or what answered was not one (a captive portal, a proxy), as the HTTP
 * port tells it.
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
 * Request Timeout and Too Early (RFC 9110 section 15.5.9, RFC 8470 section 5.2): the same request may do the next time.
 */
const passingStatuses = new Set([408, 425]);
const passingErrors = new Set<OAuthErrorName>(['server_error', 'temporarily_unavailable', 'slow_down']);

/**
 * What a token endpoint's no means. `byAssertion`: a dead assertion is followed by another one, which nobody has to
 * sign in for.
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
  const { status, name, sent, body, error: cause } = answer;
  if (name === 'invalid_grant' && !byAssertion)
    return { kind: 'revoked', error: as('REFRESH_REVOKED', cause, tokenEndpoint) };
  const error = renewLater(tokenEndpoint, { cause, isRefusal: true });
  // A page may be a gateway's in front of the server, or a captive portal's.
  if (body === 'page') return { kind: 'busy', error };
  if (body !== 'other' && (name === 'invalid_client' || name === 'unauthorized_client'))
    return { kind: 'client-rejected', error: as('CLIENT_REJECTED', cause, tokenEndpoint) };
  if (status >= 500 || passingStatuses.has(status) || passingErrors.has(name)) return { kind: 'busy', error };
  const refusal = { kind: 'answer', status, ...(sent !== 'unknown' && { error: sent }) } as const;
  return { kind: 'refused', name, refusal, error };
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
  return { kind: 'lost', isCut: code === 'CONNECT_FAIL', error: transient };
}

function as(code: ErrorCode, cause: PosternError, tokenEndpoint: string): PosternError {
  const host = displayPlace(new URL(tokenEndpoint));
  return new PosternError(code, { stage: 'refresh', cause, detail: { ...cause.detail, host } });
}
