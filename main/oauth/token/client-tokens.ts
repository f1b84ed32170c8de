import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http } from '../../ports.ts';
import type { RequestedBinding } from '../authorization/authorization-request.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  tryInTurn,
  chooseClientAuthentication,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import { exchangeAtTokenEndpoint, sendClientGrant } from './token-endpoint.ts';
import type { ClientGrant } from './token-endpoint.ts';
import { otherAuthenticationNote } from './code-exchange.ts';
import { readTokenResponse } from './token-response.ts';
import type { TokenResponse } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

interface ClientTokenRequest extends ClientGrant {
  /** Audience of the assertion, if each renewal requests a new one. */
  readonly audience?: string | undefined;
  readonly credentials: ClientCredentials;
  readonly metadata: Pick<
    AuthorizationServerMetadata,
    | 'issuer'
    | 'token_endpoint'
    | 'token_endpoint_auth_methods_supported'
    | 'token_endpoint_auth_signing_alg_values_supported'
    | 'revocation_endpoint'
  >;
  readonly issuerKey: IssuerKey;
  /** Key to bind the access token to. */
  readonly binding?: RequestedBinding | undefined;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests an access token for the client itself, or with an assertion (`sendClientGrant`): nobody signs in. If the
 * client is refused, tries each other authentication method once; nothing is used up by that.
 * Errors: those of `Http.exchange` and `readTokenResponse`, TOKEN_ERROR, TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR,
 * TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, REG_ISSUER_MISMATCH, PROOF_REFUSED.
 */
export async function requestClientTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  request: ClientTokenRequest,
): Promise<{ readonly tokens: TokenSet; readonly credentials: ClientCredentials }> {
  const { credentials, metadata, issuerKey, scope, resource, assertion, audience, binding } = request;
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' });
  const first = chooseClientAuthentication(credentials, metadata);
  const authentications = [first, ...alternativesTo(first, credentials, metadata)] as const;
  const { authentication, result } = await tryInTurn(authentications, credentials, (each) =>
    send(ports, request, each),
  );
  if (result.kind !== 'granted') throw result.error;
  // A refresh token SHOULD NOT be included (RFC 6749 section 4.4.3), and would be one more secret to protect.
  const { accessToken, isBound, expiresIn, receivedAt, notes, scope: granted } = result.grant;
  const { revocation_endpoint: revocationEndpoint } = metadata;
  return {
    credentials: withAuthentication(credentials, authentication),
    tokens: {
      accessToken,
      ...(granted !== undefined && { scope: granted }),
      ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
      receivedAt,
      issuerKey,
      ...(resource !== undefined && { resource }),
      tokenEndpoint: metadata.token_endpoint,
      ...(revocationEndpoint !== undefined && { revocationEndpoint }),
      ...(binding && { binding: { ...binding, bindsAccess: isBound } }),
      asClient: {
        ...(scope !== undefined && { scope }),
        ...(assertion && { byAssertion: true }),
        ...(audience !== undefined && { audience }),
      },
      notes: [...notes, ...noteIf(authentication !== first, otherAuthenticationNote)],
    },
  };
}

async function send(
  ports: { readonly http: Http; readonly clock: Clock },
  { credentials, metadata, issuerKey, scope, resource, assertion, binding, policy, signal }: ClientTokenRequest,
  authentication: ClientAuthentication,
): Promise<TokenResponse> {
  const { issuer } = metadata;
  const { clientId } = credentials;
  const { token_endpoint: tokenEndpoint } = metadata;
  const response = await exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint, issuerKey, policy, key: binding?.key, signal },
    'token',
    (endpoint, options) =>
      sendClientGrant(
        { issuer, token_endpoint: endpoint },
        { client_id: clientId },
        applyClientAuthentication(authentication, credentials),
        { scope, resource, assertion },
        options,
      ),
  );
  const context = { grant: 'client_credentials', stage: 'token', issuer, clientId, binding } as const;
  return await readTokenResponse(response, ports.clock, context);
}
