import { expect, it } from 'vitest';
import { tableColumns } from '../../../../renderer/integration/table-columns.ts';

it('names the columns of like things once', () => {
  expect(
    tableColumns([
      { a: 1, b: 2 },
      { b: 3, c: 4 },
    ]),
  ).toEqual(['a', 'b', 'c']);
});

it('IP-24 makes no table of things that share nothing', () => {
  const numbers = [...Array(100).keys()];
  const rows = numbers.map((row) => Object.fromEntries(numbers.map((column) => [`${row}-${column}`, 1])));
  expect(tableColumns(rows)).toBeUndefined();
});
