import { describe, expect, it } from 'vitest';
import { dueAt, isDue, isExpired } from '../../../../main/integration/refresh-time.ts';
import type { TokenSet } from '../../../../main/oauth/token-set.ts';
import { Secret } from '../../../../main/secret.ts';

const wall = Date.UTC(2026, 10, 20);

function tokens(seconds: number | undefined): TokenSet {
  return {
    accessToken: new Secret('a'),
    issuer: 'https://as.example',
    tokenEndpoint: 'https://as.example/token',
    receivedAt: { wall },
    notes: [],
    ...(seconds !== undefined && { expiresAt: wall + seconds * 1000 }),
  };
}

describe('dueAt', () => {
  it.each([
    { life: 3600, due: 3300 },
    { life: 600, due: 450 },
    { life: 5, due: 3.75 },
    { life: 86_400, due: 86_100 },
  ])('is the later of 75 % of the life and 5 minutes before its end: $life s', ({ life, due }) => {
    expect(dueAt(tokens(life))).toBe(wall + due * 1000);
  });

  it('is never without a known life', () => {
    expect(dueAt(tokens(undefined))).toBeUndefined();
    expect(isDue(tokens(undefined), wall + 1e12)).toBe(false);
  });
});

describe('isExpired', () => {
  it.each([
    { life: 3600, at: 3539, expired: false },
    { life: 3600, at: 3540, expired: true },
    { life: 10, at: 8.9, expired: false },
    { life: 10, at: 9, expired: true },
  ])('keeps a margin of a minute, or a tenth of a short life: $life s at $at s', ({ life, at, expired }) => {
    expect(isExpired(tokens(life), wall + at * 1000)).toBe(expired);
  });

  it('leaves a token of unknown life to the 401 that ends it', () => {
    expect(isExpired(tokens(undefined), wall + 1e12)).toBe(false);
  });
});
