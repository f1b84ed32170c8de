import { PosternError } from './postern-error.ts';

/**
 * Whether the work was called off. By its code and no class of its own: a request that was called off is a lost or an
 * unsent one as well.
 */
export function isCancellation(thrown: unknown): boolean {
  return thrown instanceof PosternError && thrown.code === 'USER_CANCELLED';
}

/** Whether it is what came of the work, for a caller who goes on with it: neither a fault of ours nor called off. */
export function isOutcome(thrown: unknown): thrown is PosternError {
  return thrown instanceof PosternError && !isCancellation(thrown);
}
