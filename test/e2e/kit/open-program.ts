import path from 'node:path';
import type { Page } from '@playwright/test';
import { afterTest } from '../../support/after-test.ts';
import { launchWindow } from '../../support/launch-window.ts';
import type { RunningWindow } from '../../support/launch-window.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { WindowRuntime } from '../../support/window-runtime.ts';
import { writeProfile } from '../../support/write-profile.ts';
import { recordIpc } from './record-ipc.ts';
import type { IpcRecord } from './record-ipc.ts';

export interface ProgramOptions {
  /** Of an earlier run; a new one when absent. */
  readonly profile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** The folder of another than the built one. */
  readonly program?: string;
}

/** The built program in its windows, with its first screen ready. */
export interface Program {
  readonly window: RunningWindow;
  readonly profile: string;
  /** The main window. */
  readonly page: Page;
  /** What crossed between main and the window since it opened, as text. */
  traffic(): Promise<IpcRecord[]>;
  /** The page of another site, once it is there: a sign-in popup. */
  popup(urlPart: string): Promise<Page>;
  /** Pages of other sites that are open now. */
  popups(): Page[];
  /** Quits as a person does; answers the exit code. */
  close(): Promise<number | null>;
}

/** Milliseconds: the machine may be busy with other things. */
const patience = 120_000;

/** A profile in which `count` servers have been connected; gone after the test. */
export function profileWith(count: number): string {
  const profile = path.join(temporaryFolder(), 'profile');
  writeProfile(profile, count);
  return profile;
}

/** Starts the program under a profile of its own; both are gone after the test. */
export async function startProgram(runtime: WindowRuntime, options: ProgramOptions = {}): Promise<Program> {
  const profile = options.profile ?? path.join(temporaryFolder(), 'profile');
  const { env, args = [], program } = options;
  const window = await launchWindow({
    runtime,
    profile,
    args,
    env: { BROWSER: 'false', ...env },
    ...(program && { program }),
  });
  afterTest(() => window.close());
  const page = await window.page('app://postern/index.html');
  page.setDefaultTimeout(patience);
  const traffic = await recordIpc(window);
  await page.locator('.frame').waitFor();
  const isOurs = (candidate: Page): boolean => candidate === page || !/^https?:/u.test(addressOf(candidate));
  return {
    window,
    profile,
    page,
    traffic,
    close: () => window.close(),
    popups: () => window.pages().filter((candidate) => !isOurs(candidate)),
    async popup(urlPart) {
      const popup = await window.page(urlPart);
      popup.setDefaultTimeout(patience);
      return popup;
    },
  };
}

/** The stand-in shows our own pages under a name that no site can have. */
function addressOf(page: Page): string {
  return page.url().replace('https://app.postern.localhost', 'app://postern');
}
