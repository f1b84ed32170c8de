import { describeError } from '../shared/error-catalogue.ts';
import type { PlainError } from '../shared/error-codes.ts';
import { readDetail } from './error-detail.ts';
import { remedyOf } from './error-remedy.ts';
import { PosternError } from './postern-error.ts';
import { ServerError } from './server-error.ts';

/**
 * An error as plain data for a window or a terminal: our code, stage and words. Of an error that is not ours nothing
 * is shown, since its text may hold what a server sent (or a token): it becomes INTERNAL.
 */
export function toPlainError(error: unknown): PlainError {
  const ours = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'app' });
  const { code, cause, stage, blame } = ours;
  const detail = readDetail(ours);
  const { retryAt } = detail;
  const told = describeError(code, detail);
  const { retryable = told.retryable } = ours;
  return {
    code,
    // A cancellation that was passed on is its own cause; that says nothing.
    ...(cause instanceof PosternError && cause.code !== code && { cause: cause.code }),
    stage,
    blame,
    message: told.message,
    ...(Object.keys(detail).length > 0 && { detail }),
    remedy: remedyOf(ours),
    retryable,
    ...(ours instanceof ServerError && { serverWords: ours.words }),
    ...(typeof retryAt === 'number' && { retryAt }),
  };
}
