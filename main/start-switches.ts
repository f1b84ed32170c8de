import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { DesktopView } from '../shared/desktop-view.ts';

/**
 * The arguments that may be switches: those before `--`. Windows passes a protocol link after `--`, whatever it
 * contains.
 */
export function startSwitches(given: readonly string[]): readonly string[] {
  const end = given.indexOf('--');
  return end === -1 ? given : given.slice(0, end);
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
export function commandWords(given: readonly string[], firstWords: readonly string[]): readonly string[] | undefined {
  const place = startSwitches(given).indexOf(marker);
  if (place !== -1) return given.slice(given[place + 1] === '--' ? place + 2 : place + 1);
  const isMeant = (word: string): boolean => firstWords.includes(word) || standaloneWords.has(word);
  const first = given.findIndex((word) => isMeant(word) || !word.startsWith('-'));
  const word = given[first];
  if (word === undefined || !isMeant(word)) return undefined;
  return [...given.slice(0, first).filter((each) => ourSwitches.has(each)), ...given.slice(first)];
}

/**
 * The AppImage launcher sets APPIMAGE and APPDIR for everything it starts. In a terminal that is itself an AppImage,
 * Postern must not take that file for its own: it would start it at login and name it in commands.
 */
export function removeForeignAppImage(env: NodeJS.ProcessEnv, resources: string): void {
  const { APPDIR: folder } = env;
  if (!folder || !isInside(real(folder), real(resources))) delete env['APPIMAGE'];
}

function isInside(folder: string, file: string): boolean {
  const rest = path.relative(folder, file);
  return rest !== '' && !rest.startsWith('..') && !path.isAbsolute(rest);
}

function real(file: string): string {
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
