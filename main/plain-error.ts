import { describeError, remedyFor } from '../shared/error-catalogue.ts';
import type { PlainError } from '../shared/error-codes.ts';
import { isSameError } from '../shared/error-facts.ts';
import type { Remedy } from '../shared/remedy.ts';
import { wayOutOf } from '../shared/way-out.ts';
import { PosternError, readDetail } from './errors/postern-error.ts';

/**
 * An error as plain data for a window or a terminal: our code, stage and words. Of an error that is not ours nothing
 * is shown, since its text may hold what a server sent (or a token): it becomes INTERNAL.
 */
export function toPlainError(error: unknown): PlainError {
  const ours = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'app' });
  const { code, cause, stage, blame, words, about } = ours;
  const detail = readDetail(ours);
  const { retryAt } = detail;
  const told = describeError(code, detail);
  const { retryable = told.retryable } = ours;
  return {
    code,
    // A cancellation that was passed on is its own cause; that says nothing.
    ...(cause instanceof PosternError && !isSameError(cause, ours) && { cause: cause.code }),
    stage,
    blame,
    ...(about && { about }),
    message: told.message,
    ...(Object.keys(detail).length > 0 && { detail }),
    remedy: remedyOf(ours),
    retryable,
    ...(words && { serverWords: words }),
    ...(typeof retryAt === 'number' && { retryAt }),
  };
}

/** What the user can do about an error: what its thrower knows, otherwise what the catalogue says of its code. */
export function remedyOf({ code, blame, remedy }: PosternError): Remedy {
  return remedyFor(code, blame, remedy);
}

/** Whether only a person can help: by signing in (again), or by granting more. */
export function wantsSignIn(error: PosternError): boolean {
  const way = wayOutOf(remedyOf(error));
  return way !== undefined && way !== 'key';
}

/** Whether a user who is there is offered a sign-in: where only that helps, and where a renewal failed. */
export function offersSignIn(error: PosternError): boolean {
  return wantsSignIn(error) || remedyOf(error).kind === 'await-renewal';
}
