import { startSwitches } from '../../start-switches.ts';

/** What the launcher of a package puts before the words, and Chromium's own switches before that. */
const marker = '--cli';
/** Words that mean the command line even where no command stands among them. */
const lonelyWords = new Set(['help', '--help', '-h', '--version', '-v']);
/** What may stand before a command. */
const ourSwitches = new Set(['--json']);

/**
 * The words of a command line among what the program was started with (without the program itself); `undefined` when
 * it is to show its window. The program's file may be called directly: then a command has to stand first, which
 * `firstWords` are all first words of.
 */
export function commandWords(given: readonly string[], firstWords: readonly string[]): readonly string[] | undefined {
  const place = startSwitches(given).indexOf(marker);
  if (place !== -1) return given.slice(given[place + 1] === '--' ? place + 2 : place + 1);
  const isMeant = (word: string): boolean => firstWords.includes(word) || lonelyWords.has(word);
  const first = given.findIndex((word) => isMeant(word) || !word.startsWith('-'));
  const word = given[first];
  if (word === undefined || !isMeant(word)) return undefined;
  return [...given.slice(0, first).filter((each) => ourSwitches.has(each)), ...given.slice(first)];
}
