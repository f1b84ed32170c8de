import { clientCredentialsGrantRequest } from 'oauth4webapi';
import type { IssuerKey } from '../../../shared/issuer-key.ts';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http } from '../../ports.ts';
import { alternativesTo, applyClientAuthentication } from '../client/client-authentication.ts';
import { chooseClientAuthentication, withAuthentication } from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { exchangeThrough } from '../wire/http-fetch.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import { otherAuthenticationNote } from './token-request.ts';
import { readTokenResponse } from './token-response.ts';
import type { TokenAnswer, TokenRefusal } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

export interface ClientTokenRequest {
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
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks for access as the client itself (RFC 6749 section 4.4, RFC 8707 section 2.2): nobody signs in. Where the client
 * is refused, in each other way of authenticating once; nothing is used up by that.
 * Errors: those of `Http.exchange` and `readTokenResponse`, TOKEN_ERROR, TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR,
 * TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, REG_ISSUER_MISMATCH.
 */
export async function requestClientTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  request: ClientTokenRequest,
): Promise<{ readonly tokens: TokenSet; readonly credentials: ClientCredentials }> {
  const { credentials, metadata, issuerKey, scope, resource } = request;
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' });
  const first = chooseClientAuthentication(credentials, metadata);
  let refusal: TokenRefusal | undefined;
  for (const way of [first, ...alternativesTo(first, credentials, metadata)]) {
    const answer = await send(ports, request, way);
    if (answer.kind === 'granted') {
      // A refresh token SHOULD NOT come with it (RFC 6749 section 4.4.3), and would be one more secret.
      const { accessToken, expiresIn, receivedAt, notes, scope: granted } = answer.grant;
      const { revocation_endpoint: revocationEndpoint } = metadata;
      return {
        credentials: withAuthentication(credentials, way),
        tokens: {
          accessToken,
          ...(granted !== undefined && { scope: granted }),
          ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
          receivedAt,
          issuerKey,
          ...(resource !== undefined && { resource }),
          tokenEndpoint: metadata.token_endpoint,
          ...(revocationEndpoint !== undefined && { revocationEndpoint }),
          asClient: { ...(scope !== undefined && { scope }) },
          notes: [...notes, ...noteIf(way !== first, otherAuthenticationNote)],
        },
      };
    }
    if (answer.kind !== 'refused') throw answer.error;
    refusal ??= answer;
    if (answer.name !== 'invalid_client') throw answer.error;
  }
  throw refusal?.error ?? new PosternError('INTERNAL', { stage: 'token' });
}

async function send(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  { credentials, metadata, issuerKey, scope, resource, policy, signal }: ClientTokenRequest,
  way: ClientAuthentication,
): Promise<TokenAnswer> {
  const { issuer } = metadata;
  const { clientId } = credentials;
  const endpoint = checkTokenEndpoint(metadata.token_endpoint, issuerKey, policy, 'token');
  const answer = await exchangeThrough(
    http,
    endpoint,
    { purpose: 'token', stage: 'token', policy, deadline: deadline.token, bodyLimit: bodyLimit.token, signal },
    (options) =>
      clientCredentialsGrantRequest(
        { issuer, token_endpoint: endpoint },
        { client_id: clientId },
        applyClientAuthentication(way, credentials),
        { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) },
        options,
      ),
  );
  return await readTokenResponse(answer, clock, { grant: 'client_credentials', stage: 'token', issuer, clientId });
}
