import { describe, expect, it } from 'vitest';
import { backOff } from '../../../../../main/engine/refresh/refresh-time.ts';
import type { Random } from '../../../../../main/ports.ts';

/** Every byte the same: 0 for the least, 255 for the most. */
const always = (byte: number): Random => ({ bytes: (length) => new Uint8Array(length).fill(byte) });
const range = (failed: Parameters<typeof backOff>[0]): readonly [number, number] => [
  backOff(failed, always(0)),
  backOff(failed, always(255)),
];

describe('backOff', () => {
  it.each([
    [1, 1_000, 1_200],
    [2, 1_000, 2_000],
    [5, 8_000, 16_000],
    [9, 128_000, 256_000],
    [10, 150_000, 300_000],
    [1_000, 150_000, 300_000],
  ])('grows from one second to five minutes, with jitter: failure %i', (failures, least, most) => {
    expect(range({ failures, wasSent: false })).toEqual([least, most]);
  });

  it.each([
    [1, 30_000, 36_000],
    [2, 30_000, 60_000],
    [4, 120_000, 240_000],
    [10, 150_000, 300_000],
  ])(
    'leaves a server that may have seen the request alone for 30 s, then ever longer: failure %i',
    (failures, least, most) => {
      expect(range({ failures, wasSent: true })).toEqual([least, most]);
    },
  );

  it('grows to an hour where the request was refused', () => {
    expect(range({ failures: 20, wasSent: true, isRefusal: true })).toEqual([1_800_000, 3_600_000]);
  });

  it('never comes back earlier than the server asked, and not all at once', () => {
    expect(range({ failures: 1, wasSent: true, retryAfter: 3_600 })).toEqual([3_600_000, 4_320_000]);
  });
});
