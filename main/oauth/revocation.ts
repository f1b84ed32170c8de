import { revocationRequest } from 'oauth4webapi';
import type { ErrorCode } from '../../shared/error-codes.ts';
import type { AddressPolicy } from '../address/address-policy.ts';
import { bodyLimit, deadline } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Http } from '../ports.ts';
import type { Secret } from '../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from './client-authentication.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { exchangeThrough } from './http-fetch.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import type { TokenSet } from './token-set.ts';

/** `none`: there was no such token. `unsupported`: the server has no way to be told. */
export type RevocationOutcome =
  { readonly outcome: 'revoked' | 'none' | 'unsupported' } | { readonly outcome: 'failed'; readonly code: ErrorCode };

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
export async function revokeTokens(
  http: Http,
  revocation: Revocation,
): Promise<{ readonly refreshToken: RevocationOutcome; readonly accessToken: RevocationOutcome }> {
  const { refreshToken, accessToken } = revocation.tokens;
  return {
    refreshToken: await revokeToken(http, revocation, refreshToken, 'refresh_token'),
    accessToken: await revokeToken(http, revocation, accessToken, 'access_token'),
  };
}

async function revokeToken(
  http: Http,
  { tokens, credentials, policy, signal }: Revocation,
  token: Secret | undefined,
  hint: 'refresh_token' | 'access_token',
): Promise<RevocationOutcome> {
  const { issuer, revocationEndpoint } = tokens;
  if (token === undefined) return { outcome: 'none' };
  if (revocationEndpoint === undefined) return { outcome: 'unsupported' };
  if (credentials.issuer !== issuer) return { outcome: 'failed', code: 'REG_ISSUER_MISMATCH' };
  try {
    const endpoint = checkTokenEndpoint(revocationEndpoint, issuer, policy, 'connection');
    const { status } = await exchangeThrough(
      http,
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
          { issuer, revocation_endpoint: endpoint },
          { client_id: credentials.clientId },
          applyClientAuthentication(chooseClientAuthentication(credentials), credentials.clientSecret),
          token.reveal(),
          { ...options, additionalParameters: { token_type_hint: hint } },
        ),
    );
    return judgeStatus(status);
  } catch (error) {
    return { outcome: 'failed', code: error instanceof PosternError ? error.code : 'INTERNAL' };
  }
}

/** The body carries nothing (RFC 7009 section 2.2); 204 says the same as the 200 of the RFC. */
function judgeStatus(status: number): RevocationOutcome {
  if (status >= 200 && status <= 299) return { outcome: 'revoked' };
  return { outcome: 'failed', code: status >= 500 || status === 429 ? 'TOKEN_SERVER_ERROR' : 'TOKEN_ERROR' };
}
