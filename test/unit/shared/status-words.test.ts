import { describe, expect, it } from 'vitest';
import { needsUser, secretEndingSoon } from '../../../shared/status-words.ts';
import { someIntegrations } from '../../renderer/list-fixtures.ts';

describe('needsUser', () => {
  it('excludes states that recover on their own', () => {
    const needing = someIntegrations().filter(needsUser);
    expect(needing.map(({ status }) => status.name).toSorted()).toEqual([
      'needsAccess',
      'signIn',
      'signInAgain',
      'storageProblem',
    ]);
  });
});

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 20);

describe('secretEndingSoon', () => {
  it.each([
    ['OAuth', 8 * day, false],
    ['OAuth', 7 * day, true],
    ['OAuth', -day, true],
    ['OAuthWithDCR', day, false],
    ['OAuthWithCIMD', day, false],
  ] as const)('for %s in %i ms', (method, left, warns) => {
    expect(secretEndingSoon({ method, clientSecretExpiresAt: now + left }, now)).toBe(warns ? now + left : undefined);
  });

  it('is undefined if no end is known', () => {
    expect(secretEndingSoon({ method: 'OAuth' }, now)).toBeUndefined();
  });
});
