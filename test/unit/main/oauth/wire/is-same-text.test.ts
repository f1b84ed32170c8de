import { describe, expect, it } from 'vitest';
import { isSameText } from '../../../../../main/oauth/authorization/authorization-request.ts';
import { countComparisons } from '../../../../support/count-comparisons.ts';

describe('isSameText', () => {
  it.each(['', 'wrong', 'secre', 'secrets', 'Secret', ' secret', 'secret\0'])('tells %j from the secret', (guess) => {
    expect(isSameText(guess, 'secret')).toBe(false);
    expect(isSameText('secret', guess)).toBe(false);
  });

  it('knows the secret, also one that is no ASCII', () => {
    for (const secret of ['secret', '', 'Straße', 'x'.repeat(100_000)]) expect(isSameText(secret, secret)).toBe(true);
  });

  it('takes as long wherever they differ, and however long they are', () => {
    const comparisons = countComparisons();
    for (const guess of ['wrong', 'secre', 'secrets', '']) isSameText(guess, 'secret');
    expect(comparisons()).toBe(4);
  });
});
