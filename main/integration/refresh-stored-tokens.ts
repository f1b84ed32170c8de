import type { Integration } from '../../shared/integration.ts';
import type { TokenSet } from '../oauth/token-set.ts';
import { PosternError } from '../postern-error.ts';
import type { Vault } from '../ports.ts';
import type { EnginePorts } from './engine-ports.ts';
import { forgetRegistration } from './forget-registration.ts';
import { integrationLock } from './install.ts';
import { sendRefresh } from './send-refresh.ts';
import { loadCredentials, loadTokens, saveTokens, tokensKey } from './stored-secrets.ts';

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
 * TOKEN_REJECTED, REFRESH_*, CLIENT_REJECTED, KC_*, CFG_*.
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
      const tokens = await loadTokens(vault, id, issuer);
      if (!tokens) throw signInRequired(integration);
      if (tokens.accessToken.reveal() !== seen.accessToken.reveal()) return tokens;
      const credentials = await loadCredentials(vault, id, issuer);
      if (!tokens.refreshToken || !credentials) throw signInRequired(integration);
      if (reason === 'refused' && tokens.afterRefusal) {
        await markSignInEnded(ports, integration);
        throw new PosternError('TOKEN_REJECTED', { stage: 'connection', detail: { host: hostOf(integration) } });
      }
      try {
        const refreshed = await sendRefresh(ports, integration, tokens, credentials);
        const afterRefusal = reason === 'refused' || reason === 'doubted';
        const kept: TokenSet = afterRefusal ? { ...refreshed, afterRefusal } : refreshed;
        await saveTokens(vault, id, kept);
        await ports.store.update(id, (entry) => describeTokens(entry, kept, ports.clock.now()));
        return kept;
      } catch (error) {
        await keepOrEnd(ports, vault, integration, tokens, error);
        const isForgotten = isClientRejected(error) && credentials.source === 'registered';
        if (!isForgotten) throw error;
        await forgetRegistration(vault, credentials);
        throw signInRequired(integration, error);
      }
    },
    signal,
  );
}

/** Only a definite refusal, after the re-read above, ends a sign-in; the client stays, to sign in with again. */
async function keepOrEnd(
  ports: EnginePorts,
  vault: Vault,
  integration: Integration,
  tokens: TokenSet,
  error: unknown,
): Promise<void> {
  if (!(error instanceof PosternError)) return;
  if (error.code === 'REFRESH_REVOKED') {
    await markSignInEnded(ports, integration);
    // A server that answers 500 may only be broken: its tokens are kept, and tried again by whoever asks.
    if (error.detail['status'] !== 500) await vault.delete(tokensKey(integration.id, tokens.issuer));
  } else if (error.code === 'REFRESH_UNCERTAIN' || error.code === 'CLIENT_REJECTED') {
    await markSignInEnded(ports, integration);
  }
}

/** The refresh token may be good, but there is no client to send it with (any more). */
export function isClientRejected(error: unknown): boolean {
  if (!(error instanceof PosternError)) return false;
  return error.code === 'CLIENT_REJECTED' || isClientRejected(error.cause);
}

async function markSignInEnded(ports: EnginePorts, { id }: Integration): Promise<void> {
  await ports.store.update(id, (kept) => ({ ...kept, state: 'reauthenticationRequired' }));
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

export function signInRequired(integration: Integration, cause?: unknown): PosternError {
  const detail = { host: hostOf(integration), name: integration.name };
  return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', cause, detail });
}

function hostOf({ url }: Integration): string {
  return new URL(url).host;
}
