import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import type { Page } from 'playwright-core';
import { launchElectron } from './launch-electron.ts';
import { launchStandIn } from './launch-stand-in.ts';
import { replaceOpener, withOpener } from './test-browser.ts';
import { waitForPage } from './wait-for-page.ts';
import { windowRuntime } from './window-runtime.ts';
import type { WindowRuntime } from './window-runtime.ts';

export interface LaunchOptions {
  /** A folder for everything that the app stores: POSTERN_HOME and Electron's userData. */
  readonly profile: string;
  /** `BROWSER`: opens URLs instead of the system's opener. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Default: Electron if it is installed, otherwise the stand-in. */
  readonly runtime?: WindowRuntime;
  /** Electron's executable. Default: `testElectron`. */
  readonly executable?: string | undefined;
  /** Folder or script. Default: the build. */
  readonly app?: string;
}

/** The `electron` module, as passed to functions that run in the main process. */
export type ElectronModule = typeof Electron;

/** A desktop app, driven from outside. */
export interface RunningWindow extends AsyncDisposable {
  /** The runtime. */
  readonly electron: WindowRuntime;
  readonly pid: number;
  /** Every page of every window, in no particular order. */
  pages(): Page[];
  /** Waits for the page whose URL, as the app sees it (`app://…`), contains this text. */
  page(urlPart: string): Promise<Page>;
  /** Runs a function in the main process. It is sent as text, so it only sees its argument and `globalThis`. */
  evaluate<Result, Argument = undefined>(
    run: (electron: ElectronModule, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  /** The app's output so far. */
  output(): string;
  /** Quits the app and returns its exit code; kills it if it does not quit. */
  close(): Promise<number | null>;
  /** Resolves when the app has ended, for any reason. */
  readonly ended: Promise<number | null>;
}

/** What each of the two runtimes provides. */
export type LaunchedWindow = Omit<RunningWindow, 'page' | 'electron' | typeof Symbol.asyncDispose> & {
  /** A page's URL, as the app sees it. */
  urlOf(page: Page): string;
  /** Runs for each new page; returns a function that stops it. */
  onPage(listener: (page: Page) => void): () => void;
};

/** POSTERN_TEST_PROGRAM: another build. */
export const builtApp = process.env['POSTERN_TEST_PROGRAM'] ?? fileURLToPath(new URL('../..', import.meta.url));

export async function launchWindow(options: LaunchOptions): Promise<RunningWindow> {
  const { app = builtApp, profile, env, args = [], runtime = windowRuntime, executable } = options;
  const start = runtime === 'electron' ? launchElectron : launchStandIn;
  const launched = await start({
    app,
    args: [`--user-data-dir=${profile}`, ...args],
    env: withOpener({ ...process.env, POSTERN_HOME: profile, ...env }),
    executable,
  });
  await replaceOpener(launched, env?.['BROWSER']);
  return {
    ...launched,
    electron: runtime,
    page: (urlPart) => waitForPage(launched, urlPart),
    async [Symbol.asyncDispose]() {
      await launched.close();
    },
  };
}
