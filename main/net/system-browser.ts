import type { spawn as nodeSpawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BrowserAddress } from '../address/check-address.ts';
import { PosternError } from '../errors/postern-error.ts';
import { findExecutable, findSystemExecutable, restrictSearchPath, windowsExecutables } from '../find-executable.ts';

const stage = 'authorization';

/** Variables in which build systems and test suites store secrets; a browser needs none of them. */
const secretName = /SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|^MCP_CONFORMANCE_CONTEXT$/i;

interface SystemBrowserOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly spawn: typeof nodeSpawn;
  /** Called once if the last command fails (exit code or signal): most likely nothing opened. */
  readonly onFailed?: (() => void) | undefined;
}

/** Milliseconds. A command that fails later has most likely shown the page, so the next one is not tried. */
const failureWindow = 10_000;

/**
 * Opens a page in the user's own browser (RFC 8252 section 8.12). Beware: other users of this computer can read the
 * arguments. Waits until a command has started, not until it exits; if it fails early, the next one is tried.
 * Errors: BROWSER_OPEN_FAILED.
 */
export async function openSystemBrowser(
  address: BrowserAddress,
  { env, platform, spawn, onFailed }: SystemBrowserOptions,
): Promise<void> {
  const commands = [...browserCommands(address, env, platform)];
  const childEnv = withoutSecrets(env);
  // Openers are scripts that start other commands by name.
  restrictSearchPath(childEnv, platform);
  const openNext = async (): Promise<void> => {
    let failure: PosternError = new PosternError('BROWSER_OPEN_FAILED', { stage });
    for (let command = commands.shift(); command; command = commands.shift()) {
      const started = performance.now();
      const fail = (): void => {
        if (performance.now() - started > failureWindow) onFailed?.();
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
  { file, arguments: args }: BrowserCommand,
  { env, onFailed }: { readonly env: NodeJS.ProcessEnv; readonly onFailed: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new PosternError('BROWSER_OPEN_FAILED', { stage }));
    try {
      const child = spawn(file, [...args], { detached: true, stdio: 'ignore', shell: false, env });
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
  /** A full path: a bare name would also be looked up in the current folder. */
  readonly file: string;
  readonly arguments: readonly string[];
}

/**
 * The commands that open `url`, in the order to try. Never through a shell, nor `start` on Windows: both would
 * interpret parts of a URL as commands. `$BROWSER` comes first: a list separated like PATH, with optional arguments;
 * `%s` is the URL, which is otherwise the last argument. Commands that are missing, or found only in a relative folder,
 * are skipped.
 */
export function browserCommands(
  url: BrowserAddress,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly BrowserCommand[] {
  const browserVariable = env['BROWSER']?.trim() ?? '';
  if (browserVariable !== '') return readBrowserVariable(browserVariable, url, env, platform);
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
    const folder = windowsExecutables(env);
    return { file: join(folder, 'rundll32.exe'), arguments: [`${join(folder, 'url.dll')},FileProtocolHandler`, url] };
  }
  const file = findSystemExecutable('xdg-open', env);
  return file === undefined ? undefined : { file, arguments: [url] };
}

function readBrowserVariable(
  browserVariable: string,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly BrowserCommand[] {
  const { delimiter } = platform === 'win32' ? path.win32 : path.posix;
  // A path may contain the delimiter.
  const commands = existsSync(browserVariable)
    ? [browserVariable]
    : browserVariable.split(delimiter).map((command) => command.trim());
  return commands.flatMap((command) => (command === '' ? [] : (readBrowserCommand(command, url, env, platform) ?? [])));
}

function readBrowserCommand(
  command: string,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): BrowserCommand | undefined {
  const { isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  // The path may contain spaces.
  if (isAbsolute(command) && existsSync(command)) return { file: command, arguments: [url] };
  const [name = '', ...rest] = command.split(/\s+/);
  const file = isAbsolute(name) ? name : /[/\\]/.test(name) ? undefined : findExecutable(name, env, platform);
  if (file === undefined) return undefined;
  if (!rest.some((argument) => argument.includes('%s'))) return { file, arguments: [...rest, url] };
  return { file, arguments: rest.map((argument) => argument.replaceAll('%s', () => url)) };
}
