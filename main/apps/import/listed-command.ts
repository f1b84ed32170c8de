import * as z from 'zod/mini';
import { localCommandSchema } from '../../../shared/local-command.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { isToFillIn, wordToFillIn } from '../../address/typed-address.ts';
import type { LocalServers } from '../../local-ports.ts';
import { sealCommand } from '../../secret.ts';
import type { EntryHeader, ReadEntry } from '../entry/read-entry.ts';

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
/** What runs a file that is named without a folder; of other programs such a word may be a package or an address. */
const interpreter =
  /^(?:.*[/\\])?(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|java|dotnet|pwsh|(?:ba|z)?sh)(?:\.exe)?$/iu;
const scriptName = /^(?![/~])(?!\w+:)[\w.@-]+(?:[/\\][\w.@ -]+)*\.(?:[cm]?[jt]sx?|py|rb|pl|php|jar|dll|ps1|sh)$/iu;
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

/** Whether a word or the folder is for a person to fill in. */
export function hasGap(command: ListedCommand): boolean {
  return relativePart(command) !== undefined || hasPlaceholder(command);
}

/** Whether a word or the folder stands for something else. */
export function hasPlaceholder({ words, folder = '' }: ListedCommand): boolean {
  return [...words, folder].some((word) => isPlaceholder(word)) || wordToFillIn(words) !== undefined;
}

/** The folder, or else a word, that is a place in a folder which only its program knows: another wherever it starts. */
export function relativePart({ words, folder }: Pick<ListedCommand, 'words' | 'folder'>): string | undefined {
  if (folder !== undefined) return isWhole(folder) ? undefined : folder;
  const [command = '', ...rest] = words;
  if (/[/\\]/u.test(command) && !isWhole(command)) return command;
  return rest.find((word) => relativePlace.test(word) || (interpreter.test(command) && scriptName.test(word)));
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

/** `$KEY` is what Gemini CLI and others read from their environment, `{env:KEY}` what OpenCode does. */
function isReference(value: string): boolean {
  return isPlaceholder(fromHome(value)) || isToFillIn(value);
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

/** What `mcp-remote`, the bridge that Postern takes the place of, was told by its arguments. */
export interface McpRemote {
  readonly url: string;
  readonly headers: readonly EntryHeader[];
  /** Some of its headers stand in a file that it reads, and that nobody has read here. */
  readonly hasHeaderFile: boolean;
  /** Of its static client. */
  readonly clientId?: string;
  /** Flags that say how it signs in, or what it hides, and that Postern does not take. */
  readonly unread: readonly string[];
}

/** `mcp-remote`, `mcp-remote@latest`, `…/.bin/mcp-remote.cmd`, `…/mcp-remote/dist/proxy.js` */
const bridge = /^(?:.*[/\\])?mcp-remote(?:@[^/\\\s]+)?(?:\.cmd|\.ps1|\.exe|[/\\]dist[/\\]proxy\.js)?$/u;
/** Of those flags that take a value, those whose value may be an address. */
const addressFlags = ['--auth-success-url', '--resource', '--client-metadata-url', '--token-endpoint'];
const clientFlag = '--static-oauth-client-info';
/** Of its sign-in, and tools that it keeps from the app: lost where its entry goes. */
const unreadFlags = [clientFlag, '--static-oauth-client-metadata', '--ignore-tool', ...addressFlags.slice(1)];

/**
 * The words of an entry as mcp-remote 0.15.1 reads them (`parseCommandLineArgs`): each `--header "Name: value"`
 * wherever it stands, then the address. Whatever starts it (npx, bunx, `pnpm dlx`, node, `cmd /c`) comes before.
 * `--header=…` is taken too, though mcp-remote passes over it: the person meant it. `undefined`: it is another command.
 */
export function unwrapMcpRemote(command: readonly string[]): McpRemote | undefined {
  const words = command.flatMap((word, index) => splitCommandLine(word, command[index - 1], command.length === 1));
  const at = words.findIndex((word) => bridge.test(word));
  if (at < 0) return undefined;
  const headers: EntryHeader[] = [];
  const others: string[] = [];
  let hasHeaderFile = false;
  for (let index = at + 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = words[index + 1];
    const joined = /^--header(?:-file)?=/u.exec(word)?.[0];
    const isPair = (word === '--header' || word === '--header-file') && next !== undefined;
    if (joined === undefined && !isPair) others.push(word);
    else if ((joined ?? word).startsWith('--header-file')) hasHeaderFile = true;
    else headers.push(...readHeader(joined === undefined ? (next ?? '') : word.slice(joined.length)));
    if (isPair) index += 1;
  }
  const url = others.find(
    (word, index) => /^https?:\/\//iu.test(word) && !addressFlags.includes(others[index - 1] ?? ''),
  );
  if (url === undefined) return undefined;
  const client = staticClient(others);
  const named = unreadFlags.filter((flag) => others.some((word) => word === flag || word.startsWith(`${flag}=`)));
  return {
    url,
    headers,
    hasHeaderFile,
    ...(client && { clientId: client.id }),
    unread: named.filter((flag) => flag !== clientFlag || !client?.isPublic),
  };
}

/** What `--static-oauth-client-info` says, where that is JSON: else it names a file, or a variable has it. */
function staticClient(words: readonly string[]): { readonly id: string; readonly isPublic: boolean } | undefined {
  const at = words.indexOf(clientFlag);
  const joined = words.find((word) => word.startsWith(`${clientFlag}=`))?.slice(clientFlag.length + 1);
  const { success, data } = clientSchema.safeParse(at < 0 ? joined : words[at + 1]);
  return success && !isReference(data.client_id)
    ? { id: data.client_id, isPublic: Object.keys(data).length === 1 }
    : undefined;
}

const clientSchema = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.issues.push({ code: 'custom', input: text, message: 'no JSON' });
        return z.NEVER;
      }
    }),
  ),
  z.looseObject({ client_id: z.string().check(z.trim(), z.minLength(1), z.maxLength(4_096)) }),
);

function readHeader(line: string): readonly EntryHeader[] {
  const end = line.indexOf(':');
  const name = line.slice(0, end);
  return end > 0 && /^[A-Za-z0-9_-]+$/u.test(name) ? [{ name, value: line.slice(end + 1).trimStart() }] : [];
}

/** A whole command line, alone or for a shell (`cmd /c "npx mcp-remote URL"`), with plain quotes at most. */
function splitCommandLine(word: string, before: string | undefined, isAlone: boolean): readonly string[] {
  if (!isAlone && !/^(?:\/c|-l?c)$/iu.test(before ?? '')) return [word];
  return Array.from(
    word.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu),
    ([, ...parts]) => parts.find((part) => part !== undefined) ?? '',
  );
}
