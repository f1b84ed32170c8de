import { describe, expect, it } from 'vitest';
import { alignColumns } from '../../../../../main/cli/text/text-table.ts';

describe('alignColumns', () => {
  it('aligns columns, without spaces at the end', () => {
    expect(
      alignColumns([
        ['NAME', 'ID'],
        ['Notes', ''],
        ['a', '1'],
      ]),
    ).toBe('NAME   ID\nNotes\na      1');
  });

  it('counts the columns of wide and combining characters', () => {
    expect(
      alignColumns([
        ['日本', '1'],
        ['e\u0301abc', '2'],
      ]),
    ).toBe('日本  1\ne\u0301abc  2');
  });
});
