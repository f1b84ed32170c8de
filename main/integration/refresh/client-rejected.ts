import { PosternError } from '../../postern-error.ts';

/** The refresh token may be good, but there is no client to send it with (any more). */
export function isClientRejected(error: unknown): boolean {
  if (!(error instanceof PosternError)) return false;
  return error.code === 'CLIENT_REJECTED' || isClientRejected(error.cause);
}
