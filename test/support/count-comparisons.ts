import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/**
 * Counts Node's constant-time comparisons until the test ends. Timing a comparison is unreliable, so this checks which
 * function is used.
 */
export function countComparisons(): () => number {
  const compare = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  onTestFinished(() => {
    compare.mockRestore();
    syncBuiltinESMExports();
  });
  return () => compare.mock.calls.length;
}
