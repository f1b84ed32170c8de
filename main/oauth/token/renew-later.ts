import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { RequestError } from '../../request-error.ts';
import type { RenewalRefusal } from './token-set.ts';

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
