import { commandGroups, groupsOf, isForPeople } from './command-spec.ts';
import type { CommandName, CommandTable } from './command-spec.ts';
import { optionSpecs } from './option-specs.ts';
import type { OptionName } from './option-specs.ts';

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
