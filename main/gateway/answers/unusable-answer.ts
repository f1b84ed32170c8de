import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import type { Unusable } from '../messages/envelope.ts';

const codes: Readonly<Record<Unusable, ErrorCode>> = {
  'not-json': 'JSON_INVALID',
  'not-a-message': 'JSON_INVALID',
  batch: 'JSON_INVALID',
  'too-deep': 'JSON_DEPTH',
  'too-many-values': 'RESULT_TOO_LARGE',
};

/** Why an answer of a server is not passed on: it came, so nobody is told that the connection has ended. */
export function unusableAnswer(reason: Unusable): PosternError {
  return new PosternError(codes[reason], { stage: 'connection' });
}
