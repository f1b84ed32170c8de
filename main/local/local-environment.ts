import { spawn } from 'node:child_process';
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fetchesCode } from '../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { localServers } from '../local-ports.ts';
import { CommandNotFound, CommandNotRunnable, UnsentRequest } from '../errors/request-error.ts';
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

/** Where commands are looked for: the value of PATH. `trouble`: why the shell of the user had no part in it. */
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
  const answer = await askShell(shell, env);
  const theirs = placesIn(answer ?? '');
  const isOursKnown = own.every((place) => theirs.includes(place));
  const value = [...new Set(isOursKnown ? theirs : [...own, ...theirs])].join(path.delimiter);
  const seconds = localServers.shell / 1_000;
  const trouble = `Your shell (${shell}) did not report its PATH within ${seconds} seconds. Postern looks in its own.`;
  return answer === undefined ? { value, trouble } : { value };
}

/** Each folder once; a relative one would be another for each server. */
function placesIn(searched: string): readonly string[] {
  return [...new Set(searched.split(path.delimiter).filter((place) => path.isAbsolute(place)))];
}

/** What each shell runs before it draws a prompt: mise and its like set PATH there, and nowhere else. */
const beforePrompt: Readonly<Record<string, string>> = {
  bash: 'for each in "${PROMPT_COMMAND[@]}"; do eval "$each"; done',
  zsh: 'for each in precmd $precmd_functions; do typeset -f "$each" > /dev/null && "$each"; done',
  fish: 'emit fish_prompt',
};

/**
 * PATH as an interactive login shell has it at its first prompt. Whatever its files print stands around the marks. It
 * has a session of its own: an interactive shell would take the terminal that Postern was started from. What stops
 * before the prompt has the PATH of before. `undefined`: no answer in time.
 */
async function askShell(shell: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const marks = ['__postern_path__', '__postern_prompt__'] as const;
  // Read by sh, since fish and others have lists for it.
  const [print, printAtPrompt] = marks.map((mark) => `/bin/sh -c 'printf %s "${mark}\${PATH}${mark}"'`);
  const hook = beforePrompt[path.basename(shell)];
  const script = hook === undefined ? `${print}; ${printAtPrompt}` : `${print}; ${hook}; ${printAtPrompt}`;
  // Of bash only one that is no login shell reads .bashrc, which is what most terminals start.
  const words = shell.endsWith('bash')
    ? ['-lic', `exec "$BASH" -ic '${script.replaceAll("'", String.raw`'\''`)}'`]
    : ['-lic', script];
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(shell, words, {
    env: { ...localEnvironment(env, {}), TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let answer: string | undefined;
  const end = (): void => {
    clearTimeout(timer);
    if (child.pid !== undefined && child.exitCode === null) endGroup(child.pid, 'SIGKILL');
    child.stdout.destroy();
    resolve(answer);
  };
  const timer = setTimeout(end, localServers.shell);
  let said = '';
  child.on('error', end);
  child.on('close', end);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-localServers.shellOutput);
    // Before the first mark may be anything, the whole of what stands between two is the answer.
    const [early, atPrompt] = marks.map((mark) => {
      const parts = said.split(mark);
      return parts.length > 2 ? parts.at(-2) : undefined;
    });
    answer = atPrompt ?? early ?? answer;
    if (atPrompt !== undefined) end();
  });
  return await promise;
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
