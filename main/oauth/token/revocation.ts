import { revocationRequest } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/check-address.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Http } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { sendRequest, isSuccess } from '../http/send-request.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import type { TokenSet } from './token-set.ts';

/**
 * `not-offered`: the server has no revocation endpoint. `partly-revoked`: the refresh token was revoked; the access
 * token stays valid until it expires.
 */
export type RevocationOutcome = 'revoked' | 'partly-revoked' | 'nothing-to-revoke' | 'not-offered' | 'failed';

export interface Revocation {
  readonly tokens: TokenSet;
  readonly credentials: ClientCredentials;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Revokes both tokens, the refresh token first (RFC 7009 section 2.1): that ends the grant even if the second request
 * fails. Best effort, never throws.
 */
export async function revokeTokens(http: Http, revocation: Revocation): Promise<RevocationOutcome> {
  const { tokens, credentials } = revocation;
  if (tokens.revocationEndpoint === undefined) return 'not-offered';
  if (credentials.issuerKey !== tokens.issuerKey) return 'failed';
  const isRefreshTokenRevoked =
    tokens.refreshToken !== undefined && (await revokeToken(http, revocation, tokens.refreshToken, 'refresh_token'));
  const isAccessTokenRevoked = await revokeToken(http, revocation, tokens.accessToken, 'access_token');
  if (tokens.refreshToken !== undefined && !isRefreshTokenRevoked) return 'failed';
  if (isAccessTokenRevoked) return 'revoked';
  return isRefreshTokenRevoked ? 'partly-revoked' : 'failed';
}

async function revokeToken(
  http: Http,
  { tokens, credentials, policy, signal }: Revocation,
  token: Secret,
  hint: 'refresh_token' | 'access_token',
): Promise<boolean> {
  const { issuerKey, revocationEndpoint = '' } = tokens;
  try {
    const endpoint = checkTokenEndpoint(revocationEndpoint, issuerKey, policy, 'connection');
    const { status } = await sendRequest(
      http,
      endpoint,
      {
        purpose: 'revocation',
        stage: 'connection',
        policy,
        deadline: deadline.revocation,
        bodyLimit: bodyLimit.token,
        signal,
      },
      (options) =>
        revocationRequest(
          { issuer: addressOfKey(issuerKey), revocation_endpoint: endpoint },
          { client_id: credentials.clientId },
          applyClientAuthentication(chooseClientAuthentication(credentials), credentials),
          token.reveal(),
          { ...options, additionalParameters: { token_type_hint: hint } },
        ),
    );
    // The body is empty (RFC 7009 section 2.2); 204 means the same as the RFC's 200.
    return isSuccess(status);
  } catch {
    return false;
  }
}
