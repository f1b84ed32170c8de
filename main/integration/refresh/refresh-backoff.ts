import { refreshBackOff } from '../../limits.ts';
import type { Random } from '../../ports.ts';

export interface FailedRefresh {
  /** In a row, this one included. */
  readonly failures: number;
  /** A server may have seen the request: then it is left alone for a while. */
  readonly wasSent: boolean;
  /** Seconds that the server asked to wait (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number | undefined;
}

/**
 * Milliseconds until a refresh that failed for the moment is worth another try: from one second, doubling to five
 * minutes, with jitter so that many programs do not come back at once; never earlier than the server asked, and never
 * within 30 seconds of a request that it may have seen.
 */
export function backOff({ failures, wasSent, retryAfter = 0 }: FailedRefresh, random: Random): number {
  const { first, longest, afterRequest } = refreshBackOff;
  const base = Math.min(first * 2 ** Math.min(failures - 1, 20), longest);
  const least = Math.max(wasSent ? afterRequest : first, retryAfter * 1_000);
  const share = randomShare(random);
  return Math.round(base <= least ? least * (1 + share / 5) : Math.max(least, base * (0.5 + share / 2)));
}

/** From 0 to 1, evenly. */
export function randomShare(random: Random): number {
  return new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32;
}
