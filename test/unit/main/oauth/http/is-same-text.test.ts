import { describe, expect, it } from 'vitest';
import { isSameText } from '../../../../../main/oauth/authorization/authorization-request.ts';
import { countComparisons } from '../../../../support/count-comparisons.ts';

describe('isSameText', () => {
  it.each(['', 'wrong', 'secre', 'secrets', 'Secret', ' secret', 'secret\0'])(
    'distinguishes %j from the secret',
    (guess) => {
      expect(isSameText(guess, 'secret')).toBe(false);
      expect(isSameText('secret', guess)).toBe(false);
    },
  );

  it('accepts the secret, even if it is not ASCII', () => {
    for (const secret of ['secret', '', 'Straße', 'x'.repeat(100_000)]) expect(isSameText(secret, secret)).toBe(true);
  });

  it('takes the same time wherever the strings differ, and whatever their length', () => {
    const comparisons = countComparisons();
    for (const guess of ['wrong', 'secre', 'secrets', '']) isSameText(guess, 'secret');
    expect(comparisons()).toBe(4);
  });
});
