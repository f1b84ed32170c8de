import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { keepPipe, keptPipe } from '../../storage/profile/profile-folder.ts';
import { findLauncherFolder } from '../installation.ts';
import type { Installation } from '../installation.ts';

export interface StartCommand {
  /** Absolute, and at a place that stays. */
  readonly command: string;
  /** Before those of its own. */
  readonly args: readonly string[];
}

/**
 * What an entry of a program starts, with no variable but HOME and PATH: the native pipe where the package has one,
 * else `postern proxy`. Of a package that is unpacked somewhere it is a copy in the profile folder. Errors: CFG_*.
 */
export async function pipeCommand(installation: Installation, profileFolder: string): Promise<StartCommand> {
  const { resources } = installation;
  const own = programCommand(installation);
  const native = resources === undefined ? undefined : nativePipe(resources);
  if (resources === undefined || native === undefined || !existsSync(native))
    return { command: own.command, args: [...own.args, 'proxy'] };
  if (staysInPlace(resources)) return { command: native, args: [] };
  await keepPipe(profileFolder, native, programFile());
  return { command: keptPipe(profileFolder), args: [] };
}

/** Whether macOS runs this program from a place that is another one the next time (Gatekeeper's path randomisation). */
export function isTranslocated(program = process.execPath, platform = process.platform): boolean {
  return platform === 'darwin' && program.includes('/AppTranslocation/');
}

/** What starts a command of Postern, with no variable but HOME and PATH. */
export function programCommand({ resources }: Installation): StartCommand {
  if (resources !== undefined) return { command: programFile(), args: ['--cli', '--'] };
  // Above the sources, and above what is built of them.
  const folder = findLauncherFolder() ?? path.parse(import.meta.dirname).root;
  const launcher = path.join(folder, 'bin', 'postern.js');
  return { command: nodeFile(launcher), args: [launcher] };
}

/** Brings the copy of the pipe that entries name up to this version, where there is one. Errors: CFG_*. */
export async function renewPipe(installation: Installation, profileFolder: string): Promise<void> {
  const { resources } = installation;
  if (resources !== undefined && existsSync(keptPipe(profileFolder))) await pipeCommand(installation, profileFolder);
}

function nativePipe(resources: string): string {
  return path.join(resources, 'bin', process.platform === 'win32' ? 'postern-pipe.exe' : 'postern-pipe');
}

/**
 * An AppImage lies at another place each time, but its file does not; an archive can be unpacked anywhere, and moved.
 */
function staysInPlace(resources: string): boolean {
  if (process.platform !== 'linux') return true;
  const type = path.join(resources, 'package-type');
  return !process.env['APPIMAGE'] && existsSync(type) && readFileSync(type, 'utf8').trim() === 'deb';
}

/** The installed program, at a place that stays. */
export function programFile(): string {
  return process.env['APPIMAGE'] || process.execPath;
}

/** What runs the launcher: Electron is no Node for it, the project's own is. */
function nodeFile(launcher: string): string {
  if (process.versions['electron'] === undefined) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(launcher, '..', '..', 'node_modules', 'node', 'bin', name);
}
