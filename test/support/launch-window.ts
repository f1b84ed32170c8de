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
  /** A folder for everything that the program keeps: POSTERN_HOME and Electron's userData. */
  readonly profile: string;
  /** `BROWSER`: what opens addresses, in the place of the system's opener. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Electron where that is installed, by default, else the stand-in. */
  readonly runtime?: WindowRuntime;
  /** Folder or script; by default the built program. */
  readonly program?: string;
}

/** The module `electron`, as a function for the main process gets it. */
export type ElectronModule = typeof Electron;

/** A program in its windows, driven from outside. */
export interface RunningWindow extends AsyncDisposable {
  /** What it runs on. */
  readonly electron: WindowRuntime;
  readonly pid: number;
  /** Every page of every window; in no order. */
  pages(): Page[];
  /** The page whose address holds this text, as the program knows it (`app://…`), once there is one. */
  page(urlPart: string): Promise<Page>;
  /** Runs a function in the main process. It crosses as text: it sees its argument, `globalThis` and nothing else. */
  evaluate<Result, Argument = undefined>(
    run: (electron: ElectronModule, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  /** What the program has written so far. */
  output(): string;
  /** Asks the program to quit, and answers its exit code; kills one that does not. */
  close(): Promise<number | null>;
  /** Resolves when the program has ended, whoever ended it. */
  readonly ended: Promise<number | null>;
}

/** What each of the two ways to run gives. */
export type LaunchedWindow = Omit<RunningWindow, 'page' | 'electron' | typeof Symbol.asyncDispose> & {
  /** A page's address, as the program knows it. */
  urlOf(page: Page): string;
  /** Runs on each new page; answers how to stop. */
  onPage(listener: (page: Page) => void): () => void;
};

/** POSTERN_TEST_PROGRAM: another build of it. */
export const builtProgram = process.env['POSTERN_TEST_PROGRAM'] ?? fileURLToPath(new URL('../..', import.meta.url));

export async function launchWindow(options: LaunchOptions): Promise<RunningWindow> {
  const { program = builtProgram, profile, env, args = [], runtime = windowRuntime } = options;
  const start = runtime === 'electron' ? launchElectron : launchStandIn;
  const launched = await start({
    program,
    args: [`--user-data-dir=${profile}`, ...args],
    env: withOpener({ ...process.env, POSTERN_HOME: profile, ...env }),
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
