import { describe, expect, it } from 'vitest';
import { firstPieces, tableColumns } from '../../../../renderer/integration/result-bounds.ts';

const content = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'text', text: 'x', cut: false }) as const);

describe('firstPieces', () => {
  it('numbers each piece by its index in the whole result', () => {
    const { parts, more } = firstPieces({
      isError: false,
      parts: [{ role: 'user', content: content(2) }, { content: content(1) }],
    });
    expect(parts.map(({ role, pieces }) => [role, ...pieces.map(({ index }) => index)])).toEqual([
      ['user', 0, 1],
      [undefined, 2],
    ]);
    expect(more).toBe(0);
  });

  it('IP-24 stops at a hundred pieces across all messages and counts the rest', () => {
    const { parts, more } = firstPieces({
      isError: false,
      parts: Array.from({ length: 5_000 }, () => ({ content: content(30) })),
    });
    expect(parts.flatMap(({ pieces }) => pieces)).toHaveLength(100);
    expect(parts).toHaveLength(4);
    expect(more).toBe(149_900);
  });
});

it('lists the columns of similar objects once', () => {
  expect(
    tableColumns([
      { a: 1, b: 2 },
      { b: 3, c: 4 },
    ]),
  ).toEqual(['a', 'b', 'c']);
});

it('IP-24 makes no table of objects with nothing in common', () => {
  const numbers = [...Array(100).keys()];
  const rows = numbers.map((row) => Object.fromEntries(numbers.map((column) => [`${row}-${column}`, 1])));
  expect(tableColumns(rows)).toBeUndefined();
});
