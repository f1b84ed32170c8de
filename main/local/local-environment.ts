import { execFile } from 'node:child_process';
import path from 'node:path';
import { fetchesCode } from '../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
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

/**
 * The value of PATH: ours, and what the login shell adds, since a program that was started from a desktop knows little.
 * Never rejects: without an answer of the shell in time it is ours alone.
 */
export async function searchPath(env: NodeJS.ProcessEnv): Promise<string> {
  return joinPaths(env['PATH'] ?? env['Path'] ?? '', await askLoginShell(env));
}

/** Each folder once, in the order of their first mention; a relative one would be another for each server. */
function joinPaths(...paths: readonly string[]): string {
  const places = paths.flatMap((one) => one.split(path.delimiter)).filter((place) => path.isAbsolute(place));
  return [...new Set(places)].join(path.delimiter);
}

async function askLoginShell(env: NodeJS.ProcessEnv): Promise<string> {
  const shell = env['SHELL'];
  if (process.platform === 'win32' || shell === undefined || !path.isAbsolute(shell)) return '';
  const mark = '__postern_path__';
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = execFile(
    shell,
    ['-lc', `printf '%s' "${mark}$PATH${mark}"`],
    { env: localEnvironment(env, {}), timeout: localServers.loginShell, killSignal: 'SIGKILL' },
    // Whatever its own files print stands around it.
    (_error, said) => resolve(said.split(mark)[1] ?? ''),
  );
  child.stdin?.end();
  return await promise;
}
