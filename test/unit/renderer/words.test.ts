import { describe, expect, it } from 'vitest';
import { formatCountdown, formatRelative, formatDuration } from '../../../renderer/words.ts';

const minute = 60_000;

describe('formatRelative', () => {
  it.each([
    [33 * minute, 'in 33 minutes'],
    [-60 * minute, '60 minutes ago'],
    [3 * 60 * minute, 'in 3 hours'],
    [-12 * 24 * 60 * minute, '12 days ago'],
  ])('describes %i ms', (away, expected) => {
    expect(formatRelative(1_000_000_000_000 + away, 1_000_000_000_000)).toBe(expected);
  });
});

describe('formatCountdown', () => {
  it('counts whole seconds down to zero and no further', () => {
    expect(formatCountdown(10 * minute)).toBe('10:00');
    expect(formatCountdown(59_001)).toBe('1:00');
    expect(formatCountdown(1)).toBe('0:01');
    expect(formatCountdown(-5)).toBe('0:00');
  });
});

describe('formatDuration', () => {
  it('describes zero as no time', () => {
    expect([0, 12.4, 99, 412, 3_000, 65_000].map(formatDuration)).toEqual([
      '1\u00a0ms',
      '12\u00a0ms',
      '99\u00a0ms',
      '0.4\u00a0s',
      '3\u00a0s',
      '1:05',
    ]);
  });
});
