import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { RequestError, UnsentRequest } from '../../errors/request-error.ts';
import type { Secret } from '../../secret.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import type { TokenAnswer } from './token-response.ts';
import type { RenewalRefusal } from './token-set.ts';

/**
 * Why a refresh brought no tokens. `error` tells a user of it.
 *
 * | kind              | what came                                               | the sign-in                                                                  |
 * | ----------------- | ------------------------------------------------------- | ---------------------------------------------------------------------------- |
 * | `revoked`         | `invalid_grant`, in whatever spelling, under 2xx or 4xx | ended: its tokens are deleted                                                |
 * | `client-rejected` | `invalid_client`, a 401 without words                   | kept; needs another client, so the user is asked                             |
 * | `refused`         | another OAuth error, 400 or 401 without one             | kept, tried again; once a refresh has worked, the user is asked |
 * |                   | JSON under 2xx without tokens, or with an error         | the same                                                                     |
 * | `other-holder`    | tokens of another account, which are not taken          | kept; the user is asked                                                      |
 * | `busy`            | 3xx, 5xx, 429, any other 4xx without an OAuth error,    | kept, tried again                                                            |
 * |                   | a page, an error that passes, a refused proof           | the same                                                                     |
 * | `lost`            | nothing, or half of an answer: it may have been obeyed  | kept, tried again                                                            |
 * | `unusable`        | 2xx that cannot be used: it may have been obeyed        | kept, tried again with what it rotated to                                    |
 * | `unsent`          | nothing left this computer                              | kept, tried again                                                            |
 *
 * This is the one place that decides it: nothing but `revoked` deletes tokens (RFC 6749 section 5.2), and whatever is
 * kept is sent again after a rest, since a rotated refresh token that is never shown again is lost as well.
 */
export type RefreshFailure =
  | { readonly kind: 'revoked' | 'client-rejected' | 'unsent'; readonly error: PosternError }
  /** `rotated`: the refresh token that came in the place of the one that was sent. */
  | { readonly kind: 'unusable'; readonly rotated?: Secret; readonly error: PosternError }
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
 * The server says that it has failed, or somebody before it speaks, whatever the body says: proxies (407, and 3xx that
 * lead nowhere), Request Timeout and Too Early (RFC 9110 section 15.5.9, RFC 8470 section 5.2). A token endpoint refuses
 * with 400 or 401 (RFC 6749 section 5.2): any other 4xx without an OAuth error is of a gateway, a firewall or a router.
 */
function isNoVerdict(status: number, name: OAuthErrorName): boolean {
  if (status === 407 || status === 408 || status === 425 || status >= 500) return true;
  if (status >= 300 && status <= 399) return true;
  return name === 'unknown' && status > 401;
}

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
  const error = renewLater(tokenEndpoint, { cause, isRefusal: true });
  // A page may be a gateway's in front of the server, or a captive portal's.
  if (isNoVerdict(status, name) || body === 'page') return { kind: 'busy', error };
  if (name === 'invalid_grant' && !byAssertion)
    return { kind: 'revoked', error: as('REFRESH_REVOKED', cause, tokenEndpoint) };
  // `unauthorized_client` is no word on the client that got these tokens: Atlassian says so of a refresh token.
  if (body !== 'other' && name === 'invalid_client')
    return { kind: 'client-rejected', error: as('CLIENT_REJECTED', cause, tokenEndpoint) };
  const refusal = { kind: 'answer', status, ...(sent !== 'unknown' && { error: sent }) } as const;
  return { kind: 'refused', name, refusal, error };
}

/**
 * What an error of sending means, which came in place of an answer. `isRepeatable`: what was sent is not used up by it.
 * Throws what is not ours.
 */
export function judgeRefreshError(error: unknown, tokenEndpoint: string, isRepeatable = false): RefreshFailure {
  if (!(error instanceof PosternError)) throw error;
  const isCut = isAbout(error, 'broken-connection');
  const isLost = isCut || isAbout(error, 'timeout');
  // Otherwise the request never reached a token endpoint, or what answered was not one (a captive portal, a proxy).
  if (!isAbout(error, 'unanswered') && !isAbout(error, 'unreadable-answer')) return { kind: 'unsent', error };
  const transient = renewLater(tokenEndpoint, { cause: error });
  if (error instanceof UnsentRequest) return { kind: 'unsent', error: transient };
  if (!isLost || isRepeatable) return { kind: 'busy', error: transient };
  return { kind: 'lost', isCut, error: transient };
}

function as(code: ErrorCode, cause: PosternError, tokenEndpoint: string): PosternError {
  const host = displayPlace(new URL(tokenEndpoint));
  return new PosternError(code, { stage: 'refresh', cause, detail: { ...cause.detail, host } });
}

interface NotRenewed {
  readonly cause?: PosternError;
  /** What helps, where waiting does not. */
  readonly first?: NetworkRemedy | undefined;
  /** Of an answer that is a fault of the server, or asks to wait. */
  readonly status?: number | undefined;
  /** The answer refuses, and does not say that the sign-in has ended. */
  readonly isRefusal?: boolean;
  /** Milliseconds since 1970 before which nothing is sent. */
  readonly retryAt?: number;
}

/**
 * REFRESH_REFUSED: the token endpoint refuses what it has granted before, so that the sign-in has most likely ended;
 * what is kept may be sent again all the same.
 */
export function mostLikelyEnded(
  tokenEndpoint: string,
  { status, error }: Extract<RenewalRefusal, { kind: 'answer' }>,
  retryAt: number,
): PosternError {
  const host = displayPlace(new URL(tokenEndpoint));
  return new PosternError('REFRESH_REFUSED', {
    stage: 'refresh',
    detail: { host, status, ...(error && { error }), retryAt },
  });
}

/** REFRESH_TRANSIENT: the token endpoint renewed nothing, and what is kept may be sent again. */
export function renewLater(tokenEndpoint: string, why: NotRenewed): PosternError {
  const { cause, first, status, isRefusal = false, retryAt } = why;
  const host = displayPlace(new URL(tokenEndpoint));
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

/** The same once it is known when the next one is sent. */
export function renewAfter(error: PosternError, retryAt: number): PosternError {
  const { remedy } = error;
  const isWaiting = remedy?.kind === 'await-renewal' && remedy.first?.kind !== 'check-clock';
  return error.with({ detail: { retryAt }, ...(isWaiting && { remedy: { ...remedy, until: retryAt } }) });
}
