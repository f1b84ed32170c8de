import type { CommandSpec } from './command-spec.ts';
import { commandNamed, commandNames, commandSpecs, shortNames } from './command-specs.ts';
import type { CommandName } from './command-specs.ts';
import { optionSpecs } from './option-specs.ts';
import { ruleChoices } from './permission-choices.ts';
import type { OptionSpec } from './option-specs.ts';
import { shells } from './shell-scripts.ts';
import { usableWith } from './unattended-specs.ts';

/** What a person's own list or settings have to say for a word. */
export type KnownNames = 'server' | 'used' | 'collection' | 'program' | 'setting' | 'value' | 'offer' | 'tool';

/**
 * What may stand in the place of the last of `words`, which may be empty, by the table that help is made from. `names`:
 * those that `awaitedWord` asks for.
 */
export function completeWords(words: readonly string[], names: readonly string[]): readonly string[] {
  const begun = words.at(-1) ?? '';
  return candidates(words.slice(0, -1), begun, names).filter((candidate) => candidate.startsWith(begun));
}

/** Whether the last of `words` may be a file or a folder, or another program. */
export function awaitsFile(words: readonly string[]): boolean {
  const before = words.slice(0, -1);
  const command = commandOf(before);
  if (command === undefined || (words.at(-1) ?? '').startsWith('-')) return false;
  const awaited = optionOf(before.at(-1));
  if (awaited?.value !== undefined) return /FILE|DIR/u.test(awaited.value);
  const positional = positionalOf(command, before) ?? '';
  if (positional === '[VALUE]') return positionalWords(before).at(-1)?.endsWith('File') === true;
  return /FILE/u.test(positional) || (positional === 'COMMAND…' && command !== 'with');
}

/** Which names the last of `words` may be one of. */
export function awaitedWord(words: readonly string[]): KnownNames | undefined {
  const before = words.slice(0, -1);
  const command = commandOf(before);
  if (command === undefined || (words.at(-1) ?? '').startsWith('-')) return undefined;
  const awaited = optionOf(before.at(-1));
  if (awaited?.value !== undefined) return awaited.value === 'PROGRAM' ? 'program' : undefined;
  return namesOf(command, positionalOf(command, before));
}

function candidates(before: readonly string[], begun: string, names: readonly string[]): readonly string[] {
  if (before.length === 0) return [...commandNames, ...Object.keys(shortNames), '--help', '--version'];
  const command = commandOf(before);
  if (command === undefined) return [];
  const awaited = optionOf(before.at(-1));
  if (awaited?.value !== undefined) return awaited.choices ?? (awaited.value === 'PROGRAM' ? names : []);
  const spec: CommandSpec = commandSpecs[command];
  if (begun.startsWith('-')) return spec.options.map((name) => `--${name}`);
  const positional = positionalOf(command, before);
  if (positional === 'SHELL') return shells;
  if (positional === '[RULE]') return ruleChoices;
  if (command === 'with' && positionalWords(before).length === 1) return usableWith;
  return namesOf(command, positional) ? names : [];
}

/** The words that are no options and no values of them, without the command. */
export function positionalWords(words: readonly string[]): readonly string[] {
  const isValue = (index: number): boolean => optionOf(words[index - 1])?.value !== undefined;
  return words.slice(1).filter((word, index) => !word.startsWith('-') && !isValue(index + 1));
}

function commandOf([first]: readonly string[]): CommandName | undefined {
  return first === undefined ? undefined : commandNamed(first);
}

function optionOf(word: string | undefined): OptionSpec | undefined {
  return Object.values<OptionSpec>(optionSpecs).find(({ name }) => word === `--${name}`);
}

/** The name in help of the word that comes next; the last one with `…` stands for all that follow. */
function positionalOf(command: CommandName, before: readonly string[]): string | undefined {
  const given = positionalWords(before);
  const { positionals }: CommandSpec = commandSpecs[command];
  const last = positionals.at(-1);
  return positionals[given.length] ?? (last?.includes('…') ? last : undefined);
}

/** Where ID may be a collection too. */
const usedIn: ReadonlySet<CommandName> = new Set(['use', 'unuse', 'rename', 'proxy']);

/** What NAME is of there. */
const nameIn: Readonly<Partial<Record<CommandName, KnownNames>>> = {
  settings: 'setting',
  prompt: 'offer',
  collection: 'collection',
};

/** By what it is called in help. */
function namesOf(command: CommandName, word: string | undefined): KnownNames | undefined {
  switch (word?.replaceAll(/[[\]…]/gu, '')) {
    case 'ID':
      return usedIn.has(command) ? 'used' : 'server';
    case 'TOOL':
      return command === 'permit' ? 'tool' : 'offer';
    case 'URI':
    case 'ARGUMENT':
    case 'KEY=VALUE':
      return 'offer';
    case 'PROGRAM':
    case 'PROGRAM|FILE':
      return 'program';
    case 'NAME':
      return nameIn[command];
    case 'VALUE':
      return 'value';
    default:
      return undefined;
  }
}
