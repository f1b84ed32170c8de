import type { CommandTable } from '../options/command-spec.ts';
import { describeCommand, describeFirstWord, describeProgram } from '../options/help.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { wrapLines } from '../text/text-table.ts';
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
