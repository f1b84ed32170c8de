import type { Clock, Random } from '../ports.ts';

/** Longest Node timer: one of 2^31 ms or more fires at once. Longer waits are cut to this and renewed. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(Math.max(milliseconds, 0), longestTimer));
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = {
  // Web Crypto is loaded lazily; `node:crypto` is not, and most commands need neither.
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
