import { readVersion } from '../../host/installation.ts';
import { commandGroups, groupsOf, isShownInHelp } from '../options/command-spec.ts';
import type { CommandName, CommandTable } from '../options/command-spec.ts';
import { optionHelp, optionSpecs } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { wrapLines } from '../text.ts';
import type { CommandResult, Output } from './output.ts';

/** The result of `--version` or `--help`; `undefined` if neither was given. */
export function describeHelpOrVersion(
  table: CommandTable,
  { command, firstWord, options }: ParsedArguments,
  output: Output,
): CommandResult | undefined {
  if (options.has('version')) {
    const version = readVersion();
    return { fields: { version }, text: version };
  }
  if (!options.has('help')) return undefined;
  const general = firstWord === undefined ? describeAllCommands(table) : describeSubcommands(table, firstWord);
  const help = output.advise(command === undefined ? general : describeCommandHelp(table, command));
  return { fields: { help }, text: wrapLines(help, output.columns) };
}

/** `postern call ID TOOL --help`, which asks the server. */
export function wantsToolHelp({ command, options, positionals }: ParsedArguments): boolean {
  return command === 'call' && options.has('help') && !options.has('version') && positionals.length > 1;
}

/** The text of `postern local --help`, for commands with that first word. */
function describeSubcommands(table: CommandTable, firstWord: string): string {
  return [
    'Commands:',
    ...listCommands(
      table,
      table.names.filter((name) => name.startsWith(`${firstWord} `)),
    ),
  ].join('\n');
}

function listCommands(table: CommandTable, names: readonly CommandName[]): string[] {
  const shown = table.names.filter((name) => isShownInHelp(table.specs[name]));
  const width = Math.max(...shown.map((name) => synopsis(table, name).length));
  return names.map((name) => `  ${synopsis(table, name).padEnd(width)}  ${table.specs[name].summary}`);
}

/** The text of `postern --help`. */
export function describeAllCommands(table: CommandTable): string {
  return [
    'Connect MCP servers once and use them in every AI app on this computer.',
    '',
    'Start here:',
    '  postern connect https://mcp.example.com/mcp',
    '',
    ...groupsOf(table)
      .filter(([title]) => title !== commandGroups.machines)
      .flatMap(([title, names]) => [`${title}:`, ...listCommands(table, names), '']),
    `Aliases: ${Object.entries(table.aliases)
      .map(([alias, name]) => `${alias} for ${name}`)
      .join(', ')}.`,
    'Every command takes --help and --json.',
    '',
    'Exit codes: 0 success · 1 failure · 2 usage error · 3 sign in again · 126, 127 command cannot run · 130 interrupted',
    'Without a keychain: use --vault passphrase|file with your first connect. Then give every command --passphrase-fd N,',
    '--passphrase-file FILE or --key-file FILE, or name the file in POSTERN_PASSPHRASE_FILE or POSTERN_KEY_FILE.',
    'NO_COLOR turns off colors. ACCESSIBLE=1 turns off animation, for screen readers.',
    'POSTERN_HOME sets the folder for settings and encrypted secrets. BROWSER sets the browser to open.',
  ].join('\n');
}

/** The text of `postern COMMAND --help`. */
export function describeCommandHelp(table: CommandTable, name: CommandName): string {
  const spec = table.specs[name];
  return [
    `${spec.summary}.`,
    '',
    `Usage: ${describeUsage(table, name)}`,
    ...describeAliases(table, name),
    ...(spec.description.length > 0 ? ['', ...spec.description] : []),
    '',
    'Options:',
    ...alignOptions(spec.options.map((option) => [optionSyntax(option), optionHelp(option, name)])),
    '',
    spec.examples.length > 1 ? 'Examples:' : 'Example:',
    ...spec.examples.map((example) => `  ${example}`),
  ].join('\n');
}

function describeAliases({ aliases }: CommandTable, name: CommandName): string[] {
  return Object.entries(aliases).flatMap(([alias, meant]) => (meant === name ? [`Alias: postern ${alias}`] : []));
}

/** The usage line of a command. */
export function describeUsage(table: CommandTable, name: CommandName): string {
  return `postern ${synopsis(table, name)} [options]`;
}

function synopsis({ specs }: CommandTable, name: CommandName): string {
  return [name, ...specs[name].positionals].join(' ');
}

/** An option with its value placeholder. */
export function optionSyntax(name: OptionName): string {
  const { value, choices } = optionSpecs[name];
  if (value === undefined) return `--${name}`;
  return `--${name} ${name === 'sign-in' && choices ? choices.join('|') : value}`;
}

function alignOptions(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
