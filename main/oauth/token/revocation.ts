import { revocationRequest } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/check-address.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Http } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { exchangeThrough, isSuccess } from '../wire/http-fetch.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import type { TokenSet } from './token-set.ts';

/**
 * `not-offered`: the server has no way to be told. `partly-revoked`: it took the refresh token back but not the
 * access token, which lives on until its end.
 */
export type RevocationOutcome = 'revoked' | 'partly-revoked' | 'nothing-to-revoke' | 'not-offered' | 'failed';

export interface Revocation {
  readonly tokens: TokenSet;
  readonly credentials: ClientCredentials;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tells the authorization server that both tokens are not used any more, the refresh token first (RFC 7009 section
 * 2.1): revoking it ends the grant even when the second request fails. Best effort, never throws.
 */
export async function revokeTokens(http: Http, revocation: Revocation): Promise<RevocationOutcome> {
  const { tokens, credentials } = revocation;
  if (tokens.revocationEndpoint === undefined) return 'not-offered';
  if (credentials.issuerKey !== tokens.issuerKey) return 'failed';
  const refreshTokenGone =
    tokens.refreshToken !== undefined && (await revokeToken(http, revocation, tokens.refreshToken, 'refresh_token'));
  const accessTokenGone = await revokeToken(http, revocation, tokens.accessToken, 'access_token');
  if (tokens.refreshToken !== undefined && !refreshTokenGone) return 'failed';
  if (accessTokenGone) return 'revoked';
  return refreshTokenGone ? 'partly-revoked' : 'failed';
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
    const { status } = await exchangeThrough(
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
    // The body carries nothing (RFC 7009 section 2.2); 204 says the same as the 200 of the RFC.
    return isSuccess(status);
  } catch {
    return false;
  }
}
