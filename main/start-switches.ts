import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { AppView } from '../shared/app-view.ts';

/**
 * Of the words that a program was started with those that may be switches. The protocol of Windows puts a link behind
 * the end of all switches (`--`), whatever it holds.
 */
export function startSwitches(given: readonly string[]): readonly string[] {
  const end = given.indexOf('--');
  return end === -1 ? given : given.slice(0, end);
}

/**
 * Variables with which a local program, or a line in somebody's shell profile, would switch certificate checks off or
 * have keys written down. Taken out of `env`, so that neither this process nor its children heed them; their names are
 * the answer. Without the first Node would also warn of a danger that does not exist here.
 */
export function removeIgnoredVariables(env: Record<string, string | undefined>): readonly string[] {
  const found: string[] = [];
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') found.push('NODE_TLS_REJECT_UNAUTHORIZED');
  if (env['SSLKEYLOGFILE']) found.push('SSLKEYLOGFILE');
  for (const name of found) delete env[name];
  return found;
}

/** What the launcher of a package puts before the words, and Chromium's own switches before that. */
const marker = '--cli';
/** Words that mean the command line even where no command stands among them. */
const lonelyWords = new Set(['help', '--help', '-h', '--version', '-v']);
/** What may stand before a command. */
const ourSwitches = new Set(['--json']);

/**
 * The words of a command line among what the program was started with (without the program itself); `undefined` when
 * it is to show its window. The program's file may be called directly: then a command has to stand first, which
 * `firstWords` are all first words of.
 */
export function commandWords(given: readonly string[], firstWords: readonly string[]): readonly string[] | undefined {
  const place = startSwitches(given).indexOf(marker);
  if (place !== -1) return given.slice(given[place + 1] === '--' ? place + 2 : place + 1);
  const isMeant = (word: string): boolean => firstWords.includes(word) || lonelyWords.has(word);
  const first = given.findIndex((word) => isMeant(word) || !word.startsWith('-'));
  const word = given[first];
  if (word === undefined || !isMeant(word)) return undefined;
  return [...given.slice(0, first).filter((each) => ourSwitches.has(each)), ...given.slice(first)];
}

/**
 * The starter of an AppImage names its file and its folder to whatever it starts. What was typed in the terminal of
 * another AppImage must not take that one's file for its own, which it would start at login and name in commands.
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
 * Whether pages run in Chromium's sandbox: they do, or the program does not start, unless this switch says otherwise.
 * The starter of an AppImage adds it where `unshare -Ur true` fails; Electron, where ELECTRON_DISABLE_SANDBOX is set.
 */
export function pageSandbox(
  isSwitchedOff: boolean,
  env: Readonly<Record<string, string | undefined>>,
): AppView['sandbox'] {
  if (!isSwitchedOff) return 'on';
  return env['APPIMAGE'] ? 'leftOut' : 'off';
}
