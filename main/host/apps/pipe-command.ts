import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installPipe, installedPipePath } from '../../storage/profile/profile-folder.ts';
import { findLauncherFolder } from '../installation.ts';
import type { Installation } from '../installation.ts';

interface StartCommand {
  /** Absolute, at a stable location. */
  readonly command: string;
  /** Come before the entry's own arguments. */
  readonly args: readonly string[];
}

/**
 * What an app's entry starts, with no environment variable but HOME and PATH: the native pipe if the package has one,
 * else `postern proxy`. For a package that was unpacked somewhere, a copy in the profile folder. Errors: CFG_*.
 */
export async function pipeCommand(installation: Installation, profileFolder: string): Promise<StartCommand> {
  const { resources } = installation;
  const own = ownCommand(installation);
  const native = resources === undefined ? undefined : nativePipe(resources);
  if (resources === undefined || native === undefined || !existsSync(native))
    return { command: own.command, args: [...own.args, 'proxy'] };
  if (isAtStablePath(resources)) return { command: native, args: [] };
  await installPipe(profileFolder, native, ownExecutable());
  return { command: installedPipePath(profileFolder), args: [] };
}

/** Whether macOS runs Postern from a random path that changes each time (Gatekeeper path randomization). */
export function isTranslocated(app = process.execPath, platform = process.platform): boolean {
  return platform === 'darwin' && app.includes('/AppTranslocation/');
}

/** Runs a Postern command, with no environment variable but HOME and PATH. */
export function ownCommand({ resources }: Installation): StartCommand {
  if (resources !== undefined) return { command: ownExecutable(), args: ['--cli', '--'] };
  // Above the source, and above its build output.
  const folder = findLauncherFolder() ?? path.parse(import.meta.dirname).root;
  const launcher = path.join(folder, 'bin', 'postern.js');
  return { command: nodeFile(launcher), args: [launcher] };
}

/** Updates the stored copy of the pipe that app entries name, if there is one. Errors: CFG_*. */
export async function updateInstalledPipe(installation: Installation, profileFolder: string): Promise<void> {
  const { resources } = installation;
  if (resources !== undefined && existsSync(installedPipePath(profileFolder)))
    await pipeCommand(installation, profileFolder);
}

function nativePipe(resources: string): string {
  return path.join(resources, 'bin', process.platform === 'win32' ? 'postern-pipe.exe' : 'postern-pipe');
}

/**
 * An AppImage mounts at a different path each time, though its file stays; an archive can be unpacked anywhere, and
 * moved.
 */
function isAtStablePath(resources: string): boolean {
  if (process.platform !== 'linux') return true;
  const type = path.join(resources, 'package-type');
  return !process.env['APPIMAGE'] && existsSync(type) && readFileSync(type, 'utf8').trim() === 'deb';
}

/** The installed executable, at a stable path. */
export function ownExecutable(): string {
  return process.env['APPIMAGE'] || process.execPath;
}

/** Electron cannot run the launcher as Node; the project's own Node can. */
function nodeFile(launcher: string): string {
  if (process.versions['electron'] === undefined) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(launcher, '..', '..', 'node_modules', 'node', 'bin', name);
}
