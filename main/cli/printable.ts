import { displayText } from '../address/display-text.ts';

/**
 * Control and format characters: they move the cursor, turn the reading direction or hide text from the eye
 * (Unicode TR 36). Joiners stay in text for people, since scripts and emoji need them.
 */
const dangerous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text of several lines from a server for a terminal: line ends stay, tabs become spaces, the rest is written out. */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/gu, '\n')
    .replaceAll('\t', '    ')
    .replace(dangerous, (character) =>
      character === '\n' || character === '\u200c' || character === '\u200d' ? character : escapeUnits(character),
    );
}

/** Text from a server or a person for one line of a terminal. */
export function printableLine(text: string, maximum?: number): string {
  return displayText(text, maximum);
}

/** JSON in which control and format characters stand as `\uXXXX` in strings too (RFC 8259 7 allows it for any). */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(dangerous, (character) =>
    indent !== undefined && character === '\n' ? character : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
