import { fetchesCode } from '../../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { printableLine } from '../text/printable.ts';
import { alignColumns } from '../text/text-table.ts';

/** Exactly what will run, for whoever is to allow it: each word on a line of its own. */
export function describeCommand(command: LocalCommand): readonly string[] {
  const { command: typed, path, arguments: words, folder, variables, from } = command;
  const rows: (readonly [string, string])[] = [
    ['Runs', path],
    ...(typed === path ? [] : [['Typed as', typed] as const]),
    ...words.map((word, index) => [index === 0 ? 'Words' : '', JSON.stringify(word)] as const),
    ['Folder', folder ?? 'your home folder'],
    ['Variables', variables.length === 0 ? 'the usual ones' : `the usual ones, ${variables.join(', ')}`],
    ...(from === undefined ? [] : [['Comes from', from] as const]),
  ];
  return [
    alignColumns(rows.map(([label, value]) => [label, printableLine(value, 4_096)])),
    'It runs as you, without a shell, and can do on this computer what you can.',
    ...(fetchesCode(command)
      ? [`“${printableLine(typed, 80)}” fetches code and runs it: it may be other code each time.`]
      : []),
  ];
}
