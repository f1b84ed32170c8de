import { PosternError } from '../../postern-error.ts';

/** REFRESH_REVOKED for a 500 that came again: some servers forget a refresh token so, others are only broken. */
export function revokedByFault(cause: PosternError): PosternError {
  return new PosternError('REFRESH_REVOKED', { stage: 'refresh', cause, detail: { ...cause.detail, answer: 'fault' } });
}

/** Whether the server answered with a fault, and never said that the refresh token is dead. */
export function isRevokedByFault({ code, detail }: Pick<PosternError, 'code' | 'detail'>): boolean {
  return code === 'REFRESH_REVOKED' && detail['answer'] === 'fault';
}
