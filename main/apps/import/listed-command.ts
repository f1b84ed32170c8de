import * as z from 'zod/mini';
import { localCommandSchema } from '../../../shared/local-command.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { isPlaceholderValue, findPlaceholderWord } from '../../address/typed-address.ts';
import type { LocalServers } from '../../local-ports.ts';
import { sealCommand } from '../../secret.ts';
import type { EntryHeader, ParsedEntry } from '../entry/read-entry.ts';

/** A command from an app's server list, as it would run. Being listed does not mean that it may run. */
export interface ListedCommand {
  /** The executable and its arguments. A leading `~` is the home folder. */
  readonly words: readonly string[];
  readonly folder?: string;
  readonly variables: readonly ListedVariable[];
}

interface ListedVariable {
  readonly name: string;
  /** Absent if the user must fill it in, since the list refers to something only its app knows. */
  readonly value?: string;
}

/** cmd.exe and its flags. */
const windowsShell = /^(?:.*[/\\])?cmd(?:\.exe)?$/iu;
const shellFlag = /^\/(?:[dsq]|c)$/iu;
/** Characters with a meaning to cmd.exe. */
const shellMetacharacter = /[&|<>^%"\r\n]/u;
/** The open folder in VS Code and its forks. */
const workspace = /\$\{workspaceFolder\}/gu;
const relativePath = /^(?:--?[\w-]+=)?\.{1,2}(?:[/\\]|$)/u;
/** Executables whose argument may be a script in the working directory; for others it may be a package or a URL. */
const interpreter =
  /^(?:.*[/\\])?(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|java|dotnet|pwsh|(?:ba|z)?sh)(?:\.exe)?$/iu;
const scriptName = /^(?![/~])(?!\w+:)[\w.@-]+(?:[/\\][\w.@ -]+)*\.(?:[cm]?[jt]sx?|py|rb|pl|php|jar|dll|ps1|sh)$/iu;
const homeFolder = /^\$\{(?:userHome|(?:env:)?HOME)\}(?=[/\\]|$)/u;

/**
 * The command of an entry. A leading `${userHome}` becomes `~`; any other `${…}` has a meaning only in its app (a
 * prompt, its environment, its open folder), so the user must fill it in: a list must not read Postern's environment.
 * `project`: the project folder of the list. `undefined` if the command is too long or has invalid characters.
 */
export function toListedCommand(
  { words: given, folder: named, env, envElsewhere }: ParsedEntry,
  project?: string,
): ListedCommand | undefined {
  const inProject = (word: string): string =>
    project === undefined ? word : word.replaceAll(workspace, () => project);
  const words = withoutShell(given).map((word) => withTilde(inProject(word)));
  // Apps start a project's servers in the project folder.
  const requestedFolder = named === undefined ? project : withTilde(inProject(named));
  const folder =
    project !== undefined && requestedFolder !== undefined && !isRooted(requestedFolder)
      ? `${project}${project.includes('\\') ? '\\' : '/'}${requestedFolder}`
      : requestedFolder;
  const known = env.map(({ name, value }): ListedVariable => ({
    name,
    ...(!isReference(inProject(value)) && { value: withTilde(inProject(value)) }),
  }));
  const variables: readonly ListedVariable[] = [...known, ...envElsewhere.map((name) => ({ name }))];
  const [command = '', ...rest] = words;
  const names = [...new Set(variables.map(({ name }) => name))];
  const parsed = localCommandSchema.safeParse({ command, path: command, arguments: rest, variables: names });
  if (!parsed.success || variables.some(({ value = '' }) => value.length > 32_768 || value.includes('\0')))
    return undefined;
  return {
    words,
    ...(folder !== undefined && { folder }),
    variables: names.map((name) => variables.findLast((variable) => variable.name === name) ?? { name }),
  };
}

/** Whether the user must fill in a word or the folder. */
export function needsInput(command: ListedCommand): boolean {
  return relativePart(command) !== undefined || hasPlaceholder(command);
}

/** Whether a word or the folder contains a placeholder. */
export function hasPlaceholder({ words, folder = '' }: ListedCommand): boolean {
  return [...words, folder].some((word) => isPlaceholder(word)) || findPlaceholderWord(words) !== undefined;
}

/** The folder, or else a word, that is a relative path: it depends on a working directory that only the app knows. */
export function relativePart({ words, folder }: Pick<ListedCommand, 'words' | 'folder'>): string | undefined {
  if (folder !== undefined) return isRooted(folder) ? undefined : folder;
  const [command = '', ...rest] = words;
  if (/[/\\]/u.test(command) && !isRooted(command)) return command;
  return rest.find((word) => relativePath.test(word) || (interpreter.test(command) && scriptName.test(word)));
}

function isRooted(file: string): boolean {
  return /^(?:[/\\]|~(?:[/\\]|$)|[A-Za-z]:[/\\])/u.test(file);
}

/**
 * `${input:key}`, `${KEY}`, `{{key}}`, `<your key>`, `CHANGE_ME`. Searches for both ends separately: a paste may be
 * long.
 */
export function isPlaceholder(text: string): boolean {
  const [variable, angle] = [text.indexOf('${'), text.indexOf('<')];
  if (variable >= 0 && text.lastIndexOf('}') > variable) return true;
  if (angle >= 0 && text.lastIndexOf('>') > angle + 1) return true;
  return /YOUR[_-]|\{\{[^{}]{1,100}\}\}|\bCHANGE_?ME\b|\b(?:REPLACE|INSERT|ENTER)[_-](?:ME|WITH|YOUR|API|TOKEN|KEY)|(?:KEY|TOKEN|SECRET)[_-]HERE\b/iu.test(
    text,
  );
}

/** Also `$KEY` (Gemini CLI and others) and `{env:KEY}` (OpenCode), read from the app's environment. */
function isReference(value: string): boolean {
  return isPlaceholder(withTilde(value)) || isPlaceholderValue(value);
}

function withTilde(word: string): string {
  return word.replace(homeFolder, '~');
}

/**
 * Strips `cmd /c`, which apps need to start a `.cmd` file on Windows; Postern starts those directly. Not if a word has
 * characters with a meaning to cmd.exe.
 */
function withoutShell(words: readonly string[]): readonly string[] {
  const [shell = '', ...rest] = words;
  const start = rest.findIndex((word) => !shellFlag.test(word));
  if (!windowsShell.test(shell) || start < 1 || !/^\/c$/iu.test(rest[start - 1] ?? '')) return words;
  const inner = rest.slice(start);
  const split = inner.length === 1 ? (inner[0] ?? '').trim().split(/\s+/u) : inner;
  return split.some((word) => shellMetacharacter.test(word)) ? words : split;
}

/**
 * A command without placeholders, with its secrets moved to `values`. `from`: the source list. Errors: LOCAL_NOT_FOUND.
 */
export async function prepareListedCommand(
  { local }: { readonly local: Pick<LocalServers, 'prepare'> },
  { words, folder, variables }: ListedCommand,
  from: string,
): Promise<{ readonly command: LocalCommand; readonly values: Readonly<Record<string, string>> }> {
  const names = variables.map(({ name }) => name);
  const command = { ...(await local.prepare(words, folder)), variables: names, from: from.slice(0, 200) };
  return sealCommand(command, Object.fromEntries(variables.map(({ name, value = '' }) => [name, value])));
}

/** The arguments of `mcp-remote`, the bridge that Postern replaces. */
export interface McpRemote {
  readonly url: string;
  readonly headers: readonly EntryHeader[];
  /** Some headers are in a file, which is not read here. */
  readonly hasHeaderFile: boolean;
  /** Client ID of its static client. */
  readonly clientId?: string;
  /** Flags about sign-in or hidden tools that Postern does not carry over. */
  readonly unsupported: readonly string[];
}

/** `mcp-remote`, `mcp-remote@latest`, `…/.bin/mcp-remote.cmd`, `…/mcp-remote/dist/proxy.js` */
const bridge = /^(?:.*[/\\])?mcp-remote(?:@[^/\\\s]+)?(?:\.cmd|\.ps1|\.exe|[/\\]dist[/\\]proxy\.js)?$/u;
/** Flags whose value may be a URL. */
const addressFlags = ['--auth-success-url', '--resource', '--client-metadata-url', '--token-endpoint'];
const clientFlag = '--static-oauth-client-info';
/** Flags about sign-in and hidden tools; lost if the entry is replaced. */
const unsupportedFlags = [clientFlag, '--static-oauth-client-metadata', '--ignore-tool', ...addressFlags.slice(1)];

/**
 * Reads the arguments as mcp-remote 0.15.1 does (`parseCommandLineArgs`): every `--header "Name: value"`, then the URL.
 * Any launcher (npx, bunx, `pnpm dlx`, node, `cmd /c`) may precede it. Also accepts `--header=…`, which mcp-remote
 * ignores: the user meant it. `undefined` if it is another command.
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
  const named = unsupportedFlags.filter((flag) => others.some((word) => word === flag || word.startsWith(`${flag}=`)));
  return {
    url,
    headers,
    hasHeaderFile,
    ...(client && { clientId: client.id }),
    unsupported: named.filter((flag) => flag !== clientFlag || !client?.isPublic),
  };
}

/** The value of `--static-oauth-client-info` if it is JSON; otherwise it names a file or a variable. */
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

/** Splits a word that is a whole command line, alone or after a shell (`cmd /c "npx mcp-remote URL"`). */
function splitCommandLine(word: string, previous: string | undefined, isAlone: boolean): readonly string[] {
  if (!isAlone && !/^(?:\/c|-l?c)$/iu.test(previous ?? '')) return [word];
  return Array.from(
    word.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu),
    ([, ...parts]) => parts.find((part) => part !== undefined) ?? '',
  );
}
