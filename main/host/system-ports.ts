import type { Clock, Random } from '../ports.ts';

/** A timer of 2^31 ms or more fires at once; longer waits are cut to this and decided again when they end. */
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
  // Of Web Crypto, which is loaded at the first use: node:crypto is not, and most commands use neither.
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
