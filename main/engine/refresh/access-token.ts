import type { Integration } from '../../../shared/integration.ts';
import { isCancellation, isExpectedError, PosternError } from '../../errors/postern-error.ts';
import { refreshWait } from '../../limits.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { requireTokens } from '../records/api-key.ts';
import { bindTokens, boundTokens, clearAddressChange } from '../records/bound-tokens.ts';
import { integrationLock, saveTokens } from '../records/stored-secrets.ts';
import { describeTokens, endSignIn, signInRequired } from './refresh-outcome.ts';
import type { Renewal } from './refresh-stored-tokens.ts';
import { isDue, isExpired, untilExpired } from './refresh-time.ts';

/**
 * Tokens for use now, refreshed first if due. While the access token is still valid, a refresh that fails for now,
 * lacks a client or takes long does no harm. Errors: SIGN_IN_REQUIRED, ADDRESS_CHANGED, REFRESH_*, KC_*.
 */
export async function usableTokens(
  ports: EnginePorts,
  integration: Integration,
  signal: AbortSignal,
): Promise<TokenSet> {
  const tokens = await storedTokens(ports, integration);
  if (!isDue(tokens, ports.clock)) return tokens;
  if (!canRenew(tokens)) {
    if (!isExpired(tokens, ports.clock)) return tokens;
    // Not stored: the list derives it from the expiry, which also works once a wrong clock is corrected.
    throw signInRequired(integration);
  }
  const renew = isExpired(tokens, ports.clock) ? renewDue : renewBriefly;
  const renewal = await renew(ports, integration, tokens, signal);
  if (!renewal) return tokens;
  if (renewal.kind === 'fresh') return renewal.tokens;
  if (renewal.kind === 'ended' || isExpired(tokens, ports.clock)) throw renewal.error;
  ports.log.write('refresh-failed', { code: renewal.error.code });
  return tokens;
}

async function renewDue(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  signal: AbortSignal,
): Promise<Renewal> {
  // Loaded on demand: most commands have nothing to refresh.
  const { renewStoredTokens } = await import('./refresh-stored-tokens.ts');
  try {
    return await renewStoredTokens(ports, integration, tokens, 'due', signal);
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return { kind: 'failed', error };
  }
}

/**
 * Like `renewDue`, but waits only until `refreshWait` after the request was sent (by any caller), and no longer than
 * the access token is valid. `undefined`: it takes longer, and continues in the background
 * (`EnginePorts.refreshesInFlight`).
 */
async function renewBriefly(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  signal: AbortSignal,
): Promise<Renewal | undefined> {
  const { refreshesInFlight, clock, log } = ports;
  const sent = refreshesInFlight.get(integration.id);
  const waited = sent === undefined ? 0 : clock.monotonic() - sent.since;
  const wait = Math.min(refreshWait - waited, untilExpired(tokens, clock) ?? refreshWait);
  if (wait <= 0) return undefined;
  const patience = new AbortController();
  const renewal = renewDue(ports, integration, tokens, AbortSignal.any([signal, patience.signal]));
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const stopWaiting = clock.after(wait, () => resolve(undefined));
  const first = await Promise.race([renewal, tooLong]).finally(stopWaiting);
  if (first) return first;
  // If it is still waiting for the lock, another refresh is in flight, so it sends nothing.
  patience.abort();
  renewal.then(
    (late) => late.kind !== 'fresh' && log.write('refresh-failed', { code: late.error.code }),
    (error: unknown) => {
      if (isCancellation(error)) return;
      log.write('refresh-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
    },
  );
  return undefined;
}

/**
 * The stored tokens; repairs a list entry that a crash left outdated. Errors: NO_SIGN_IN for a server that wants
 * none; ADDRESS_CHANGED; SIGN_IN_REQUIRED when the user is not signed in, or the sign-in was refused for good and its
 * tokens are gone.
 */
export async function storedTokens(ports: EnginePorts, integration: Integration): Promise<TokenSet> {
  const { id, issuerKey, state, expiresAt: listed } = integration;
  requireTokens(integration);
  if (issuerKey === undefined || state === 'signedOut') throw signInRequired(integration);
  const vault = await ports.vault();
  const tokens = await boundTokens(ports, vault, integration);
  if (!tokens) {
    // If it was recorded before, the user may have signed in since the list was read.
    if (state === 'integrated') await endSignIn(ports, integration);
    throw signInRequired(integration);
  }
  await clearAddressChange(ports, integration);
  if (tokens.server === undefined) await bindTokens(ports, integration);
  if (vault.unsaved.size > 0) await saveUnsaved(ports, integration);
  // If another process has refreshed since the list was read, its entry is already current.
  else if (listed !== tokens.expiresAt) {
    const isUnchanged = (current: Integration): boolean => current.expiresAt === listed;
    await ports.store.update(id, (current) => (isUnchanged(current) ? describeTokens(current, tokens) : current));
  }
  return tokens;
}

/** Retries storing a pair that could not be stored when it arrived. Failing again changes nothing. */
async function saveUnsaved(ports: EnginePorts, integration: Integration): Promise<void> {
  const { id } = integration;
  try {
    await ports.locks.hold(integrationLock(id), async () => {
      const vault = await ports.vault();
      const tokens = await boundTokens(ports, vault, integration);
      if (!tokens) return;
      await saveTokens(vault, integration, tokens);
      await ports.store.update(id, (entry) => describeTokens(entry, tokens));
    });
  } catch (error) {
    ports.log.write('tokens-not-saved', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
}

/** Remaining share of its lifetime above which a token is new: another would hardly last longer. */
const newShare = 0.9;

/**
 * Tokens valid for at least `minLifetime` milliseconds, refreshed if needed. If the service issues no longer-lived
 * ones, or the tokens cannot be refreshed, returns the current ones: see their `expiresAt`. Errors: as `usableTokens`,
 * and REFRESH_* if the refresh fails, since the current tokens were not enough.
 */
export async function lastingTokens(
  ports: EnginePorts,
  integration: Integration,
  minLifetime: number,
  signal: AbortSignal,
): Promise<TokenSet> {
  const tokens = await usableTokens(ports, integration, signal);
  if (lastsLongEnough(tokens, minLifetime, ports.clock)) return tokens;
  const { renewStoredTokens } = await import('./refresh-stored-tokens.ts');
  const renewal = await renewStoredTokens(ports, integration, tokens, 'requested', signal);
  if (renewal.kind === 'fresh') return renewal.tokens;
  if (renewal.kind === 'not-renewable') return tokens;
  throw renewal.error;
}

function lastsLongEnough({ expiresAt, receivedAt }: TokenSet, minLifetime: number, clock: Pick<Clock, 'now'>): boolean {
  if (expiresAt === undefined) return true;
  const remaining = expiresAt - clock.now();
  return remaining >= minLifetime || remaining >= newShare * (expiresAt - receivedAt.wall);
}
