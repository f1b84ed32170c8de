import type * as z from 'zod/mini';
import type * as resultParts from '../schemas/result-parts.ts';
import type { EventName, eventSets } from '../schemas/event-schemas.ts';
import type { OptionName } from './option-specs.ts';

/** What to complete a word with. */
export type CompletionKind =
  'server' | 'local' | 'used' | 'collection' | 'app' | 'setting' | 'value' | 'capability' | 'tool';

/** zod and shared result schemas. Never loaded at run time: the docs scripts and tests pass them in. */
type ResultParts = { readonly z: typeof z } & typeof resultParts;

/** Command groups in the order of the help. Help and completion leave out `machines`. */
export const commandGroups = {
  servers: 'Servers',
  use: 'Use',
  apps: 'AI apps',
  scripts: 'Scripts',
  local: 'Local servers',
  postern: 'Postern',
  machines: 'For machines',
} as const;

export interface CommandSpec {
  readonly group: keyof typeof commandGroups;
  readonly summary: string;
  /** As shown in help. Brackets: optional. `…`: one or more. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionName[];
  /** `none`: never opens the vault. `at-once`: starts by reading a secret. Absent: may need one later. */
  readonly secrets?: 'none' | 'at-once';
  /** Uses a stored sign-in. If only the user can fix it, the exit code is 3. */
  readonly usesSignIn?: true;
  /** What to complete a positional with, unless its name implies it. */
  readonly completionKinds?: Readonly<Record<string, CompletionKind>>;
  /** Other positionals when this switch is given, and options that cannot go with it. */
  readonly variants?: Readonly<
    Partial<Record<OptionName, { readonly positionals: readonly string[]; readonly excludes?: readonly OptionName[] }>>
  >;
  /** The Postern process that serves the profile may run it on behalf of the terminal's process. */
  readonly canDelegate?: true;
  /** Can be run by `postern with`, on a temporary connection instead of an ID. */
  readonly runsOnConnection?: true;
  /** Its COMMAND is a command with `runsOnConnection`. */
  readonly runsCommand?: true;
  /** Help text above the options. */
  readonly description: readonly string[];
  readonly examples: readonly string[];
  /** Fields of the last `--json` line on success, beside `result`. A list: one of these. */
  readonly results: (parts: ResultParts) => z.ZodMiniObject | readonly z.ZodMiniObject[];
  /** Events before the last line. Absent: all events of using a server. */
  readonly events?: (sets: typeof eventSets) => readonly EventName[];
}

/** One member per command. The table augments it, because commands import this file and the table imports them. */
export interface CommandRows {}

export type CommandName = keyof CommandRows;

/** All commands. The parser, help and completion take it as a parameter so that they load no commands themselves. */
export interface CommandTable<Spec extends CommandSpec = CommandSpec> {
  readonly specs: Readonly<Record<CommandName, Spec>>;
  /** In help order. */
  readonly names: readonly CommandName[];
  /** Aliases that other command-line tools use. */
  readonly aliases: Readonly<Record<string, CommandName>>;
  /** First words of two-word commands. */
  readonly firstWords: readonly string[];
}

export function createCommandTable<Spec extends CommandSpec>(
  specs: Readonly<Record<CommandName, Spec>>,
  aliases: Readonly<Record<string, CommandName>>,
): CommandTable<Spec> {
  const names = Object.keys(specs) as CommandName[];
  const firstWords = [...new Set(names.flatMap((name) => (name.includes(' ') ? name.replace(/ .*/u, '') : [])))];
  return { specs, names, aliases, firstWords };
}

/** The command at the start of `words`: one word, two words, or an alias. */
export function commandAt(
  { names, aliases }: CommandTable,
  [first = '', second = '']: readonly string[],
): CommandName | undefined {
  if (Object.hasOwn(aliases, first)) return aliases[first];
  return names.find((name) => name === `${first} ${second}`) ?? names.find((name) => name === first);
}

/** Every word a command may start with. */
export function firstWordsOf({ names, firstWords, aliases }: CommandTable): readonly string[] {
  return [...names, ...firstWords, ...Object.keys(aliases)];
}

/** Group titles with their commands. */
export function groupsOf({ names, specs }: CommandTable): readonly (readonly [title: string, names: CommandName[]])[] {
  return Object.entries(commandGroups).map(([group, title]) => [
    title,
    names.filter((name) => specs[name].group === group),
  ]);
}

export const isShownInHelp = ({ group }: CommandSpec): boolean => group !== 'machines';

/** Commands that `postern with` can run. */
export function commandsOnConnection({ names, specs }: CommandTable): readonly CommandName[] {
  return names.filter((name) => specs[name].runsOnConnection === true);
}

/** Number of words in the command's name. */
export const wordCount = (command: CommandName): number => command.split(' ').length;
