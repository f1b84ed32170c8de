import { validateAuthResponse } from 'oauth4webapi';
import { afterAuthorizationRefusal } from '../../../shared/error-catalog/sign-in-errors.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { callbackParameterLength, stateLifetime } from '../../limits.ts';
import { SignInEnd } from '../../ports.ts';
import type { Clock } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { isAboutResource, normalizeOAuthError } from '../http/oauth-error.ts';
import type { OAuthErrorName } from '../http/oauth-error.ts';
import { isSameText } from './authorization-request.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** VSCHAR (RFC 6749 appendix A): no control character, nothing beyond ASCII. */
const visible = /^[\u0020-\u007e]+$/;

/** The user refused (OpenID Connect Core 1.0 section 3.1.2.6 has its own codes). */
const denials: ReadonlySet<OAuthErrorName> = new Set(['access_denied', 'consent_required', 'interaction_required']);

const fail = (code: ErrorCode) => new PosternError(code, { stage: 'callback' });

/**
 * A code that passed every check of its response; made only by `validateAuthorizationResponse`. Reveals the response
 * parameters as the library marked them: its token request accepts no others.
 */
class AuthorizationCode extends Secret<URLSearchParams> {
  /** Makes the type nominal: no other `Secret` passes as a validated code. */
  protected readonly isValidated = true;
}

export type { AuthorizationCode };

/** A response to our request: the code, or the authorization server's refusal. */
export type AuthorizationResponse =
  | { readonly kind: 'code'; readonly code: AuthorizationCode }
  | { readonly kind: 'authorization-refused'; readonly name: OAuthErrorName; readonly error: PosternError };

/**
 * The `state` of a callback query, to look up its flow; `undefined` if it is missing, empty, too long or given twice:
 * then the request belongs to no flow, whatever else it contains.
 */
export function stateOf(query: string): string | undefined {
  const [state, ...more] = new URLSearchParams(query).getAll('state');
  return state === '' || more.length > 0 || (state?.length ?? 0) > callbackParameterLength ? undefined : state;
}

/**
 * Checks an authorization response (RFC 6749 section 4.1.2, RFC 9207 section 2.4) against its request, in this order:
 * duplicates, state, expiry, issuer, error, code. `query` is the raw callback query, without `?`. A refusal is returned
 * with AS_ERROR. The flow ensures that a state is used once.
 * Errors: CALLBACK_INVALID, STATE_UNKNOWN, STATE_EXPIRED, ISS_MISSING, ISS_MISMATCH, USER_DENIED.
 */
export function validateAuthorizationResponse(
  request: AuthorizationRequest,
  query: string,
  clock: Clock,
): AuthorizationResponse {
  const parameters = new URLSearchParams(query);

  // RFC 6749 section 3.1: no duplicate parameters; `get` would silently take the first.
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw fail('CALLBACK_INVALID');

  const state = parameters.get('state');
  if (state === null || state === '') throw fail('CALLBACK_INVALID');
  if (!isSameText(state, request.state)) throw fail('STATE_UNKNOWN');
  if (isExpired(request, clock)) throw new SignInEnd('expired', { stage: 'callback' });

  const iss = parameters.get('iss');
  if (iss === null && request.issExpected) throw fail('ISS_MISSING');
  // Compared as strings (RFC 9207 section 2.4, RFC 3986 section 6.2.1). After a mismatch, nothing from the response
  // is reported: it may come from another server.
  if (iss !== null && iss !== request.expectedIss) throw fail('ISS_MISMATCH');

  const error = parameters.get('error');
  const code = parameters.get('code');
  if (error !== null && code !== null) throw fail('CALLBACK_INVALID');
  if (error !== null) {
    const host = displayHostAndPort(new URL(request.url));
    const description = parameters.get('error_description');
    const name = normalizeOAuthError(error, description);
    if (denials.has(name)) throw new SignInEnd('refused', { stage: 'callback', detail: { host } });
    const after = afterAuthorizationRefusal(name, isAboutResource(description));
    const refused = new PosternError('AS_ERROR', { stage: 'callback', detail: { host, error: name }, ...after });
    return { kind: 'authorization-refused', name, error: refused };
  }

  if (code === null || code.length > callbackParameterLength || !visible.test(code)) throw fail('CALLBACK_INVALID');
  // Tokens in the front channel: we never requested that flow (RFC 9700 section 2.1.2).
  if (['access_token', 'id_token', 'token', 'response'].some((name) => parameters.has(name))) {
    throw fail('CALLBACK_INVALID');
  }
  return { kind: 'code', code: new AuthorizationCode(markValidated(request, parameters)) };
}

/** Either clock ends it: users can set the wall clock back, and sleep stops the monotonic clock on some systems. */
function isExpired({ createdAt }: AuthorizationRequest, clock: Clock): boolean {
  return clock.now() - createdAt.wall > stateLifetime || clock.monotonic() - createdAt.monotonic > stateLifetime;
}

function markValidated(request: AuthorizationRequest, parameters: URLSearchParams): URLSearchParams {
  const server = {
    issuer: request.expectedIss,
    authorization_response_iss_parameter_supported: request.issExpected,
  };
  try {
    return validateAuthResponse(server, { client_id: request.clientId }, parameters, request.state);
  } catch {
    // The library's errors include the parameters: no cause.
    throw fail('CALLBACK_INVALID');
  }
}
