import { displayText } from '../address/display-text.ts';

/**
 * Control and format characters: they move the cursor, turn the reading direction or hide text from the eye
 * (Unicode TR 36). Joiners stay in text for people, since scripts and emoji need them.
 */
const dangerous = (): RegExp => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const dangerousInLines = (): RegExp => /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const dangerousInText = (): RegExp => /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/**
 * Nothing else is in most texts. The patterns above are made only for the others: a class of Unicode takes V8 a
 * millisecond.
 */
const plain = /^[\n\x20-\x7e]*$/u;
const pieceLength = 64 * 1_024;

/** Text of several lines from a server for a terminal: line ends stay, tabs become spaces, the rest is written out. */
export function printable(text: string): string {
  return escapeIn(text.replace(/\r\n?/gu, '\n').replaceAll('\t', '    '), dangerousInText);
}

/** Text from a server or a person for one line of a terminal. */
export function printableLine(text: string, maximum?: number): string {
  return displayText(text, maximum);
}

/** JSON in which control and format characters stand as `\uXXXX` in strings too (RFC 8259 7 allows it for any). */
export function printableJson(value: unknown, indent?: number): string {
  return escapeIn(JSON.stringify(value, undefined, indent), indent === undefined ? dangerous : dangerousInLines);
}

/**
 * Piece by piece: what is noted of each character that is found costs many times the character. JSON in one line has no
 * line ends outside of strings, and in them they are escaped already.
 */
function escapeIn(text: string, patternOf: () => RegExp): string {
  if (plain.test(text)) return text;
  const pattern = patternOf();
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + pieceLength;
    // Between the halves of a pair there is no end.
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

/** What our sentences, tables and steps use beside ASCII. Letters of names and of what servers say are left alone. */
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

/** For a terminal of a locale without Unicode. */
export function plainPunctuation(text: string): string {
  return text.replace(/[“”‘’…–—→·✓✗\u00a0]/gu, (character) => replacements[character] ?? character);
}

/**
 * Whether the locale says that a terminal shows no Unicode (POSIX 8.2: the first of these that is set and not empty
 * counts). Without any there is nothing to go by: macOS, Windows and many containers set none and show it all.
 */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale !== undefined && locale !== '' && !/utf-?8/iu.test(locale);
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const combining = (): RegExp => /\p{M}/u;

const gap = 2;
/** Below this a cell says nothing any more. */
const narrowest = 8;

/** Rows as aligned columns, two spaces apart; the last column is not padded. */
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

/** Labels and what is known of each, a line each; what is not known has none. */
export function alignSheet(rows: readonly (readonly [label: string, value: string | undefined])[]): string {
  return alignColumns(rows.flatMap(([label, value]) => (value ? [[label, printableLine(value, 1_000)]] : [])));
}

/**
 * The same for a terminal of `columns`: the widest cells are cut until the rows fit, but never those of the last column,
 * which is what a person copies. Without `columns` nothing is cut.
 */
export function fitColumns(rows: readonly (readonly string[])[], columns: number | undefined): string {
  if (columns === undefined) return alignColumns(rows);
  const widths = widthsOf(rows);
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (total() > columns) {
    const widest = widths.slice(0, -1).reduce((best, width, index) => (width > (widths[best] ?? 0) ? index : best), 0);
    const width = widths[widest] ?? 0;
    if (widths.length < 2 || width <= narrowest) break;
    widths[widest] = Math.max(narrowest, width - (total() - columns));
  }
  return alignColumns(rows.map((row) => row.map((cell, index) => cutCell(cell, widths[index] ?? 0))));
}

/** A text in lines of at most `columns`, broken at spaces; a second column of a line stays one. */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  // A command is copied as a whole: the terminal breaks it where it likes, and copies it without.
  if (cellWidth(line) <= columns || /^ {2}(?:postern|curl|source) /u.test(line)) return line;
  const [margin = ''] = /^\s*/u.exec(line) ?? [];
  const [column = ''] = /^\s*\S+(?: \S+)* {2,}/u.exec(line) ?? [];
  // A narrow terminal has no room for two columns.
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

/** Ends with `…` where it is cut. */
function cutCell(cell: string, width: number): string {
  if (cellWidth(cell) <= width) return cell;
  let kept = '';
  for (const character of cell) {
    if (cellWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Columns that a terminal uses for a text (close to Unicode UAX 11). */
function cellWidth(text: string): number {
  if (plain.test(text)) return text.length;
  const mark = combining();
  let width = 0;
  for (const character of text) width += mark.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
