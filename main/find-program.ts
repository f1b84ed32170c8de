import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** On Windows `\bin` is another folder on each drive. */
const wholePath = { posix: /^\//, windows: /^(?:[a-z]:[\\/]|\\\\)/i };

/**
 * The folders of PATH that are named whole, in their order. An empty entry, `.` or `bin` means the folder that a person
 * happens to stand in, and what lies there was chosen by whoever made it.
 */
export function searchFolders(env: Environment, platform: NodeJS.Platform): readonly string[] {
  const isWindows = platform === 'win32';
  const whole = isWindows ? wholePath.windows : wholePath.posix;
  const entries = (env[pathName(env, platform)] ?? '').split(isWindows ? ';' : ':');
  return entries.filter((entry) => whole.test(entry));
}

/**
 * Takes all other entries out of `env`, for the programs that this one starts, and for those that they start in turn.
 */
export function keepSearchFolders(env: Record<string, string | undefined>, platform: NodeJS.Platform): void {
  const folders = searchFolders(env, platform).join(platform === 'win32' ? ';' : ':');
  // A shell reads an empty PATH as the current folder.
  env[pathName(env, platform)] = folders === '' && platform !== 'win32' ? '/usr/bin:/bin' : folders;
}

function pathName(env: Environment, platform: NodeJS.Platform): string {
  return platform === 'win32' ? windowsName(env, 'Path') : 'PATH';
}

/** Windows ignores case in names of variables; a copy of its environment does not. */
function windowsName(env: Environment, name: string): string {
  return Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase()) ?? name;
}

/** Where systems keep their own programs, which nobody but root may write to; the last one is NixOS's. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/**
 * The whole path of a program of the system, or `undefined`. Its own folders come before PATH, to which npm and other
 * tools add folders of the project that somebody stands in; elsewhere (Guix, Termux, Homebrew) PATH alone knows it.
 */
export function findSystemProgram(
  name: string,
  env: Environment,
  folders: readonly string[] = systemFolders,
): string | undefined {
  return firstProgram([...folders, ...searchFolders(env, 'linux')].map((folder) => path.posix.join(folder, name)));
}

/** The whole path of a program that a person named: in the folders of PATH, or `undefined`. */
export function findProgram(name: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  const endings = platform === 'win32' && path.win32.extname(name) === '' ? ['.exe', '.com'] : [''];
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  return firstProgram(
    searchFolders(env, platform).flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`))),
  );
}

/** The folder of Windows's own programs. A `SystemRoot` that is no plain folder of a drive was not set by Windows. */
export function windowsPrograms(env: Environment): string {
  const root = env[windowsName(env, 'SystemRoot')] ?? '';
  return path.win32.join(/^[a-z]:\\\w+$/i.test(root) ? root : String.raw`C:\Windows`, 'System32');
}

function firstProgram(files: readonly string[]): string | undefined {
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}
