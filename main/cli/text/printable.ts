import { displayText } from '../../address/display-text.ts';

/**
 * Control and format characters: they move the cursor, turn the reading direction or hide text from the eye
 * (Unicode TR 36). Joiners stay in text for people, since scripts and emoji need them.
 */
const dangerous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const dangerousInLines = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const dangerousInText = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
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

/** Piece by piece: what is noted of each character that is found costs many times the character. */
function escapeIn(text: string, pattern: RegExp): string {
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

function isHighSurrogate(unit: number): boolean {
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
