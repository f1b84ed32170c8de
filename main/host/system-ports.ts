import { randomBytes } from 'node:crypto';
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
  bytes: (length) => new Uint8Array(randomBytes(length)),
};
