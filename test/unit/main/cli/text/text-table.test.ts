import { describe, expect, it } from 'vitest';
import { alignColumns, fitColumns, wrapLines } from '../../../../../main/cli/text/text-table.ts';

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

describe('fitColumns', () => {
  const rows = [
    ['NAME', 'ADDRESS', 'ID'],
    ['Notes', 'https://notes.example.com/mcp/with/a/long/way', '5f0c2a9e41d7'],
  ];

  it('cuts the widest cells until the rows fit a terminal, and never what is copied from the last column', () => {
    const lines = fitColumns(rows, 40).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBe(40);
    expect(lines[1]).toMatch(/^Notes {2}https:\/\/notes\S+… {2}5f0c2a9e41d7$/u);
  });

  it('cuts nothing where nobody looks', () => {
    expect(fitColumns(rows, undefined)).toBe(alignColumns(rows));
  });

  it('leaves what is too narrow for any cell to the terminal', () => {
    expect(fitColumns(rows, 5)).toContain('5f0c2a9e41d7');
  });
});

describe('wrapLines', () => {
  it('breaks at spaces, under the column that a line stands in', () => {
    expect(wrapLines('  --name NAME  What you call this server', 30)).toBe(
      '  --name NAME  What you call\n               this server',
    );
  });

  it('leaves commands whole, since they are copied', () => {
    const example = '  postern connect https://mcp.example.com/mcp';
    expect(wrapLines(example, 20)).toBe(example);
  });
});
