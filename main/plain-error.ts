import { describeError } from '../shared/error-catalogue.ts';
import type { PlainError } from '../shared/error-codes.ts';
import { networkFaults } from '../shared/network-fault.ts';
import { oauthErrors } from '../shared/oauth-errors.ts';
import { readDetail } from './error-detail.ts';
import { PosternError } from './postern-error.ts';

/**
 * An error as plain data for a window or a terminal: our code, stage and words. Of an error that is not ours nothing
 * is shown, since its text may hold what a server sent (or a token): it becomes INTERNAL.
 */
export function toPlainError(error: unknown): PlainError {
  const ours = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'app' });
  const { code, cause, stage, remedy } = ours;
  const detail = readDetail(ours);
  const { callbackUrl, retryAt, scopes, scopeAnswer } = detail;
  const fault = networkFaults.find((known) => known === detail['fault']);
  const oauthError = oauthErrors.find((name) => name === detail['error']);
  return {
    code,
    // A cancellation that was passed on is its own cause; that says nothing.
    ...(cause instanceof PosternError && cause.code !== code && { cause: cause.code }),
    ...(fault && { fault }),
    stage,
    ...describeError(code, detail),
    ...(remedy && { remedy }),
    ...(typeof retryAt === 'number' && { retryAt }),
    ...(oauthError && { oauthError }),
    ...(typeof scopes === 'string' && { missingScopes: scopes.split(' ') }),
    ...((scopeAnswer === 'refused' || scopeAnswer === 'granted') && { scopeAnswer }),
    ...(callbackUrl !== undefined && { callbackUrl: String(callbackUrl) }),
  };
}
