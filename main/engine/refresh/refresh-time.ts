import { refreshBackOff } from '../../limits.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock, Random } from '../../ports.ts';

type Clocks = Pick<Clock, 'now' | 'monotonic'>;

const dueMargin = 5 * 60_000;
/** The server's clock decides when a token expires: one this close to its expiry counts as expired. */
const skew = 60_000;

/**
 * Milliseconds after receipt when a token becomes due: at 75 % of its lifetime or 5 minutes before expiry, whichever is
 * later.
 */
export function dueAfter(tokens: TokenSet): number | undefined {
  const lifetime = lifetimeOf(tokens);
  return lifetime === undefined ? undefined : Math.max(0.75 * lifetime, lifetime - dueMargin);
}

/**
 * Milliseconds until a token is due, zero or negative if it is; `undefined` without a known lifetime. A token from the
 * future is due: it may have expired.
 */
export function untilDue(tokens: TokenSet, clock: Clocks): number | undefined {
  if (isFromFuture(tokens, clock)) return 0;
  const due = dueAfter(tokens);
  return due === undefined ? undefined : due - ageOf(tokens, clock);
}

export function isDue(tokens: TokenSet, clock: Clocks): boolean {
  return (untilDue(tokens, clock) ?? 1) <= 0;
}

/** Milliseconds of jitter for a background refresh, so that tokens issued together are not refreshed together. */
export function jitterOf(tokens: TokenSet, share: number): number {
  return share * Math.min(skew, 0.05 * (lifetimeOf(tokens) ?? 0));
}

/** A short-lived token has a smaller margin: with the full one it would count as expired from the start. */
export function isExpired(tokens: TokenSet, clock: Clocks): boolean {
  return (untilExpired(tokens, clock) ?? 1) <= 0;
}

/** Milliseconds until a token counts as expired; `undefined` without a known lifetime. */
export function untilExpired(tokens: TokenSet, clock: Clocks): number | undefined {
  const lifetime = lifetimeOf(tokens);
  if (lifetime === undefined || isFromFuture(tokens, clock)) return undefined;
  return lifetime - Math.min(skew, 0.1 * lifetime) - ageOf(tokens, clock);
}

/**
 * True for a token that was refreshed after a refusal and not accepted by the server since. If it is refused too,
 * refreshing again only makes sense after a pause, which doubles each time.
 */
export function isUnproven(tokens: TokenSet, clock: Clocks): boolean {
  const { afterRequest, afterRefusal } = refreshBackOff;
  const { refusals = 0 } = tokens;
  if (refusals === 0 || isFromFuture(tokens, clock)) return false;
  return ageOf(tokens, clock) < Math.min(afterRequest * 2 ** Math.min(refusals - 1, 20), afterRefusal);
}

/**
 * Milliseconds since receipt, by the clock that advanced more: the monotonic one may stop in sleep, and the wall clock
 * may be set back. A wall clock set forward costs one extra refresh; if both show too little, a 401 decides.
 */
function ageOf({ receivedAt }: TokenSet, clock: Clocks): number {
  const wall = clock.now() - receivedAt.wall;
  return receivedAt.monotonic === undefined ? wall : Math.max(wall, clock.monotonic() - receivedAt.monotonic);
}

/** Received by another process under a clock that was set back since: its age is unknown. */
function isFromFuture({ receivedAt }: TokenSet, clock: Clocks): boolean {
  return receivedAt.monotonic === undefined && receivedAt.wall > clock.now() + skew;
}

function lifetimeOf({ expiresAt, receivedAt }: TokenSet): number | undefined {
  return expiresAt === undefined ? undefined : expiresAt - receivedAt.wall;
}

interface FailedRefresh {
  /** Consecutive failures, including this one. */
  readonly failures: number;
  /** The server may have received the request, so wait longer. */
  readonly wasSent: boolean;
  /** A refusal, which is unlikely to change within a minute. */
  readonly isRefusal?: boolean;
  /** `Retry-After` in seconds (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number | undefined;
}

/**
 * Milliseconds until a failed refresh is retried: starts at 1 s, or 30 s after a request the server may have received,
 * and doubles up to 5 minutes, or an hour after a refusal. Jitter keeps many installations from retrying at once. Never
 * earlier than the server asked.
 */
export function backOff(
  { failures, wasSent, isRefusal = false, retryAfter = 0 }: FailedRefresh,
  random: Random,
): number {
  const { first, longest, afterRequest, afterRefusal } = refreshBackOff;
  const start = wasSent ? afterRequest : first;
  const base = Math.min(start * 2 ** Math.min(failures - 1, 20), isRefusal ? afterRefusal : longest);
  const minimum = Math.max(start, retryAfter * 1_000);
  const share = randomShare(random);
  return Math.round(base <= minimum ? minimum * (1 + share / 5) : Math.max(minimum, base * (0.5 + share / 2)));
}

/** From 0 to 1, uniformly distributed. */
export function randomShare(random: Random): number {
  return new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32;
}
