import { authorizationCodeGrantRequest, nopkce } from 'oauth4webapi';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import { tellOfRegistration } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-text.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http } from '../../ports.ts';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';
import type { AuthorizationCode } from '../authorization/authorization-response.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  chooseClientAuthentication,
  isClosed,
  otherMethod,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { exchangeAtTokenEndpoint } from './token-endpoint.ts';
import type { TokenRefusal } from './token-refusal.ts';
import { readTokenResponse, withRefusedResource } from './token-response.ts';
import type { TokenAnswer, TokenGrant } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

/**
 * What came of an exchange, with the error that tells a user of it.
 * - `exchange-refused`: each way to authenticate was; `name` is of the refusal that says most.
 * - `code-lost`: the first way of authenticating had used up the code: the other was answered `invalid_grant`. With
 *   these credentials the next exchange begins with the other way, and tries no more.
 * - `proof-refused`: the proof of the key that the tokens were to be bound to was, as it would be again.
 * - `exchange-failed`: there was neither a grant nor a refusal.
 */
export type CodeAnswer =
  | { readonly kind: 'tokens'; readonly tokens: TokenSet; readonly credentials: ClientCredentials }
  | { readonly kind: 'exchange-refused'; readonly name: OAuthErrorName; readonly error: PosternError }
  | { readonly kind: 'proof-refused'; readonly error: PosternError }
  | { readonly kind: 'code-lost'; readonly credentials: ClientCredentials; readonly error: PosternError }
  | Pick<ExchangeFailure, 'kind' | 'error'>;

/** What the tokens, or the client, are noted with where another way of authenticating than the agreed one worked. */
export const otherAuthenticationNote = 'other-client-authentication';

/**
 * Exchanges the code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8707 section 2.2, spec 4.4).
 * A code is used once, unless the server may not have seen the client (spec 5.3): `furtherWays` says after which answer
 * it is sent again with another client authentication; where each was refused with `invalid_request`, once without
 * `resource`.
 * Answers the tokens and the credentials with the way that worked. A reused registration that the server does not know
 * any more is told as CLIENT_REJECTED. What `exchange-failed` tells: the errors of `Http.exchange` and
 * `readTokenResponse`, TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR, TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED,
 * REG_ISSUER_MISMATCH. Errors: USER_CANCELLED.
 */
