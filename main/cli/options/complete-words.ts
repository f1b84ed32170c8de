import type { CommandSpec } from './command-spec.ts';
import { commandNames, commandSpecs } from './command-specs.ts';
import type { CommandName } from './command-specs.ts';
import { optionSpecs } from './option-specs.ts';
import type { OptionSpec } from './option-specs.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

/** What may stand in the place of the last of `words`, which may be empty, by the table that help is made from. */
export function completeWords(words: readonly string[], ids: readonly string[]): readonly string[] {
  const before = words.slice(0, -1);
  const begun = words.at(-1) ?? '';
  return candidates(before, begun, ids).filter((candidate) => candidate.startsWith(begun));
}

function candidates(before: readonly string[], begun: string, ids: readonly string[]): readonly string[] {
  const [first] = before;
  if (first === undefined) return [...commandNames, '--help', '--version'];
  const command = commandNames.find((name) => name === first);
  if (command === undefined) return [];
  const awaited = optionOf(before.at(-1));
  if (awaited?.value !== undefined) return awaited.choices ?? [];
  const spec: CommandSpec = commandSpecs[command];
  if (begun.startsWith('-')) return spec.options.map((name) => `--${name}`);
  return candidatesAt(positionalOf(command, before), ids);
}

function optionOf(word: string | undefined): OptionSpec | undefined {
  return Object.values<OptionSpec>(optionSpecs).find(({ name }) => word === `--${name}`);
}

/** The name in help of the word that comes next. */
function positionalOf(command: CommandName, before: readonly string[]): string | undefined {
  const isValue = (index: number): boolean => optionOf(before[index - 1])?.value !== undefined;
  const given = before.slice(1).filter((word, index) => !word.startsWith('-') && !isValue(index + 1));
  const { positionals }: CommandSpec = commandSpecs[command];
  return positionals[given.length];
}

function candidatesAt(positional: string | undefined, ids: readonly string[]): readonly string[] {
  switch (positional) {
    case 'ID':
    case '[ID]':
      return ids;
    case 'SHELL':
      return shells;
    default:
      return [];
  }
}
