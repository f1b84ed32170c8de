import { refreshTokenGrantRequest } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { addressOfKey } from '../../issuer-key.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import { blameClient } from '../client/client-credentials.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { classifyRefreshResponse, classifyRefreshError } from './refresh-failure.ts';
import type { RefreshFailure } from './refresh-failure.ts';
import { exchangeAtTokenEndpoint, sendClientGrant } from './token-endpoint.ts';
import { readRotatedToken, readTokenResponse } from './token-response.ts';
import type { TokenGrant } from './token-response.ts';
import { isOtherHolder, refusedResourceNote } from './token-set.ts';
import type { RefreshForm, TokenSet } from './token-set.ts';

export interface Refresh {
  readonly tokens: TokenSet;
  readonly credentials: ClientCredentials;
  readonly sendResource: boolean;
  /** Only for a refresh token (RFC 6749 section 6). */
  readonly form?: RefreshForm | undefined;
  /** A fresh assertion, for tokens obtained with one. */
  readonly assertion?: Secret | undefined;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One refresh request (RFC 6749 section 6, RFC 8707 section 2.2, spec 4.5). The refresh token goes only to the token
 * endpoint that issued it, in one request: sending it again is the caller's decision, since a second use of a rotated
 * token can revoke the grant (RFC 9700 section 4.14.2). Stores nothing.
 * Tokens of a client grant are simply requested again (RFC 6749 section 4.4.2), with a fresh assertion if they came
 * with one. Returned as `unsent`: SIGN_IN_REQUIRED without a refresh token or assertion, REFRESH_ISSUER_CHANGED with
 * credentials of another issuer, and errors of the address rule.
 */
export async function refreshTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  refresh: Refresh,
): Promise<{ readonly kind: 'renewed'; readonly tokens: TokenSet } | RefreshFailure> {
  const result = await refreshOnce(ports, refresh);
  const { tokens, sendResource, form } = refresh;
  if (result.kind !== 'refused' || !sendResource || tokens.resource === undefined) return result;
  // The form was refused, so the refresh token was not used (RFC 6749 section 5.2). `resource` may be the reason,
  // unless a refresh with it has worked before (RFC 8707 section 2 has its own code for that). If a scope was sent, it
  // is dropped first.
  const isFormRefused = result.name === 'invalid_request' && tokens.refreshForm === undefined && !form?.scope;
  if (!isFormRefused && result.name !== 'invalid_target') return result;
  const retried = await refreshOnce(ports, { ...refresh, sendResource: false });
  if (retried.kind !== 'renewed') return mayHaveRotated.has(retried.kind) ? retried : result;
  return { kind: 'renewed', tokens: { ...retried.tokens, notes: [...retried.tokens.notes, refusedResourceNote] } };
}

const mayHaveRotated: ReadonlySet<RefreshFailure['kind']> = new Set(['lost', 'unusable', 'other-holder']);

async function refreshOnce(
  ports: { readonly http: Http; readonly clock: Clock },
  refresh: Refresh,
): Promise<{ readonly kind: 'renewed'; readonly tokens: TokenSet } | RefreshFailure> {
  const { tokens, credentials, form } = refresh;
  const { binding } = tokens;
  let response: HttpResponse;
  try {
    response = await sendRefreshToken(ports, refresh);
  } catch (error) {
    // A client grant uses nothing up, so it can be repeated after any failure.
    return classifyRefreshError(error, tokens.tokenEndpoint, tokens.asClient !== undefined);
  }
  const grant = tokens.asClient ? 'client_credentials' : 'refresh_token';
  const issuer = tokens.identity?.issuer ?? addressOfKey(tokens.issuerKey);
  const context = { grant, stage: 'refresh', issuer, binding } as const;
  try {
    const result = await readTokenResponse(response, ports.clock, { ...context, clientId: credentials.clientId });
    if (result.kind !== 'granted') {
      const failure = classifyRefreshResponse(result, tokens.tokenEndpoint, tokens.asClient?.byAssertion === true);
      if (failure.kind === 'client-rejected') return { ...failure, error: blameClient(failure.error, credentials) };
      return failure;
    }
    // Tokens of a client grant belong to no account, and no user could sign in again.
    if (!tokens.asClient && isOtherHolder(tokens.holder, result.grant.holder)) return { kind: 'other-holder' };
    return { kind: 'renewed', tokens: { ...renew(tokens, result.grant), ...(form && { refreshForm: form }) } };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    const rotated = tokens.asClient ? undefined : readRotatedToken(response, context.stage);
    const isSameHolder = rotated !== undefined && !isOtherHolder(tokens.holder, rotated.holder);
    return { kind: 'unusable', error, ...(isSameHolder && { rotated: rotated.refreshToken }) };
  }
}

async function sendRefreshToken(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokens, credentials, sendResource, form, assertion, policy, signal }: Refresh,
): Promise<HttpResponse> {
  const { issuerKey, refreshToken, asClient, binding } = tokens;
  if (refreshToken === undefined && asClient === undefined)
    throw new PosternError('SIGN_IN_REQUIRED', { stage: 'refresh' });
  // Tokens obtained with an assertion are for the user it names: without it the client would request its own access.
  if (asClient?.byAssertion && !assertion) throw new PosternError('SIGN_IN_REQUIRED', { stage: 'refresh' });
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REFRESH_ISSUER_CHANGED', { stage: 'refresh' });
  const clientAuth = applyClientAuthentication(chooseClientAuthentication(credentials), credentials);
  const client = { client_id: credentials.clientId };
  const resource = tokens.resource !== undefined && sendResource ? { resource: tokens.resource } : {};
  return await exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint: tokens.tokenEndpoint, issuerKey, policy, key: binding?.key, signal },
    'refresh',
    (endpoint, options) => {
      const server = { issuer: addressOfKey(issuerKey), token_endpoint: endpoint };
      return refreshToken === undefined
        ? sendClientGrant(server, client, clientAuth, { scope: asClient?.scope, ...resource, assertion }, options)
        : refreshTokenGrantRequest(server, client, clientAuth, refreshToken.reveal(), {
            ...options,
            additionalParameters: { ...(form?.scope !== undefined && { scope: form.scope }), ...resource },
          });
    },
  );
}

/**
 * Members missing from the response keep their value: the refresh token and the scope (RFC 6749 sections 5.1 and 6),
 * and the key, which the refresh token may be bound to (RFC 9449 section 5). Refresh failures of the old pair are
 * reset; `refusals` by the MCP server are not.
 */
function renew(tokens: TokenSet, grant: TokenGrant): TokenSet {
  const { accessToken, isBound, refreshToken, expiresIn, receivedAt, notes } = grant;
  const { issuerKey, server, resource, tokenEndpoint, revocationEndpoint, asClient, binding } = tokens;
  const scope = grant.scope ?? tokens.scope;
  const account = grant.account ?? tokens.account;
  const newRefreshToken = refreshToken ?? tokens.refreshToken;
  return {
    issuerKey,
    tokenEndpoint,
    ...(tokens.refusals !== undefined && { refusals: tokens.refusals }),
    ...(server !== undefined && { server }),
    ...(resource !== undefined && { resource }),
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    accessToken,
    ...(asClient ? { asClient } : newRefreshToken !== undefined && { refreshToken: newRefreshToken }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    holder: { ...tokens.holder, ...grant.holder },
    // A refresh response may omit the ID token (OpenID Connect Core 1.0 section 12.2).
    ...(tokens.identity && { identity: grant.identity ?? tokens.identity }),
    ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
    receivedAt,
    ...(binding && { binding: { ...binding, bindsAccess: isBound } }),
    notes,
  };
}
