import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { retryAfter } from '../../limits.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { transientRefreshError } from '../../oauth/token/refresh-failure.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock, Vault } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { boundTokens } from '../records/bound-tokens.ts';
import {
  forgetRegistration,
  integrationLock,
  loadCredentials,
  saveCredentials,
  tokensKey,
} from '../records/stored-secrets.ts';
import {
  cannotRenew,
  describePostponed,
  endSignIn,
  hostOf,
  saveRenewedTokens,
  signInRequired,
} from './refresh-outcome.ts';
import { isExpired, isUnproven } from './refresh-time.ts';
import { refusedRenewal, sendRefresh } from './send-refresh.ts';

/**
 * `due`: it expires soon. `refused`: the server answered 401. `suspected`: it answered something that may mean the
 * same. `requested`: by the user.
 */
export type RefreshReason = 'due' | 'refused' | 'suspected' | 'requested';

/**
 * Result of a refresh: tokens, or an error with what is known about the state.
 * - `postponed`: nothing is sent before `retryAt`, in milliseconds since 1970.
 * - `not-renewable`: there is no refresh token; the access token is still valid.
 * - `no-client`: the refresh token may be valid, but there is no client to send it with.
 * - `failed`: temporarily.
 * - `ended`: no usable tokens are left, not even an access token that is still valid.
 */
export type Renewal =
  | { readonly kind: 'fresh'; readonly tokens: TokenSet }
  | { readonly kind: 'postponed'; readonly retryAt: number; readonly error: PosternError }
  | { readonly kind: 'not-renewable'; readonly error: PosternError }
  | { readonly kind: 'no-client' | 'failed' | 'ended'; readonly error: PosternError };

/** `renewStoredTokens`, but throws the errors that it would return. */
export async function refreshStoredTokens(...renewed: Parameters<typeof renewStoredTokens>): Promise<TokenSet> {
  const renewal = await renewStoredTokens(...renewed);
  if (renewal.kind === 'fresh') return renewal.tokens;
  throw renewal.error;
}

/**
 * Refreshes an integration's tokens, one refresh at a time across processes: lock, re-read, send, store both tokens in
 * one step, read back, only then use. A process that waited for the lock uses the winner's pair instead of refreshing
 * again, since presenting a rotated refresh token twice ends the grant (RFC 9700 4.14.2). `seen` is the pair that was
 * refused or is due. Returned errors: SIGN_IN_REQUIRED (no tokens, no refresh token, or a registration the service no
 * longer knows), TOKEN_REJECTED, REFRESH_*, CLIENT_REJECTED. Thrown errors: ADDRESS_CHANGED, USER_CANCELLED, KC_*,
 * CFG_*.
 */
export async function renewStoredTokens(
  ports: EnginePorts,
  integration: Integration,
  seen: TokenSet,
  reason: RefreshReason,
  signal: AbortSignal,
): Promise<Renewal> {
  const { id } = integration;
  const { issuerKey } = seen;
  return await ports.locks.hold(
    integrationLock(id),
    async () => {
      const vault = await ports.vault();
      const listed = await ports.store.read(id);
      // Signed out or removed since the caller read it, perhaps undoably: respect that.
      if (!listed || listed.state === 'signedOut') return { kind: 'ended', error: signInRequired(integration) };
      const tokens = await boundTokens(ports, vault, integration);
      if (tokens && tokens.accessToken.reveal() !== seen.accessToken.reveal()) return { kind: 'fresh', tokens };
      const credentials = await loadCredentials(vault, id, issuerKey);
      if (!tokens || !canRenew(tokens) || !credentials) {
        if (!tokens) await endSignIn(ports, integration);
        // A token that is only due is still valid; failing to refresh it does not end it.
        if (!tokens || reason === 'refused' || isExpired(tokens, ports.clock))
          return { kind: 'ended', error: signInRequired(integration) };
        if (canRenew(tokens)) return { kind: 'no-client', error: signInRequired(integration) };
        return { kind: 'not-renewable', error: cannotRenew(integration) };
      }
      // A refreshed token near its expiry was refused only because of its age.
      if (reason === 'refused' && isUnproven(tokens, ports.clock) && !isExpired(tokens, ports.clock)) {
        const detail = { host: hostOf(integration) };
        return { kind: 'failed', error: new PosternError('TOKEN_REJECTED', { stage: 'connection', detail }) };
      }
      const postponed =
        reason === 'requested' ? undefined : activeBackOff(integration, tokens, credentials, ports.clock);
      if (postponed) return postponed;
      const ended = reason === 'refused' ? markExpired(tokens, ports.clock) : tokens;
      const { promise: settled, resolve } = Promise.withResolvers<void>();
      ports.refreshesInFlight.set(id, { since: ports.clock.monotonic(), ended: settled });
      try {
        const renewal = await renew(ports, vault, integration, ended, credentials, reason === 'requested');
        if (renewal.kind !== 'fresh') return renewal;
        const isAfterRefusal = reason === 'refused' || reason === 'suspected';
        const stored = isAfterRefusal ? { ...renewal.tokens, refusals: (tokens.refusals ?? 0) + 1 } : renewal.tokens;
        await saveRenewedTokens(ports, vault, integration, stored, tokens);
        await clearRefusal(vault, integration, credentials);
        return { kind: 'fresh', tokens: stored };
      } finally {
        ports.refreshesInFlight.delete(id);
        resolve();
      }
    },
    signal,
  );
}

