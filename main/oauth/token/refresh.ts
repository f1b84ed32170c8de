import { clientCredentialsGrantRequest, refreshTokenGrantRequest } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { exchangeThrough } from '../wire/http-fetch.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { judgeRefreshAnswer, judgeRefreshError } from './refresh-failure.ts';
import type { RefreshFailure } from './refresh-failure.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import { readTokenResponse } from './token-response.ts';
import type { TokenGrant } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

export interface Refresh {
  readonly tokens: TokenSet;
  readonly credentials: ClientCredentials;
  readonly sendResource: boolean;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One refresh request (RFC 6749 section 6, RFC 8707 section 2.2, spec 4.5). The refresh token goes only to the token
 * endpoint that it came from, in one request: sending it again is the caller's decision, since a second use of a
 * rotated token can revoke the grant (RFC 9700 section 4.14.2). Nothing is stored here.
 * What a client has got for itself is asked for again in its place (RFC 6749 section 4.4.2).
 * With neither it answers with SIGN_IN_REQUIRED, with credentials of another issuer with
 * REFRESH_ISSUER_CHANGED, as `unsent`; so with what the address rule says.
 */
export async function refreshTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  refresh: Refresh,
): Promise<{ readonly kind: 'renewed'; readonly tokens: TokenSet } | RefreshFailure> {
  const { tokens, credentials } = refresh;
  let response: HttpResponse;
  try {
    response = await sendRefreshToken(ports.http, refresh);
  } catch (error) {
    // Whatever became of a request that uses nothing up, it can be sent again.
    return judgeRefreshError(error, tokens.tokenEndpoint, tokens.asClient !== undefined);
  }
  const grant = tokens.asClient ? 'client_credentials' : 'refresh_token';
  const context = { grant, stage: 'refresh', issuer: addressOfKey(tokens.issuerKey) } as const;
  try {
    const answer = await readTokenResponse(response, ports.clock, { ...context, clientId: credentials.clientId });
    if (answer.kind !== 'granted') return judgeRefreshAnswer(answer, tokens.tokenEndpoint);
    return { kind: 'renewed', tokens: renew(tokens, answer.grant) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { kind: 'unusable', error };
  }
}

async function sendRefreshToken(
  http: Http,
  { tokens, credentials, sendResource, policy, signal }: Refresh,
): Promise<HttpResponse> {
  const { issuerKey, refreshToken, asClient } = tokens;
  if (refreshToken === undefined && asClient === undefined)
    throw new PosternError('SIGN_IN_REQUIRED', { stage: 'refresh' });
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REFRESH_ISSUER_CHANGED', { stage: 'refresh' });
  const tokenEndpoint = checkTokenEndpoint(tokens.tokenEndpoint, issuerKey, policy, 'refresh');
  const proof = applyClientAuthentication(chooseClientAuthentication(credentials), credentials);
  const server = { issuer: addressOfKey(issuerKey), token_endpoint: tokenEndpoint };
  const client = { client_id: credentials.clientId };
  const resource = tokens.resource !== undefined && sendResource ? { resource: tokens.resource } : {};
  return await exchangeThrough(
    http,
    tokenEndpoint,
    { purpose: 'refresh', stage: 'refresh', policy, deadline: deadline.token, bodyLimit: bodyLimit.token, signal },
    (options) =>
      refreshToken === undefined
        ? clientCredentialsGrantRequest(server, client, proof, { ...asClient, ...resource }, options)
        : refreshTokenGrantRequest(server, client, proof, refreshToken.reveal(), {
            ...options,
            additionalParameters: resource,
          }),
  );
}

/**
 * What the answer leaves out stays as it was: the refresh token and the scope (RFC 6749 sections 5.1 and 6). What was
 * counted about the old pair is not true of the new one.
 */
function renew(tokens: TokenSet, grant: TokenGrant): TokenSet {
  const { accessToken, refreshToken, expiresIn, receivedAt, notes } = grant;
  const { issuerKey, server, resource, tokenEndpoint, revocationEndpoint, asClient } = tokens;
  const scope = grant.scope ?? tokens.scope;
  const account = grant.account ?? tokens.account;
  const kept = refreshToken ?? tokens.refreshToken;
  return {
    issuerKey,
    tokenEndpoint,
    ...(server !== undefined && { server }),
    ...(resource !== undefined && { resource }),
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    accessToken,
    ...(asClient ? { asClient } : kept !== undefined && { refreshToken: kept }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
    receivedAt,
    notes,
  };
}
