import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocalCommand } from '../../shared/local-command.ts';
import { fetchesCode } from '../../shared/shown-command.ts';
import { CommandNotFound, CommandNotRunnable, UnsentRequest } from '../errors/request-error.ts';
import { localServers } from '../local-ports.ts';
import { shownProgram } from '../secret.ts';
import { endGroup } from './child-process.ts';

/** What every process is given; nothing else of our environment is, so no secret that a person keeps there. */
const usual = {
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

/** The usual variables out of `env`, and those that were named; these outrank the usual ones. */
export function localEnvironment(
  env: NodeJS.ProcessEnv,
  named: Readonly<Record<string, string>>,
  platform = process.platform,
): Record<string, string> {
  const names: ReadonlySet<string> = new Set(platform === 'win32' ? usual.win32 : usual.posix);
  const isUsual = (name: string): boolean => names.has(platform === 'win32' ? name.toUpperCase() : name);
  const kept = Object.entries(env).flatMap(([name, value]) =>
    // A shell's function in a variable would be run by a shell that the server starts.
    value !== undefined && isUsual(name) && !value.startsWith('()') ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(kept), ...named };
}

/** What leads to the network of a company, for whoever fetches something from there. */
const ofNetwork: ReadonlySet<string> = new Set([
  'ALL_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
]);

/** Variables of `env` by which a command that fetches code would get to the network, and that it was not given. */
export function notGivenForNetwork(env: NodeJS.ProcessEnv, command: LocalCommand): readonly string[] {
  if (!fetchesCode(command)) return [];
  const given = new Set(command.variables.map((name) => name.toUpperCase()));
  const isMissed = (name: string): boolean => ofNetwork.has(name.toUpperCase()) && !given.has(name.toUpperCase());
  return Object.keys(env).filter((name) => isMissed(name) && env[name] !== '');
}

/** Where commands are looked for: the value of PATH. `trouble`: what the user's shell did not contribute to it. */
export interface SearchPath {
  readonly value: string;
  readonly trouble?: string;
}

/**
 * Ours, and what a terminal of the user would have: from a desktop Postern is started with little. The order is that of
 * the terminal, unless ours has something of its own. Never rejects.
 */
export async function searchPath(env: NodeJS.ProcessEnv): Promise<SearchPath> {
  const own = placesIn(env['PATH'] ?? env['Path'] ?? '');
  const shell = env['SHELL'];
  if (process.platform === 'win32' || shell === undefined || !path.isAbsolute(shell))
    return { value: own.join(path.delimiter) };
  const { places: theirs, trouble } = await askShell(shell, env);
  const isOursKnown = own.every((place) => theirs.includes(place));
  const value = [...new Set(isOursKnown ? theirs : [...own, ...theirs])].join(path.delimiter);
  return trouble === undefined ? { value } : { value, trouble };
}

/** Each folder once; a relative one would be another for each server. */
function placesIn(searched: string): readonly string[] {
  return [...new Set(searched.split(path.delimiter).filter((place) => path.isAbsolute(place)))];
}

/** The folders of both, each before what it is before in its own list. */
function mergePlaces(first: readonly string[], second: readonly string[]): readonly string[] {
  const merged = [...first];
  let next = merged.length;
  for (const place of second.toReversed()) {
    const known = merged.indexOf(place);
    if (known === -1) merged.splice(next, 0, place);
    else next = known;
  }
  return merged;
}

/** What each shell runs before it draws a prompt: mise and its like set PATH there, and nowhere else. */
const beforePrompt: Readonly<Record<string, string>> = {
  bash: 'for each in "${PROMPT_COMMAND[@]}"; do eval "$each"; done',
  zsh: 'for each in precmd $precmd_functions; do typeset -f "$each" > /dev/null && "$each"; done',
  fish: 'emit fish_prompt',
};

const marks = ['__postern_path__', '__postern_prompt__'] as const;
// Read by sh, since fish and others have lists for it. A shell that shows what it runs does not show a whole mark.
const [print = '', printAtPrompt = ''] = marks.map((mark) => {
  const broken = `${mark.slice(0, 9)}""${mark.slice(9)}`;
  return `/bin/sh -c 'printf %s "${broken}\${PATH}${broken}"'`;
});

/**
 * The folders that an interactive login shell has at its first prompt; what stops before the prompt has those of before.
 * Where it reports none, one of its files hangs, ends it or starts something else: then it is asked as a login shell and
 * as an interactive one, each of which reads only some of the files. All within `localServers.shell`.
 */
async function askShell(
  shell: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly places: readonly string[]; readonly trouble?: string }> {
  const over = new AbortController();
  const rest = async (time: number): Promise<void> => {
    await pause(time, undefined, { signal: over.signal }).catch(() => {});
  };
  const limit = rest(localServers.shell);
  const started: ShellQuestion[] = [];
  const ask = (file: string, words: readonly string[]): ShellQuestion => {
    const question = new ShellQuestion(file, words, env);
    started.push(question);
    return question;
  };
  const hook = beforePrompt[path.basename(shell)];
  const script = hook === undefined ? `${print}; ${printAtPrompt}` : `${print}; ${hook}; ${printAtPrompt}`;
  const isBash = path.basename(shell) === 'bash';
  // Of bash only one that is no login shell reads .bashrc, which is what most terminals start.
  const whole = isBash ? `exec "$BASH" -ic '${script.replaceAll("'", String.raw`'\''`)}'` : script;
  try {
    const terminal = ask(shell, ['-lic', whole]);
    await Promise.race([terminal.ended, rest(localServers.shell / 2)]);
    if (terminal.places.length > 0) {
      await Promise.race([terminal.ended, limit]);
      return { places: terminal.places };
    }
    // What replaces the shell reads the same lines: several, since a file may read one. Fish reads no socket of Node.
    const typed = `${printAtPrompt}\n`.repeat(3);
    const parts = [
      { as: 'an interactive shell', question: ask('/bin/sh', ['-c', 'printf %s "$1" | "$0" -i', shell, typed]) },
      { as: 'a login shell', question: ask(shell, ['-lc', printAtPrompt]) },
      // A desktop has .profile read by sh, and there it does not go on to .bashrc.
      ...(isBash ? [{ as: 'sh', question: ask('/bin/sh', ['-lc', printAtPrompt]) }] : []),
    ];
    const all = Promise.all(parts.map(async ({ question }) => await question.ended));
    await Promise.race([limit, terminal.ended.then(async () => terminal.places.length === 0 && (await all))]);
    if (terminal.places.length > 0) return { places: terminal.places };
    const places = parts.map(({ question }) => question.places).reduce(mergePlaces);
    const answered = parts.filter(({ question }) => question.places.length > 0).map(({ as }) => as);
    const used = answered.length > 0 ? `the PATH that it has as ${answered.join(' and as ')}` : 'its own PATH';
    const trouble = `Your shell (${shell}) did not get through its startup files within ${localServers.shell / 1_000} seconds. Postern uses ${used}.`;
    return { places, trouble };
  } finally {
    over.abort();
    for (const question of started) question.end();
  }
}

/**
 * A shell that is asked for its PATH. Whatever its files print stands around the marks. It has a session of its own: an
 * interactive shell would take the terminal that Postern was started from.
 */
class ShellQuestion {
  readonly #child: ChildProcess;
  readonly #ended = Promise.withResolvers<void>();
  #said = '';
  #places: readonly string[] = [];

  constructor(file: string, words: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(file, words, {
      env: shellEnvironment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    this.#child.on('error', () => this.end());
    this.#child.on('close', () => this.end());
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#hear(chunk));
  }

  /** What it has reported last; none while it has reported nothing. */
  get places(): readonly string[] {
    return this.#places;
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

  #hear(chunk: string): void {
    this.#said = (this.#said + chunk).slice(-localServers.shellOutput);
    // Before the first mark may be anything, the whole of what stands between two is the answer.
    const [early, atPrompt] = marks.map((mark) => {
      const parts = this.#said.split(mark);
      return parts.length > 2 ? placesIn(parts.at(-2) ?? '') : undefined;
    });
    this.#places = atPrompt ?? early ?? this.#places;
    if (atPrompt) this.end();
  }
}

/** Where shells look for the files of the user. */
const ofShells = ['XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'ZDOTDIR'] as const;

function shellEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const places = ofShells.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  // Many a file ends at once on a terminal that is said to be dumb.
  const terminal = { TERM: 'xterm-256color', DISABLE_AUTO_UPDATE: 'true' };
  return { ...localEnvironment(env, {}), ...Object.fromEntries(places), ...terminal };
}

type Platform = Pick<typeof process, 'platform'>['platform'];

/**
 * The file that a command means: an absolute path as it stands, one with a slash from `folder`, a name as it is found in
 * `searched`, the value of PATH. A link stays what it is: many a program does what its name says. Errors: LOCAL_NOT_FOUND.
 */
export function findCommand(
  command: string,
  folder: string | undefined,
  { searched, extensions, platform = process.platform }: Searching,
): string {
  const hasPlace = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const places = hasPlace
    ? [path.resolve(folder ?? homedir(), command)]
    : searched
        .split(path.delimiter)
        .filter((place) => path.isAbsolute(place))
        .map((place) => path.join(place, command));
  // `python3.11` has no ending that Windows would run.
  const isWhole = extensions.some((end) => command.toUpperCase().endsWith(end.toUpperCase()));
  const ends = platform === 'win32' && !isWhole ? extensions : [''];
  const files = places.flatMap((place) => ends.map((end) => place + end));
  const found = files.find((file) => isProgram(file));
  if (found !== undefined) return found;
  if (!files.some((file) => isFile(file) || (hasPlace && isThere(file))))
    throw new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', detail: { command: shownProgram(command) } });
  throw new CommandNotRunnable('LOCAL_NOT_FOUND', {
    stage: 'local',
    detail: { command: shownProgram(command), denied: true },
  });
}

interface Searching {
  readonly searched: string;
  /** Ends of names that run on Windows, in their order. */
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

/** Also a folder, a link that leads round in a circle, and what the system does not let be seen. */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

export function isProgram(file: string): boolean {
  if (!isFile(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
