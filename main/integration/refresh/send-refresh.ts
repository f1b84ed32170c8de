import type { Integration } from '../../../shared/integration.ts';
import { refreshTokenUses } from '../../limits.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { findSilence } from '../../oauth/token/reach-token-endpoint.ts';
import { refreshTokens } from '../../oauth/token/refresh.ts';
import { renewAfter } from '../../oauth/token/renew-later.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { saveTokens } from '../kept/stored-secrets.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { obtainAssertion } from './obtain-assertion.ts';
import type { RenewProvider } from './obtain-identity-assertion.ts';
import { backOff } from './refresh-backoff.ts';

/**
 * What became of a refresh, as the caller has to go on with it.
 * - `postponed`: REFRESH_TRANSIENT; nothing is sent before `retryAt` (milliseconds since 1970).
 * - `uncertain`: REFRESH_UNCERTAIN; the refresh token may not be sent any more.
 * - `failed`: the tokens are kept as they are.
 */
export type SentRefresh =
  | { readonly kind: 'renewed'; readonly tokens: TokenSet }
  | { readonly kind: 'other-holder' }
  | { readonly kind: 'postponed'; readonly retryAt: number; readonly error: PosternError }
  | { readonly kind: 'revoked' | 'client-rejected' | 'uncertain' | 'failed'; readonly error: PosternError };

/**
 * Sends a refresh token, and again only where that cannot end the grant: after an unknown outcome, once. Before the
 * last sending the server has to show that it answers at all. The count of unknown outcomes is stored before each
 * request, so that a crash between request and answer is one of them; no later answer takes it back, since what became
 * of that request stays unknown. The caller holds the integration's lock. Errors: those of `findSilence` and
 * `obtainAssertion`, KC_*, CFG_*.
 */
export async function sendRefresh(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
  renewProvider: RenewProvider,
): Promise<SentRefresh> {
  const vault = await ports.vault();
  const policy = integrationPolicy(integration.url, integration.options);
  const { refreshUses = 0, failures = 0, retryAt: _past, ...settled } = tokens;
  const keep = (uses: number, rest?: Pick<TokenSet, 'failures' | 'retryAt'>): Promise<void> =>
    saveTokens(vault, integration, { ...settled, ...(uses > 0 && { refreshUses: uses }), ...rest });
  const rest = async (uses: number, retryAfter = 0): Promise<number> => {
    const wait = backOff({ failures: failures + 1, wasSent: true, retryAfter }, ports.random);
    const retryAt = Math.trunc(ports.clock.now()) + wait;
    await keep(uses, { failures: failures + 1, retryAt });
    return retryAt;
  };
  const postpone = async (uses: number, transient: PosternError, retryAfter?: number): Promise<SentRefresh> => {
    const retryAt = await rest(uses, retryAfter);
    return { kind: 'postponed', retryAt, error: renewAfter(transient, retryAt) };
  };

  const { clientId } = credentials;
  const resource = integration.options.sendResource ? tokens.resource : undefined;
  const use = { ...tokens, clientId, resource, audience: tokens.asClient?.audience ?? addressOfKey(tokens.issuerKey) };
  const assertion = tokens.asClient?.byAssertion
    ? await obtainAssertion(ports, integration, use, renewProvider)
    : undefined;
  // A client that asks for itself uses up no refresh token, so it may ask as often as it likes.
  let unknown = tokens.asClient ? 0 : refreshUses;
  while (unknown < refreshTokenUses) {
    const silence = unknown > 0 ? await findSilence(ports.http, tokens, policy) : undefined;
    if (silence) return await postpone(unknown, silence);
    await keep(unknown + 1);
    const answer = await refreshTokens(ports, {
      tokens,
      credentials,
      sendResource: integration.options.sendResource,
      assertion,
      policy,
      // From here on the server may have rotated: cancelling now would lose the pair that it answers.
      signal: undefined,
    });
    switch (answer.kind) {
      case 'renewed':
      case 'other-holder':
        return answer;
      case 'revoked':
        // The caller deletes it next. Should that fail, this sending still counts.
        return { kind: answer.kind, error: answer.error };
      case 'cut':
        unknown += 1;
        break;
      case 'late': {
        unknown += 1;
        const postponed = await postpone(unknown, answer.transient);
        if (unknown < refreshTokenUses) return postponed;
        break;
      }
      case 'unusable':
        await rest(unknown + 1);
        return { kind: 'failed', error: answer.error };
      case 'busy':
        return await postpone(unknown, answer.error, answer.retryAfter);
      case 'client-rejected':
      case 'unsent':
        await keep(unknown);
        return { kind: answer.kind === 'unsent' ? 'failed' : answer.kind, error: answer.error };
    }
  }
  const { host } = new URL(integration.url);
  return { kind: 'uncertain', error: new PosternError('REFRESH_UNCERTAIN', { stage: 'refresh', detail: { host } }) };
}
