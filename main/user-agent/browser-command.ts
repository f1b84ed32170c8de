import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

export interface BrowserCommand {
  readonly file: string;
  readonly arguments: readonly string[];
}

/**
 * The program that opens `url`, as a file and its arguments: never through a shell, and on Windows never `start`, both of
 * which would read a URL as commands. `$BROWSER` comes first: a command, with arguments between spaces if it has any;
 * `%s` stands for the URL, else the URL is the last argument.
 */
export function chooseBrowserCommand(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): BrowserCommand {
  const own = env['BROWSER']?.trim() ?? '';
  if (own !== '') return readOwnCommand(own, url);
  if (platform === 'darwin') return { file: '/usr/bin/open', arguments: [url] };
  if (platform === 'win32') return { file: 'rundll32.exe', arguments: ['url.dll,FileProtocolHandler', url] };
  return { file: 'xdg-open', arguments: [url] };
}

function readOwnCommand(command: string, url: string): BrowserCommand {
  // A program in a folder with a space in its name.
  if (isAbsolute(command) && existsSync(command)) return { file: command, arguments: [url] };
  const [file = '', ...rest] = command.split(/\s+/);
  if (!rest.some((argument) => argument.includes('%s'))) return { file, arguments: [...rest, url] };
  return { file, arguments: rest.map((argument) => argument.replaceAll('%s', () => url)) };
}
