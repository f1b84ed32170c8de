import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron, standInLauncher } from '../test/support/window-runtime.ts';
import { obtainElectron } from './obtain-electron.ts';
import { hasDisplay, startVirtualDisplay } from './virtual-display.ts';
import type { VirtualDisplay } from './virtual-display.ts';

export interface WindowOptions {
  /** Exits with 0 once the window is usable, or with 1 if it is not within a minute. */
  readonly smoke?: boolean;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Folder of the app to show. Default: the build. */
  readonly app?: string;
  /** Ends the app, as Ctrl-C does. */
  readonly signal?: AbortSignal;
}

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const smokeTimeout = 60_000;

/**
 * Shows the built app and prints what it runs on: Electron, or the stand-in on an installed Chromium. Without a display
 * it gets a virtual one, which ends with it. Returns the app's exit code.
 */
export async function showWindow(options: WindowOptions = {}): Promise<number> {
  const { smoke = false, args = [], env = process.env, app = root, signal } = options;
  await obtainElectron();
  const electron = findElectron();
  const sandbox = electron !== undefined && process.platform === 'linux' && process.getuid?.() === 0;
  say(
    electron === undefined
      ? 'Electron is not installed, so the window opens in Chromium, on the stand-in.'
      : 'The window opens in Electron.',
  );
  const display = hasDisplay(env, process.platform) ? undefined : await openDisplay(electron !== undefined);
  if (display === 'none') return 1;
  const command = electron === undefined ? [process.execPath, standInLauncher] : [electron];
  const [file = '', ...rest] = [...command, ...(sandbox ? ['--no-sandbox'] : []), app, ...args];
  try {
    return await run(file, smoke ? [...rest, '--smoke'] : rest, { ...env, ...display?.env }, smoke, signal);
  } finally {
    display?.end();
  }
}

async function openDisplay(isElectron: boolean): Promise<VirtualDisplay | 'none' | undefined> {
  const display = await startVirtualDisplay();
  if (display) {
    say(`There is no display, so the window opens on a virtual one (${display.env.DISPLAY}).`);
    return display;
  }
  if (isElectron) {
    say('There is no display, and Xvfb, which provides a virtual one, is missing. On Debian: apt-get install xvfb');
    return 'none';
  }
  say('There is no display, so the window is not visible.');
  return undefined;
}

function run(
  file: string,
  values: readonly string[],
  env: NodeJS.ProcessEnv,
  smoke: boolean,
  signal: AbortSignal | undefined,
): Promise<number> {
  const child = spawn(file, values, { env, cwd: root, stdio: ['ignore', smoke ? 'pipe' : 'inherit', 'inherit'] });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (output += text));
  // A terminal sends Ctrl-C to both processes; ending only this one must end the window, too.
  const end = (): void => void child.kill('SIGTERM');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, end);
  signal?.addEventListener('abort', end);
  const timer = smoke ? setTimeout(() => child.kill('SIGKILL'), smokeTimeout) : undefined;
  return new Promise((resolve) => {
    const finish = (code: number): void => {
      clearTimeout(timer);
      for (const name of signals) process.off(name, end);
      signal?.removeEventListener('abort', end);
      resolve(code);
    };
    child.once('error', (error) => {
      say(`The window could not be started: ${error.message}`);
      finish(1);
    });
    child.once('close', (code) => {
      const isInteractive = /^interactive$/m.test(output);
      if (smoke) say(isInteractive ? 'The window was ready to use.' : 'The window was not ready within a minute.');
      finish(smoke && !isInteractive ? 1 : (code ?? 1));
    });
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

if (import.meta.main) {
  const values = process.argv.slice(2);
  const smoke = values.includes('--smoke');
  process.exitCode = await showWindow({ smoke, args: values.filter((value) => value !== '--smoke') });
}
