import type { ErrorCode } from '../../shared/error-codes.ts';
import { displayPlace } from '../address/display-place.ts';
import { PosternError } from '../postern-error.ts';

/** The request never reached a token endpoint, or what answered was not one (a captive portal, a proxy). */
const notReached = new Set<ErrorCode>([
  'DNS_FAIL',
  'TLS_FAIL',
  'PROXY_FAIL',
  'REDIRECT_REFUSED',
  'REDIRECT_LOOP',
  'HEADERS_TOO_LARGE',
  'BODY_ENCODING',
  'BODY_TOO_LARGE',
  'TOKEN_RATE_LIMITED',
  'TOKEN_SERVER_ERROR',
]);

/**
 * What a failed refresh means for the tokens.
 * - REFRESH_REVOKED: the server refused the refresh token for good (`invalid_grant`); sign in again.
 * - CLIENT_REJECTED: it refused the client; tokens are kept.
 * - REFRESH_TRANSIENT: not processed, or refused for anything else; tokens are kept, try later (detail `retryAfter` in
 *   seconds, `status`, `error`, if known, and `host`, the one that was asked).
 * - REFRESH_UNCERTAIN: sent, and the answer was lost; tokens are kept, the refresh token may have been used up.
 * - TOKEN_RESPONSE_INVALID and other answers that cannot be used: tokens are kept, trying again as it is will not
 *   help. The address rule's errors and USER_CANCELLED pass as they are.
 */
export function judgeRefreshFailure(error: unknown, tokenEndpoint: string): unknown {
  if (!(error instanceof PosternError)) return error;
  const { code, detail } = error;
  const host = displayPlace(new URL(tokenEndpoint));
  const judge = (verdict: ErrorCode) =>
    new PosternError(verdict, { stage: 'refresh', cause: error, detail: { ...detail, host } });
  if (notReached.has(code)) return judge('REFRESH_TRANSIENT');
  switch (code) {
    case 'CONNECT_FAIL':
    case 'DEADLINE':
      return judge(detail['sent'] === 'no' ? 'REFRESH_TRANSIENT' : 'REFRESH_UNCERTAIN');
    case 'TOKEN_RESPONSE_INVALID':
      // Under another type than JSON it was no token endpoint that answered.
      return isAnswerOfAPage(error) ? judge('REFRESH_TRANSIENT') : error;
    case 'TOKEN_ERROR':
      return judge(judgeTokenError(String(detail['error']), String(detail['body'])));
    default:
      return error;
  }
}

/**
 * RFC 6749 section 5.2 has one error for a refresh token that is dead and two for a client. Whatever else a server
 * says, or leaves out, may be a fault of its own, and a sign-in that was given up for it cannot be had back.
 */
function judgeTokenError(error: string, body: string): ErrorCode {
  if (error === 'invalid_grant') return 'REFRESH_REVOKED';
  const isOfClient = error === 'invalid_client' || error === 'unauthorized_client';
  // A page under 401 may be a gateway's in front of the server: the server's own word is an error or nothing.
  return isOfClient && body !== 'other' ? 'CLIENT_REJECTED' : 'REFRESH_TRANSIENT';
}

function isAnswerOfAPage(error: PosternError): boolean {
  return error.cause instanceof PosternError && error.cause.code === 'CONTENT_TYPE';
}
