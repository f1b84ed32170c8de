import { commandGroups, groupsOf, isForPeople } from '../options/command-spec.ts';
import type { CommandName, CommandTable } from '../options/command-spec.ts';
import { optionSpecs } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { wrapLines } from '../text.ts';
import type { Answer, Output } from './output.ts';
import { readVersion } from './version.ts';

/** The answer to `--version` or `--help`; `undefined` where neither was given. */
export function describeItself(
  table: CommandTable,
  { command, firstWord, options }: ParsedArguments,
  output: Output,
): Answer | undefined {
  if (options.has('version')) {
    const version = readVersion();
    return { fields: { version }, text: version };
  }
  if (!options.has('help')) return undefined;
  const whole = firstWord === undefined ? describeProgram(table) : describeFirstWord(table, firstWord);
  const help = output.advise(command === undefined ? whole : describeCommand(table, command));
  return { fields: { help }, text: wrapLines(help, output.columns) };
}

/** `postern call ID TOOL --help`, which the server answers. */
export function wantsToolHelp({ command, options, positionals }: ParsedArguments): boolean {
  return command === 'call' && options.has('help') && !options.has('version') && positionals.length > 1;
}

/** What `postern local --help` prints, for the commands of one first word. */
export function describeFirstWord(table: CommandTable, firstWord: string): string {
  return [
    'Commands:',
    ...listCommands(
      table,
      table.names.filter((name) => name.startsWith(`${firstWord} `)),
    ),
  ].join('\n');
}

function listCommands(table: CommandTable, names: readonly CommandName[]): string[] {
  const shown = table.names.filter((name) => isForPeople(table.specs[name]));
  const width = Math.max(...shown.map((name) => synopsis(table, name).length));
  return names.map((name) => `  ${synopsis(table, name).padEnd(width)}  ${table.specs[name].summary}`);
}

/** What `postern --help` prints. */
export function describeProgram(table: CommandTable): string {
  return [
    'Postern connects the MCP servers that you use: you sign in once, it keeps you signed in.',
    '',
    'Start here:',
    '  postern connect https://mcp.example.com/mcp',
    '',
    ...groupsOf(table)
      .filter(([title]) => title !== commandGroups.machines)
      .flatMap(([title, names]) => [`${title}:`, ...listCommands(table, names), '']),
    `Short: ${Object.entries(table.shortNames)
      .map(([short, name]) => `${short} for ${name}`)
      .join(', ')}.`,
    'Every command takes --help and --json.',
    '',
    'Exit codes: 0 done · 1 failed · 2 not understood · 3 sign in again · 126, 127 command cannot run · 130 interrupted',
    'Without a keychain: --vault passphrase|file with the first connect; then --passphrase-fd N, --passphrase-file FILE',
    'or --key-file FILE with every command, or POSTERN_PASSPHRASE_FILE and POSTERN_KEY_FILE, which name a file.',
    'NO_COLOR takes the colours away; ACCESSIBLE=1 shows steps as lines that do not move, for screen readers.',
    'POSTERN_HOME names the folder where settings and sealed secrets are kept. BROWSER names the browser to open.',
  ].join('\n');
}

/** What `postern COMMAND --help` prints. */
export function describeCommand(table: CommandTable, name: CommandName): string {
  const spec = table.specs[name];
  return [
    `${spec.summary}.`,
    '',
    `Usage: ${describeUsage(table, name)}`,
    ...describeShort(table, name),
    ...(spec.about.length > 0 ? ['', ...spec.about] : []),
    '',
    'Options:',
    ...columns(spec.options.map((option) => [writeOption(option), optionSpecs[option].help])),
    '',
    spec.examples.length > 1 ? 'Examples:' : 'Example:',
    ...spec.examples.map((example) => `  ${example}`),
  ].join('\n');
}

function describeShort({ shortNames }: CommandTable, name: CommandName): string[] {
  return Object.entries(shortNames).flatMap(([short, meant]) => (meant === name ? [`Short: postern ${short}`] : []));
}

/** One line: the command and what has to follow it. */
export function describeUsage(table: CommandTable, name: CommandName): string {
  return `postern ${synopsis(table, name)} [options]`;
}

function synopsis({ specs }: CommandTable, name: CommandName): string {
  return [name, ...specs[name].positionals].join(' ');
}

/** An option and what stands for its value. */
export function writeOption(name: OptionName): string {
  const { value, choices } = optionSpecs[name];
  if (value === undefined) return `--${name}`;
  return `--${name} ${name === 'sign-in' && choices ? choices.join('|') : value}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
