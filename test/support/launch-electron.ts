import { _electron } from 'playwright-core';
import { dismissOthers } from './launch-stand-in.ts';
import type { AppStart } from './launch-stand-in.ts';
import type { LaunchedWindow } from './launch-window.ts';
import { testElectron } from './window-runtime.ts';

/** Runs the app on real Electron with Playwright's driver. */
export async function launchElectron({ app, args, env }: AppStart): Promise<LaunchedWindow> {
  if (testElectron === undefined) throw new Error('Electron is not installed');
  const environment = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const application = await _electron.launch({
    executablePath: testElectron,
    // Playwright's default would hide the app's own choice.
    colorScheme: null,
    // Otherwise Playwright turns off the sandbox on Linux.
    chromiumSandbox: sandbox.length === 0,
    args: [...sandbox, app, ...args],
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
