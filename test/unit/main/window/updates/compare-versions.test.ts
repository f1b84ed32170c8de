import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../../../../main/window/updates/updates.ts';

/** From the oldest to the newest (semver 2.0.0, 11). */
const ordered = [
  'not a version',
  '0.9.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.9',
  '1.0.10',
  '1.2.0',
  '2.0.0',
];

describe('compareVersions', () => {
  it('orders any two versions (semver 11)', () => {
    for (const [i, left] of ordered.entries())
      for (const [j, right] of ordered.entries())
        expect(Math.sign(compareVersions(left, right)), `${left} and ${right}`).toBe(Math.sign(i - j));
  });

  it('ignores build metadata (semver 10)', () => {
    expect(compareVersions('1.0.0+1', '1.0.0+2')).toBe(0);
  });
});
