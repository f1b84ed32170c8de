import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';

/**
 * What is known of a refresh request that brought no tokens.
 * - `cut`, `late`: the connection broke, or the time was over; the server may have obeyed.
 * - `unusable`: it answered as if it had obeyed, with something that cannot be used.
 * - `busy`: a server answered, and not to the point (5xx, 429, a page in between): it never said that the token is dead.
 * - `settled`: it was refused, or never left this computer.
 */
export type RefreshOutcome = 'cut' | 'late' | 'unusable' | 'busy' | 'settled';

const answersAboutThePair = new Set<ErrorCode>([
  'TOKEN_RESPONSE_INVALID',
  'TOKEN_CHARSET',
  'TOKEN_TYPE',
  'CONTENT_TYPE',
  'JSON_INVALID',
  'JSON_DEPTH',
  'JSON_DUPLICATE_KEY',
  'SCHEMA_INVALID',
]);

/** Reads the verdict of `judgeRefreshFailure` for whether, and when, the same refresh token may be sent again. */
export function classifyRefreshFailure({ code, detail, cause }: PosternError): RefreshOutcome {
  if (code === 'REFRESH_UNCERTAIN') {
    return cause instanceof PosternError && cause.code === 'DEADLINE' ? 'late' : 'cut';
  }
  if (answersAboutThePair.has(code)) return 'unusable';
  return code !== 'REFRESH_TRANSIENT' || detail['sent'] === 'no' ? 'settled' : 'busy';
}
