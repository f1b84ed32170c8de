import { validateAuthResponse } from 'oauth4webapi';
import { afterAuthorizationRefusal } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { callbackParameterLength, stateLifetime } from '../../limits.ts';
import { SignInEnd } from '../../ports.ts';
import type { Clock } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { isAboutResource, nameOAuthError } from '../wire/oauth-error.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { isSameText } from './authorization-request.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** VSCHAR (RFC 6749 appendix A): no control character, nothing beyond ASCII. */
const visible = /^[\u0020-\u007e]+$/;

/** Refusals by the user (OpenID Connect Core 1.0 section 3.1.2.6 has words of its own). */
const denials: ReadonlySet<OAuthErrorName> = new Set(['access_denied', 'consent_required', 'interaction_required']);

const fail = (code: ErrorCode) => new PosternError(code, { stage: 'callback' });

/**
 * A code that has passed every check of its response. Only `validateAuthorizationResponse` makes one. It reveals the
 * response parameters as the library marked them: its token request takes no others.
 */
class AuthorizationCode extends Secret<URLSearchParams> {
  /** Makes the type its own: parameters in any other `Secret` do not pass for a checked code. */
  protected readonly isValidated = true;
}

export type { AuthorizationCode };

/** A response that was meant for its request: the code, or what the authorization server refused the request for. */
export type AuthorizationResponse =
  | { readonly kind: 'code'; readonly code: AuthorizationCode }
  | { readonly kind: 'authorization-refused'; readonly name: OAuthErrorName; readonly error: PosternError };

/**
 * The `state` of a callback query, for looking up its flow; `undefined` when there is none, when it is empty or too
 * long, or when it stands there twice: then the request belongs to no flow, whatever else it says.
 */
export function stateOf(query: string): string | undefined {
  const [state, ...more] = new URLSearchParams(query).getAll('state');
  return state === '' || more.length > 0 || (state?.length ?? 0) > callbackParameterLength ? undefined : state;
}

/**
 * Checks an authorization response (RFC 6749 section 4.1.2, RFC 9207 section 2.4) against its request, in this order:
 * duplicates, state, expiry, issuer, error, code. `query` is the raw query of the callback, without `?`.
 * A refusal is answered with its AS_ERROR. Errors: CALLBACK_INVALID, STATE_UNKNOWN, STATE_EXPIRED, ISS_MISSING,
 * ISS_MISMATCH, USER_DENIED. That a state is used once is the flow's to keep.
 */
export function validateAuthorizationResponse(
  request: AuthorizationRequest,
  query: string,
  clock: Clock,
): AuthorizationResponse {
  const parameters = new URLSearchParams(query);

  // RFC 6749 section 3.1: no parameter more than once; `get` would take the first in silence.
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw fail('CALLBACK_INVALID');

  const state = parameters.get('state');
  if (state === null || state === '') throw fail('CALLBACK_INVALID');
  if (!isSameText(state, request.state)) throw fail('STATE_UNKNOWN');
  if (isExpired(request, clock)) throw new SignInEnd('expired', { stage: 'callback' });

  const iss = parameters.get('iss');
  if (iss === null && request.issExpected) throw fail('ISS_MISSING');
  // Compared as strings (RFC 9207 section 2.4, RFC 3986 section 6.2.1). Nothing of the response is told after a
  // mismatch: it may come from another server.
  if (iss !== null && iss !== request.expectedIss) throw fail('ISS_MISMATCH');

  const error = parameters.get('error');
  const code = parameters.get('code');
  if (error !== null && code !== null) throw fail('CALLBACK_INVALID');
  if (error !== null) {
    const host = displayPlace(new URL(request.url));
    const description = parameters.get('error_description');
    const name = nameOAuthError(error, description);
    if (denials.has(name)) throw new SignInEnd('refused', { stage: 'callback', detail: { host } });
    const after = afterAuthorizationRefusal(name, isAboutResource(description));
    const refused = new PosternError('AS_ERROR', { stage: 'callback', detail: { host, error: name }, ...after });
    return { kind: 'authorization-refused', name, error: refused };
  }

  if (code === null || code.length > callbackParameterLength || !visible.test(code)) throw fail('CALLBACK_INVALID');
  // Tokens in the front channel come from a flow that was not asked for (RFC 9700 section 2.1.2).
  if (['access_token', 'id_token', 'token', 'response'].some((name) => parameters.has(name))) {
    throw fail('CALLBACK_INVALID');
  }
  return { kind: 'code', code: new AuthorizationCode(markValidated(request, parameters)) };
}

/** Either clock ends it: a person can set the wall clock back, and sleep stops the monotonic one on some systems. */
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
    // Its errors carry the parameters: no cause.
    throw fail('CALLBACK_INVALID');
  }
}
