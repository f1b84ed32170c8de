import { describe, expect, it } from 'vitest';
import { initialsOf, tintOf } from '../../../../renderer/components/initials.ts';

describe('the service tile', () => {
  it.each([
    ['Claude Code', 'CC'],
    ['Claude Desktop', 'CD'],
    ['Cursor', 'Cu'],
    ['  notion', 'No'],
    ['(éclair)', 'Éc'],
    ['7 days', '7D'],
    ['日本', '日本'],
    ['X', 'X'],
    ['???', '·'],
    ['', '·'],
  ])('shows for %j the initials %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it('uses one color per name, however it is written', () => {
    expect(tintOf('Linear')).toBe(tintOf(' linear '));
  });

  it('uses all its colors', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, index) => tintOf(`Server ${index}`)));
    expect([...seen].toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
