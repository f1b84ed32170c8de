import path from 'node:path';
import type { LaunchedWindow } from './launch-window.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** With an `xdg-open` in front of the system's, by which the window opens addresses on Linux: it runs `$BROWSER`. */
export function withOpener(env: Environment): Environment {
  if (process.platform !== 'linux' || env['BROWSER'] === undefined) return env;
  return { ...env, PATH: `${path.join(import.meta.dirname, 'bin')}${path.delimiter}${env['PATH'] ?? ''}` };
}

/** Elsewhere the opener is the system's own, so the window is given another: it runs `$BROWSER`. */
export async function replaceOpener(launched: LaunchedWindow, browser: string | undefined): Promise<void> {
  if (process.platform === 'linux' || browser === undefined) return;
  await launched.evaluate(({ shell }, command) => {
    const { spawn } = process.getBuiltinModule('node:child_process');
    const [file = '', ...words] = command.split(' ');
    shell.openExternal = async (url) => void spawn(file, [...words, url], { stdio: 'ignore' });
  }, browser);
}
