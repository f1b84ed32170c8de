import { commandNames } from '../options/command-specs.ts';

const ourCommands = new RegExp(`(?<=^|[\\s\`“(])postern(?= (?:${commandNames.join('|')}|--help|[A-Z])\\b)`, 'gmu');

/** Sentences of ours name the command `postern`: with the name that can be typed here instead. */
export function writeCommands(name: string, sentence: string): string {
  return sentence.replaceAll(ourCommands, () => name);
}
