import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../../../main/oauth/http/response-headers.ts';

const now = Date.UTC(2026, 1, 28, 23, 59, 0);

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120],
    [' 120 ', 120],
    ['0', 1],
    ['3600', 3600],
    ['3601', 3600],
    ['9999999999', 3600],
    ['-1', undefined],
    ['+5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    ['Sun, 01 Mar 2026 00:00:30 GMT', 90],
    ['Sat, 28 Feb 2026 23:58:00 GMT', 1],
    ['Thu, 01 Jan 2099 00:00:00 GMT', 3600],
    ['Sun, 01 Foo 2026 00:00:30 GMT', undefined],
    ['2026-03-01T00:00:30Z', undefined],
  ])('reads %j as %j seconds (RFC 9110 section 10.2.3)', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  property.prop([
    fc.integer({ min: 1, max: 3600 }),
    fc.date({ min: new Date(0), max: new Date('2400-01-01'), noInvalidDate: true }),
  ])('converts every HTTP date to the seconds until then (RFC 9110 section 5.6.7)', (seconds, date) => {
    const from = Math.floor(date.getTime() / 1000) * 1000;
    expect(parseRetryAfter(new Date(from + seconds * 1000).toUTCString(), from)).toBe(seconds);
  });

  property.prop([fc.string({ maxLength: 200 })])(
    'never throws, and returns between a second and an hour, or undefined',
    (text) => {
      const seconds = parseRetryAfter(text, now);
      expect(seconds === undefined || (seconds >= 1 && seconds <= 3600)).toBe(true);
    },
  );

  it('reads a header of a megabyte in linear time (PB-08)', () => {
    // In quadratic time each would take minutes, and the test would time out.
    expect(parseRetryAfter(' '.repeat(500_000) + '1'.repeat(500_000), now)).toBeUndefined();
    expect(parseRetryAfter('Sun, 01 '.repeat(125_000), now)).toBeUndefined();
  });
});
