import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { describeCommandHelp, describeAllCommands } from '../../../../main/cli/output/help.ts';
import { commandTable } from '../../../../main/cli/table/command-table.ts';
import {
  alignColumns,
  fitColumns,
  isAsciiLocale,
  plainPunctuation,
  printable,
  printableJson,
  printableLine,
  wrapLines,
} from '../../../../main/cli/text.ts';

const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const anyText = fc.string({ unit: 'binary' });

describe('printable', () => {
  it('keeps line ends, and escapes what moves the cursor or changes direction', () => {
    expect(printable('a\r\nb\rc\td\u001b[2Je\u202ef\u009b')).toBe('a\nb\nc    d\\u001b[2Je\\u202ef\\u009b');
  });

  it('keeps the joiners that scripts and emoji need', () => {
    expect(printable('👩‍💻 می‌خواهم')).toBe('👩‍💻 می‌خواهم');
  });

  it('escapes hidden tag characters', () => {
    expect(printable('\u{e0041}')).toBe('\\udb40\\udc41');
  });

  test.prop([anyText])('lets no control or direction character through', (text) => {
    expect(printable(text)).not.toMatch(dangerous);
  });
});

describe('printableLine', () => {
  test.prop([anyText])('returns one line without control or direction characters', (text) => {
    expect(printableLine(text)).not.toMatch(/[\n\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  });
});

describe('printableJson', () => {
  test.prop([
    fc.dictionary(anyText, fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(anyText))),
  ])('encodes the same value on one line, without control or direction characters (RFC 8259 7)', (value) => {
    const text = printableJson(value);
    expect(text).not.toMatch(dangerous);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('keeps its own line ends when it is indented', () => {
    expect(printableJson({ a: 'x\u001b\ny' }, 2)).toBe('{\n  "a": "x\\u001b\\ny"\n}');
  });
});

describe('plainPunctuation', () => {
  it('turns every help text into ASCII', () => {
    const help = [
      describeAllCommands(commandTable),
      ...commandTable.names.map((name) => describeCommandHelp(commandTable, name)),
    ].join('\n');
    expect(plainPunctuation(help)).toMatch(/^[\n\x20-\x7e]*$/u);
  });

  it('leaves letters in names alone', () => {
    expect(plainPunctuation('✓ “Müller”…')).toBe('ok "Müller"...');
  });
});

describe('isAsciiLocale', () => {
  it.each([
    [{ LANG: 'C' }, true],
    [{ LANG: 'de_DE.ISO-8859-1' }, true],
    [{ LANG: 'de_DE.UTF-8' }, false],
    [{ LANG: 'C.utf8' }, false],
    [{ LANG: 'C', LC_ALL: 'en_US.UTF-8' }, false],
    [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'POSIX' }, true],
    [{ LC_ALL: '', LANG: 'C' }, true],
    [{}, false],
  ])('uses the first variable that is set (POSIX 8.2): %o', (env, isAscii) => {
    expect(isAsciiLocale(env)).toBe(isAscii);
  });
});

describe('alignColumns', () => {
  it('aligns columns without trailing spaces', () => {
    expect(
      alignColumns([
        ['NAME', 'ID'],
        ['Notes', ''],
        ['a', '1'],
      ]),
    ).toBe('NAME   ID\nNotes\na      1');
  });

  it('measures wide and combining characters in columns', () => {
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

  it('cuts the widest cells until the rows fit the terminal, but never the last column, which users copy', () => {
    const lines = fitColumns(rows, 40).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBe(40);
    expect(lines[1]).toMatch(/^Notes {2}https:\/\/notes\S+… {2}5f0c2a9e41d7$/u);
  });

  it('cuts nothing without a terminal', () => {
    expect(fitColumns(rows, undefined)).toBe(alignColumns(rows));
  });

  it('does not cut further if the terminal is too narrow for any cell', () => {
    expect(fitColumns(rows, 5)).toContain('5f0c2a9e41d7');
  });
});

describe('wrapLines', () => {
  it('breaks at spaces and indents to the column of the text', () => {
    expect(wrapLines('  --name NAME  What you call this server', 30)).toBe(
      '  --name NAME  What you call\n               this server',
    );
  });

  it('does not break commands, because users copy them', () => {
    const example = '  postern connect https://mcp.example.com/mcp';
    expect(wrapLines(example, 20)).toBe(example);
  });
});
