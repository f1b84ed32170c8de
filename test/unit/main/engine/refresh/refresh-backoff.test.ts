import { describe, expect, it } from 'vitest';
import { backOff } from '../../../../../main/engine/refresh/refresh-time.ts';
import type { Random } from '../../../../../main/ports.ts';

/** Always the same byte: 0 for the shortest delay, 255 for the longest. */
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
  ])('waits 30 s, then longer, if the server may have seen the request: failure %i', (failures, least, most) => {
    expect(range({ failures, wasSent: true })).toEqual([least, most]);
  });

  it('grows to an hour if the request was refused', () => {
    expect(range({ failures: 20, wasSent: true, isRefusal: true })).toEqual([1_800_000, 3_600_000]);
  });

  it('never retries before Retry-After, and spreads retries out', () => {
    expect(range({ failures: 1, wasSent: true, retryAfter: 3_600 })).toEqual([3_600_000, 4_320_000]);
  });
});
