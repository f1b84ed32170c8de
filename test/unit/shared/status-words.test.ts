import { describe, expect, it } from 'vitest';
import { secretEndingSoon } from '../../../shared/secret-ending.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 20);

describe('secretEndingSoon', () => {
  it.each([
    ['OAuth', 8 * day, false],
    ['OAuth', 7 * day, true],
    ['OAuth', -day, true],
    ['OAuthWithDCR', day, false],
    ['OAuthWithCIMD', day, false],
  ] as const)('of %s in %i ms', (method, left, warns) => {
    expect(secretEndingSoon({ method, clientSecretExpiresAt: now + left }, now)).toBe(warns ? now + left : undefined);
  });

  it('is nothing where no end is known', () => {
    expect(secretEndingSoon({ method: 'OAuth' }, now)).toBeUndefined();
  });
});