/** Pause after a recent request by any process, whatever the clocks say. */
function activeBackOff(
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
  clock: Clock,
): Renewal | undefined {
  const { retryAt, tokenEndpoint, refused } = tokens;
  const wait = (retryAt ?? 0) - clock.now();
  // A wall clock set back must not turn half a minute into a year.
  if (retryAt === undefined || wait <= 0 || wait > retryAfter.longest * 1_200) return undefined;
  const error = refused
    ? refusedRenewal(integration, tokens, credentials, refused, retryAt)
    : transientRefreshError(tokenEndpoint, { retryAt });
  return { kind: 'postponed', retryAt, error };
}

/** A refused token counts as expired, whatever its lifetime: it stays due until it is refreshed. */
function markExpired(tokens: TokenSet, clock: Clock): TokenSet {
  const now = Math.trunc(clock.now());
  return { ...tokens, expiresAt: Math.min(tokens.expiresAt ?? now, now) };
}

/** Only `revoked`, after the re-read above, deletes tokens; the client stays for the next sign-in. */
async function renew(
  ports: EnginePorts,
  vault: Vault,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
  isRequested: boolean,
): Promise<Renewal> {
  const sent = await sendRefresh(ports, integration, tokens, credentials, {
    isRequested,
    renewProvider: (provider, seen) =>
      refreshStoredTokens(ports, provider, seen, isRequested ? 'requested' : 'due', new AbortController().signal),
  });
  const cause = { kind: 'renewalFailed', ...('error' in sent && { code: sent.error.code }) } as const;
  switch (sent.kind) {
    case 'renewed':
      return { kind: 'fresh', tokens: sent.tokens };
    case 'postponed': {
      const { retryAt, refusal, error } = sent;
      const isRefused = refusal === 'answer';
      await ports.store.update(integration.id, (stored) => describePostponed(stored, tokens, { retryAt, isRefused }));
      if (refusal === 'other-holder') await endSignIn(ports, integration, { note: 'another-account', cause });
      if (refusal === 'client-rejected') {
        await endSignIn(ports, integration, { cause });
        if (credentials.source === 'typed')
          await saveCredentials(vault, integration.id, { ...credentials, refused: true });
        else await forgetRegistration(vault, credentials);
      }
      return { kind: sent.kind, retryAt, error };
    }
    case 'failed':
      await ports.store.update(integration.id, (stored) => stored, cause);
      return { kind: sent.kind, error: sent.error };
    case 'revoked':
      await endSignIn(ports, integration, { cause });
      await vault.delete(tokensKey(integration.id, tokens.issuerKey));
      return { kind: 'ended', error: sent.error };
  }
}

/**
 * The service accepts the client again. If storing that fails, the user is asked for a client once more than needed.
 */
async function clearRefusal(
  vault: Vault,
  { id }: Integration,
  { refused, ...credentials }: ClientCredentials,
): Promise<void> {
  if (refused) await saveCredentials(vault, id, credentials).catch(() => {});
}
