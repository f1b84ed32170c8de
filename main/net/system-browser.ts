import type { spawn as nodeSpawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BrowserAddress } from '../address/check-address.ts';
import { PosternError } from '../errors/postern-error.ts';
import { findProgram, findSystemProgram, keepSearchFolders, windowsPrograms } from '../find-program.ts';

const stage = 'authorization';

/** Names under which build systems and test suites keep secrets; a browser needs none of them. */
const secretName = /SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|^MCP_CONFORMANCE_CONTEXT$/i;

interface SystemBrowserOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly spawn: typeof nodeSpawn;
  /** Told once where the last program ends with another exit code than 0, or by a signal: most likely nothing opened. */
  readonly onFailed?: (() => void) | undefined;
}

/** Milliseconds. One that ends badly later has most likely shown the page; a second page would only be in the way. */
const opensWithin = 10_000;

/**
 * Opens a page in the person's own browser (RFC 8252 section 8.12). Every user of this computer can read what a program
 * was started with. Waits until a program has started, not until it ends; where one ends badly at once, the next is
 * tried. `onFailed` is told of a bad end of the last.
 * Errors: BROWSER_OPEN_FAILED.
 */
export async function openSystemBrowser(
  address: BrowserAddress,
  { env, platform, spawn, onFailed }: SystemBrowserOptions,
): Promise<void> {
  const commands = [...browserCommands(address, env, platform)];
  const childEnv = withoutSecrets(env);
  // Openers are scripts that start others by their names.
  keepSearchFolders(childEnv, platform);
  const openNext = async (): Promise<void> => {
    let failure: PosternError = new PosternError('BROWSER_OPEN_FAILED', { stage });
    for (let command = commands.shift(); command; command = commands.shift()) {
      const started = performance.now();
      const fail = (): void => {
        if (performance.now() - started > opensWithin) onFailed?.();
        else openNext().catch(() => onFailed?.());
      };
      try {
        return await start(spawn, command, { env: childEnv, onFailed: fail });
      } catch (error) {
        if (!(error instanceof PosternError)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  await openNext();
}

function start(
  spawn: typeof nodeSpawn,
  { file, arguments: words }: BrowserCommand,
  { env, onFailed }: { readonly env: NodeJS.ProcessEnv; readonly onFailed: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new PosternError('BROWSER_OPEN_FAILED', { stage }));
    try {
      const child = spawn(file, [...words], { detached: true, stdio: 'ignore', shell: false, env });
      child.once('error', refuse);
      child.once('spawn', () => {
        child.once('exit', (code) => {
          if (code !== 0) onFailed();
        });
        child.unref();
        resolve();
      });
    } catch {
      refuse();
    }
  });
}

function withoutSecrets(env: SystemBrowserOptions['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('XDG_') || !secretName.test(name)));
}

interface BrowserCommand {
  /** A whole path: a bare name would be looked for in the current folder, too. */
  readonly file: string;
  readonly arguments: readonly string[];
}

/**
 * The programs that open `url`, each to be tried after the one before, as files and their arguments: never through a
 * shell, and on Windows never `start`; both would read a URL as commands. `$BROWSER` comes first: commands, divided as
 * PATH is, with arguments between spaces if they have any; `%s` stands for the URL, else the URL is the last argument.
 * Programs that no folder has which is named whole are left out, as is one that is only there from where somebody
 * stands.
 */
export function browserCommands(
  url: BrowserAddress,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly BrowserCommand[] {
  const own = env['BROWSER']?.trim() ?? '';
  if (own !== '') return readOwnCommands(own, url, env, platform);
  const opener = systemOpener(url, env, platform);
  return opener ? [opener] : [];
}

function systemOpener(
  url: BrowserAddress,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): BrowserCommand | undefined {
  if (platform === 'darwin') return { file: '/usr/bin/open', arguments: [url] };
  if (platform === 'win32') {
    const { join } = path.win32;
    const folder = windowsPrograms(env);
    return { file: join(folder, 'rundll32.exe'), arguments: [`${join(folder, 'url.dll')},FileProtocolHandler`, url] };
  }
  const file = findSystemProgram('xdg-open', env);
  return file === undefined ? undefined : { file, arguments: [url] };
}

function readOwnCommands(
  own: string,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly BrowserCommand[] {
  const { delimiter } = platform === 'win32' ? path.win32 : path.posix;
  // A path may have any character in it.
  const commands = existsSync(own) ? [own] : own.split(delimiter).map((command) => command.trim());
  return commands.flatMap((command) => (command === '' ? [] : (readOwnCommand(command, url, env, platform) ?? [])));
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
