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
import { commandAt, wordCount } from './command-spec.ts';
import type { CommandName, CommandSpec, CommandTable } from './command-spec.ts';
import { grantChoices, optionNames, optionSpecs, secretMethodNames, vaultOptions } from './option-specs.ts';
import type { OptionName } from './option-specs.ts';

/** `['']` for a switch; else one value each time the option was given. */
export type OptionValues = ReadonlyMap<OptionName, readonly string[]>;

export interface ParsedArguments {
  readonly command: CommandName | undefined;
  /** First word of two-word commands, if its help was requested. */
  readonly firstWord?: string | undefined;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/**
 * Parses the arguments after `postern`. Options may appear anywhere. Errors: USAGE (as `UsageError`), URL_COMMAND.
 * Messages never contain option values, because a secret may be there by mistake.
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
  const optionTokens = tokens.filter((token) => token.kind === 'option');
  const wantsHelp = words[0] === 'help' || optionTokens.some(({ name }) => name === 'help');
  if (words[0] === 'help') words.shift();
  const firstWord =
    wantsHelp && commandAt(table, words) === undefined ? table.firstWords.find((each) => each === words[0]) : undefined;
  const command = firstWord === undefined ? findCommand(table, words) : undefined;
  const requested = command === undefined ? undefined : { name: command, spec: table.specs[command] };
  words.splice(0, command === undefined ? 1 : wordCount(command));
  // In `exec -- -name -- COMMAND`, the first -- precedes a name that looks like an option.
  if (words[1] === '--' && requested?.spec.positionals.includes('COMMAND…')) words.splice(1, 1);
  // `connect` itself reads what was pasted as one word.
  const isOneWord = command === 'connect' && words.length === 1;
  if (!wantsHelp && !isOneWord && (command === 'connect' || command === 'discover')) {
    refusePastedCommand(words, { local: optionTokens.some(({ name }) => name === 'local') });
  }
  for (const token of optionTokens) {
    const name = checkOption(token, requested);
    options.set(name, [...(options.get(name) ?? []), token.value ?? '']);
  }
  if (wantsHelp) options.set('help', ['']);
  else if (requested) checkPositionals(words, requested, options);
  return { command, positionals: words, options, ...(firstWord !== undefined && { firstWord }) };
}

const parserOptions = {
  ...Object.fromEntries(
    optionNames.map((name) => [name, { type: optionSpecs[name].value === undefined ? 'boolean' : 'string' } as const]),
  ),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

interface RequestedCommand {
  readonly name: CommandName;
  readonly spec: CommandSpec;
}

function findCommand(table: CommandTable, words: readonly string[]): CommandName | undefined {
  const { names, firstWords, aliases } = table;
  const [word, second = ''] = words;
  if (word === undefined) return undefined;
  const command = commandAt(table, words);
  if (command !== undefined) return command;
  if (firstWords.includes(word)) {
    const secondWords = names.flatMap((name) => (name.startsWith(`${word} `) ? name.slice(word.length + 1) : []));
    throw new UsageError(
      `“postern ${word}” needs a subcommand: ${secondWords.join(', ')}.${didYouMean(second, secondWords)}`,
    );
  }
  const suggestion = didYouMean(word, [
    ...new Set(names.map((name) => name.replace(/ .*/u, ''))),
    ...Object.keys(aliases),
  ]);
  const address = /^https?:/iu.test(word) ? ' Connect a server with postern connect URL.' : '';
  throw new UsageError(`Unknown command “${printableLine(word, 40)}”.${suggestion || address}`);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkOption(token: OptionToken, requested: RequestedCommand | undefined): OptionName {
  const command = requested?.name;
  const allowed: readonly OptionName[] = requested?.spec.options ?? ['json', 'help', 'version'];
  const commonOptions = requested && requested.spec.secrets !== 'none' ? vaultOptions : [];
  const name =
    [...allowed, ...commonOptions].find((candidate) => candidate === token.name) ??
    (token.name === 'version' ? 'version' : undefined);
  if (name === undefined) throw unknownOption(token, allowed, commonOptions, command);
  const spec = optionSpecs[name];
  if (spec.value === undefined) {
    if (token.inlineValue) throw new UsageError(`--${name} takes no value.`, command);
    return name;
  }
  // In `--name --local`, the value was probably forgotten. A real one is written `--name=--local`.
  if (!token.value || (token.value.startsWith('-') && !token.inlineValue)) {
    const isDash = token.value?.startsWith('-') === true;
    const hint = isDash ? ` Write a value that starts with “-” as --${name}=VALUE.` : '';
    throw new UsageError(`--${name} needs a value: --${name} ${spec.value}.${hint}`, command);
  }
  if (spec.choices && !spec.choices.includes(token.value)) {
    throw new UsageError(
      `--${name} must be one of ${spec.choices.join(', ')}.${didYouMean(token.value, spec.choices)}`,
      command,
    );
  }
  return name;
}

function unknownOption(
  token: OptionToken,
  allowed: readonly string[],
  commonOptions: readonly string[],
  command: CommandName | undefined,
): UsageError {
  if (allowed.includes(`${token.name}-stdin`)) {
    const reason = 'Other programs can see the command line, so it must not contain secrets.';
    return new UsageError(`${reason} Use --${token.name}-stdin and pass the secret on standard input.`, command);
  }
  const displayName = printableLine(token.rawName, 40);
  const known = optionNames.find((name) => name === token.name);
  if (known && command) return new UsageError(`“postern ${command}” has no option ${displayName}.`, command);
  const suggestion = closestWord(token.name, [...allowed, ...commonOptions]);
  const looksLikeName = !token.rawName.startsWith('--') && suggestion === undefined;
  const hint = suggestion
    ? ` Did you mean --${suggestion}?`
    : looksLikeName
      ? ' Put -- before a name that starts with “-”.'
      : '';
  return new UsageError(`Unknown option ${displayName}.${hint}`, command);
}

