import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocalCommand } from '../../shared/local-command.ts';
import { downloadsCode } from '../../shared/command-display.ts';
import { CommandNotFound, CommandNotRunnable, UnsentRequest } from '../errors/request-error.ts';
import { localServerLimits } from '../local-ports.ts';
import { displayProgram } from '../secret.ts';
import { endGroup } from './child-process.ts';

/** Inherited by every process. Nothing else of our environment is, since it may hold the user's secrets. */
const inheritedVariables = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TZ'],
  win32: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'NUMBER_OF_PROCESSORS',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PUBLIC',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
} as const;

/** The inherited variables of `env`, overridden by `named`. */
export function localEnvironment(
  env: NodeJS.ProcessEnv,
  named: Readonly<Record<string, string>>,
  platform = process.platform,
): Record<string, string> {
  const names: ReadonlySet<string> = new Set(
    platform === 'win32' ? inheritedVariables.win32 : inheritedVariables.posix,
  );
  const isInherited = (name: string): boolean => names.has(platform === 'win32' ? name.toUpperCase() : name);
  const inherited = Object.entries(env).flatMap(([name, value]) =>
    // An exported shell function would run in a shell that the server starts.
    value !== undefined && isInherited(name) && !value.startsWith('()') ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(inherited), ...named };
}

/** Needed to download something on a corporate network. */
const networkVariables: ReadonlySet<string> = new Set([
  'ALL_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
]);

/** Network variables of `env` that a command which downloads code was not given. */
export function withheldNetworkVariables(env: NodeJS.ProcessEnv, command: LocalCommand): readonly string[] {
  if (!downloadsCode(command)) return [];
  const passedNames = new Set(command.variables.map((name) => name.toUpperCase()));
  const isWithheld = (name: string): boolean =>
    networkVariables.has(name.toUpperCase()) && !passedNames.has(name.toUpperCase());
  return Object.keys(env).filter((name) => isWithheld(name) && env[name] !== '');
}

/** The value of PATH. `warning`: why the user's shell did not fully contribute to it. */
export interface SearchPath {
  readonly value: string;
  readonly warning?: string;
}

/**
 * Our PATH merged with that of the user's terminal, since a desktop session starts Postern with a minimal one. In the
 * terminal's order, unless ours has folders of its own. Never rejects.
 */
export async function searchPath(env: NodeJS.ProcessEnv): Promise<SearchPath> {
  const ownFolders = foldersIn(env['PATH'] ?? env['Path'] ?? '');
  const shell = env['SHELL'];
  if (process.platform === 'win32' || shell === undefined || !path.isAbsolute(shell))
    return { value: ownFolders.join(path.delimiter) };
  const { folders: shellFolders, warning } = await queryShellPath(shell, env);
  const isOursKnown = ownFolders.every((folder) => shellFolders.includes(folder));
  const value = [...new Set(isOursKnown ? shellFolders : [...ownFolders, ...shellFolders])].join(path.delimiter);
  return warning === undefined ? { value } : { value, warning };
}

/** Without duplicates and relative folders, which would depend on the server's working directory. */
function foldersIn(pathValue: string): readonly string[] {
  return [...new Set(pathValue.split(path.delimiter).filter((folder) => path.isAbsolute(folder)))];
}

/** Merges both lists so that each keeps its own order. */
function mergeFolders(first: readonly string[], second: readonly string[]): readonly string[] {
  const merged = [...first];
  let next = merged.length;
  for (const folder of second.toReversed()) {
    const known = merged.indexOf(folder);
    if (known === -1) merged.splice(next, 0, folder);
    else next = known;
  }
  return merged;
}

/** Prompt hooks of each shell: mise and similar tools set PATH only there. */
const promptHooks: Readonly<Record<string, string>> = {
  bash: 'for each in "${PROMPT_COMMAND[@]}"; do eval "$each"; done',
  zsh: 'for each in precmd $precmd_functions; do typeset -f "$each" > /dev/null && "$each"; done',
  fish: 'emit fish_prompt',
};

const outputMarks = ['__postern_path__', '__postern_prompt__'] as const;
// Printed by sh, since PATH is a list in fish and others. The marks are split, so that `set -x` output contains none.
const [printPath = '', printPathAtPrompt = ''] = outputMarks.map((mark) => {
  const splitMark = `${mark.slice(0, 9)}""${mark.slice(9)}`;
  return `/bin/sh -c 'printf %s "${splitMark}\${PATH}${splitMark}"'`;
});

/**
 * PATH of an interactive login shell at its first prompt, or right before if it does not get there. If it reports none,
 * a startup file hangs, exits or starts something else; then we try a login shell and an interactive shell, each of
 * which reads only some of the files. All within `localServerLimits.shell` milliseconds.
 */
