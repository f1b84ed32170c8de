import { describe, expect, it } from 'vitest';
import { placeTimePoints } from '../../../../renderer/integration/time-line-points.ts';

describe('placeTimePoints', () => {
  const times = { signedInAt: 0, refreshedAt: 1_000, nextRefreshAt: 3_000, expiresAt: 4_000 };

  it('spaces events evenly, and places now proportionally between its neighbors', () => {
    const line = placeTimePoints(times, 2_000);
    expect(line.points.map(({ name, x }) => [name, Math.round(x)])).toEqual([
      ['signedIn', 0],
      ['refreshed', 33],
      ['next', 67],
      ['expires', 100],
    ]);
    expect(line.now).toBeCloseTo(50);
  });

  it('puts now at the end if everything is over, and at the start if nothing has begun', () => {
    expect(placeTimePoints(times, 9_000).now).toBe(100);
    expect(placeTimePoints(times, -1).now).toBe(0);
  });

  it('does not count the sign-in twice when it is the last refresh', () => {
    const line = placeTimePoints({ signedInAt: 5, refreshedAt: 5, expiresAt: 10 }, 6);
    expect(line.points.map(({ name }) => name)).toEqual(['signedIn', 'expires']);
  });
});
