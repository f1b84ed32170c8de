import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** On Windows, `\bin` depends on the current drive, so it is not absolute. */
const absolutePath = { posix: /^\//, windows: /^(?:[a-z]:[\\/]|\\\\)/i };

/**
 * The absolute folders of PATH, in order. An empty entry, `.` or `bin` depends on the current folder, whose content is
 * not trusted.
 */
export function searchFolders(env: Environment, platform: NodeJS.Platform): readonly string[] {
  const isWindows = platform === 'win32';
  const absolute = isWindows ? absolutePath.windows : absolutePath.posix;
  const entries = (env[pathVariable(env, platform)] ?? '').split(isWindows ? ';' : ':');
  return entries.filter((entry) => absolute.test(entry));
}

/** Removes all other entries from PATH in `env`, for child processes and their children. */
export function restrictSearchPath(env: Record<string, string | undefined>, platform: NodeJS.Platform): void {
  const folders = searchFolders(env, platform).join(platform === 'win32' ? ';' : ':');
  // A shell reads an empty PATH as the current folder.
  env[pathVariable(env, platform)] = folders === '' && platform !== 'win32' ? '/usr/bin:/bin' : folders;
}

function pathVariable(env: Environment, platform: NodeJS.Platform): string {
  return platform === 'win32' ? variableName(env, 'Path') : 'PATH';
}

/** Windows ignores the case of variable names, but a copy of its environment does not. */
function variableName(env: Environment, name: string): string {
  return Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase()) ?? name;
}

/** Standard system folders, which only root can write to. The last one is for NixOS. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/**
 * Absolute path of a system program, or `undefined`. System folders come before PATH, to which npm and other tools add
 * folders of the current project. On Guix, Termux and Homebrew the program is only in PATH.
 */
export function findSystemExecutable(
  name: string,
  env: Environment,
  folders: readonly string[] = systemFolders,
): string | undefined {
  return firstExecutable([...folders, ...searchFolders(env, 'linux')].map((folder) => path.posix.join(folder, name)));
}

/** Absolute path of a program that the user named, searched in PATH, or `undefined`. */
export function findExecutable(name: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  const extensions = platform === 'win32' && path.win32.extname(name) === '' ? ['.exe', '.com'] : [''];
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  return firstExecutable(
    searchFolders(env, platform).flatMap((folder) =>
      extensions.map((extension) => join(folder, `${name}${extension}`)),
    ),
  );
}

/**
 * The `System32` folder. A `SystemRoot` that is not a plain folder on a drive was not set by Windows, and is ignored.
 */
export function windowsExecutables(env: Environment): string {
  const root = env[variableName(env, 'SystemRoot')] ?? '';
  return path.win32.join(/^[a-z]:\\\w+$/i.test(root) ? root : String.raw`C:\Windows`, 'System32');
}

function firstExecutable(files: readonly string[]): string | undefined {
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}
