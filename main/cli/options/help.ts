import type { CommandSpec } from './command-spec.ts';
import { commandNames, commandSpecs, shortNames } from '../table/command-table.ts';
import type { CommandName } from '../table/command-table.ts';
import { optionSpecs } from './option-specs.ts';
import type { OptionName } from './option-specs.ts';

/** What `postern local --help` prints, for the commands of one first word. */
export function describeGroup(group: string): string {
  return ['Commands:', ...listCommands(commandNames.filter((name) => name.startsWith(`${group} `)))].join('\n');
}

function listCommands(names: readonly CommandName[]): string[] {
  return columns(names.map((name) => [synopsis(name).replace('postern ', ''), commandSpecs[name].summary]));
}

/** What `postern --help` prints. */
export function describeProgram(): string {
  return [
    'Postern connects the MCP servers that you use: you sign in once, it keeps you signed in.',
    '',
    'Start here:',
    '  postern connect https://mcp.example.com/mcp',
    '',
    'Commands:',
    ...listCommands(commandNames.filter((name) => (commandSpecs[name] as CommandSpec).hidden !== true)),
    '',
    `Short: ${Object.entries(shortNames)
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
export function describeCommand(name: CommandName): string {
  const spec: CommandSpec = commandSpecs[name];
  return [
    `${spec.summary}.`,
    '',
    `Usage: ${describeUsage(name)}`,
    ...describeShort(name),
    ...(spec.about.length > 0 ? ['', ...spec.about] : []),
    '',
    'Options:',
    ...columns(spec.options.map((option) => [writeOption(option), optionSpecs[option].help])),
    '',
    spec.examples.length > 1 ? 'Examples:' : 'Example:',
    ...spec.examples.map((example) => `  ${example}`),
  ].join('\n');
}

function describeShort(name: CommandName): string[] {
  return Object.entries(shortNames).flatMap(([short, meant]) => (meant === name ? [`Short: postern ${short}`] : []));
}

/** One line: the command and what has to follow it. */
export function describeUsage(name: CommandName): string {
  return `${synopsis(name)} [options]`;
}

function synopsis(name: CommandName): string {
  return ['postern', name, ...commandSpecs[name].positionals].join(' ');
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
