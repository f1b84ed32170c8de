import type { Integration } from '../../shared/integration.ts';
import { refreshTokens } from '../oauth/refresh.ts';
import type { TokenSet } from '../oauth/token-set.ts';
import { PosternError } from '../postern-error.ts';
import type { EnginePorts } from './engine-ports.ts';
import { integrationLock } from './install.ts';
import { integrationPolicy } from './integration-policy.ts';
import { loadCredentials, loadTokens, saveCredentials, saveTokens, tokensKey } from './stored-secrets.ts';

/**
 * One refresh at a time for one integration, across processes: lock, read again, send, store both tokens in one
 * step, read back, only then use. Whoever waited for the lock takes the winner's pair instead of refreshing again,
 * since a rotated refresh token that is shown twice ends the grant (RFC 9700 4.14.2).
 * `seen` is the token that was refused or is due.
 * Errors: SIGN_IN_REQUIRED (no tokens, or none to refresh with), REFRESH_*, CLIENT_REJECTED, KC_*, CFG_*.
 */
export async function refreshStoredTokens(
  ports: EnginePorts,
  integration: Integration,
  seen: TokenSet,
  signal: AbortSignal,
): Promise<TokenSet> {
  const { id } = integration;
  const issuer = seen.issuer;
  return await ports.locks.hold(
    integrationLock(id),
    async () => {
      const vault = await ports.vault();
      const tokens = await loadTokens(vault, id, issuer);
      if (!tokens) throw signInRequired(integration);
      if (tokens.accessToken.reveal() !== seen.accessToken.reveal()) return tokens;
      const credentials = await loadCredentials(vault, id, issuer);
      if (!tokens.refreshToken || !credentials) throw signInRequired(integration);
      const { options } = integration;
      const refreshed = await refreshTokens(ports, {
        tokens,
        credentials,
        sendResource: options.sendResource,
        policy: integrationPolicy(integration.url, options),
        // From here on the server may have rotated: cancelling now would lose the pair that it answers.
        signal: undefined,
      }).catch(async (error: unknown) => {
        if (error instanceof PosternError && error.code === 'REFRESH_REVOKED')
          await endSignIn(ports, integration, issuer);
        throw error;
      });
      await saveTokens(vault, id, refreshed.tokens);
      if (refreshed.credentials !== credentials) await saveCredentials(vault, id, refreshed.credentials);
      await ports.store.update(id, (kept) => describeTokens(kept, refreshed.tokens, ports.clock.now()));
      return refreshed.tokens;
    },
    signal,
  );
}

/** Only a definite refusal after a re-read comes here. The client stays: it signs in again without a new one. */
async function endSignIn(ports: EnginePorts, { id }: Integration, issuer: string): Promise<void> {
  await ports.store.update(id, (kept) => ({ ...kept, state: 'reauthenticationRequired' }));
  await (await ports.vault()).delete(tokensKey(id, issuer));
}

function describeTokens(integration: Integration, tokens: TokenSet, now: number): Integration {
  const { expiresAt: _before, ...rest } = integration;
  return {
    ...rest,
    state: 'integrated',
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
    refreshedAt: now,
  };
}

export function signInRequired({ url, name }: Integration): PosternError {
  return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', detail: { host: new URL(url).host, name } });
}
