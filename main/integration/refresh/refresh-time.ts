import type { TokenSet } from '../../oauth/token/token-set.ts';
import { refreshBackOff } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

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
