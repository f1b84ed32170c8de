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

/** What the tokens, or the client, are noted with where another way of authenticating than the agreed one worked. */
export const otherAuthenticationNote = 'other-client-authentication';

/**
 * Exchanges the code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8707 section 2.2, spec 4.4).
 * The code is sent again only after a refusal other than `invalid_grant`: once with the other method of client
 * authentication, since servers that do not see the client in a Basic header refuse with anything; where the client
 * itself was refused, Basic without encoding once besides.
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
  let others = alternativesTo(first, credentials, metadata);
  let told: TokenRefusal | undefined;
  for (let authentication: ClientAuthentication | undefined = first; authentication; authentication = others.shift()) {
    try {
      const grant = await sendCode(ports, exchange, authentication);
      const notes = authentication === first ? grant.notes : [...grant.notes, otherAuthenticationNote];
      return {
        tokens: bindTokens({ ...grant, notes }, request, metadata.revocation_endpoint),
        credentials: learn(credentials, authentication),
      };
    } catch (error) {
      const refusal = readRefusal(error);
      // The code may be gone because the first request was understood and refused for what it held.
      if (!refusal && told?.of === 'request') throw told.error;
      if (!refusal) throw authentication === first ? error : withAuthentication(error, authentication);
      if (refusal.of === 'client' && exchange.reused === true) throw clientRejected(refusal.error);
      if (refusal.of !== 'client') others = withOtherMethod(others, authentication);
      if (!told || saysMore(refusal, told)) told = refusal;
    }
  }
  throw told ? withRegistration(told, credentials) : new PosternError('INTERNAL', { stage: 'token' });
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

/** A refusal of the token endpoint, and what it is of; `unclear` and `form` where the client may not have been seen. */
interface TokenRefusal {
  readonly error: PosternError;
  readonly of: (typeof refusals)[number];
}

/** What says more stands later. */
const refusals = ['unclear', 'client', 'form', 'request'] as const;

/** RFC 6749 section 5.2, RFC 8707 section 2. Undefined for all that is no refusal, and for one of the code itself. */
function readRefusal(error: unknown): TokenRefusal | undefined {
  if (!(error instanceof PosternError) || error.code !== 'TOKEN_ERROR') return undefined;
  switch (error.detail['error']) {
    case 'invalid_grant':
      return undefined;
    case 'invalid_client':
    case 'unauthorized_client':
      return { error, of: 'client' };
    case 'invalid_request':
      return { error, of: 'form' };
    case 'invalid_target':
    case 'invalid_scope':
    case 'unsupported_grant_type':
      return { error, of: 'request' };
    default:
      return { error, of: 'unclear' };
  }
}

function saysMore(refusal: TokenRefusal, told: TokenRefusal): boolean {
  return refusals.indexOf(refusal.of) > refusals.indexOf(told.of);
}

function withOtherMethod(
  others: readonly ClientAuthentication[],
  { method }: ClientAuthentication,
): ClientAuthentication[] {
  return others.filter((other) => other.method !== method);
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

/** Nobody has typed a client that the server registered itself, so nobody can check it. */
function withRegistration({ error, of }: TokenRefusal, { source }: ClientCredentials): PosternError {
  if (of !== 'client' || source !== 'registered') return error;
  const { code, stage, cause, detail } = error;
  return new PosternError(code, { stage, cause, detail: { ...detail, registered: 1 } });
}

function withAuthentication(error: unknown, { method, raw }: ClientAuthentication): unknown {
  if (!(error instanceof PosternError) || error.detail['error'] !== 'invalid_grant') return error;
  const { code, stage, cause } = error;
  const detail = { ...error.detail, authorizeAgain: 1, authentication: method, rawBasic: raw ? 1 : 0 };
  return new PosternError(code, { stage, cause, detail });
}
