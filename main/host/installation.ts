import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { KeychainProcess } from '../storage/keychain/keychain-process.ts';
import type { Channel } from '../storage/keychain/keychain-service.ts';
import type { ProfileEnvironment } from '../storage/profile/profile-path.ts';

/** How this copy of Postern was installed. */
export interface Installation {
  /** Installed from a package, not run from source. */
  readonly isPackaged: boolean;
  readonly channel: Channel;
  /** Folder of a package's resources, next to its archive. */
  readonly resources?: string;
  /** Starts the keychain process where Node cannot fork it. */
  readonly startKeychain?: (childPath: string) => KeychainProcess;
}

/** A package's channel is in its version (`1.2.0-beta.1`); running from source is always `dev`. */
export function channelOf({
  isPackaged,
  version,
}: {
  readonly isPackaged: boolean;
  readonly version: string;
}): Channel {
  if (!isPackaged) return 'dev';
  return version.includes('-') ? 'beta' : 'stable';
}

/** The version from the nearest `package.json` above, because source and bundle are at different depths. */
export function readVersion(): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const description: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof description === 'object' && description !== null && 'version' in description) {
      return String(description.version);
    }
  }
  return 'unknown';
}

/** Where to look for the profile of this user and installation. */
export function profileEnvironment({ channel }: Installation): ProfileEnvironment {
  return { env: process.env, platform: process.platform, home: homedir(), channel };
}

/** Folder of the command's launcher, in a checkout or as npm installs it; `undefined` in a package. */
export function findLauncherFolder(folder = import.meta.dirname): string | undefined {
  if (existsSync(path.join(folder, 'bin', 'postern.js'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : findLauncherFolder(parent);
}

/**
 * Folder of the source checkout that this command runs from; `undefined` if installed. No npm package contains a
 * lockfile.
 */
export function findCheckout(folder?: string): string | undefined {
  const found = findLauncherFolder(folder);
  return found !== undefined && existsSync(path.join(found, 'package-lock.json')) ? found : undefined;
}

export interface CommandLocation {
  /** In a package: the resources folder. */
  readonly resources?: string | undefined;
  /** Otherwise: the folder of the launcher. */
  readonly folder?: string | undefined;
  readonly currentFolder?: string | undefined;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
}

/** Make an AppImage run as the command. Its own launcher is in a mount that disappears afterwards. */
const appImageArguments = '--no-sandbox --ozone-platform=headless --disable-gpu --cli --';

/** How the user types this command here; `undefined` if they cannot, as with the Windows package. */
export function commandName({ resources, folder, currentFolder, env, platform }: CommandLocation): string | undefined {
  if (resources !== undefined) {
    const launcher = path.join(resources, 'bin', 'postern');
    if (isOnPath(launcher, env['PATH'])) return 'postern';
    if (env['APPIMAGE']) return `${quoteIfNeeded(env['APPIMAGE'])} ${appImageArguments}`;
    return platform === 'win32' ? undefined : quoteIfNeeded(launcher);
  }
  if (folder === undefined) return 'postern';
  const launcher = path.join(folder, 'bin', 'postern.js');
  if (isOnPath(launcher, env['PATH'])) return 'postern';
  // `npx` finds it only in the checkout's own folder. Elsewhere it would fetch a package of that name from the
  // registry.
  if (currentFolder === folder && findCheckout(folder) !== undefined) return 'npx postern';
  return `node ${quoteIfNeeded(launcher)}`;
}

/** The same for this process. `currentFolder`: where the user types it; without it, anywhere. */
export function ownCommandName({ resources }: Pick<Installation, 'resources'>, currentFolder?: string) {
  const { env, platform } = process;
  return commandName({ resources, folder: findLauncherFolder(), currentFolder, env, platform });
}

function quoteIfNeeded(file: string): string {
  return /^[\w./-]+$/u.test(file) ? file : `"${file}"`;
}

/**
 * Whether `launcher` is the first `postern` on the PATH, as after `npm link` or from a deb. Ignores folders that npm
 * and npx add only while they run something.
 */
function isOnPath(launcher: string, searchPath = ''): boolean {
  const folder = searchPath
    .split(path.delimiter)
    .filter((each) => path.isAbsolute(each) && !each.endsWith(path.join('node_modules', '.bin')))
    .find((each) => existsSync(path.join(each, 'postern')));
  if (folder === undefined || !existsSync(launcher)) return false;
  // On Windows npm installs a script, which starts the launcher in the folder next to it.
  const launchers = [path.join(folder, 'postern'), path.join(folder, 'node_modules', 'postern', 'bin', 'postern.js')];
  return launchers.some((file) => existsSync(file) && realpathSync(file) === realpathSync(launcher));
}