function checkPositionals(
  words: readonly string[],
  { name: command, spec: { variants = {}, positionals: defaultPositionals } }: RequestedCommand,
  options: OptionValues,
): void {
  const activeSwitch = optionNames.find((name) => variants[name] !== undefined && options.has(name));
  const { positionals = defaultPositionals, excludes = [] } = (activeSwitch && variants[activeSwitch]) ?? {};
  const conflicting = excludes.find((name) => options.has(name));
  if (conflicting !== undefined) throw new UsageError(`Use either --${conflicting} or --${activeSwitch}.`, command);
  if (activeSwitch !== undefined && words.length > positionals.length) {
    const other = [`--${activeSwitch}`, ...positionals].join(' ');
    throw new UsageError(`“postern ${command}” takes either ${defaultPositionals.join(' ')} or ${other}.`, command);
  }
  const missing = positionals.filter((name) => !name.startsWith('['))[words.length];
  if (missing !== undefined)
    throw new UsageError(
      `“postern ${command}” needs ${/^[AI]/u.test(missing) ? 'an' : 'a'} ${missing.replace('…', '')}.`,
      command,
    );
  if (words.length > positionals.length && !/…\]?$/u.test(positionals.at(-1) ?? '')) {
    const hint = positionals.length > 0 ? ' Put names with spaces in quotes.' : '';
    throw new UsageError(`Too many arguments for “postern ${command}”.${hint}`, command);
  }
}

/** Whether a switch was given. */
export function hasOption({ options }: ParsedArguments, name: OptionName): boolean {
  return options.has(name);
}

/** The value of an option. Errors: USAGE if it was given twice. */
export function optionValue({ command, options }: ParsedArguments, name: OptionName): string | undefined {
  const values = options.get(name) ?? [];
  if (values.length > 1) throw new UsageError(`--${name} was given twice.`, command);
  return values[0];
}

/** Checks a name for a server. Errors: USAGE if commands could not refer to it. */
export function checkServerName(name: string, command: ParsedArguments['command']): string {
  const problem = nameProblem(name);
  if (problem === 'invisible') throw new UsageError('A name needs at least one visible character.', command);
  if (problem === 'sign') throw new UsageError('A name cannot start with “-” or “+”.', command);
  if (problem === 'long') throw new UsageError(`A name can have at most ${displayNameLength} characters.`, command);
  return name;
}

/** `--timeout` in milliseconds. `longest`: the limit, by default that of a sign-in. Errors: USAGE. */
export function timeoutValue(args: ParsedArguments, limit: number = stateLifetime): number | undefined {
  const text = optionValue(args, 'timeout');
  if (text === undefined) return undefined;
  const maximum = limit / 1_000;
  const seconds = /^\d{1,5}(\.\d{1,3})?$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > maximum) {
    throw new UsageError(`--timeout needs a number of seconds from 1 to ${maximum}.`, args.command);
  }
  return Math.ceil(seconds * 1_000);
}

export function logLevelValue(args: ParsedArguments): LogLevel | undefined {
  const text = optionValue(args, 'log-level');
  return logLevels.find((known) => known === text);
}

/** `--min-ttl` in milliseconds. Errors: USAGE. */
export function minTtlValue(args: ParsedArguments): number | undefined {
  const seconds = readSeconds(args, 'min-ttl');
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** `--idle-exit` in seconds. Errors: USAGE. */
export function idleExitValue(args: ParsedArguments): number | undefined {
  return readSeconds(args, 'idle-exit');
}

/** Whole seconds, at most a day. Errors: USAGE. */
function readSeconds(args: ParsedArguments, name: OptionName): number | undefined {
  const text = optionValue(args, name);
  if (text === undefined) return undefined;
  const seconds = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 86_400) {
    throw new UsageError(`--${name} needs a number of seconds from 1 to 86400.`, args.command);
  }
  return seconds;
}

/** Errors: USAGE. */
export function portValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'port');
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  if (port < 1_024 || port > 65_535) {
    throw new UsageError('--port needs a number from 1024 to 65535.', args.command);
  }
  return port;
}

/** `--since` in milliseconds before now. Errors: USAGE. */
export function sinceValue(args: ParsedArguments): number | undefined {
  const text = optionValue(args, 'since');
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  if (count === undefined) throw new UsageError('--since needs a time such as 30s, 10m, 1h or 2d.', args.command);
  return Number(count) * { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 's' | 'm' | 'h' | 'd'];
}

/** The `connect` options that produce these stored options: the inverse of `readIntegrationOptions`. */
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
    ['client-auth', [secretMethodName(options.clientAuthentication)]],
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

/** The `--client-auth` name of a method. */
export function secretMethodName(method: SecretMethod | undefined): string | undefined {
  return Object.entries(secretMethodNames).find(([, named]) => named === method)?.[0];
}

/** A usage error: exit code 2. `problem` is our own sentence and never contains an option's value. */
export class UsageError extends PosternError {
  /** The command whose usage to show; `undefined` if not known where the error was found. */
  readonly command: CommandName | undefined;

  constructor(problem: string, command?: CommandName) {
    super('USAGE', { stage: 'postern', detail: { problem } });
    this.command = command;
  }
}

/** A sentence with the closest candidate; empty if none is close. */
export function didYouMean(typed: string, candidates: readonly string[]): string {
  const suggestion = closestWord(typed, candidates);
  return suggestion === undefined ? '' : ` Did you mean “${printableLine(suggestion, 80)}”?`;
}
