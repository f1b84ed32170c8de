import { displayText } from '../address/display-text.ts';

/**
 * Control and format characters can move the cursor, reverse the reading direction or hide text (Unicode TR 36).
 * Readable text keeps joiners, because some scripts and emoji need them.
 */
const unsafe = (): RegExp => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeInLines = (): RegExp => /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeInText = (): RegExp => /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/**
 * Matches most texts. The patterns above are created lazily, because V8 takes a millisecond to compile a Unicode class.
 */
const plain = /^[\n\x20-\x7e]*$/u;
const pieceLength = 64 * 1_024;

/** Multi-line server text for a terminal: keeps line ends, turns tabs into spaces, escapes other control characters. */
export function printable(text: string): string {
  return escapeIn(text.replace(/\r\n?/gu, '\n').replaceAll('\t', '    '), unsafeInText);
}

/** Untrusted text for one line of a terminal. */
export function printableLine(text: string, maximum?: number): string {
  return displayText(text, maximum);
}

/** JSON with control and format characters escaped as `\uXXXX` (RFC 8259 7 allows it for any character). */
export function printableJson(value: unknown, indent?: number): string {
  return escapeIn(JSON.stringify(value, undefined, indent), indent === undefined ? unsafe : unsafeInLines);
}

/**
 * Works in 64 KiB pieces, because each match costs many times its size in memory. One-line JSON has no raw line ends:
 * those inside strings are escaped already.
 */
function escapeIn(text: string, patternOf: () => RegExp): string {
  if (plain.test(text)) return text;
  const pattern = patternOf();
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + pieceLength;
    // Do not split a surrogate pair.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    pieces.push(text.slice(start, end).replace(pattern, escapeUnits));
    start = end;
  }
  return pieces.join('');
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** ASCII for the punctuation in our own sentences, tables and steps. Letters in names and server text stay. */
const replacements: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '…': '...',
  '–': '-',
  '—': '-',
  '→': '->',
  '·': '-',
  '✓': 'ok',
  '✗': 'no',
  '\u00a0': ' ',
};

/** For a terminal whose locale has no Unicode. */
export function plainPunctuation(text: string): string {
  return text.replace(/[“”‘’…–—→·✓✗\u00a0]/gu, (character) => replacements[character] ?? character);
}

/**
 * True if the locale has no Unicode. The first non-empty variable counts (POSIX 8.2). If none is set, assumes Unicode:
 * macOS, Windows and many containers set none and support it.
 */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale !== undefined && locale !== '' && !/utf-?8/iu.test(locale);
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
let combining: RegExp | undefined;

const columnGap = 2;
/** A narrower cell is unreadable. */
const minCellWidth = 8;

/** Aligns rows in columns, two spaces apart. The last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = widthsOf(rows);
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - cellWidth(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line per label with a value; labels without a value are left out. */
export function alignSheet(rows: readonly (readonly [label: string, value: string | undefined])[]): string {
  return alignColumns(rows.flatMap(([label, value]) => (value ? [[label, printableLine(value, 1_000)]] : [])));
}

/**
 * `alignColumns` for a terminal of `columns`: cuts the widest cells until the rows fit. Never cuts the last column,
 * which users copy. Without `columns` nothing is cut.
 */
export function fitColumns(rows: readonly (readonly string[])[], columns: number | undefined): string {
  if (columns === undefined) return alignColumns(rows);
  const widths = widthsOf(rows);
  const total = (): number => widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
  while (total() > columns) {
    const widest = widths.slice(0, -1).reduce((best, width, index) => (width > (widths[best] ?? 0) ? index : best), 0);
    const width = widths[widest] ?? 0;
    if (widths.length < 2 || width <= minCellWidth) break;
    widths[widest] = Math.max(minCellWidth, width - (total() - columns));
  }
  return alignColumns(rows.map((row) => row.map((cell, index) => cutCell(cell, widths[index] ?? 0))));
}

/** Wraps at spaces to at most `columns`. In two-column lines, continuation lines stay in the second column. */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  // Users copy commands whole: the terminal wraps them itself and copies them without the line breaks.
  if (cellWidth(line) <= columns || /^ {2}(?:postern|curl|source) /u.test(line)) return line;
  const [margin = ''] = /^\s*/u.exec(line) ?? [];
  const [column = ''] = /^\s*\S+(?: \S+)* {2,}/u.exec(line) ?? [];
  // No second column in a narrow terminal.
  const start = column !== '' && column.length <= columns / 2 ? column : margin;
  const [first = '', ...words] = line.slice(start.length).split(/ +/u);
  const lines = [start + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (cellWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(' '.repeat(start.length) + word);
  }
  return lines.join('\n');
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cellWidth(cell))));
  }
  return widths;
}

/** A cut cell ends with `…`. */
function cutCell(cell: string, width: number): string {
  if (cellWidth(cell) <= width) return cell;
  let start = '';
  for (const character of cell) {
    if (cellWidth(start + character) > width - 1) break;
    start += character;
  }
  return `${start}…`;
}

/** Display width in terminal columns (approximates Unicode UAX 11). */
function cellWidth(text: string): number {
  if (plain.test(text)) return text.length;
  combining ??= /\p{M}/u;
  let width = 0;
  for (const character of text) width += combining.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
