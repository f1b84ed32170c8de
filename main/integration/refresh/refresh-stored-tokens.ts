import type { Integration } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-place.ts';
import { retryAfter } from '../../limits.ts';
import type { ClientCredentials } from '../../oauth/client-credentials.ts';
import type { TokenSet } from '../../oauth/token-set.ts';
import type { Clock, Vault } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { boundTokens } from '../kept/bound-tokens.ts';
import { forgetRegistration } from '../sign-in/forget-registration.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import { loadCredentials, saveCredentials, tokensKey } from '../kept/stored-secrets.ts';
import { isClientRejected } from './client-rejected.ts';
import { cannotRenew, endSignIn, hostOf, signInRequired } from './end-sign-in.ts';
import { isExpired } from './refresh-time.ts';
import { describePostponed, saveRenewedTokens } from './save-renewed-tokens.ts';
import { sendRefresh } from './send-refresh.ts';

/**
 * `due`: it nears its end. `refused`: the server answered 401 to it. `doubted`: it answered what may mean the same.
 * `asked`: a person wants it now.
 */
export type RefreshReason = 'due' | 'refused' | 'doubted' | 'asked';

/**
 * One refresh at a time for one integration, across processes: lock, read again, send, store both tokens in one
 * step, read back, only then use. Whoever waited for the lock takes the winner's pair instead of refreshing again,
 * since a rotated refresh token that is shown twice ends the grant (RFC 9700 4.14.2).
 * `seen` is the pair that was refused or is due.
 * Errors: SIGN_IN_REQUIRED (no tokens, none to refresh with, or a registration that is not known any more),
 * ADDRESS_CHANGED, TOKEN_REJECTED, REFRESH_*, CLIENT_REJECTED, KC_*, CFG_*.
 */
export async function refreshStoredTokens(
  ports: EnginePorts,
  integration: Integration,
  seen: TokenSet,
  reason: RefreshReason,
  signal: AbortSignal,
): Promise<TokenSet> {
  const { id } = integration;
  const { issuer } = seen;
  return await ports.locks.hold(
    integrationLock(id),
    async () => {
      const vault = await ports.vault();
      const tokens = await boundTokens(ports, vault, integration);
      if (tokens && tokens.accessToken.reveal() !== seen.accessToken.reveal()) return tokens;
      const credentials = await loadCredentials(vault, id, issuer);
      if (!tokens?.refreshToken || !credentials) {
        // A token that is only due still works; asking for a new one does not end it.
        if (!tokens || reason === 'refused') await endSignIn(ports, integration);
        const lives = tokens && !tokens.refreshToken && reason !== 'refused' && !isExpired(tokens, ports.clock);
        throw lives ? cannotRenew(integration) : signInRequired(integration);
      }
      if (reason === 'refused' && tokens.afterRefusal) {
        await endSignIn(ports, integration);
        throw new PosternError('TOKEN_REJECTED', { stage: 'connection', detail: { host: hostOf(integration) } });
      }
      if (reason !== 'asked') leaveAlone(tokens, ports.clock);
      const afterRefusal = reason === 'refused' || reason === 'doubted';
      const ended = reason === 'refused' ? endNow(tokens, ports.clock) : tokens;
      const refreshed = await renew(ports, vault, integration, ended, credentials);
      const kept: TokenSet = afterRefusal ? { ...refreshed, afterRefusal } : refreshed;
      await saveRenewedTokens(ports, vault, integration, kept, tokens);
      return kept;
    },
    signal,
  );
}

/** A server that was asked a moment ago, by whichever process, gets its rest: no storm, whatever the clocks say. */
function leaveAlone({ retryAt, tokenEndpoint }: TokenSet, clock: Clock): void {
  const wait = (retryAt ?? 0) - clock.now();
  // A wall clock that was set back must not turn half a minute into a year.
  if (retryAt === undefined || wait <= 0 || wait > retryAfter.longest * 1_200) return;
  const host = displayPlace(new URL(tokenEndpoint));
  throw new PosternError('REFRESH_TRANSIENT', { stage: 'refresh', detail: { host, retryAt } });
}

/** What its server refuses has ended, whatever was said of its life: it is due until it is renewed. */
function endNow(tokens: TokenSet, clock: Clock): TokenSet {
  const now = Math.trunc(clock.now());
  return { ...tokens, expiresAt: Math.min(tokens.expiresAt ?? now, now) };
}

/** Only a definite refusal, after the re-read above, ends a sign-in; the client stays, to sign in with again. */
async function renew(
  ports: EnginePorts,
  vault: Vault,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
): Promise<TokenSet> {
  try {
    return await sendRefresh(ports, integration, tokens, credentials);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    const { code, detail } = error;
    if (code === 'REFRESH_TRANSIENT' && typeof detail['retryAt'] === 'number') {
      const postponed = describePostponed(tokens, detail['retryAt']);
      await ports.store.update(integration.id, (kept) => ({ ...kept, ...postponed }));
    }
    if (code === 'REFRESH_REVOKED' || code === 'REFRESH_UNCERTAIN' || code === 'CLIENT_REJECTED') {
      await endSignIn(ports, integration);
    }
    if (code === 'REFRESH_REVOKED') await vault.delete(tokensKey(integration.id, tokens.issuer));
    if (!isClientRejected(error)) throw error;
    if (credentials.source === 'typed') {
      await saveCredentials(vault, integration.id, { ...credentials, refused: true });
      throw error;
    }
    await forgetRegistration(vault, credentials);
    throw signInRequired(integration, error);
  }
}
