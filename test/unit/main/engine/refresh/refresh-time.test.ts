import { describe, expect, it } from 'vitest';
import { dueAfter, isDue, isExpired } from '../../../../../main/engine/refresh/refresh-time.ts';
import type { TokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { Secret } from '../../../../../main/secret.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

function receive(seconds: number | undefined, { monotonic = true } = {}) {
  const clock = createFakeClock();
  const wall = clock.now();
  const tokens: TokenSet = {
    accessToken: new Secret('a'),
    issuerKey: 'https://as.example',
    tokenEndpoint: 'https://as.example/token',
    receivedAt: { wall, ...(monotonic && { monotonic: clock.monotonic() }) },
    notes: [],
    ...(seconds !== undefined && { expiresAt: wall + seconds * 1000 }),
  };
  return { clock, tokens };
}

describe('dueAfter', () => {
  it.each([
    { life: 3600, due: 3300 },
    { life: 600, due: 450 },
    { life: 5, due: 3.75 },
    { life: 86_400, due: 86_100 },
  ])('is the later of 75 % of the life and 5 minutes before its end: $life s', ({ life, due }) => {
    expect(dueAfter(receive(life).tokens)).toBe(due * 1000);
  });

  it('is never without a known life', () => {
    const { clock, tokens } = receive(undefined);
    clock.advance(1e12);
    expect(dueAfter(tokens)).toBeUndefined();
    expect(isDue(tokens, clock)).toBe(false);
    expect(isExpired(tokens, clock)).toBe(false);
  });
});

describe('isDue', () => {
  it('sees the sleep that the monotonic clock slept through', () => {
    const { clock, tokens } = receive(3600);
    clock.setWall(clock.now() + 8 * 3_600_000);
    expect(isDue(tokens, clock)).toBe(true);
  });

  it('sees the hour that passed although somebody set the wall clock back', () => {
    const { clock, tokens } = receive(3600);
    clock.advance(3_400_000);
    clock.setWall(0);
    expect(isDue(tokens, clock)).toBe(true);
  });

  it('is true where a new process finds tokens from the future, whose age nobody knows, and which may still live', () => {
    const { clock, tokens } = receive(3600, { monotonic: false });
    clock.setWall(0);
    expect(isDue(tokens, clock)).toBe(true);
    expect(isExpired(tokens, clock)).toBe(false);
  });
});

describe('isExpired', () => {
  it.each([
    { life: 3600, at: 3539, expired: false },
    { life: 3600, at: 3540, expired: true },
    { life: 10, at: 8.9, expired: false },
    { life: 10, at: 9, expired: true },
  ])('keeps a margin of a minute, or a tenth of a short life: $life s at $at s', ({ life, at, expired }) => {
    const { clock, tokens } = receive(life);
    clock.advance(at * 1000);
    expect(isExpired(tokens, clock)).toBe(expired);
  });
});
