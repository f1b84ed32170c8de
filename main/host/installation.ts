import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { KeychainProcess } from '../storage/keychain/keychain-process.ts';
import type { Channel } from '../storage/keychain/keychain-service.ts';
import type { ProfileSurroundings } from '../storage/profile/profile-path.ts';

/** How the running program was installed. */
export interface Installation {
  /** From an installer, and not from its source. */
  readonly packaged: boolean;
  readonly channel: Channel;
  /** Folder of what lies beside the archive of a package. */
  readonly resources?: string;
  /** How the keychain's process is started, where it is not forked from Node. */
  readonly startKeychain?: (childPath: string) => KeychainProcess;
}

/** A package's channel stands in its version (`1.2.0-beta.1`); the source is always `dev`. */
export function channelOf({ packaged, version }: { readonly packaged: boolean; readonly version: string }): Channel {
  if (!packaged) return 'dev';
  return version.includes('-') ? 'beta' : 'stable';
}

/** Where the profile of this person and installation is looked for. */
export function profileSurroundings({ channel }: Installation): ProfileSurroundings {
  return { env: process.env, platform: process.platform, home: homedir(), channel };
}

/** The folder of this command's launcher, of its sources or as npm installs it; `undefined` in a package. */
export function findLauncherFolder(folder = import.meta.dirname): string | undefined {
  if (existsSync(path.join(folder, 'bin', 'postern.js'))) return folder;
  const above = path.dirname(folder);
  return above === folder ? undefined : findLauncherFolder(above);
}

/**
 * The folder of the sources that this command was started from; `undefined` where it was installed: no package of npm
 * holds a lockfile.
 */
export function findCheckout(folder?: string): string | undefined {
  const found = findLauncherFolder(folder);
  return found !== undefined && existsSync(path.join(found, 'package-lock.json')) ? found : undefined;
}

export interface CommandPlace {
  /** Of a package: the folder of what lies beside its archive. */
  readonly resources?: string | undefined;
  /** Of anything else: the folder of the launcher. */
  readonly folder?: string | undefined;
  readonly currentFolder?: string | undefined;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
}

/** By these an AppImage is the command anywhere; its launcher lies in a folder that is gone afterwards. */
const asCommand = '--no-sandbox --ozone-platform=headless --disable-gpu --cli --';

/** How a person types this command here; `undefined` where there is none, as in the package for Windows. */
export function commandName({ resources, folder, currentFolder, env, platform }: CommandPlace): string | undefined {
  if (resources !== undefined) {
    const launcher = path.join(resources, 'bin', 'postern');
    if (isOnPath(launcher, env['PATH'])) return 'postern';
    if (env['APPIMAGE']) return `${quoted(env['APPIMAGE'])} ${asCommand}`;
    return platform === 'win32' ? undefined : quoted(launcher);
  }
  if (folder === undefined) return 'postern';
  const launcher = path.join(folder, 'bin', 'postern.js');
  if (isOnPath(launcher, env['PATH'])) return 'postern';
  // npx finds it in the checkout's own folder alone: in any other it would ask the registry for a package of that name.
  if (currentFolder === folder && findCheckout(folder) !== undefined) return 'npx postern';
  return `node ${quoted(launcher)}`;
}

/** The same for the program that runs, and somebody who stands in `currentFolder`, or just anywhere. */
export function ownCommandName({ resources }: Pick<Installation, 'resources'>, currentFolder?: string) {
  const { env, platform } = process;
  return commandName({ resources, folder: findLauncherFolder(), currentFolder, env, platform });
}

function quoted(file: string): string {
  return /^[\w./-]+$/u.test(file) ? file : `"${file}"`;
}

/**
 * Whether this is the first `postern` there, as after `npm link` or from a deb. The folders that npm and npx put in
 * front while they run something are no longer there when a person types.
 */
function isOnPath(launcher: string, searchPath = ''): boolean {
  const folder = searchPath
    .split(path.delimiter)
    .filter((each) => path.isAbsolute(each) && !each.endsWith(path.join('node_modules', '.bin')))
    .find((each) => existsSync(path.join(each, 'postern')));
  if (folder === undefined || !existsSync(launcher)) return false;
  // On Windows npm puts a script there, which starts what the folder beside it holds.
  const started = [path.join(folder, 'postern'), path.join(folder, 'node_modules', 'postern', 'bin', 'postern.js')];
  return started.some((file) => existsSync(file) && realpathSync(file) === realpathSync(launcher));
}
