import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/**
 * How often Node has compared in a time that does not depend on what is compared, until the test is over. How long a
 * comparison takes cannot be told reliably, so this looks at what compares.
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
