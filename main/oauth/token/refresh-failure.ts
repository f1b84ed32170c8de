import type { ErrorCode } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { RequestError, UnsentRequest } from '../../errors/request-error.ts';
import type { Secret } from '../../secret.ts';
import type { OAuthErrorName } from '../http/oauth-error.ts';
import type { TokenResponse } from './token-response.ts';
import type { RenewalRefusal } from './token-set.ts';

/**
 * Why a refresh brought no tokens, with an `error` for the user.
 *
 * | kind              | response                                             | sign-in                                                       |
 * | ----------------- | ---------------------------------------------------- | ------------------------------------------------------------- |
 * | `revoked`         | `invalid_grant`, in any spelling, under 2xx or 4xx   | ended: its tokens are deleted                                 |
 * | `client-rejected` | `invalid_client`, or a 401 without text              | stored; needs another client, so the user is asked            |
 * | `refused`         | another OAuth error, or 400 or 401 without one       | stored, retried; once a refresh has worked, the user is asked |
 * |                   | JSON under 2xx without tokens, or with an error      | the same                                                      |
 * | `other-holder`    | tokens of another account, which are rejected        | stored; the user is asked                                     |
 * | `busy`            | 3xx, 5xx, 429, any other 4xx without an OAuth error, | stored, retried                                               |
 * |                   | a page, a temporary error, a refused proof           | the same                                                      |
 * | `lost`            | none, or a truncated one: it may have been obeyed    | stored, retried                                               |
 * | `unusable`        | unusable 2xx: it may have been obeyed                | stored, retried with the rotated refresh token                |
 * | `unsent`          | the request never left this computer                 | stored, retried                                               |
 *
 * Only this table decides: nothing but `revoked` deletes tokens (RFC 6749 section 5.2). Stored tokens are retried after a
 * pause, since a rotated refresh token that is never sent again is lost as well.
 */
export type RefreshFailure =
  | { readonly kind: 'revoked' | 'client-rejected' | 'unsent'; readonly error: PosternError }
  /** `rotated`: the refresh token that replaced the one sent. */
  | { readonly kind: 'unusable'; readonly rotated?: Secret; readonly error: PosternError }
  | { readonly kind: 'other-holder' }
  | {
      readonly kind: 'refused';
      readonly name: OAuthErrorName;
      readonly refusal: RenewalRefusal;
      readonly error: PosternError;
    }
  /** `retryAfter`: seconds the server asked to wait. */
  | { readonly kind: 'busy'; readonly retryAfter?: number; readonly error: PosternError }
  /** `isCut`: the connection broke before the deadline. */
  | { readonly kind: 'lost'; readonly isCut: boolean; readonly error: PosternError };

/**
 * The server failed, or an intermediary responded, whatever the body says: proxies (407, 3xx), Request Timeout and
 * Too Early (RFC 9110 section 15.5.9, RFC 8470 section 5.2). A token endpoint refuses with 400 or 401 (RFC 6749 section
 * 5.2): any other 4xx without an OAuth error is from a gateway, firewall or router.
 */
function isInconclusive(status: number, name: OAuthErrorName): boolean {
  if (status === 407 || status === 408 || status === 425 || status >= 500) return true;
  if (status >= 300 && status <= 399) return true;
  return name === 'unknown' && status > 401;
}

/**
 * Classifies a token endpoint's refusal. `byAssertion`: a rejected assertion is replaced by a new one, without sign-in.
 */
export function classifyRefreshResponse(
  response: Exclude<TokenResponse, { readonly kind: 'granted' }>,
  tokenEndpoint: string,
  byAssertion = false,
): RefreshFailure {
  if (response.kind === 'busy') {
    return {
      kind: 'busy',
      ...(response.retryAfter !== undefined && { retryAfter: response.retryAfter }),
      error: transientRefreshError(tokenEndpoint, { cause: response.error, status: response.status }),
    };
  }
  if (response.kind === 'page')
    return { kind: 'busy', error: transientRefreshError(tokenEndpoint, { cause: response.error }) };
  // Only the proof was refused: the refresh token can be sent again with another proof.
  if (response.kind === 'proof-refused') {
    const { error: cause, first } = response;
    return { kind: 'busy', error: transientRefreshError(tokenEndpoint, { cause, first, isRefusal: true }) };
  }
  const { status, name, sent, body, error: cause } = response;
  const error = transientRefreshError(tokenEndpoint, { cause, isRefusal: true });
  // A page may come from a gateway in front of the server, or a captive portal.
  if (isInconclusive(status, name) || body === 'page') return { kind: 'busy', error };
  if (name === 'invalid_grant' && !byAssertion)
    return { kind: 'revoked', error: refreshError('REFRESH_REVOKED', cause, tokenEndpoint) };
  // `unauthorized_client` does not mean this client: Atlassian sends it about a refresh token.
  if (body !== 'other' && name === 'invalid_client')
    return { kind: 'client-rejected', error: refreshError('CLIENT_REJECTED', cause, tokenEndpoint) };
  const refusal = { kind: 'answer', status, ...(sent !== 'unknown' && { error: sent }) } as const;
  return { kind: 'refused', name, refusal, error };
}

