import { describe, expect, it } from 'vitest';
import { arrangeRows, findByLetters } from '../../../../renderer/integrations/arrange-rows.ts';
import { anIntegrationView } from '../../../renderer/fixtures.ts';

const sorted = ['Atlas', 'Berg', 'Bild', 'Carl'].map((name) => anIntegrationView({ id: name.toLowerCase(), name }));

describe('arrangeRows', () => {
  it('numbers each row within its level', () => {
    const rows = arrangeRows(sorted, { pinned: ['carl'], groups: [{ name: 'Work', servers: ['bild', 'gone'] }] });
    expect(rows.map(({ key, level, position, count }) => [key, level, position, count])).toEqual([
      ['carl', 1, 1, 4],
      ['group Work', 1, 2, 4],
      ['bild', 2, 1, 1],
      ['atlas', 1, 3, 4],
      ['berg', 1, 4, 4],
    ]);
  });

  it('shows no server twice, and no group whose servers are all shown elsewhere', () => {
    const groups = [
      { name: 'Pinned', servers: ['carl'] },
      { name: 'Gone', servers: ['gone'] },
      { name: 'Folded', servers: ['atlas'], isFolded: true as const },
    ];
    expect(arrangeRows(sorted, { pinned: ['carl'], groups }).map(({ key }) => key)).toEqual([
      'carl',
      'group Folded',
      'berg',
      'bild',
    ]);
  });
});

describe('findByLetters', () => {
  const rows = arrangeRows(sorted, {});
  it.each([
    ['b', -1, 1],
    ['b', 1, 2],
    ['b', 2, 1],
    ['bi', 1, 2],
    ['BI', 3, 2],
    ['x', 0, -1],
  ])('%s from %i is %i', (letters, from, found) => {
    expect(findByLetters(rows, letters, from)).toBe(found);
  });
});
