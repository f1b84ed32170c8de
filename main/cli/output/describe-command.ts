import type { LocalCommand, RemoteAlternative, RunFacts } from '../../../shared/local-command.ts';
import { downloadsCode, visibleWord } from '../../../shared/command-display.ts';
import type { ShownVariable } from '../../../shared/command-display.ts';
import { remoteOf } from '../../apps/import/listed-server.ts';
import { sealCommand } from '../../secret.ts';
import { alignColumns, printableLine } from '../text.ts';

/** Exactly what will run, for the user to allow: each argument on its own line, nothing cut. */
export function describeCommand(plain: LocalCommand, shown: readonly ShownVariable[] = []): readonly string[] {
  const { command } = sealCommand(plain, {});
  const { command: typed, path, arguments: words, folder, from, lifetime, sealed = [] } = command;
  const variables = command.variables.map((name) => visibleWord(name));
  const rows: (readonly [string, string])[] = [
    ['Runs', visibleWord(path)],
    ...(typed === path ? [] : [['Typed as', visibleWord(typed)] as const]),
    ...words.map((word, index) => [index === 0 ? 'Arguments' : '', quoted(word)] as const),
    ['Folder', folder === undefined ? 'your home folder' : visibleWord(folder)],
    ['Variables', variables.length === 0 ? 'the usual ones' : `the usual ones, ${variables.join(', ')}`],
    ['Process', lifetime === 'shared' ? 'shared by all apps' : 'one per session'],
    ...(from === undefined ? [] : [['Source', printableLine(from, 200)] as const]),
  ];
  return [
    alignColumns(rows),
    ...shown.map(({ name, value, decides }) =>
      decides
        ? `${visibleWord(name)} can decide which code runs. It is: ${visibleWord(value)}`
        : `${visibleWord(name)} is: ${visibleWord(value)}`,
    ),
    ...(sealed.length > 0 ? ['“…” is a secret. Postern stores it encrypted and never shows it.'] : []),
    'It runs without a shell, as you, and can do anything you can do on this computer.',
    ...(downloadsCode(command)
      ? [`“${printableLine(typed, 80)}” downloads code and runs it. The code can differ each time.`]
      : []),
  ];
}

/** Everything the user should know before a command runs. */
export function describeRun(facts: RunFacts, advise: (sentence: string) => string): readonly string[] {
  return [
    ...describeRemote(facts).map(advise),
    ...describeCommand(facts.command, facts.shown),
    ...describeReplaced(facts),
  ];
}

/** What the new command replaces. */
function describeReplaced({ name, replaced }: RunFacts): readonly string[] {
  if (!replaced) return [];
  const { command, variables } = replaced;
  const values = variables.length === 0 ? '' : ` and the stored values of ${variables.join(', ')}`;
  return [`It replaces the current command of “${printableLine(name)}” (${printableLine(command, 200)})${values}.`];
}

/** In quotes, because spaces are part of the argument. */
function quoted(word: string): string {
  const shown = visibleWord(word);
  return shown === word ? JSON.stringify(word) : shown;
}

/** For `--json`: the remote server that can be used instead of the command. */
export function remoteFields(words: readonly string[]): { readonly remote?: RemoteAlternative } {
  const remote = remoteOf(words);
  return remote ? { remote } : {};
}

/** The same as text: the user may not need the command. */
export function describeRemote({ remote }: { readonly remote?: RemoteAlternative }): readonly string[] {
  if (!remote) return [];
  const address = printableLine(remote.address, 2_048);
  const connect = `\`postern connect ${address}\``;
  return [
    remote.isBridged
      ? `You do not need mcp-remote. Connect its server directly: ${connect}.`
      : `You may not need this command: ${printableLine(remote.name)} has a remote server. Connect it with ${connect}.`,
  ];
}
