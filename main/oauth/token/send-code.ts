import { authorizationCodeGrantRequest, nopkce } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { isOutcome } from '../../cancellation.ts';
import type { PosternError } from '../../postern-error.ts';
import type { Clock, Http } from '../../ports.ts';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';
import type { AuthorizationCode } from '../authorization/authorization-response.ts';
import { applyClientAuthentication, isClosed } from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { exchangeAtTokenEndpoint } from './token-endpoint.ts';
import { readTokenResponse } from './token-response.ts';
import type { TokenAnswer } from './token-response.ts';

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
    return { kind: 'exchange-failed', error: answer.error, isOfServer: answer.retryAfter === undefined };
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
