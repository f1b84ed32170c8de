import { authorizationCodeGrantRequest, nopkce } from 'oauth4webapi';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import { reportRejectedRegistration } from '../../../shared/error-catalog/sign-in-errors.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http } from '../../ports.ts';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';
import type { AuthorizationCode } from '../authorization/authorization-response.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  chooseClientAuthentication,
  isClosedConnection,
  otherMethod,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import type { OAuthErrorName } from '../http/oauth-error.ts';
import { exchangeAtTokenEndpoint } from './token-endpoint.ts';
import type { TokenRefusal } from './token-failure.ts';
import { readTokenResponse, withRefusedResource } from './token-response.ts';
import type { TokenResponse, TokenGrant } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

/**
 * Result of a code exchange, with an error for the user.
 * - `exchange-refused`: refused with every authentication method; `name` is from the most specific refusal.
 * - `code-lost`: the first method used up the code, and the second got `invalid_grant`. With these credentials the next
 *   exchange starts with the second method and tries no other.
 * - `proof-refused`: the DPoP proof was refused, and would be again.
 * - `exchange-failed`: neither a grant nor a refusal.
 */
export type CodeExchangeResult =
  | { readonly kind: 'tokens'; readonly tokens: TokenSet; readonly credentials: ClientCredentials }
  | { readonly kind: 'exchange-refused'; readonly name: OAuthErrorName; readonly error: PosternError }
  | { readonly kind: 'proof-refused'; readonly error: PosternError }
  | { readonly kind: 'code-lost'; readonly credentials: ClientCredentials; readonly error: PosternError }
  | Pick<ExchangeFailure, 'kind' | 'error'>;

/** Compatibility note: another client authentication method than the agreed one worked. */
export const otherAuthenticationNote = 'other-client-authentication';

/**
 * Exchanges the code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8707 section 2.2, spec 4.4). A code
 * is used once, unless the server may not have seen the client (spec 5.3): `furtherAuthentications` decides after which
 * responses it is sent again with another client authentication. If every one was refused with `invalid_request`, one
 * more request goes without `resource`.
 * Returns the tokens and the credentials with the method that worked. CLIENT_REJECTED if the server no longer knows a
 * reused registration. `exchange-failed` carries the errors of `Http.exchange` and `readTokenResponse`,
 * TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR, TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, REG_ISSUER_MISMATCH. Errors:
 * USER_CANCELLED.
 */