async function queryShellPath(
  shell: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly folders: readonly string[]; readonly warning?: string }> {
  const done = new AbortController();
  const timeout = async (time: number): Promise<void> => {
    await pause(time, undefined, { signal: done.signal }).catch(() => {});
  };
  const limit = timeout(localServerLimits.shell);
  const started: ShellPathQuery[] = [];
  const start = (file: string, words: readonly string[]): ShellPathQuery => {
    const query = new ShellPathQuery(file, words, env);
    started.push(query);
    return query;
  };
  const hook = promptHooks[path.basename(shell)];
  const script =
    hook === undefined ? `${printPath}; ${printPathAtPrompt}` : `${printPath}; ${hook}; ${printPathAtPrompt}`;
  const isBash = path.basename(shell) === 'bash';
  // Most terminals start bash as a non-login shell, and only that reads .bashrc.
  const command = isBash ? `exec "$BASH" -ic '${script.replaceAll("'", String.raw`'\''`)}'` : script;
  try {
    const terminal = start(shell, ['-lic', command]);
    await Promise.race([terminal.ended, timeout(localServerLimits.shell / 2)]);
    if (terminal.folders.length > 0) {
      await Promise.race([terminal.ended, limit]);
      return { folders: terminal.folders };
    }
    // Typed into whatever replaces the shell; repeated, since a startup file may consume a line. By `printf`, since
    // fish does not read from a Node socket.
    const typed = `${printPathAtPrompt}\n`.repeat(3);
    const fallbacks = [
      { label: 'an interactive shell', query: start('/bin/sh', ['-c', 'printf %s "$1" | "$0" -i', shell, typed]) },
      { label: 'a login shell', query: start(shell, ['-lc', printPathAtPrompt]) },
      // Desktop sessions read .profile with sh, where it does not source .bashrc.
      ...(isBash ? [{ label: 'sh', query: start('/bin/sh', ['-lc', printPathAtPrompt]) }] : []),
    ];
    const all = Promise.all(fallbacks.map(async ({ query }) => await query.ended));
    await Promise.race([limit, terminal.ended.then(async () => terminal.folders.length === 0 && (await all))]);
    if (terminal.folders.length > 0) return { folders: terminal.folders };
    const folders = fallbacks.map(({ query }) => query.folders).reduce(mergeFolders);
    const reporting = fallbacks.filter(({ query }) => query.folders.length > 0).map(({ label }) => label);
    const used = reporting.length > 0 ? `the PATH that it has as ${reporting.join(' and as ')}` : 'its own PATH';
    const warning = `Your shell (${shell}) did not finish its startup files within ${localServerLimits.shell / 1_000} seconds. Postern uses ${used}.`;
    return { folders, warning };
  } finally {
    done.abort();
    for (const query of started) query.end();
  }
}

/**
 * Runs a shell that prints its PATH between marks; anything else its startup files print is ignored. In a session of
 * its own: an interactive shell would take over Postern's terminal.
 */
class ShellPathQuery {
  readonly #child: ChildProcess;
  readonly #ended = Promise.withResolvers<void>();
  #output = '';
  #folders: readonly string[] = [];

  constructor(file: string, words: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(file, words, {
      env: shellEnvironment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    this.#child.on('error', () => this.end());
    this.#child.on('close', () => this.end());
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#readOutput(chunk));
  }

  /** The folders last reported; empty before that. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Resolves once it will report nothing more. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  end(): void {
    const { pid, exitCode, signalCode, stdout } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) endGroup(pid, 'SIGKILL');
    stdout?.destroy();
    this.#ended.resolve();
  }

  #readOutput(chunk: string): void {
    this.#output = (this.#output + chunk).slice(-localServerLimits.shellOutput);
    // Only text between two marks counts.
    const [early, atPrompt] = outputMarks.map((mark) => {
      const parts = this.#output.split(mark);
      return parts.length > 2 ? foldersIn(parts.at(-2) ?? '') : undefined;
    });
    this.#folders = atPrompt ?? early ?? this.#folders;
    if (atPrompt) this.end();
  }
}

/** Where shells look for startup files. */
const shellVariables = ['XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'ZDOTDIR'] as const;

function shellEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const startupVariables = shellVariables.flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  // Many startup files return early on a dumb terminal.
  const terminal = { TERM: 'xterm-256color', DISABLE_AUTO_UPDATE: 'true' };
  return { ...localEnvironment(env, {}), ...Object.fromEntries(startupVariables), ...terminal };
}

type Platform = Pick<typeof process, 'platform'>['platform'];

/**
 * Resolves a command: a path relative to `folder`, or a name in `pathValue`. Symlinks are not
 * resolved, since many executables act on the name they are called by. Errors: LOCAL_NOT_FOUND.
 */
export function findCommand(
  command: string,
  folder: string | undefined,
  { pathValue, extensions, platform = process.platform }: CommandLookup,
): string {
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const bases = isPath
    ? [path.resolve(folder ?? homedir(), command)]
    : pathValue
        .split(path.delimiter)
        .filter((directory) => path.isAbsolute(directory))
        .map((directory) => path.join(directory, command));
  // `.11` of `python3.11` is not an executable extension.
  const hasExtension = extensions.some((suffix) => command.toUpperCase().endsWith(suffix.toUpperCase()));
  const suffixes = platform === 'win32' && !hasExtension ? extensions : [''];
  const files = bases.flatMap((base) => suffixes.map((suffix) => base + suffix));
  const found = files.find((file) => isExecutable(file));
  if (found !== undefined) return found;
  if (!files.some((file) => isFile(file) || (isPath && exists(file))))
    throw new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', detail: { command: displayProgram(command) } });
  throw new CommandNotRunnable('LOCAL_NOT_FOUND', {
    stage: 'local',
    detail: { command: displayProgram(command), denied: true },
  });
}

interface CommandLookup {
  readonly pathValue: string;
  /** PATHEXT: executable extensions on Windows, in order. */
  readonly extensions: readonly string[];
  readonly platform?: Platform;
}

/** Errors: LOCAL_NOT_FOUND. */
export function requireFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UnsentRequest('LOCAL_NOT_FOUND', { stage: 'local', detail: { folder }, remedy: { kind: 'name-folder' } });
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Also true for folders, symlink loops and files that we may not access. */
function exists(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

export function isExecutable(file: string): boolean {
  if (!isFile(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
