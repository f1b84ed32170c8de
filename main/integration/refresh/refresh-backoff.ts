import { refreshBackOff } from '../../limits.ts';
import type { Random } from '../../ports.ts';

export interface FailedRefresh {
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