export async function exchangeAuthorizationCode(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
): Promise<CodeExchangeResult> {
  const { request, credentials, metadata } = exchange;
  if (credentials.issuerKey !== request.issuerKey || credentials.clientId !== request.clientId) {
    return { kind: 'exchange-failed', error: new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' }) };
  }
  const first = chooseClientAuthentication(credentials, metadata);
  let others = alternativesTo(first, credentials, metadata);
  let failed: FailedExchange | undefined;
  for (let authentication: ClientAuthentication | undefined = first; authentication; authentication = others.shift()) {
    const response = await sendCode(ports, exchange, authentication);
    if (response.kind === 'proof-refused') return response;
    if (response.kind === 'granted') {
      const { grant } = response;
      const notes = [...grant.notes, ...noteIf(authentication !== first, otherAuthenticationNote)];
      return {
        kind: 'tokens',
        tokens: toTokenSet({ ...grant, notes }, request, metadata.revocation_endpoint),
        credentials: withAuthentication(credentials, authentication),
      };
    }
    const subject = response.kind === 'refused' ? subjectOf(response) : 'nothing';
    if (subject === 'code' && failed)
      return { kind: 'code-lost', error: response.error, credentials: withAuthentication(credentials, authentication) };
    if (subject === 'client' && response.kind === 'refused' && !failed && exchange.reused === true)
      return rejectedClient(response);
    others =
      failed && subject !== 'client'
        ? []
        : furtherAuthentications(subject, response, others, authentication, credentials);
    if (!failed || subjects.indexOf(subject) > subjects.indexOf(failed.subject))
      failed = { subject, response, authentication };
  }
  if (!failed) throw new PosternError('INTERNAL', { stage: 'token' });
  if (failed.response.kind !== 'refused') return failed.response;
  return (
    (await retryWithoutResource(ports, exchange, failed)) ?? refusedExchange(failed.subject, failed.response, exchange)
  );
}

/**
 * A service that does not know `resource` (RFC 8707) may refuse the form before it uses up the code (RFC 6749 section
 * 5.2). If no other authentication method is left, one request without it shows whether that was the reason.
 * `undefined`: it was not.
 */
async function retryWithoutResource(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
  { subject, authentication }: FailedExchange,
): Promise<CodeExchangeResult | undefined> {
  const { request, credentials, metadata, sendResource } = exchange;
  if (subject !== 'form' || !sendResource || request.resource === undefined) return undefined;
  const response = await sendCode(ports, { ...exchange, sendResource: false }, authentication);
  if (response.kind !== 'granted') return undefined;
  return {
    kind: 'tokens',
    tokens: toTokenSet(withRefusedResource(response.grant), request, metadata.revocation_endpoint),
    credentials: withAuthentication(credentials, authentication),
  };
}

/**
 * What a response without tokens is about, least specific first. `unread`: not an OAuth response, so the request may
 * not have been read; `form`: the form of the request was refused; `nothing`: the exchange failed; `request`: refused
 * with any other code, registered or not.
 */
const subjects = ['unread', 'client', 'form', 'nothing', 'request', 'code'] as const;

type Subject = (typeof subjects)[number];

interface FailedExchange {
  readonly subject: Subject;
  readonly response: TokenRefusal | ExchangeFailure;
  readonly authentication: ClientAuthentication;
}

/** RFC 6749 section 5.2, RFC 8707 section 2. */
function subjectOf({ name, body }: Pick<TokenRefusal, 'name' | 'body'>): Subject {
  switch (name) {
    case 'invalid_grant':
      return 'code';
    case 'invalid_client':
    case 'unauthorized_client':
      return 'client';
    case 'invalid_request':
      return 'form';
    case 'unknown':
      return body === 'json' ? 'request' : 'unread';
    default:
      return 'request';
  }
}

/**
 * Which authentication methods to try next, each once: all others while the client itself is refused, which uses up no
 * code; the other method if the server may not have seen the client, since such a server refuses anything.
 * `invalid_grant`, 5xx and a closed connection count as that until the method is settled.
 */
function furtherAuthentications(
  subject: Subject,
  response: TokenRefusal | ExchangeFailure,
  others: ClientAuthentication[],
  authentication: ClientAuthentication,
  { settled }: ClientCredentials,
): ClientAuthentication[] {
  switch (subject) {
    case 'client':
      return others;
    case 'form':
    case 'unread':
      return otherMethod(others, authentication);
    case 'nothing':
      return response.kind === 'exchange-failed' && response.isServerFault === true && !settled
        ? otherMethod(others, authentication)
        : [];
    case 'code':
      return settled ? [] : otherMethod(others, authentication);
    case 'request':
      return [];
  }
}

/** The granted tokens, tied to the service that issued them. */
export function toTokenSet(
  grant: TokenGrant,
  request: Pick<AuthorizationRequest, 'issuerKey' | 'resource' | 'tokenEndpoint' | 'binding'>,
  revocationEndpoint: string | undefined,
): TokenSet {
  const { accessToken, isBound, refreshToken, scope, account, holder, user, expiresIn, receivedAt, notes } = grant;
  return {
    accessToken,
    ...(grant.identity && { identity: grant.identity }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    holder,
    ...(user && { user }),
    ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
    receivedAt,
    issuerKey: request.issuerKey,
    ...(request.resource !== undefined && { resource: request.resource }),
    tokenEndpoint: request.tokenEndpoint,
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    ...(request.binding && { binding: { ...request.binding, bindsAccess: isBound } }),
    notes,
  };
}

function rejectedClient({ name, error: cause }: TokenRefusal): CodeExchangeResult {
  const error = new PosternError('CLIENT_REJECTED', { stage: 'token', blame: 'answer', cause, detail: cause.detail });
  return { kind: 'exchange-refused', name, error };
}

/** The user did not type a registered client, so they cannot correct it. */
function refusedExchange(
  subject: Subject,
  refusal: TokenRefusal,
  { request, credentials }: CodeExchange,
): CodeExchangeResult {
  const refused = { ...refusal, kind: 'exchange-refused' } as const;
  if (subject !== 'client' || credentials.source !== 'registered') return refused;
  const remedy = reportRejectedRegistration(displayHostAndPort(new URL(request.tokenEndpoint)));
  return { ...refused, error: refusal.error.with({ remedy }) };
}

export interface CodeExchange {
  readonly request: AuthorizationRequest;
  readonly code: AuthorizationCode;
  readonly credentials: ClientCredentials;
  readonly metadata: Pick<
    AuthorizationServerMetadata,
    'token_endpoint_auth_methods_supported' | 'token_endpoint_auth_signing_alg_values_supported' | 'revocation_endpoint'
  >;
  readonly sendResource: boolean;
  readonly policy: AddressPolicy;
  /** A registration from an earlier sign-in: if refused, it is discarded, and no other method is tried. */
  readonly reused?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Neither a grant nor a refusal. */
interface ExchangeFailure {
  readonly kind: 'exchange-failed';
  readonly error: PosternError;
  /** 5xx without Retry-After, or a closed connection: servers also respond this way if they do not see the client. */
  readonly isServerFault?: boolean;
}

/** One use of the code. Errors: USER_CANCELLED. */
async function sendCode(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
  authentication: ClientAuthentication,
): Promise<Extract<TokenResponse, { readonly kind: 'granted' | 'refused' | 'proof-refused' }> | ExchangeFailure> {
  try {
    const response = await requestTokens(ports, exchange, authentication);
    if (response.kind === 'page') return { kind: 'exchange-failed', error: response.error };
    if (response.kind !== 'busy') return response;
    const isServerFault = response.status >= 500 && response.retryAfter === undefined;
    return { kind: 'exchange-failed', error: response.error, isServerFault };
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return { kind: 'exchange-failed', error, isServerFault: isClosedConnection(error) };
  }
}

async function requestTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  { request, code, credentials, sendResource, policy, signal }: CodeExchange,
  authentication: ClientAuthentication,
): Promise<TokenResponse> {
  const { tokenEndpoint, issuerKey, expectedIss: issuer, clientId, nonce, resource, binding } = request;
  const response = await exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint, issuerKey, policy, key: binding?.key, signal },
    'token',
    (endpoint, options) =>
      authorizationCodeGrantRequest(
        { issuer, token_endpoint: endpoint },
        { client_id: clientId },
        applyClientAuthentication(authentication, credentials),
        code.reveal(),
        request.redirectUri,
        request.codeVerifier?.reveal() ?? nopkce,
        { ...options, additionalParameters: resource !== undefined && sendResource ? { resource } : {} },
      ),
  );
  const context = { grant: 'authorization_code', stage: 'token', issuer, clientId, nonce, binding } as const;
  return await readTokenResponse(response, ports.clock, context);
}
