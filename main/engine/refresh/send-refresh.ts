import type { Integration } from '../../../shared/integration.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { unknownOutcomeWindow } from '../../limits.ts';
import { blameClient } from '../../oauth/client/client-credentials.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { refreshRefusedError, withRetryTime, transientRefreshError } from '../../oauth/token/refresh-failure.ts';
import type { RefreshFailure } from '../../oauth/token/refresh-failure.ts';
import { refreshTokens } from '../../oauth/token/refresh.ts';
import { findTokenEndpointOutage } from '../../oauth/token/token-endpoint.ts';
import type { RefreshForm, RenewalRefusal, TokenSet } from '../../oauth/token/token-set.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { saveTokens } from '../records/stored-secrets.ts';
import { obtainAssertion } from './identity-assertion.ts';
import type { RenewProvider } from './identity-assertion.ts';
import { signInRequired } from './refresh-outcome.ts';
import { backOff } from './refresh-time.ts';

/**
 * Result of sending a refresh, by the table of `RefreshFailure`.
 * - `postponed`: the tokens stay, and nothing is sent before `retryAt` (milliseconds since 1970) unless the user
 *   requests it. `refusal`: only the user may be able to help.
 * - `failed`: the tokens stay as they are.
 */
type SendRefreshResult =
  | { readonly kind: 'renewed'; readonly tokens: TokenSet }
  | {
      readonly kind: 'postponed';
      readonly retryAt: number;
      readonly refusal?: RenewalRefusal['kind'];
      readonly error: PosternError;
    }
  | { readonly kind: 'revoked' | 'failed'; readonly error: PosternError };

/**
 * Sends a refresh token, at most four times: again at once after a cut connection, since many services accept a rotated
 * token again for some seconds; in the other form after a refusal of the form; and the previous token if the current
 * one came in a response that could not be used. For an hour after an unknown outcome, it is sent only if the server
 * responds at all, unless the user requested it (`isRequested`). "Outcome unknown" is stored before each request, so
 * that a crash between request and response is detected. The caller holds the integration's lock. Errors: those of
 * `findTokenEndpointOutage` and `obtainAssertion`, KC_*, CFG_*.
 */
