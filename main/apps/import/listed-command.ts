import { localCommandSchema } from '../../../shared/local-command.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import type { LocalServers } from '../../local-ports.ts';
import { sealCommand } from '../../secret.ts';
import type { ReadEntry } from '../entry/read-entry.ts';

/** A command of a list, as it would be started. Whoever made the list has no word in whether it is. */
export interface ListedCommand {
  /** The program, and its arguments. A `~` at the beginning of one is the home folder. */
  readonly words: readonly string[];
  readonly folder?: string;
  readonly variables: readonly ListedVariable[];
}

interface ListedVariable {
  readonly name: string;
  /** Absent: it is for a person to fill in, since the list leaves it to something of its program. */
  readonly value?: string;
}

/** Words of cmd.exe before those that it starts. */
const shellOfWindows = /^(?:.*[/\\])?cmd(?:\.exe)?$/iu;
const shellFlag = /^\/(?:[dsq]|c)$/iu;
/** What cmd.exe reads in a word. */
const readByShell = /[&|<>^%"\r\n]/u;
/** The open folder, of VS Code and its family; `.`, `./src` and `--root=..`. */
const workspace = /\$\{workspaceFolder\}/gu;
const relativePlace = /^(?:--?[\w-]+=)?\.{1,2}(?:[/\\]|$)/u;
const homeFolder = /^\$\{(?:userHome|(?:env:)?HOME)\}(?=[/\\]|$)/u;

/**
 * What an entry starts. `${userHome}` at the beginning of a word is `~`; every other `${…}` means something of the
 * program alone (a question, its environment, its open folder), and stays for a person to fill in: the environment of
 * Postern is nobody's to read from a list. `project`: the folder that the list is of. `undefined`: more than Postern starts, or what no program can be given.
 */
export function listedCommand(
  { words: given, folder: named, env, envElsewhere }: ReadEntry,
  project?: string,
): ListedCommand | undefined {
  const inProject = (word: string): string =>
    project === undefined ? word : word.replaceAll(workspace, () => project);
  const words = withoutShell(given).map((word) => fromHome(inProject(word)));
  // An app starts the servers of a project in its folder.
  const own = named === undefined ? project : fromHome(inProject(named));
  const folder =
    project !== undefined && own !== undefined && !isWhole(own)
      ? `${project}${project.includes('\\') ? '\\' : '/'}${own}`
      : own;
  const known = env.map(({ name, value }): ListedVariable => ({
    name,
    ...(!isReference(inProject(value)) && { value: fromHome(inProject(value)) }),
  }));
  const variables: readonly ListedVariable[] = [...known, ...envElsewhere.map((name) => ({ name }))];
  const [command = '', ...rest] = words;
  const names = [...new Set(variables.map(({ name }) => name))];
  const fits = localCommandSchema.safeParse({ command, path: command, arguments: rest, variables: names });
  if (!fits.success || variables.some(({ value = '' }) => value.length > 32_768 || value.includes('\0')))
    return undefined;
  return {
    words,
    ...(folder !== undefined && { folder }),
    variables: names.map((name) => variables.findLast((variable) => variable.name === name) ?? { name }),
  };
}

/** Whether a word or the folder is for a person to fill in; a relative place is one in a folder that its program knows. */
export function hasGap({ words, folder }: ListedCommand): boolean {
  const [command = ''] = words;
  // `.` is another folder wherever the app was started.
  if (folder === undefined && words.slice(1).some((word) => relativePlace.test(word))) return true;
  const isOfProgram = folder === undefined ? /[/\\]/u.test(command) && !isWhole(command) : !isWhole(folder);
  return isOfProgram || [...words, folder ?? ''].some((word) => isPlaceholder(word));
}

function isWhole(place: string): boolean {
  return /^(?:[/\\]|~(?:[/\\]|$)|[A-Za-z]:[/\\])/u.test(place);
}

/** `${input:key}`, `${KEY}`, `{{key}}`, `<your key>`, `CHANGE_ME`: for a person to fill in. Looks for both ends apart: a paste may be long. */
export function isPlaceholder(text: string): boolean {
  const [variable, angle] = [text.indexOf('${'), text.indexOf('<')];
  if (variable >= 0 && text.lastIndexOf('}') > variable) return true;
  if (angle >= 0 && text.lastIndexOf('>') > angle + 1) return true;
  return /YOUR[_-]|\{\{[^{}]{1,100}\}\}|\bCHANGE_?ME\b|\b(?:REPLACE|INSERT|ENTER)[_-](?:ME|WITH|YOUR|API|TOKEN|KEY)|(?:KEY|TOKEN|SECRET)[_-]HERE\b/iu.test(
    text,
  );
}

/** `$KEY` alone is what Gemini CLI and others read from their environment. */
function isReference(value: string): boolean {
  return isPlaceholder(fromHome(value)) || /^\$[A-Za-z_]\w*$/u.test(value);
}

function fromHome(word: string): string {
  return word.replace(homeFolder, '~');
}

/**
 * `cmd /c npx …`, which programs need on Windows to start a `.cmd` file: without it, since Postern starts those by
 * itself, and only where cmd.exe would read nothing into the words.
 */
function withoutShell(words: readonly string[]): readonly string[] {
  const [shell = '', ...rest] = words;
  const start = rest.findIndex((word) => !shellFlag.test(word));
  if (!shellOfWindows.test(shell) || start < 1 || !/^\/c$/iu.test(rest[start - 1] ?? '')) return words;
  const started = rest.slice(start);
  const split = started.length === 1 ? (started[0] ?? '').trim().split(/\s+/u) : started;
  return split.some((word) => readByShell.test(word)) ? words : split;
}

/** A command of a list with nothing to fill in, as it would run, its secrets among the values. `from`: what the list is. Errors: LOCAL_NOT_FOUND. */
export async function prepareListed(
  { local }: { readonly local: Pick<LocalServers, 'prepare'> },
  { words, folder, variables }: ListedCommand,
  from: string,
): Promise<{ readonly command: LocalCommand; readonly values: Readonly<Record<string, string>> }> {
  const names = variables.map(({ name }) => name);
  const command = { ...(await local.prepare(words, folder)), variables: names, from: from.slice(0, 200) };
  return sealCommand(command, Object.fromEntries(variables.map(({ name, value = '' }) => [name, value])));
}
