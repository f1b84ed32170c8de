import { randomUUID } from 'node:crypto';
import { _electron } from 'playwright-core';
import type { ElectronApplication } from 'playwright-core';
import { dismissOthers } from './launch-stand-in.ts';
import type { AppStart } from './launch-stand-in.ts';
import type { LaunchedWindow } from './launch-window.ts';
import { testElectron } from './window-runtime.ts';

type Evaluated = (electron: unknown, argument: unknown) => unknown;

/**
 * Runs a function in main. V8 holds the result that Playwright awaits only weakly and sometimes drops it during a
 * start. Main stores it by ID, so that a retry reads it instead of running the function again.
 */
async function evaluateOnce(application: ElectronApplication, run: Evaluated, argument: unknown): Promise<unknown> {
  const call = { id: randomUUID(), source: `(${String(run)})`, argument };
  const evaluate = async (): Promise<unknown> =>
    await application.evaluate((electron, { id, source, argument: value }) => {
      const main = globalThis as { evaluated?: Map<string, unknown> };
      main.evaluated ??= new Map();
      // oxlint-disable-next-line no-eval -- Text of a function, which Playwright would evaluate as well.
      if (!main.evaluated.has(id)) main.evaluated.set(id, (0, eval)(source)(electron, value));
      return main.evaluated.get(id);
    }, call);
  return await evaluate().catch(async (error: unknown) => {
    if (String(error).includes('garbage collected')) return await evaluate();
    throw error;
  });
}

/** Runs the app on real Electron with Playwright's driver. */
export async function launchElectron({ app, args, env, executable = testElectron }: AppStart): Promise<LaunchedWindow> {
  if (executable === undefined) throw new Error('Electron is not installed');
  const environment = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const application = await _electron.launch({
    executablePath: executable,
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
    evaluate: (run, argument) => evaluateOnce(application, run as Evaluated, argument) as never,
    async close() {
      await application.close().catch(() => {});
      return await ended;
    },
  };
}
