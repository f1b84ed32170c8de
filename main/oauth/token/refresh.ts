import { refreshTokenGrantRequest } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { addressOfKey } from '../../issuer-key.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import { blameClient } from '../client/client-credentials.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { judgeRefreshAnswer, judgeRefreshError } from './refresh-failure.ts';
import type { RefreshFailure } from './refresh-failure.ts';
import { exchangeAtTokenEndpoint, sendClientGrant } from './token-endpoint.ts';
import { readRotated, readTokenResponse } from './token-response.ts';
import type { TokenGrant } from './token-response.ts';
import { isOtherHolder, refusedResourceNote } from './token-set.ts';
import type { RefreshForm, TokenSet } from './token-set.ts';

export interface Refresh {
  readonly tokens: TokenSet;
  readonly credentials: ClientCredentials;
  readonly sendResource: boolean;
  /** For the refresh token alone (RFC 6749 section 6). */
  readonly form?: RefreshForm | undefined;
  /** A fresh one, for tokens that came by one. */
  readonly assertion?: Secret | undefined;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One refresh request (RFC 6749 section 6, RFC 8707 section 2.2, spec 4.5). The refresh token goes only to the token
 * endpoint that it came from, in one request: sending it again is the caller's decision, since a second use of a
 * rotated token can revoke the grant (RFC 9700 section 4.14.2). Nothing is stored here.
 * Access that a client got for itself is simply asked for again (RFC 6749 section 4.4.2); where it came by an
 * assertion, with a fresh one. Without either the answer is SIGN_IN_REQUIRED, with credentials of another issuer
 * REFRESH_ISSUER_CHANGED, both as `unsent`; so are errors of the address rule.
 */
export async function refreshTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  refresh: Refresh,
): Promise<{ readonly kind: 'renewed'; readonly tokens: TokenSet } | RefreshFailure> {
  const answer = await refreshOnce(ports, refresh);
  const { tokens, sendResource, form } = refresh;
  if (answer.kind !== 'refused' || !sendResource || tokens.resource === undefined) return answer;
  // The form was refused, and so the refresh token not used (RFC 6749 section 5.2): `resource` may be why, unless a
  // refresh with it has worked before (RFC 8707 section 2 has a code of its own for that). A scope is left out first.
  const isOfForm = answer.name === 'invalid_request' && tokens.refreshForm === undefined && !form?.scope;
  if (!isOfForm && answer.name !== 'invalid_target') return answer;
  const again = await refreshOnce(ports, { ...refresh, sendResource: false });
  if (again.kind !== 'renewed') return mayHaveObeyed.has(again.kind) ? again : answer;
  return { kind: 'renewed', tokens: { ...again.tokens, notes: [...again.tokens.notes, refusedResourceNote] } };
}

const mayHaveObeyed: ReadonlySet<RefreshFailure['kind']> = new Set(['lost', 'unusable', 'other-holder']);

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
    // A request that uses nothing up can be sent again, whatever happened to it.
    return judgeRefreshError(error, tokens.tokenEndpoint, tokens.asClient !== undefined);
  }
  const grant = tokens.asClient ? 'client_credentials' : 'refresh_token';
  const issuer = tokens.identity?.issuer ?? addressOfKey(tokens.issuerKey);
  const context = { grant, stage: 'refresh', issuer, binding } as const;
  try {
    const answer = await readTokenResponse(response, ports.clock, { ...context, clientId: credentials.clientId });
    if (answer.kind !== 'granted') {
      const failure = judgeRefreshAnswer(answer, tokens.tokenEndpoint, tokens.asClient?.byAssertion === true);
      if (failure.kind === 'client-rejected') return { ...failure, error: blameClient(failure.error, credentials) };
      return failure;
    }
    // Tokens that a client gets for itself belong to no account, and no person could sign in again.
    if (!tokens.asClient && isOtherHolder(tokens.holder, answer.grant.holder)) return { kind: 'other-holder' };
    return { kind: 'renewed', tokens: { ...renew(tokens, answer.grant), ...(form && { refreshForm: form }) } };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    const rotated = tokens.asClient ? undefined : readRotated(response, context.stage);
    const isOurs = rotated !== undefined && !isOtherHolder(tokens.holder, rotated.holder);
    return { kind: 'unusable', error, ...(isOurs && { rotated: rotated.refreshToken }) };
  }
}

async function sendRefreshToken(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokens, credentials, sendResource, form, assertion, policy, signal }: Refresh,
): Promise<HttpResponse> {
  const { issuerKey, refreshToken, asClient, binding } = tokens;
  if (refreshToken === undefined && asClient === undefined)
    throw new PosternError('SIGN_IN_REQUIRED', { stage: 'refresh' });
  // Tokens by an assertion are for whom it names: without one the client would ask for access of its own.
  if (asClient?.byAssertion && !assertion) throw new PosternError('SIGN_IN_REQUIRED', { stage: 'refresh' });
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REFRESH_ISSUER_CHANGED', { stage: 'refresh' });
  const proof = applyClientAuthentication(chooseClientAuthentication(credentials), credentials);
  const client = { client_id: credentials.clientId };
  const resource = tokens.resource !== undefined && sendResource ? { resource: tokens.resource } : {};
  return await exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint: tokens.tokenEndpoint, issuerKey, policy, key: binding?.key, signal },
    'refresh',
    (endpoint, options) => {
      const server = { issuer: addressOfKey(issuerKey), token_endpoint: endpoint };
      return refreshToken === undefined
        ? sendClientGrant(server, client, proof, { scope: asClient?.scope, ...resource, assertion }, options)
        : refreshTokenGrantRequest(server, client, proof, refreshToken.reveal(), {
            ...options,
            additionalParameters: { ...(form?.scope !== undefined && { scope: form.scope }), ...resource },
          });
    },
  );
}

/**
 * What the answer leaves out stays as it was: the refresh token and the scope (RFC 6749 sections 5.1 and 6); so does
 * the key, which the refresh token may be bound to (RFC 9449 section 5). What was counted of refreshing the old pair is
 * not true of the new one; that the MCP server has taken none of late still is.
 */
function renew(tokens: TokenSet, grant: TokenGrant): TokenSet {
  const { accessToken, isBound, refreshToken, expiresIn, receivedAt, notes } = grant;
  const { issuerKey, server, resource, tokenEndpoint, revocationEndpoint, asClient, binding } = tokens;
  const scope = grant.scope ?? tokens.scope;
  const account = grant.account ?? tokens.account;
  const kept = refreshToken ?? tokens.refreshToken;
  return {
    issuerKey,
    tokenEndpoint,
    ...(tokens.refusals !== undefined && { refusals: tokens.refusals }),
    ...(server !== undefined && { server }),
    ...(resource !== undefined && { resource }),
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    accessToken,
    ...(asClient ? { asClient } : kept !== undefined && { refreshToken: kept }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    holder: { ...tokens.holder, ...grant.holder },
    // A renewal may come without a new one (OpenID Connect Core 1.0 section 12.2).
    ...(tokens.identity && { identity: grant.identity ?? tokens.identity }),
    ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
    receivedAt,
    ...(binding && { binding: { ...binding, bindsAccess: isBound } }),
    notes,
  };
}
