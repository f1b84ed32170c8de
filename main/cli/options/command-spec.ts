import type * as z from 'zod/mini';
import type * as answerParts from '../answers/answer-parts.ts';
import type { EventName, eventSets } from '../answers/event-schemas.ts';
import type { OptionName } from './option-specs.ts';

/** What a user's own list or settings have to say for a word. */
export type KnownNames =
  'server' | 'local' | 'used' | 'collection' | 'program' | 'setting' | 'value' | 'offer' | 'tool';

/** zod, and the shapes that several answers have. The program loads none of it: documents and tests hand it over. */
export type AnswerParts = { readonly z: typeof z } & typeof answerParts;

/** How help and the guide arrange the commands, in this order. Help and completion leave out those for machines. */
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
  /** Positionals as help shows them; those in brackets may be left out, one with `…` stands for one or more. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionName[];
  /** `none`: it never opens the vault. `at-once`: it begins by reading a secret. Absent: it may come to need one. */
  readonly secrets?: 'none' | 'at-once';
  /** It uses a stored sign-in: where only the user can repair that, the exit code says so. */
  readonly usesSignIn?: true;
  /** What a positional stands for here, where its name in help does not tell. */
  readonly completes?: Readonly<Record<string, KnownNames>>;
  /** What takes their place beside a switch, and the options that mean nothing then. */
  readonly formWith?: Readonly<
    Partial<Record<OptionName, { readonly positionals: readonly string[]; readonly without?: readonly OptionName[] }>>
  >;
  /** A Postern that runs for the profile may run it for the process that it was typed in. */
  readonly isServed?: true;
  /** `postern with` gives it a connection in the place of its ID. */
  readonly onConnection?: true;
  /** Its COMMAND is one of those. */
  readonly runsCommand?: true;
  /** What a person should know before the options. */
  readonly about: readonly string[];
  readonly examples: readonly string[];
  /** The fields of the last line of `--json` where all went well, beside `result`; of a list, one of these. */
  readonly answers: (parts: AnswerParts) => z.ZodMiniObject | readonly z.ZodMiniObject[];
  /** The lines before it; absent: all that a use of a server may bring. */
  readonly events?: (sets: typeof eventSets) => readonly EventName[];
}

/** Has a member for each command. The table itself declares them: commands import this file, and it imports them. */
export interface CommandRows {}

export type CommandName = keyof CommandRows;

/** The commands that there are. What reads, explains or completes words is handed it, and loads none by itself. */
export interface CommandTable<Spec extends CommandSpec = CommandSpec> {
  readonly specs: Readonly<Record<CommandName, Spec>>;
  /** In the order of help. */
  readonly names: readonly CommandName[];
  /** Shorter words for some of them, as other programs have them. */
  readonly shortNames: Readonly<Record<string, CommandName>>;
  /** First words that need a second one. */
  readonly firstWords: readonly string[];
}

export function createCommandTable<Spec extends CommandSpec>(
  specs: Readonly<Record<CommandName, Spec>>,
  shortNames: Readonly<Record<string, CommandName>>,
): CommandTable<Spec> {
  const names = Object.keys(specs) as CommandName[];
  const firstWords = [...new Set(names.flatMap((name) => (name.includes(' ') ? name.replace(/ .*/u, '') : [])))];
  return { specs, names, shortNames, firstWords };
}

/** The command at the start of `words`, by its one or two words or by the short one. */
export function commandAt(
  { names, shortNames }: CommandTable,
  [first = '', second = '']: readonly string[],
): CommandName | undefined {
  if (Object.hasOwn(shortNames, first)) return shortNames[first];
  return names.find((name) => name === `${first} ${second}`) ?? names.find((name) => name === first);
}

/** Each word that a command may begin with. */
export function firstWordsOf({ names, firstWords, shortNames }: CommandTable): readonly string[] {
  return [...names, ...firstWords, ...Object.keys(shortNames)];
}

/** The titles of the groups, each with its commands. */
export function groupsOf({ names, specs }: CommandTable): readonly (readonly [title: string, names: CommandName[]])[] {
  return Object.entries(commandGroups).map(([group, title]) => [
    title,
    names.filter((name) => specs[name].group === group),
  ]);
}

export const isForPeople = ({ group }: CommandSpec): boolean => group !== 'machines';

/** Those that `postern with` runs. */
export function commandsOnConnection({ names, specs }: CommandTable): readonly CommandName[] {
  return names.filter((name) => specs[name].onConnection === true);
}

/** How many of the words are its name. */
export const lengthOf = (command: CommandName): number => command.split(' ').length;
