import type { Integration } from '../../../shared/integration.ts';
import { isCancellation, isOutcome, PosternError } from '../../errors/postern-error.ts';
import { refreshPatience } from '../../limits.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { requireTokens } from '../kept/api-key.ts';
import { bindTokens, boundTokens, noteAddressIsBack } from '../kept/bound-tokens.ts';
import { integrationLock, saveTokens } from '../kept/stored-secrets.ts';
import { describeTokens, endSignIn, signInRequired } from './refresh-outcome.ts';
import type { Renewal } from './refresh-stored-tokens.ts';
import { isDue, isExpired, untilExpired } from './refresh-time.ts';

/**
 * The tokens to use now: refreshed first when they are due. A refresh that fails for the moment, or for
 * want of a client, or that takes long, does no harm while the access token still lives. Errors: SIGN_IN_REQUIRED, ADDRESS_CHANGED,
 * REFRESH_*, KC_*.
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
    // The list says so by itself, and no longer once a clock that was wrong is set right.
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
  // Loaded when it is due: most commands have nothing to refresh.
  const { renewStoredTokens } = await import('./refresh-stored-tokens.ts');
  try {
    return await renewStoredTokens(ports, integration, tokens, 'due', signal);
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return { kind: 'failed', error };
  }
}

/**
 * The same until `refreshPatience` after it was sent, whoever sent it, and no longer than the access token lives.
 * `undefined`: it takes longer, and goes on in the background (`EnginePorts.renewals`).
 */
async function renewBriefly(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  signal: AbortSignal,
): Promise<Renewal | undefined> {
  const { renewals, clock, log } = ports;
  const sent = renewals.get(integration.id);
  const waited = sent === undefined ? 0 : clock.monotonic() - sent.since;
  const wait = Math.min(refreshPatience - waited, untilExpired(tokens, clock) ?? refreshPatience);
  if (wait <= 0) return undefined;
  const patience = new AbortController();
  const renewal = renewDue(ports, integration, tokens, AbortSignal.any([signal, patience.signal]));
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const stopWaiting = clock.after(wait, () => resolve(undefined));
  const first = await Promise.race([renewal, tooLong]).finally(stopWaiting);
  if (first) return first;
  // One that still waits for its turn at the lock sends nothing: another one is being sent.
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
 * The tokens that are there; the list entry is put right where a crash came between the two.
 * Errors: NO_SIGN_IN for a server that wants none; ADDRESS_CHANGED; SIGN_IN_REQUIRED when nobody is signed in, or the
 * sign-in was refused for good and its tokens are gone.
 */
export async function storedTokens(ports: EnginePorts, integration: Integration): Promise<TokenSet> {
  const { id, issuerKey, state, expiresAt: listed } = integration;
  requireTokens(integration);
  if (issuerKey === undefined || state === 'signedOut') throw signInRequired(integration);
  const vault = await ports.vault();
  const tokens = await boundTokens(ports, vault, integration);
  if (!tokens) {
    // Where the list has said so already, somebody may have signed in since it was read.
    if (state === 'integrated') await endSignIn(ports, integration);
    throw signInRequired(integration);
  }
  await noteAddressIsBack(ports, integration);
  if (tokens.server === undefined) await bindTokens(ports, integration);
  if (vault.unsaved.size > 0) await saveNow(ports, integration);
  // If another process has renewed since the list was read, its entry says so already and stays as it is.
  else if (listed !== tokens.expiresAt) {
    const isAsRead = (kept: Integration): boolean => kept.expiresAt === listed;
    await ports.store.update(id, (kept) => (isAsRead(kept) ? describeTokens(kept, tokens) : kept));
  }
  return tokens;
}

/** Stores a pair that could not be stored when it came. Failing again changes nothing. */
async function saveNow(ports: EnginePorts, integration: Integration): Promise<void> {
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

/** The share of its life that a new token still has: another one would hardly last longer. */
const stillNew = 0.9;

/**
 * Tokens that last at least `leastLife` milliseconds from now, renewed for that where they do not. Where the service
 * gives no more, or nothing can renew them while they live, those that there are: `expiresAt` says what they have.
 * Errors: as `usableTokens`, and REFRESH_* where the renewal fails, since what is there was not enough.
 */
export async function lastingTokens(
  ports: EnginePorts,
  integration: Integration,
  leastLife: number,
  signal: AbortSignal,
): Promise<TokenSet> {
  const tokens = await usableTokens(ports, integration, signal);
  if (isEnough(tokens, leastLife, ports.clock)) return tokens;
  const { renewStoredTokens } = await import('./refresh-stored-tokens.ts');
  const renewal = await renewStoredTokens(ports, integration, tokens, 'asked', signal);
  if (renewal.kind === 'fresh') return renewal.tokens;
  if (renewal.kind === 'not-renewable') return tokens;
  throw renewal.error;
}

function isEnough({ expiresAt, receivedAt }: TokenSet, leastLife: number, clock: Pick<Clock, 'now'>): boolean {
  if (expiresAt === undefined) return true;
  const left = expiresAt - clock.now();
  return left >= leastLife || left >= stillNew * (expiresAt - receivedAt.wall);
}
