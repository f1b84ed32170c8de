import { expect, it } from 'vitest';
import { isUnreadable } from '../../../../../main/apps/files/app-files.ts';

it.each([
  { uid: 501, mode: 0o100600, own: 501, expected: false },
  { uid: 501, mode: 0o100200, own: 501, expected: true },
  // As `sudo` leaves it.
  { uid: 0, mode: 0o100600, own: 501, expected: true },
  { uid: 0, mode: 0o100644, own: 501, expected: false },
  { uid: 501, mode: 0o100000, own: 0, expected: false },
  // On Windows.
  { uid: 0, mode: 0o100000, own: undefined, expected: false },
])('reports whether user $own cannot read a file of $uid with mode $mode', ({ uid, mode, own, expected }) => {
  expect(isUnreadable({ uid, mode }, own)).toBe(expected);
});
