import type { ErrorCode } from '../../shared/error-codes.ts';
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

/** Errors by which a server says that it could not, not that it would not. */
const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);
/** Errors about our request, not about the refresh token. */
const ofRequest = new Set(['invalid_request', 'invalid_scope', 'invalid_target', 'unsupported_grant_type']);

/**
 * What a failed refresh means for the tokens.
 * - REFRESH_REVOKED: the server refused the refresh token for good; sign in again.
 * - CLIENT_REJECTED: it refused the client; tokens are kept.
 * - REFRESH_TRANSIENT: not processed; tokens are kept, try later (detail `retryAfter` in seconds, `status`, if known).
 * - REFRESH_UNCERTAIN: sent, and the answer was lost; tokens are kept, the refresh token may have been used up.
 * - TOKEN_ERROR, TOKEN_RESPONSE_INVALID and other answers that cannot be used: tokens are kept, trying again as it
 *   is will not help. The address rule's errors and USER_CANCELLED pass as they are.
 */
export function judgeRefreshFailure(error: unknown): unknown {
  if (!(error instanceof PosternError)) return error;
  const { code, detail } = error;
  const judge = (verdict: ErrorCode) => new PosternError(verdict, { stage: 'refresh', cause: error, detail });
  if (notReached.has(code)) return judge('REFRESH_TRANSIENT');
  switch (code) {
    case 'CONNECT_FAIL':
    case 'DEADLINE':
      return judge(detail['sent'] === 'no' ? 'REFRESH_TRANSIENT' : 'REFRESH_UNCERTAIN');
    case 'TOKEN_RESPONSE_INVALID':
      // Under another type than JSON it was no token endpoint that answered.
      return isAnswerOfAPage(error) ? judge('REFRESH_TRANSIENT') : error;
    case 'TOKEN_ERROR':
      return judgeTokenError(String(detail['error']), String(detail['body']), judge) ?? error;
    default:
      return error;
  }
}

function judgeTokenError(
  error: string,
  body: string,
  judge: (verdict: ErrorCode) => PosternError,
): PosternError | undefined {
  if (passing.has(error)) return judge('REFRESH_TRANSIENT');
  if (ofRequest.has(error)) return undefined;
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    // A page under 401 may be a gateway's in front of the server: the server's own word is an error or nothing.
    return judge(body === 'other' ? 'REFRESH_TRANSIENT' : 'CLIENT_REJECTED');
  }
  // `invalid_grant`, an error of their own making, or an empty 400: what servers send for a dead refresh token.
  return judge(body === 'other' ? 'REFRESH_TRANSIENT' : 'REFRESH_REVOKED');
}

function isAnswerOfAPage(error: PosternError): boolean {
  return error.cause instanceof PosternError && error.cause.code === 'CONTENT_TYPE';
}
