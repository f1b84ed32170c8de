import { spawn } from 'node:child_process';
import path from 'node:path';
import { fetchesCode } from '../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { endGroup } from './child-process.ts';
import { localServers } from './local-bounds.ts';

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

/**
 * PATH as an interactive login shell has it. Whatever its files print stands around the marks. It has a session of its
 * own: an interactive shell would take the terminal that Postern was started from. `undefined`: no answer in time.
 */
async function askShell(shell: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const mark = '__postern_path__';
  // Read by sh, since fish and others have lists for it.
  const print = `/bin/sh -c 'printf %s "${mark}\${PATH}${mark}"'`;
  // Of bash only one that is no login shell reads .bashrc, which is what most terminals start.
  const words = shell.endsWith('bash')
    ? ['-lic', `exec "$BASH" -ic '${print.replaceAll("'", String.raw`'\''`)}'`]
    : ['-lic', print];
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(shell, words, {
    env: { ...localEnvironment(env, {}), TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const end = (answer?: string): void => {
    clearTimeout(timer);
    if (child.pid !== undefined && child.exitCode === null) endGroup(child.pid, 'SIGKILL');
    child.stdout.destroy();
    resolve(answer);
  };
  const timer = setTimeout(end, localServers.shell);
  let said = '';
  child.on('error', () => end());
  child.on('close', () => end());
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-localServers.shellOutput);
    const parts = said.split(mark);
    // Before the first mark may be anything, the whole of what stands between two is the answer.
    if (parts.length > 2) end(parts.at(-2));
  });
  return await promise;
}