export async function sendRefresh(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
  { isRequested, renewProvider }: { readonly isRequested: boolean; readonly renewProvider: RenewProvider },
): Promise<SendRefreshResult> {
  const vault = await ports.vault();
  const policy = integrationPolicy(integration.url, integration.options);
  const { failures = 0, retryAt: _past, refused: _before, lostAt, ...others } = tokens;
  let settled: TokenSet = others;
  const save = (lost: number | undefined, fields?: Pick<TokenSet, 'failures' | 'retryAt' | 'refused'>): Promise<void> =>
    saveTokens(vault, integration, { ...settled, ...(lost !== undefined && { lostAt: lost }), ...fields });
  const now = (): number => Math.trunc(ports.clock.now());
  const saveBackOff = async (retryAfter = 0, refused?: RenewalRefusal): Promise<number> => {
    const wait = backOff(
      { failures: failures + 1, wasSent: true, isRefusal: refused !== undefined, retryAfter },
      ports.random,
    );
    const retryAt = now() + wait;
    await save(lost, { failures: failures + 1, retryAt, ...(refused && { refused }) });
    return retryAt;
  };
  const postpone = async (error: PosternError, retryAfter?: number): Promise<SendRefreshResult> => {
    const retryAt = await saveBackOff(retryAfter);
    return { kind: 'postponed', retryAt, error: withRetryTime(error, retryAt) };
  };
  const refuse = async ({
    refusal,
    error,
  }: Extract<RefreshFailure, { kind: 'refused' }>): Promise<SendRefreshResult> => {
    // A first refresh may have been refused because of its form, and a client's own grant has no sign-in to ask for.
    if (!tokens.refreshForm || tokens.asClient) return await postpone(error);
    const retryAt = await saveBackOff(0, refusal);
    return {
      kind: 'postponed',
      retryAt,
      refusal: refusal.kind,
      error: refusedRenewal(integration, tokens, credentials, refusal, retryAt),
    };
  };

  const { clientId } = credentials;
  const resource = integration.options.sendResource ? tokens.resource : undefined;
  const use = { ...tokens, clientId, resource, audience: tokens.asClient?.audience ?? addressOfKey(tokens.issuerKey) };
  const assertion = tokens.asClient?.byAssertion
    ? await obtainAssertion(ports, integration, use, renewProvider)
    : undefined;
  // Client credentials use up no refresh token, so they can be sent as often as needed.
  let lost = tokens.asClient ? undefined : lostAt;
  let form = formOf(tokens);
  const used = { again: false, otherForm: false };
  for (;;) {
    const isRecent = lost !== undefined && Math.abs(now() - lost) < unknownOutcomeWindow;
    const outage =
      isRecent && (!isRequested || used.again) ? await findTokenEndpointOutage(ports.http, tokens, policy) : undefined;
    if (outage) return await postpone(outage);
    await save(now());
    const result = await refreshTokens(ports, {
      tokens: settled,
      credentials,
      sendResource: integration.options.sendResource,
      form,
      assertion,
      policy,
      // The server may have rotated the token by now: cancelling would lose the new pair.
      signal: undefined,
    });
    switch (result.kind) {
      case 'renewed':
        return result;
      case 'revoked': {
        const { earlierToken, ...latest } = settled;
        // The caller deletes it next. If that fails, this request still counts.
        if (!earlierToken) return { kind: result.kind, error: result.error };
        settled = { ...latest, refreshToken: earlierToken };
        break;
      }
      case 'other-holder':
      case 'client-rejected': {
        const refused = { kind: result.kind };
        const retryAt = await saveBackOff(0, refused);
        const error =
          result.kind === 'client-rejected'
            ? clientRejected(integration, credentials, result.error)
            : signInRequired(integration);
        return { kind: 'postponed', retryAt, refusal: refused.kind, error };
      }
      case 'refused': {
        const other = used.otherForm ? undefined : otherForm(form, result.name, tokens, integration);
        if (!other) return await refuse(result);
        used.otherForm = true;
        form = other;
        break;
      }
      case 'lost':
        lost = now();
        if (!result.isCut || used.again) return await postpone(result.error);
        used.again = true;
        break;
      case 'unusable':
        lost = now();
        if (result.rotated)
          settled = {
            ...settled,
            refreshToken: result.rotated,
            ...(settled.refreshToken && { earlierToken: settled.refreshToken }),
          };
        return await postpone(transientRefreshError(tokens.tokenEndpoint, { cause: result.error }));
      case 'busy':
        return await postpone(result.error, result.retryAfter);
      case 'unsent':
        if (used.again) return await postpone(result.error);
        await save(lost);
        return { kind: 'failed', error: result.error };
    }
  }
}

/** The error for refused tokens, until the refresh is retried. */
export function refusedRenewal(
  integration: Integration,
  { tokenEndpoint }: Pick<TokenSet, 'tokenEndpoint'>,
  credentials: ClientCredentials,
  refusal: RenewalRefusal,
  retryAt: number,
): PosternError {
  switch (refusal.kind) {
    case 'answer':
      return refreshRefusedError(tokenEndpoint, refusal, retryAt);
    case 'client-rejected': {
      const host = displayHostAndPort(new URL(tokenEndpoint));
      const error = new PosternError('CLIENT_REJECTED', { stage: 'refresh', detail: { host } });
      return clientRejected(integration, credentials, blameClient(error, credentials));
    }
    case 'other-holder':
      return signInRequired(integration);
  }
}

/** A client that the user did not type is replaced by a sign-in, without mentioning it. */
function clientRejected(integration: Integration, { source }: ClientCredentials, error: PosternError): PosternError {
  return source === 'typed' ? error : signInRequired(integration, error);
}

/** The form of the last successful refresh; else with the granted scope, if the service named it. */
function formOf({ asClient, refreshForm, scope }: TokenSet): RefreshForm | undefined {
  if (asClient) return undefined;
  return refreshForm ?? (scope === undefined ? {} : { scope });
}

/**
 * Form to try once after `form` was refused: without a scope after `invalid_scope`; and if no form has worked yet, with
 * or without it after `invalid_request` too. A scope that the service did not name is the requested one (RFC 6749
 * section 5.1). `undefined`: the refusal is not about the form.
 */
function otherForm(
  form: RefreshForm | undefined,
  name: string,
  { refreshForm }: TokenSet,
  { scopeRequested }: Integration,
): RefreshForm | undefined {
  if (form === undefined || (name !== 'invalid_scope' && name !== 'invalid_request')) return undefined;
  if (form.scope !== undefined) return name === 'invalid_scope' || !refreshForm ? {} : undefined;
  return name === 'invalid_request' && !refreshForm && scopeRequested !== undefined
    ? { scope: scopeRequested }
    : undefined;
}
