import { parseArgs } from 'node:util';
import { logLevels } from '../../../shared/choices.ts';
import type { LogLevel, SecretMethod } from '../../../shared/choices.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { nameProblem } from '../../address/display-text.ts';
import { refusePastedCommand } from '../../address/typed-address.ts';
import { closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { displayNameLength, stateLifetime } from '../../limits.ts';
import { printableLine } from '../text.ts';
import { commandAt, lengthOf } from './command-spec.ts';
import type { CommandName, CommandSpec, CommandTable } from './command-spec.ts';
import { grantChoices, optionNames, optionSpecs, secretMethodNames, vaultOptions } from './option-specs.ts';
import type { OptionName } from './option-specs.ts';

/** Switches are `['']`; an option with a value has one entry for each time it was given. */
export type OptionValues = ReadonlyMap<OptionName, readonly string[]>;

export interface ParsedArguments {
  readonly command: CommandName | undefined;
  /** The first word of commands whose help was asked for. */
  readonly firstWord?: string | undefined;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/**
 * Reads the words after `postern`. Options may stand anywhere. Errors: USAGE (as `UsageError`), URL_COMMAND; values of
 * options never get into its text, since a secret may stand there by mistake.
 */
export function parseArguments(table: CommandTable, args: readonly string[]): ParsedArguments {
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
  const firstWord =
    helpWanted && commandAt(table, words) === undefined
      ? table.firstWords.find((each) => each === words[0])
      : undefined;
  const command = firstWord === undefined ? findCommand(table, words) : undefined;
  const asked = command === undefined ? undefined : { name: command, spec: table.specs[command] };
  words.splice(0, command === undefined ? 1 : lengthOf(command));
  // `exec -- -name -- COMMAND`: the first -- stands before a name that looks like an option.
  if (words[1] === '--' && asked?.spec.positionals.includes('COMMAND…')) words.splice(1, 1);
  // What was pasted as one word is read by `connect`.
  const isOneWord = command === 'connect' && words.length === 1;
  if (!helpWanted && !isOneWord && (command === 'connect' || command === 'discover')) {
    refusePastedCommand(words, { local: given.some(({ name }) => name === 'local') });
  }
  for (const token of given) {
    const name = checkOption(token, asked);
    options.set(name, [...(options.get(name) ?? []), token.value ?? '']);
  }
  if (helpWanted) options.set('help', ['']);
  else if (asked) checkPositionals(words, asked, options);
  return { command, positionals: words, options, ...(firstWord !== undefined && { firstWord }) };
}

const parserOptions = {
  ...Object.fromEntries(
    optionNames.map((name) => [name, { type: optionSpecs[name].value === undefined ? 'boolean' : 'string' } as const]),
  ),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

interface AskedCommand {
  readonly name: CommandName;
  readonly spec: CommandSpec;
}

function findCommand(table: CommandTable, words: readonly string[]): CommandName | undefined {
  const { names, firstWords, shortNames } = table;
  const [word, second = ''] = words;
  if (word === undefined) return undefined;
  const command = commandAt(table, words);
  if (command !== undefined) return command;
  if (firstWords.includes(word)) {
    const seconds = names.flatMap((name) => (name.startsWith(`${word} `) ? name.slice(word.length + 1) : []));
    throw new UsageError(`“postern ${word}” needs one of ${seconds.join(', ')} next.${didYouMean(second, seconds)}`);
  }
  const meant = didYouMean(word, [
    ...new Set(names.map((name) => name.replace(/ .*/u, ''))),
    ...Object.keys(shortNames),
  ]);
  const address = /^https?:/iu.test(word) ? ' To connect a server: postern connect URL.' : '';
  throw new UsageError(`There is no command “${printableLine(word, 40)}”.${meant || address}`);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkOption(token: OptionToken, asked: AskedCommand | undefined): OptionName {
  const command = asked?.name;
  const allowed: readonly OptionName[] = asked?.spec.options ?? ['json', 'help', 'version'];
  const everywhere = asked && asked.spec.secrets !== 'none' ? vaultOptions : [];
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

function checkPositionals(
  words: readonly string[],
  { name: command, spec: { formWith = {}, positionals: usual } }: AskedCommand,
  options: OptionValues,
): void {
  const instead = optionNames.find((name) => formWith[name] !== undefined && options.has(name));
  const { positionals = usual, without = [] } = (instead && formWith[instead]) ?? {};
  const idle = without.find((name) => options.has(name));
  if (idle !== undefined) throw new UsageError(`--${idle} and --${instead} do not go together.`, command);
  if (instead !== undefined && words.length > positionals.length) {
    const other = [`--${instead}`, ...positionals].join(' ');
    throw new UsageError(`“postern ${command}” takes either ${usual.join(' ')} or ${other}.`, command);
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

/** Whether a switch was given. */
export function hasOption({ options }: ParsedArguments, name: OptionName): boolean {
  return options.has(name);
}

/** The value of an option that may stand once. Errors: USAGE when it stands twice. */
export function optionValue({ command, options }: ParsedArguments, name: OptionName): string | undefined {
  const values = options.get(name) ?? [];
  if (values.length > 1) throw new UsageError(`--${name} is there twice.`, command);
  return values[0];
}

/** What a server is to be called; typed as an option or as a word. Errors: USAGE where commands could not tell it. */
export function checkServerName(name: string, command: ParsedArguments['command']): string {
  const problem = nameProblem(name);
  if (problem === 'invisible') throw new UsageError('A name needs something that can be shown.', command);
  if (problem === 'sign')
    throw new UsageError('A name begins with neither “-” nor “+”: those are for options and collections.', command);
  if (problem === 'long') throw new UsageError(`A name has at most ${displayNameLength} characters.`, command);
  return name;
}

/** A wait in milliseconds; `longest`: of a sign-in, or what else is waited for. Errors: USAGE. */
export function timeoutValue(args: ParsedArguments, longest: number = stateLifetime): number | undefined {
  const text = optionValue(args, 'timeout');
  if (text === undefined) return undefined;
  const most = longest / 1_000;
  const seconds = /^\d{1,5}(\.\d{1,3})?$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > most) {
    throw new UsageError(`--timeout needs a number of seconds from 1 to ${most}.`, args.command);
  }
  return Math.ceil(seconds * 1_000);
}

export function logLevelValue(args: ParsedArguments): LogLevel | undefined {
  const text = optionValue(args, 'log-level');
  return logLevels.find((known) => known === text);
}

/** How long access has to last, in milliseconds. Errors: USAGE. */
export function minTtlValue(args: ParsedArguments): number | undefined {
  const seconds = secondsOfDay(args, 'min-ttl');
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Seconds after which nobody needs it any more. Errors: USAGE. */
export function idleExitValue(args: ParsedArguments): number | undefined {
  return secondsOfDay(args, 'idle-exit');
}

/** At most a day. Errors: USAGE. */
function secondsOfDay(args: ParsedArguments, name: OptionName): number | undefined {
  const text = optionValue(args, name);
  if (text === undefined) return undefined;
  const seconds = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 86_400) {
    throw new UsageError(`--${name} needs a number of seconds from 1 to 86400.`, args.command);
  }
  return seconds;
}

/** A port. Errors: USAGE. */
export function portValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'port');
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (port < 1_024 || port > 65_535) {
    throw new UsageError('--port needs a number from 1024 to 65535.', args.command);
  }
  return port;
}

/** How long ago, in milliseconds. Errors: USAGE. */
export function sinceValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'since');
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  if (count === undefined) throw new UsageError('--since needs a time such as 30s, 10m, 1h or 2d.', args.command);
  return Number(count) * { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 's' | 'm' | 'h' | 'd'];
}

/** The options of `connect` that give these choices: what `readIntegrationOptions` reads, written again. */
export function storedOptionValues(options: IntegrationOptions): OptionValues {
  const { pkce, scope, clientMetadataUrl, authorizationServer, endpoints, callbackHost } = options;
  const values: readonly (readonly [OptionName, readonly (string | undefined)[]])[] = [
    ['local', options.local ? [''] : []],
    ['allow-host', options.allowedHosts],
    ['allow-http', options.allowHttp ? [''] : []],
    ['pkce', pkce === 'when-listed' ? [] : [pkce]],
    ['legacy-endpoints', options.legacyEndpoints ? [''] : []],
    ['no-resource', options.sendResource ? [] : ['']],
    ['pushed-request', options.pushRequests === true ? [''] : []],
    ['client-auth', [writeSecretMethod(options.clientAuthentication)]],
    ['grant', [grantChoices.find((choice) => choice === options.grant)]],
    ['assertion-file', [options.assertionFile]],
    ['identity-provider', [options.identityProvider]],
    ['as-provider', options.isIdentityProvider ? [''] : []],
    ['scope', [scope]],
    ['client-metadata-url', [clientMetadataUrl]],
    ['authorization-server', [authorizationServer]],
    ['authorization-endpoint', [endpoints?.authorization]],
    ['token-endpoint', [endpoints?.token]],
    ['callback-host', [callbackHost]],
  ];
  return new Map(
    values.flatMap(([name, given]) => {
      const present = given.filter((value) => value !== undefined);
      return present.length > 0 ? [[name, present] as const] : [];
    }),
  );
}

/** As `--client-auth` calls it. */
export function writeSecretMethod(method: SecretMethod | undefined): string | undefined {
  return Object.entries(secretMethodNames).find(([, named]) => named === method)?.[0];
}

/**
 * A command line that cannot be understood: exit 2. `problem` is our own sentence and never holds an option's value.
 */
export class UsageError extends PosternError {
  /** Whose help says more; `undefined` where the mistake was found by whoever does not know the command. */
  readonly command: CommandName | undefined;

  constructor(problem: string, command?: CommandName) {
    super('USAGE', { stage: 'app', detail: { problem } });
    this.command = command;
  }
}

/** What was probably meant, as a sentence behind another one; nothing where no word is near. */
export function didYouMean(typed: string, candidates: readonly string[]): string {
  const meant = closestWord(typed, candidates);
  return meant === undefined ? '' : ` Did you mean “${printableLine(meant, 80)}”?`;
}
