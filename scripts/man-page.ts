import { groupsOf } from '../main/cli/options/command-spec.ts';
import type { CommandName } from '../main/cli/options/command-spec.ts';
import { optionHelp } from '../main/cli/options/option-specs.ts';
import { describeUsage, optionSyntax } from '../main/cli/output/help.ts';
import { commandTable } from '../main/cli/table/command-table.ts';
import { product } from '../shared/product.ts';

/** postern(1), in man(7) macros, from the same table as `--help`. */
export function manPage(): string {
  return [
    `.TH POSTERN 1 "" "Postern ${product.version}" "Postern"`,
    '.SH NAME',
    'postern \\- connect MCP servers once, for every AI app',
    '.SH SYNOPSIS',
    '.B postern',
    '.I COMMAND',
    '[options]',
    '.SH DESCRIPTION',
    text('Postern connects the MCP servers that you use: you sign in once, it keeps you signed in.'),
    text(
      'Every command takes --help and --json. Without a command, on a display, an installed Postern shows its window.',
    ),
    text(
      `Aliases: ${Object.entries(commandTable.aliases)
        .map(([short, name]) => `${short} for ${name}`)
        .join(', ')}.`,
    ),
    ...groupsOf(commandTable).flatMap(([title, names]) => [`.SH ${title.toUpperCase()}`, ...names.flatMap(describe)]),
    '.SH EXIT STATUS',
    ...[
      ['0', 'Done.'],
      ['1', 'Failed.'],
      ['2', 'Usage error.'],
      ['3', 'Sign in again.'],
      ['130', 'Interrupted.'],
    ].flatMap(([code = '', meaning = '']) => ['.TP', `.B ${code}`, text(meaning)]),
    '.SH ENVIRONMENT',
    '.TP',
    '.B POSTERN_HOME',
    text('The folder with settings and encrypted secrets.'),
    '.TP',
    '.B BROWSER',
    text('The browser that opens sign-in pages.'),
    '',
  ].join('\n');
}

function describe(name: CommandName): string[] {
  const { summary, description: about, options, examples } = commandTable.specs[name];
  return [
    `.SS ${text(describeUsage(commandTable, name))}`,
    text(`${summary}.`),
    ...(about.length > 0 ? ['.PP', ...about.map((line) => (line === '' ? '.PP' : text(line)))] : []),
    ...options.flatMap((option) => ['.TP', `.B ${text(optionSyntax(option))}`, text(`${optionHelp(option, name)}.`)]),
    '.PP',
    examples.length > 1 ? 'Examples:' : 'Example:',
    ...examples.flatMap((example) => ['.PP', '.RS', '.nf', text(example), '.fi', '.RE']),
  ];
}

/** Escapes text for roff: control characters become text, and a hyphen stays one that can be typed. */
function text(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^(?=\.)/u, '\\&');
}
