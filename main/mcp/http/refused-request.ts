import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { TokenChallenge } from '../../oauth/wire/token-challenge.ts';
import { parseTokenChallenge } from '../../oauth/wire/token-challenge.ts';
import { PosternError } from '../../postern-error.ts';
import type { PosternErrorOptions } from '../../postern-error.ts';

/** What the server said no to a request with: 401, or 403 (RFC 6750 3.1). */
export interface Refusal {
  readonly kind: 'unauthorized' | 'insufficient-scope';
  readonly challenge: TokenChallenge | undefined;
}

interface RefusedRequestOptions extends PosternErrorOptions {
  readonly refusal: Refusal;
}

/** A server said no to the credential of a request, or to the lack of one: a sign-in begins with what it said. */
export class RefusedRequest extends PosternError {
  readonly refusal: Refusal;

  constructor(code: ErrorCode, { refusal, ...options }: RefusedRequestOptions) {
    super(code, options);
    this.refusal = refusal;
  }

  /** Whatever more is known of it, what the server said stays. */
  override with(more: Partial<PosternErrorOptions>): RefusedRequest {
    return asRefused(super.with(more), this.refusal);
  }
}

/** The same error, with what the server said no with. */
export function asRefused(error: PosternError, refusal: Refusal): RefusedRequest {
  return new RefusedRequest(error.code, { ...error.options, refusal });
}

/** The answer as a refusal of its credential; `undefined`: it is none. */
export function refusalOf(response: Response): Refusal | undefined {
  if (response.status === 401) return { kind: 'unauthorized', challenge: parseTokenChallenge(response.headers) };
  if (response.status !== 403) return undefined;
  const challenge = parseTokenChallenge(response.headers);
  // Some servers answer 403 to a token that they do not know; only the challenge tells the two apart.
  if (challenge?.error === 'invalid_token') return { kind: 'unauthorized', challenge };
  return challenge?.error === 'insufficient_scope' ? { kind: 'insufficient-scope', challenge } : undefined;
}

/** What the server said no with, where that is what an error tells. */
export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof RefusedRequest ? error.refusal : undefined;
}