export async function exchangeAuthorizationCode(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
): Promise<CodeAnswer> {
  const { request, credentials, metadata } = exchange;
  if (credentials.issuerKey !== request.issuerKey || credentials.clientId !== request.clientId) {
    return { kind: 'exchange-failed', error: new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' }) };
  }
  const first = chooseClientAuthentication(credentials, metadata);
  let others = alternativesTo(first, credentials, metadata);
  let told: Told | undefined;
  for (let way: ClientAuthentication | undefined = first; way; way = others.shift()) {
    const answer = await sendCode(ports, exchange, way);
    if (answer.kind === 'proof-refused') return answer;
    if (answer.kind === 'granted') {
      const { grant } = answer;
      const notes = [...grant.notes, ...noteIf(way !== first, otherAuthenticationNote)];
      return {
        kind: 'tokens',
        tokens: bindTokens({ ...grant, notes }, request, metadata.revocation_endpoint),
        credentials: withAuthentication(credentials, way),
      };
    }
    const of = answer.kind === 'refused' ? subjectOf(answer) : 'nothing';
    if (of === 'code' && told)
      return { kind: 'code-lost', error: answer.error, credentials: withAuthentication(credentials, way) };
    if (of === 'client' && answer.kind === 'refused' && !told && exchange.reused === true)
      return rejectedClient(answer);
    others = told && of !== 'client' ? [] : furtherWays(of, answer, others, way, credentials);
    if (!told || subjects.indexOf(of) > subjects.indexOf(told.of)) told = { of, answer, way };
  }
  if (!told) throw new PosternError('INTERNAL', { stage: 'token' });
  if (told.answer.kind !== 'refused') return told.answer;
  return (await withoutResource(ports, exchange, told)) ?? refusedExchange(told.of, told.answer, exchange);
}

/**
 * A service that does not know `resource` (RFC 8707) may refuse the form for it, before it uses the code up (RFC 6749
 * section 5.2). Where no other way to authenticate is left, one request without it shows whether that was why; any
 * other answer to that tells no more. `undefined`: it was not.
 */
async function withoutResource(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
  { of, way }: Told,
): Promise<CodeAnswer | undefined> {
  const { request, credentials, metadata, sendResource } = exchange;
  if (of !== 'form' || !sendResource || request.resource === undefined) return undefined;
  const answer = await sendCode(ports, { ...exchange, sendResource: false }, way);
  if (answer.kind !== 'granted') return undefined;
  return {
    kind: 'tokens',
    tokens: bindTokens(withRefusedResource(answer.grant), request, metadata.revocation_endpoint),
    credentials: withAuthentication(credentials, way),
  };
}

/**
 * What an answer without tokens is about; what says more comes later. `unread`: it is no answer of OAuth, so the request
 * may not have been read; `form`: it was not understood; `nothing`: the exchange failed; `request`: anything else that
 * was refused by a code, whether a registry has that code or not.
 */
const subjects = ['unread', 'client', 'form', 'nothing', 'request', 'code'] as const;

type Subject = (typeof subjects)[number];

interface Told {
  readonly of: Subject;
  readonly answer: TokenRefusal | ExchangeFailure;
  readonly way: ClientAuthentication;
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
 * In which ways the code is sent again, each once: in all others while the client itself is refused, which uses no code
 * up; with the other method where the server may not have seen the client, since such a server refuses with anything.
 * `invalid_grant`, 5xx and a closed connection count as that until the way is settled.
 */
function furtherWays(
  of: Subject,
  answer: TokenRefusal | ExchangeFailure,
  others: ClientAuthentication[],
  way: ClientAuthentication,
  { settled }: ClientCredentials,
): ClientAuthentication[] {
  switch (of) {
    case 'client':
      return others;
    case 'form':
    case 'unread':
      return otherMethod(others, way);
    case 'nothing':
      return answer.kind === 'exchange-failed' && answer.isOfServer === true && !settled
        ? otherMethod(others, way)
        : [];
    case 'code':
      return settled ? [] : otherMethod(others, way);
    case 'request':
      return [];
  }
}

/** What was granted, with the service that it goes back to. */
export function bindTokens(
  grant: TokenGrant,
  request: Pick<AuthorizationRequest, 'issuerKey' | 'resource' | 'tokenEndpoint' | 'binding'>,
  revocationEndpoint: string | undefined,
): TokenSet {
  const { accessToken, isBound, refreshToken, scope, account, holder, person, expiresIn, receivedAt, notes } = grant;
  return {
    accessToken,
    ...(grant.identity && { identity: grant.identity }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    holder,
    ...(person && { person }),
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

function rejectedClient({ name, error: cause }: TokenRefusal): CodeAnswer {
  const error = new PosternError('CLIENT_REJECTED', { stage: 'token', blame: 'answer', cause, detail: cause.detail });
  return { kind: 'exchange-refused', name, error };
}

/** Nobody has typed a client that the server registered itself, so nobody can check it. */
function refusedExchange(of: Subject, refusal: TokenRefusal, { request, credentials }: CodeExchange): CodeAnswer {
  const refused = { ...refusal, kind: 'exchange-refused' } as const;
  if (of !== 'client' || credentials.source !== 'registered') return refused;
  const remedy = tellOfRegistration(displayPlace(new URL(request.tokenEndpoint)));
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
  /** A registration from an earlier sign-in: when it is refused it is forgotten, and no other way is tried. */
  readonly reused?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Neither a grant nor a refusal came back. */
export interface ExchangeFailure {
  readonly kind: 'exchange-failed';
  readonly error: PosternError;
  /** 5xx without a time to wait, or a closed connection: servers also answer so to a client that they do not see. */
  readonly isOfServer?: boolean;
}

/** One use of the code. Errors: USER_CANCELLED. */
export async function sendCode(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
  authentication: ClientAuthentication,
): Promise<Extract<TokenAnswer, { readonly kind: 'granted' | 'refused' | 'proof-refused' }> | ExchangeFailure> {
  try {
    const answer = await requestTokens(ports, exchange, authentication);
    if (answer.kind === 'page') return { kind: 'exchange-failed', error: answer.error };
    if (answer.kind !== 'busy') return answer;
    const isOfServer = answer.status >= 500 && answer.retryAfter === undefined;
    return { kind: 'exchange-failed', error: answer.error, isOfServer };
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return { kind: 'exchange-failed', error, isOfServer: isClosed(error) };
  }
}

async function requestTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  { request, code, credentials, sendResource, policy, signal }: CodeExchange,
  authentication: ClientAuthentication,
): Promise<TokenAnswer> {
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
