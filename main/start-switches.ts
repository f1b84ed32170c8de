import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { DesktopView } from '../shared/desktop-view.ts';

/**
 * The arguments that may be switches: those before `--`. Windows passes a protocol link after `--`, whatever it
 * contains.
 */
export function startSwitches(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/**
 * Removes variables that would turn off certificate checks or log TLS keys, set by a local program or in a shell
 * profile, so that neither this process nor its children use them. Returns their names. Removing the first one also
 * avoids Node's warning about a danger that does not exist here.
 */
export function removeIgnoredVariables(env: Record<string, string | undefined>): readonly string[] {
  const found: string[] = [];
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') found.push('NODE_TLS_REJECT_UNAUTHORIZED');
  if (env['SSLKEYLOGFILE']) found.push('SSLKEYLOGFILE');
  for (const name of found) delete env[name];
  return found;
}

/** A package's launcher puts this before the command's arguments, after Chromium's own switches. */
const marker = '--cli';
/** Arguments that select the command line even without a command. */
const standaloneWords = new Set(['help', '--help', '-h', '--version', '-v']);
/** Switches that may come before a command. */
const ourSwitches = new Set(['--json']);

/**
 * The command line's arguments among all arguments (without the executable); `undefined` to show the window. If the
 * executable is called directly, a command (one of `firstWords`) has to come first.
 */
export function commandWords(args: readonly string[], firstWords: readonly string[]): readonly string[] | undefined {
  const markerIndex = startSwitches(args).indexOf(marker);
  if (markerIndex !== -1) return args.slice(args[markerIndex + 1] === '--' ? markerIndex + 2 : markerIndex + 1);
  const isCommandWord = (word: string): boolean => firstWords.includes(word) || standaloneWords.has(word);
  const first = args.findIndex((word) => isCommandWord(word) || !word.startsWith('-'));
  const word = args[first];
  if (word === undefined || !isCommandWord(word)) return undefined;
  return [...args.slice(0, first).filter((each) => ourSwitches.has(each)), ...args.slice(first)];
}

/**
 * The AppImage launcher sets APPIMAGE and APPDIR for everything it starts. In a terminal that is itself an AppImage,
 * Postern must not take that file for its own: it would start it at login and name it in commands.
 */
export function removeForeignAppImage(env: NodeJS.ProcessEnv, resources: string): void {
  const { APPDIR: folder } = env;
  if (!folder || !isInside(realPath(folder), realPath(resources))) delete env['APPIMAGE'];
}

function isInside(folder: string, file: string): boolean {
  const rest = path.relative(folder, file);
  return rest !== '' && !rest.startsWith('..') && !path.isAbsolute(rest);
}

function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/**
 * Whether pages run in Chromium's sandbox. Without `--no-sandbox` they do, or Postern does not start. The AppImage
 * launcher adds the switch if `unshare -Ur true` fails; Electron, if ELECTRON_DISABLE_SANDBOX is set.
 */
export function pageSandbox(
  isSwitchedOff: boolean,
  env: Readonly<Record<string, string | undefined>>,
): DesktopView['sandbox'] {
  if (!isSwitchedOff) return 'on';
  return env['APPIMAGE'] ? 'leftOut' : 'off';
}
