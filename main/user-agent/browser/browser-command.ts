import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BrowserAddress } from '../../address/browser-address.ts';
import { findProgram, findSystemProgram, windowsPrograms } from '../../find-program.ts';

export interface BrowserCommand {
  /** A whole path: a bare name would be looked for in the current folder, too. */
  readonly file: string;
  readonly arguments: readonly string[];
}

/**
 * The program that opens `url`, as a file and its arguments: never through a shell, and on Windows never `start`; both
 * would read a URL as commands. `$BROWSER` comes first: a command, with arguments between spaces if it has any;
 * `%s` stands for the URL, else the URL is the last argument. `undefined`: there is no such program in a folder that is
 * named whole; one that is only there from where somebody stands is not taken.
 */
export function chooseBrowserCommand(
  url: BrowserAddress,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): BrowserCommand | undefined {
  const own = env['BROWSER']?.trim() ?? '';
  if (own !== '') return readOwnCommand(own, url, env, platform);
  if (platform === 'darwin') return { file: '/usr/bin/open', arguments: [url] };
  if (platform === 'win32') {
    const { join } = path.win32;
    const folder = windowsPrograms(env);
    return { file: join(folder, 'rundll32.exe'), arguments: [`${join(folder, 'url.dll')},FileProtocolHandler`, url] };
  }
  const file = findSystemProgram('xdg-open', env);
  return file === undefined ? undefined : { file, arguments: [url] };
}

function readOwnCommand(
  command: string,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): BrowserCommand | undefined {
  const { isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  // A program in a folder with a space in its name.
  if (isAbsolute(command) && existsSync(command)) return { file: command, arguments: [url] };
  const [name = '', ...rest] = command.split(/\s+/);
  const file = isAbsolute(name) ? name : /[/\\]/.test(name) ? undefined : findProgram(name, env, platform);
  if (file === undefined) return undefined;
  if (!rest.some((argument) => argument.includes('%s'))) return { file, arguments: [...rest, url] };
  return { file, arguments: rest.map((argument) => argument.replaceAll('%s', () => url)) };
}
