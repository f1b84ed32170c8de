import type { LocalCommand, RemoteOf, RunFacts } from '../../../shared/local-command.ts';
import { fetchesCode, visibleWord } from '../../../shared/shown-command.ts';
import type { ShownVariable } from '../../../shared/shown-command.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { sealCommand } from '../../secret.ts';
import { alignColumns, printableLine } from '../text.ts';

/** Exactly what will run, for whoever is to allow it: each word on a line of its own, and nothing cut. */
export function describeCommand(plain: LocalCommand, shown: readonly ShownVariable[] = []): readonly string[] {
  const { command } = sealCommand(plain, {});
  const { command: typed, path, arguments: words, folder, from, lifetime, sealed = [] } = command;
  const variables = command.variables.map((name) => visibleWord(name));
  const rows: (readonly [string, string])[] = [
    ['Runs', visibleWord(path)],
    ...(typed === path ? [] : [['Typed as', visibleWord(typed)] as const]),
    ...words.map((word, index) => [index === 0 ? 'Words' : '', quoted(word)] as const),
    ['Folder', folder === undefined ? 'your home folder' : visibleWord(folder)],
    ['Variables', variables.length === 0 ? 'the usual ones' : `the usual ones, ${variables.join(', ')}`],
    ['Process', lifetime === 'shared' ? 'one that all programs share' : 'one for each session of a program'],
    ...(from === undefined ? [] : [['Comes from', printableLine(from, 200)] as const]),
  ];
  return [
    alignColumns(rows),
    ...shown.map(({ name, value, decides }) =>
      decides
        ? `${visibleWord(name)} can decide which code runs. It is: ${visibleWord(value)}`
        : `${visibleWord(name)} is: ${visibleWord(value)}`,
    ),
    ...(sealed.length > 0 ? ['“…” stands for a secret. Postern keeps it sealed, and shows it nowhere.'] : []),
    'It runs as you, without a shell, and can do on this computer what you can.',
    ...(fetchesCode(command)
      ? [`“${printableLine(typed, 80)}” fetches code and runs it: it may be other code each time.`]
      : []),
  ];
}

/** All that a user has to know of a command before it runs, as lines. */
export function describeRun(facts: RunFacts, advise: (sentence: string) => string): readonly string[] {
  return [
    ...describeRemote(facts).map(advise),
    ...describeCommand(facts.command, facts.shown),
    ...describeReplaced(facts),
  ];
}

/** What goes with the command that has this name so far. */
function describeReplaced({ name, replaced }: RunFacts): readonly string[] {
  if (!replaced) return [];
  const { command, variables } = replaced;
  const values = variables.length === 0 ? '' : `, and the values kept for ${variables.join(', ')} go`;
  return [
    `It takes the place of the command that “${printableLine(name)}” has now, ${printableLine(command, 200)}${values}.`,
  ];
}

/** Each word with its ends, since spaces are part of it. */
function quoted(word: string): string {
  const shown = visibleWord(word);
  return shown === word ? JSON.stringify(word) : shown;
}

/** For `--json`: what the command would do has an address. */
export function remoteFields(words: readonly string[]): { readonly remote?: RemoteOf } {
  const remote = remoteOf(words);
  return remote ? { remote } : {};
}

/** The same for a person, who may not need the command at all. */
export function describeRemote({ remote }: { readonly remote?: RemoteOf }): readonly string[] {
  if (!remote) return [];
  const address = printableLine(remote.address, 2_048);
  const connect = `\`postern connect ${address}\``;
  return [
    remote.isBridged
      ? `mcp-remote only leads to ${address}, which needs no program on this computer: ${connect}.`
      : `${printableLine(remote.name)} has a server of its own, which needs no program on this computer: ${connect}.`,
  ];
}
