import { expect, it } from 'vitest';
import { isUnreadable } from '../../../../../main/apps/files/program-files.ts';

it.each([
  { uid: 501, mode: 0o100600, own: 501, expected: false },
  { uid: 501, mode: 0o100200, own: 501, expected: true },
  // As `sudo` leaves it.
  { uid: 0, mode: 0o100600, own: 501, expected: true },
  { uid: 0, mode: 0o100644, own: 501, expected: false },
  { uid: 501, mode: 0o100000, own: 0, expected: false },
  // Of Windows.
  { uid: 0, mode: 0o100000, own: undefined, expected: false },
])('says of a file of $uid with mode $mode whether $own may not read it', ({ uid, mode, own, expected }) => {
  expect(isUnreadable({ uid, mode }, own)).toBe(expected);
});
