import { authorizationCodeGrantRequest, nopkce } from 'oauth4webapi';
import { clientAuthenticationMethods } from '../../shared/integration.ts';
import type { AddressPolicy } from '../address/address-policy.ts';
import { bodyLimit, deadline } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Clock, Http } from '../ports.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationCode } from './authorization-response.ts';
import { alternativesTo, applyClientAuthentication, chooseClientAuthentication } from './client-authentication.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { exchangeThrough } from './http-fetch.ts';
import type { AuthorizationServerMetadata } from './messages.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import { readTokenResponse } from './token-response.ts';
import type { TokenGrant } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

export interface CodeExchange {
  readonly request: AuthorizationRequest;
  readonly code: AuthorizationCode;
  readonly credentials: ClientCredentials;
  readonly metadata: Pick<AuthorizationServerMetadata, 'token_endpoint_auth_methods_supported' | 'revocation_endpoint'>;
  readonly sendResource: boolean;
  readonly policy: AddressPolicy;
  /** A registration from an earlier sign-in: when it is refused it is forgotten, and no other way is tried. */
  readonly reused?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Exchanges the code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8707 section 2.2, spec 4.4).
 * The code is sent again only when the server refused the client itself, each other way of authenticating once, or
 * when it did not see the client in a Basic header (`invalid_request`), once in form fields.
 * Answers the tokens and the credentials with the way that worked.
 * Errors: those of `Http.exchange` and `readTokenResponse`, CLIENT_REJECTED for a reused registration that the
 * server does not know any more, TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, REG_ISSUER_MISMATCH. See also `learnedAuthentication`.
 */
export async function exchangeAuthorizationCode(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
): Promise<{ tokens: TokenSet; credentials: ClientCredentials }> {
  const { request, credentials, metadata } = exchange;
  if (credentials.issuer !== request.issuer || credentials.clientId !== request.clientId) {
    throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' });
  }
  const first = chooseClientAuthentication(credentials, metadata);
  let others = exchange.reused === true ? [] : alternativesTo(first, credentials, metadata);
  let unread: PosternError | undefined;
  for (let authentication: ClientAuthentication | undefined = first; authentication; authentication = others.shift()) {
    try {
      const grant = await sendCode(ports, exchange, authentication);
      return {
        tokens: bindTokens(grant, request, metadata.revocation_endpoint),
        credentials: learn(credentials, authentication),
      };
    } catch (error) {
      const refused = isClientRefusal(error);
      if (refused && exchange.reused === true) throw clientRejected(error);
      if (!refused) others = mayBeUnread(error, authentication) ? others.filter(isInBody) : [];
      if (others.length > 0 && !refused) unread ??= error as PosternError;
      if (others.length > 0) continue;
      // Where the form fields were refused too, the first answer was about something else.
      throw refused && unread ? unread : authentication === first ? error : withAuthentication(error, authentication);
    }
  }
  throw new PosternError('INTERNAL', { stage: 'token' });
}

/**
 * The credentials for one more authorization, when an exchange failed because the first, refused way of
 * authenticating had used up the code: the server then knew the client and answered `invalid_grant` (detail
 * `authorizeAgain: 1`). With them the next exchange begins with the way that was accepted.
 */
export function learnedAuthentication(error: unknown, credentials: ClientCredentials): ClientCredentials | undefined {
  if (!(error instanceof PosternError) || error.detail['authorizeAgain'] !== 1) return undefined;
  const method = clientAuthenticationMethods.find((name) => name === error.detail['authentication']);
  return method && learn(credentials, { method, raw: error.detail['rawBasic'] === 1 });
}

/** The authorization server does not know this client, or not by these credentials (RFC 6749 section 5.2). */
function isClientRefusal(error: unknown): error is PosternError {
  if (!(error instanceof PosternError)) return false;
  return error.detail['error'] === 'invalid_client' || error.detail['error'] === 'unauthorized_client';
}

/** To a server that reads form fields alone, a request with Basic has no `client_id`. */
function mayBeUnread(error: unknown, { method }: ClientAuthentication): boolean {
  const isOfRequest = error instanceof PosternError && error.detail['error'] === 'invalid_request';
  return isOfRequest && method === 'client_secret_basic';
}

function isInBody({ method }: ClientAuthentication): boolean {
  return method === 'client_secret_post';
}

async function sendCode(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  { request, code, credentials, sendResource, policy, signal }: CodeExchange,
  authentication: ClientAuthentication,
): Promise<TokenGrant> {
  const tokenEndpoint = checkTokenEndpoint(request.tokenEndpoint, request.issuer, policy, 'token');
  const { issuer, clientId, resource } = request;
  const answer = await exchangeThrough(
    http,
    { purpose: 'token', stage: 'token', policy, deadline: deadline.token, bodyLimit: bodyLimit.token, signal },
    (options) =>
      authorizationCodeGrantRequest(
        { issuer, token_endpoint: tokenEndpoint },
        { client_id: clientId },
        applyClientAuthentication(authentication, credentials.clientSecret),
        code.reveal(),
        request.redirectUri,
        request.codeVerifier?.reveal() ?? nopkce,
        { ...options, additionalParameters: resource !== undefined && sendResource ? { resource } : {} },
      ),
  );
  return readTokenResponse(answer, clock, { grant: 'authorization_code', stage: 'token', issuer, clientId });
}

function bindTokens(
  grant: TokenGrant,
  request: AuthorizationRequest,
  revocationEndpoint: string | undefined,
): TokenSet {
  const { accessToken, refreshToken, scope, account, expiresIn, receivedAt, notes } = grant;
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
    receivedAt,
    issuer: request.issuer,
    ...(request.resource !== undefined && { resource: request.resource }),
    tokenEndpoint: request.tokenEndpoint,
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    notes,
  };
}

function learn(credentials: ClientCredentials, { method, raw }: ClientAuthentication): ClientCredentials {
  const { rawBasic: _, ...rest } = credentials;
  return { ...rest, authentication: method, ...(raw && { rawBasic: true }) };
}

function clientRejected(cause: PosternError): PosternError {
  return new PosternError('CLIENT_REJECTED', { stage: 'token', cause, detail: cause.detail });
}

function withAuthentication(error: unknown, { method, raw }: ClientAuthentication): unknown {
  if (!(error instanceof PosternError) || error.detail['error'] !== 'invalid_grant') return error;
  const { code, stage, cause } = error;
  const detail = { ...error.detail, authorizeAgain: 1, authentication: method, rawBasic: raw ? 1 : 0 };
  return new PosternError(code, { stage, cause, detail });
}
