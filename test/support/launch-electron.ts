import { _electron } from 'playwright-core';
import { dismissOthers } from './launch-stand-in.ts';
import type { ProgramStart } from './launch-stand-in.ts';
import type { LaunchedWindow } from './launch-window.ts';
import { testElectron } from './window-runtime.ts';

/** Runs the program on Electron itself, by Playwright's own driver for it. */
export async function launchElectron({ program, args, env }: ProgramStart): Promise<LaunchedWindow> {
  if (testElectron === undefined) throw new Error('Electron is not installed');
  const environment = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const application = await _electron.launch({
    executablePath: testElectron,
    // Playwright's own choice would hide what the program chooses.
    colorScheme: null,
    // It would take the sandbox away on Linux.
    chromiumSandbox: sandbox.length === 0,
    args: [...sandbox, program, ...args],
    env: Object.fromEntries(environment) as Record<string, string>,
  });
  application.context().on('dialog', dismissOthers);
  const child = application.process();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    pages: () => application.windows(),
    urlOf: (page) => page.url(),
    onPage(listener) {
      application.on('window', listener);
      return () => void application.off('window', listener);
    },
    evaluate: (run, argument) => application.evaluate(run as never, argument as never) as never,
    async close() {
      await application.close().catch(() => {});
      return await ended;
    },
  };
}