/**
 * Classifies an error that came instead of a response. `isRepeatable`: the request uses nothing up. Rethrows foreign
 * errors.
 */
export function classifyRefreshError(error: unknown, tokenEndpoint: string, isRepeatable = false): RefreshFailure {
  if (!(error instanceof PosternError)) throw error;
  const isCut = hasTrait(error, 'broken-connection');
  const isLost = isCut || hasTrait(error, 'timeout');
  // Otherwise no token endpoint saw the request: it never left, or a captive portal or proxy responded.
  if (!hasTrait(error, 'unanswered') && !hasTrait(error, 'unreadable-answer')) return { kind: 'unsent', error };
  const transient = transientRefreshError(tokenEndpoint, { cause: error });
  if (error instanceof UnsentRequest) return { kind: 'unsent', error: transient };
  if (!isLost || isRepeatable) return { kind: 'busy', error: transient };
  return { kind: 'lost', isCut, error: transient };
}

function refreshError(code: ErrorCode, cause: PosternError, tokenEndpoint: string): PosternError {
  const host = displayHostAndPort(new URL(tokenEndpoint));
  return new PosternError(code, { stage: 'refresh', cause, detail: { ...cause.detail, host } });
}

interface TransientRefresh {
  readonly cause?: PosternError;
  /** The remedy, if waiting does not help. */
  readonly first?: NetworkRemedy | undefined;
  /** Status of a response where the server failed or asks to wait. */
  readonly status?: number | undefined;
  /** The response refuses without saying that the sign-in has ended. */
  readonly isRefusal?: boolean;
  /** No request before then; milliseconds since 1970. */
  readonly retryAt?: number;
}

/**
 * REFRESH_REFUSED: the token endpoint refuses to renew what it granted before, so the sign-in has most likely ended.
 * The stored tokens may still be tried again.
 */
export function refreshRefusedError(
  tokenEndpoint: string,
  { status, error }: Extract<RenewalRefusal, { kind: 'answer' }>,
  retryAt: number,
): PosternError {
  const host = displayHostAndPort(new URL(tokenEndpoint));
  return new PosternError('REFRESH_REFUSED', {
    stage: 'refresh',
    detail: { host, status, ...(error && { error }), retryAt },
  });
}

/** REFRESH_TRANSIENT: the token endpoint renewed nothing; the stored tokens can be sent again. */
export function transientRefreshError(tokenEndpoint: string, options: TransientRefresh): PosternError {
  const { cause, first, status, isRefusal = false, retryAt } = options;
  const host = displayHostAndPort(new URL(tokenEndpoint));
  return new PosternError('REFRESH_TRANSIENT', {
    stage: 'refresh',
    cause,
    detail: {
      ...cause?.detail,
      ...(status !== undefined && { status }),
      ...(retryAt !== undefined && { retryAt }),
      host,
    },
    remedy: {
      kind: 'await-renewal',
      first: first ?? (cause instanceof RequestError ? cause.faultRemedy : undefined),
      until: retryAt,
      resting: isRefusal ? undefined : host,
      mayLast: isRefusal || (status ?? 0) >= 500,
    },
  });
}

/** Adds the time of the next attempt. */
export function withRetryTime(error: PosternError, retryAt: number): PosternError {
  const { remedy } = error;
  const isWaiting = remedy?.kind === 'await-renewal' && remedy.first?.kind !== 'check-clock';
  return error.with({ detail: { retryAt }, ...(isWaiting && { remedy: { ...remedy, until: retryAt } }) });
}
