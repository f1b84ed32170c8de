import { refreshBackOff } from '../../limits.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock, Random } from '../../ports.ts';

type Clocks = Pick<Clock, 'now' | 'monotonic'>;

const earliest = 5 * 60_000;
/** A clock other than ours decides when a token ends: one that is this close to its end counts as ended. */
const skew = 60_000;

/**
 * Milliseconds after receipt from which on a token is refreshed: the later of 75 % of its life and 5 minutes before its
 * end.
 */
export function dueAfter(tokens: TokenSet): number | undefined {
  const life = lifeOf(tokens);
  return life === undefined ? undefined : Math.max(0.75 * life, life - earliest);
}

/**
 * Milliseconds until a token is to be refreshed, none left or fewer when it is due; `undefined` without a known life.
 * One from the future is due: its life may be over.
 */
export function untilDue(tokens: TokenSet, clock: Clocks): number | undefined {
  if (isFromFuture(tokens, clock)) return 0;
  const due = dueAfter(tokens);
  return due === undefined ? undefined : due - ageOf(tokens, clock);
}

export function isDue(tokens: TokenSet, clock: Clocks): boolean {
  return (untilDue(tokens, clock) ?? 1) <= 0;
}

/** Milliseconds of jitter for a refresh in the background, so that tokens of one moment are not all renewed at once. */
export function jitterOf(tokens: TokenSet, share: number): number {
  return share * Math.min(skew, 0.05 * (lifeOf(tokens) ?? 0));
}

/** A short-lived token has a smaller margin: with the full one it would count as ended from the start. */
export function isExpired(tokens: TokenSet, clock: Clocks): boolean {
  return (untilExpired(tokens, clock) ?? 1) <= 0;
}

/** Milliseconds until a token is taken as ended; `undefined` without a known life. */
export function untilExpired(tokens: TokenSet, clock: Clocks): number | undefined {
  const life = lifeOf(tokens);
  if (life === undefined || isFromFuture(tokens, clock)) return undefined;
  return life - Math.min(skew, 0.1 * life) - ageOf(tokens, clock);
}

/**
 * A token that was renewed after a refusal, and that the server has not taken since. Renewing it again, if it is
 * refused as well, is worth it only after a rest, which doubles each time.
 */
export function isUnproven(tokens: TokenSet, clock: Clocks): boolean {
  const { afterRequest, afterRefusal } = refreshBackOff;
  const { refusals = 0 } = tokens;
  if (refusals === 0 || isFromFuture(tokens, clock)) return false;
  return ageOf(tokens, clock) < Math.min(afterRequest * 2 ** Math.min(refusals - 1, 20), afterRefusal);
}

/**
 * Milliseconds since receipt, by whichever clock saw more: the monotonic one may stop in sleep, and the wall clock
 * may be set back. A wall clock set forward costs one refresh; where both say too little, a 401 has the last word.
 */
function ageOf({ receivedAt }: TokenSet, clock: Clocks): number {
  const wall = clock.now() - receivedAt.wall;
  return receivedAt.monotonic === undefined ? wall : Math.max(wall, clock.monotonic() - receivedAt.monotonic);
}

/** Received under a clock that has been set back since, by another process: nobody knows how old it is. */
function isFromFuture({ receivedAt }: TokenSet, clock: Clocks): boolean {
  return receivedAt.monotonic === undefined && receivedAt.wall > clock.now() + skew;
}

function lifeOf({ expiresAt, receivedAt }: TokenSet): number | undefined {
  return expiresAt === undefined ? undefined : expiresAt - receivedAt.wall;
}

interface FailedRefresh {
  /** In a row, this one included. */
  readonly failures: number;
  /** A server may have seen the request: then it is left alone for a while. */
  readonly wasSent: boolean;
  /** It was refused, which will hardly be another thing in a minute. */
  readonly isRefusal?: boolean;
  /** Seconds that the server asked to wait (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number | undefined;
}

/**
 * Milliseconds until a refresh that failed is worth another try: from one second, or 30 after a request that the server
 * may have seen, doubling to five minutes, or an hour after a refusal; with jitter so that many programs do not come
 * back at once, and never earlier than the server asked.
 */
export function backOff(
  { failures, wasSent, isRefusal = false, retryAfter = 0 }: FailedRefresh,
  random: Random,
): number {
  const { first, longest, afterRequest, afterRefusal } = refreshBackOff;
  const start = wasSent ? afterRequest : first;
  const base = Math.min(start * 2 ** Math.min(failures - 1, 20), isRefusal ? afterRefusal : longest);
  const least = Math.max(start, retryAfter * 1_000);
  const share = randomShare(random);
  return Math.round(base <= least ? least * (1 + share / 5) : Math.max(least, base * (0.5 + share / 2)));
}

/** From 0 to 1, evenly. */
export function randomShare(random: Random): number {
  return new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32;
}
