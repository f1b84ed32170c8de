import { readFileSync } from 'node:fs';
import { groupsOf } from '../../main/cli/options/command-spec.ts';
import type { CommandName } from '../../main/cli/options/command-spec.ts';
import { optionHelp } from '../../main/cli/options/option-specs.ts';
import { describeUsage, optionSyntax } from '../../main/cli/output/help.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';

/** docs/cli.md: the help from the command table, and how to run without a display, a keychain or a user. */
export function cliGuide(): string {
  return [
    '# The command line',
    '',
    'Generated from the same table as `postern --help`, by `npx node scripts/write-cli-docs.ts`.',
    '',
    readFileSync(new URL('./servers.md', import.meta.url), 'utf8').trimEnd(),
    '',
    ...groupsOf(commandTable).flatMap(([title, names]) => [`## ${title}`, '', ...names.flatMap(describe)]),
  ].join('\n');
}

function describe(name: CommandName): readonly string[] {
  const spec = commandTable.specs[name];
  const aliases = Object.entries(commandTable.aliases).flatMap(([word, meant]) =>
    meant === name ? [`\`${word}\``] : [],
  );
  const options = spec.options.filter((option) => option !== 'json' && option !== 'help');
  return [
    `### ${name}`,
    '',
    `${spec.summary}.${aliases.length > 0 ? ` Alias: ${aliases.join(', ')}.` : ''}`,
    '',
    '```',
    describeUsage(commandTable, name),
    '```',
    '',
    ...(spec.description.length > 0 ? [prose(spec.description), ''] : []),
    ...(options.length > 0
      ? [...options.map((option) => `- \`${optionSyntax(option)}\`: ${escape(optionHelp(option, name))}`), '']
      : []),
    '```',
    ...spec.examples,
    '```',
    '',
  ];
}

/** Help lines are wrapped for a terminal; an empty line ends a paragraph. */
function prose(lines: readonly string[]): string {
  return escape(lines.join(' ').replaceAll('  ', '\n\n'));
}

/** Escapes Markdown characters outside code. */
export function escape(text: string): string {
  return text.replaceAll(/`[^`]*`|([<>*_[\]|])/gu, (found, sign: string | undefined) =>
    sign === undefined ? found : `\\${sign}`,
  );
}
