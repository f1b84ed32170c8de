import { describe, expect, it } from 'vitest';
import { letterOf, tintOf } from '../../../../renderer/components/service-letter.ts';

describe('the service tile', () => {
  it.each([
    ['Linear', 'L'],
    ['  notion', 'N'],
    ['(éclair)', 'É'],
    ['7 days', '7'],
    ['日本', '日'],
    ['???', '·'],
    ['', '·'],
  ])('shows for %j the letter %j', (name, letter) => {
    expect(letterOf(name)).toBe(letter);
  });

  it('uses one color per name, however it is written', () => {
    expect(tintOf('Linear')).toBe(tintOf(' linear '));
  });

  it('uses all its colors', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, index) => tintOf(`Server ${index}`)));
    expect([...seen].toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
