import path from 'node:path';
import type { LaunchedWindow } from './launch-window.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Puts an `xdg-open` that runs `$BROWSER` before the system's, which the window uses to open URLs on Linux. */
export function withOpener(env: Environment): Environment {
  if (process.platform !== 'linux' || env['BROWSER'] === undefined) return env;
  return { ...env, PATH: `${path.join(import.meta.dirname, 'bin')}${path.delimiter}${env['PATH'] ?? ''}` };
}

/** On other systems the opener cannot be replaced, so the window gets one that runs `$BROWSER`. */
export async function replaceOpener(launched: LaunchedWindow, browser: string | undefined): Promise<void> {
  if (process.platform === 'linux' || browser === undefined) return;
  await launched.evaluate(({ shell }, command) => {
    const { spawn } = process.getBuiltinModule('node:child_process');
    const [file = '', ...words] = command.split(' ');
    shell.openExternal = async (url) => void spawn(file, [...words, url], { stdio: 'ignore' });
  }, browser);
}
