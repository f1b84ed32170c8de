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
  ])('is the later of 75% of the lifetime and 5 minutes before expiry: $life s', ({ life, due }) => {
    expect(dueAfter(receive(life).tokens)).toBe(due * 1000);
  });

  it('is undefined without a known lifetime', () => {
    const { clock, tokens } = receive(undefined);
    clock.advance(1e12);
    expect(dueAfter(tokens)).toBeUndefined();
    expect(isDue(tokens, clock)).toBe(false);
    expect(isExpired(tokens, clock)).toBe(false);
  });
});

describe('isDue', () => {
  it('notices sleep that the monotonic clock missed', () => {
    const { clock, tokens } = receive(3600);
    clock.setWall(clock.now() + 8 * 3_600_000);
    expect(isDue(tokens, clock)).toBe(true);
  });

  it('notices the elapsed hour although the wall clock was set back', () => {
    const { clock, tokens } = receive(3600);
    clock.advance(3_400_000);
    clock.setWall(0);
    expect(isDue(tokens, clock)).toBe(true);
  });

  it('is true for tokens from the future in a new process, whose age is unknown and which may be valid', () => {
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
  ])('leaves a margin of a minute, or a tenth of a short lifetime: $life s at $at s', ({ life, at, expired }) => {
    const { clock, tokens } = receive(life);
    clock.advance(at * 1000);
    expect(isExpired(tokens, clock)).toBe(expired);
  });
});
