import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { retryAfter } from '../../limits.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { renewLater } from '../../oauth/token/refresh-failure.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock, Vault } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { boundTokens } from '../kept/bound-tokens.ts';
import {
  forgetRegistration,
  integrationLock,
  loadCredentials,
  saveCredentials,
  tokensKey,
} from '../kept/stored-secrets.ts';
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
 * `due`: it nears its end. `refused`: the server answered 401 to it. `doubted`: it answered what may mean the same.
 * `asked`: a person wants it now.
 */
export type RefreshReason = 'due' | 'refused' | 'doubted' | 'asked';

/**
 * What a refresh has come to: tokens to use, or an error of which more is known than its words.
 * - `postponed`: nothing is sent before `retryAt`, in milliseconds since 1970.
 * - `not-renewable`: there is no refresh token; the access token still lives.
 * - `no-client`: the refresh token may be good, but there is no client to send it with.
 * - `failed`: for now.
 * - `ended`: nothing is left to go on with, not even an access token that still lives.
 */
export type Renewal =
  | { readonly kind: 'fresh'; readonly tokens: TokenSet }
  | { readonly kind: 'postponed'; readonly retryAt: number; readonly error: PosternError }
  | { readonly kind: 'not-renewable'; readonly error: PosternError }
  | { readonly kind: 'no-client' | 'failed' | 'ended'; readonly error: PosternError };

/** The tokens of `renewStoredTokens`. Errors: its own, and those that it answers with. */
export async function refreshStoredTokens(...renewed: Parameters<typeof renewStoredTokens>): Promise<TokenSet> {
  const renewal = await renewStoredTokens(...renewed);
  if (renewal.kind === 'fresh') return renewal.tokens;
  throw renewal.error;
}

/**
 * One refresh at a time for one integration, across processes: lock, read again, send, store both tokens in one
 * step, read back, only then use. Whoever waited for the lock takes the winner's pair instead of refreshing again,
 * since a rotated refresh token that is shown twice ends the grant (RFC 9700 4.14.2).
 * `seen` is the pair that was refused or is due.
 * It answers with SIGN_IN_REQUIRED (no tokens, none to refresh with, or a registration that is not known any more),
 * TOKEN_REJECTED, REFRESH_*, CLIENT_REJECTED. Errors: ADDRESS_CHANGED, USER_CANCELLED, KC_*, CFG_*.
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
      // Signed out or removed since the caller has read it, maybe so that it can still be undone: that stands.
      if (!listed || listed.state === 'signedOut') return { kind: 'ended', error: signInRequired(integration) };
      const tokens = await boundTokens(ports, vault, integration);
      if (tokens && tokens.accessToken.reveal() !== seen.accessToken.reveal()) return { kind: 'fresh', tokens };
      const credentials = await loadCredentials(vault, id, issuerKey);
      if (!tokens || !canRenew(tokens) || !credentials) {
        if (!tokens) await endSignIn(ports, integration);
        // A token that is only due still works; asking for a new one does not end it.
        if (!tokens || reason === 'refused' || isExpired(tokens, ports.clock))
          return { kind: 'ended', error: signInRequired(integration) };
        if (canRenew(tokens)) return { kind: 'no-client', error: signInRequired(integration) };
        return { kind: 'not-renewable', error: cannotRenew(integration) };
      }
      // A renewed token that reached the server at the end of its life was refused for its age alone.
      if (reason === 'refused' && isUnproven(tokens, ports.clock) && !isExpired(tokens, ports.clock)) {
        const detail = { host: hostOf(integration) };
        return { kind: 'failed', error: new PosternError('TOKEN_REJECTED', { stage: 'connection', detail }) };
      }
      const rest = reason === 'asked' ? undefined : restOf(integration, tokens, credentials, ports.clock);
      if (rest) return rest;
      const ended = reason === 'refused' ? endNow(tokens, ports.clock) : tokens;
      const { promise: stored, resolve } = Promise.withResolvers<void>();
      ports.renewals.set(id, { since: ports.clock.monotonic(), ended: stored });
      try {
        const renewal = await renew(ports, vault, integration, ended, credentials, reason === 'asked');
        if (renewal.kind !== 'fresh') return renewal;
        const isOfRefusal = reason === 'refused' || reason === 'doubted';
        const kept = isOfRefusal ? { ...renewal.tokens, refusals: (tokens.refusals ?? 0) + 1 } : renewal.tokens;
        await saveRenewedTokens(ports, vault, integration, kept, tokens);
        await forgetRefusal(vault, integration, credentials);
        return { kind: 'fresh', tokens: kept };
      } finally {
        ports.renewals.delete(id);
        resolve();
      }
    },
    signal,
  );
}

/** A server that was asked a moment ago, by whichever process, is left alone for a while, whatever the clocks say. */
function restOf(
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
  clock: Clock,
): Renewal | undefined {
  const { retryAt, tokenEndpoint, refused } = tokens;
  const wait = (retryAt ?? 0) - clock.now();
  // A wall clock that was set back must not turn half a minute into a year.
  if (retryAt === undefined || wait <= 0 || wait > retryAfter.longest * 1_200) return undefined;
  const error = refused
    ? refusedRenewal(integration, tokens, credentials, refused, retryAt)
    : renewLater(tokenEndpoint, { retryAt });
  return { kind: 'postponed', retryAt, error };
}

/** A token that its server refuses has ended, whatever lifetime it came with: it is due until it is renewed. */
function endNow(tokens: TokenSet, clock: Clock): TokenSet {
  const now = Math.trunc(clock.now());
  return { ...tokens, expiresAt: Math.min(tokens.expiresAt ?? now, now) };
}

/** Only `revoked`, after the re-read above, deletes tokens; the client stays, to sign in with again. */
async function renew(
  ports: EnginePorts,
  vault: Vault,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
  isAsked: boolean,
): Promise<Renewal> {
  const sent = await sendRefresh(ports, integration, tokens, credentials, {
    isAsked,
    renewProvider: (provider, seen) =>
      refreshStoredTokens(ports, provider, seen, isAsked ? 'asked' : 'due', new AbortController().signal),
  });
  const because = { kind: 'renewalFailed', ...('error' in sent && { code: sent.error.code }) } as const;
  switch (sent.kind) {
    case 'renewed':
      return { kind: 'fresh', tokens: sent.tokens };
    case 'postponed': {
      const { retryAt, asks, error } = sent;
      const isRefused = asks === 'answer';
      await ports.store.update(integration.id, (kept) => describePostponed(kept, tokens, { retryAt, isRefused }));
      if (asks === 'other-holder') await endSignIn(ports, integration, { why: 'another-account', because });
      if (asks === 'client-rejected') {
        await endSignIn(ports, integration, { because });
        if (credentials.source === 'typed')
          await saveCredentials(vault, integration.id, { ...credentials, refused: true });
        else await forgetRegistration(vault, credentials);
      }
      return { kind: sent.kind, retryAt, error };
    }
    case 'failed':
      await ports.store.update(integration.id, (kept) => kept, because);
      return { kind: sent.kind, error: sent.error };
    case 'revoked':
      await endSignIn(ports, integration, { because });
      await vault.delete(tokensKey(integration.id, tokens.issuerKey));
      return { kind: 'ended', error: sent.error };
  }
}

/** The service takes its client again. At worst it is asked for once more than needed. */
async function forgetRefusal(
  vault: Vault,
  { id }: Integration,
  { refused, ...credentials }: ClientCredentials,
): Promise<void> {
  if (refused) await saveCredentials(vault, id, credentials).catch(() => {});
}
