import { parseArgs } from 'node:util';
import { closestWord } from '../../closest-word.ts';
import { refusePastedCommand } from '../../address/pasted-command.ts';
import { commandNamed, commandNames, commandSpecs, shortNames } from './command-specs.ts';
import type { CommandSpec } from './command-spec.ts';
import type { CommandName } from './command-specs.ts';
import { optionNames, optionSpecs, vaultOptions } from './option-specs.ts';
import type { OptionName } from './option-specs.ts';
import { printableLine } from '../text/printable.ts';
import { didYouMean, UsageError } from './usage-error.ts';

/** Switches are `['']`; an option with a value has one entry for each time it was given. */
export type OptionValues = ReadonlyMap<OptionName, readonly string[]>;

export interface ParsedArguments {
  readonly command: CommandName | undefined;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/**
 * Reads the words after `postern`. Options may stand anywhere. Errors: USAGE (as `UsageError`), URL_COMMAND; values of
 * options never get into its text, since a secret may stand there by mistake.
 */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const options = new Map<OptionName, string[]>();
  const given = tokens.filter((token) => token.kind === 'option');
  const helpWanted = words[0] === 'help' || given.some(({ name }) => name === 'help');
  if (words[0] === 'help') words.shift();
  const command = findCommand(words.shift());
  // `exec -- -name -- COMMAND`: the first -- stands before a name that looks like an option.
  if (
    command !== undefined &&
    words[1] === '--' &&
    commandSpecs[command].positionals.some((word) => word === 'COMMAND…')
  )
    words.splice(1, 1);
  if (!helpWanted && (command === 'connect' || command === 'discover')) {
    refusePastedCommand(words, { local: given.some(({ name }) => name === 'local') });
  }
  for (const token of given) {
    const name = checkOption(token, command);
    options.set(name, [...(options.get(name) ?? []), token.value ?? '']);
  }
  if (helpWanted) options.set('help', ['']);
  else if (command !== undefined) checkPositionals(words, command, options);
  return { command, positionals: words, options };
}

const parserOptions = {
  ...Object.fromEntries(
    optionNames.map((name) => [name, { type: optionSpecs[name].value === undefined ? 'boolean' : 'string' } as const]),
  ),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** They need no secret. */
const withoutVault: ReadonlySet<CommandName> = new Set([
  'list',
  'show',
  'export',
  'rename',
  'settings',
  'completion',
  'discover',
]);

function findCommand(word: string | undefined): CommandName | undefined {
  if (word === undefined) return undefined;
  const command = commandNamed(word);
  if (command !== undefined) return command;
  const meant = didYouMean(word, [...commandNames, ...Object.keys(shortNames)]);
  const address = /^https?:/iu.test(word) ? ' To connect a server: postern connect URL.' : '';
  throw new UsageError(`There is no command “${printableLine(word, 40)}”.${meant || address}`);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkOption(token: OptionToken, command: CommandName | undefined): OptionName {
  const allowed: readonly OptionName[] = command ? commandSpecs[command].options : ['json', 'help', 'version'];
  const everywhere = command && !withoutVault.has(command) ? vaultOptions : [];
  const name =
    [...allowed, ...everywhere].find((candidate) => candidate === token.name) ??
    (token.name === 'version' ? 'version' : undefined);
  if (name === undefined) throw unknownOption(token, allowed, everywhere, command);
  const spec = optionSpecs[name];
  if (spec.value === undefined) {
    if (token.inlineValue) throw new UsageError(`--${name} takes no value.`, command);
    return name;
  }
  // `--name --local` is a forgotten value; whoever means it writes `--name=--local`.
  if (!token.value || (token.value.startsWith('-') && !token.inlineValue)) {
    const isDash = token.value?.startsWith('-') === true;
    const how = isDash ? ` A value that begins with “-” is written --${name}=VALUE.` : '';
    throw new UsageError(`--${name} needs a value: --${name} ${spec.value}.${how}`, command);
  }
  if (spec.choices && !spec.choices.includes(token.value)) {
    throw new UsageError(
      `--${name} is one of ${spec.choices.join(', ')}.${didYouMean(token.value, spec.choices)}`,
      command,
    );
  }
  return name;
}

function unknownOption(
  token: OptionToken,
  allowed: readonly string[],
  everywhere: readonly string[],
  command: CommandName | undefined,
): UsageError {
  if (allowed.includes(`${token.name}-stdin`)) {
    const reason = 'Other programs can read the command line, so secrets are not taken from it.';
    return new UsageError(`${reason} Use --${token.name}-stdin and give it on standard input.`, command);
  }
  const shown = printableLine(token.rawName, 40);
  const elsewhere = optionNames.find((name) => name === token.name);
  if (elsewhere && command) return new UsageError(`“postern ${command}” has no option ${shown}.`, command);
  const meant = closestWord(token.name, [...allowed, ...everywhere]);
  const isName = !token.rawName.startsWith('--') && meant === undefined;
  const how = meant ? ` Did you mean --${meant}?` : isName ? ' Put -- before a name that begins with “-”.' : '';
  return new UsageError(`There is no option ${shown}.${how}`, command);
}

function checkPositionals(words: readonly string[], command: CommandName, options: OptionValues): void {
  const { positionals, insteadOfPositionals }: CommandSpec = commandSpecs[command];
  if (insteadOfPositionals !== undefined && options.has(insteadOfPositionals)) {
    if (words.length === 0) return;
    throw new UsageError(
      `“postern ${command}” takes either ${positionals.join(' ')} or --${insteadOfPositionals}.`,
      command,
    );
  }
  const missing = positionals.filter((name) => !name.startsWith('['))[words.length];
  if (missing !== undefined)
    throw new UsageError(
      `“postern ${command}” needs ${missing === 'ID' ? 'an' : 'a'} ${missing.replace('…', '')}.`,
      command,
    );
  if (words.length > positionals.length && !/…\]?$/u.test(positionals.at(-1) ?? '')) {
    const hint = positionals.length > 0 ? ' Put a name with spaces in quotes.' : '';
    throw new UsageError(`“postern ${command}” has a word too many.${hint}`, command);
  }
}
