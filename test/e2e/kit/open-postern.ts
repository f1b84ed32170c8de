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

export interface PosternOptions {
  /** Profile of an earlier run; a new one if absent. */
  readonly profile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Folder of another build. */
  readonly postern?: string;
}

/** Built Postern with its windows, first screen ready. */
export interface RunningPostern {
  readonly window: RunningWindow;
  readonly profile: string;
  /** The main window. */
  readonly page: Page;
  /** IPC between main and the window since it opened, as text. */
  traffic(): Promise<IpcRecord[]>;
  /** Waits for the page of another site: a sign-in popup. */
  popup(urlPart: string): Promise<Page>;
  /** Open pages of other sites. */
  popups(): Page[];
  /** Quits as a user does; resolves with the exit code. */
  close(): Promise<number | null>;
}

/** Milliseconds, long because the machine may be busy. */
const timeout = 120_000;

/** A profile with `count` connected servers; deleted after the test. */
export function profileWith(count: number): string {
  const profile = path.join(temporaryFolder(), 'profile');
  writeProfile(profile, count);
  return profile;
}

/** Starts Postern with its own profile; both are gone after the test. */
export async function startPostern(runtime: WindowRuntime, options: PosternOptions = {}): Promise<RunningPostern> {
  const profile = options.profile ?? path.join(temporaryFolder(), 'profile');
  const { env, args = [], postern } = options;
  const window = await launchWindow({
    runtime,
    profile,
    args,
    env: { BROWSER: 'false', ...env },
    ...(postern && { app: postern }),
  });
  afterTest(() => window.close());
  const page = await window.page('app://postern/index.html');
  page.setDefaultTimeout(timeout);
  // Animations are drawn by the processor here.
  await page.emulateMedia({ reducedMotion: 'reduce' });
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
      popup.setDefaultTimeout(timeout);
      return popup;
    },
  };
}

/** The stand-in serves our pages under a host name that no site can have. */
function addressOf(page: Page): string {
  return page.url().replace('https://app.postern.localhost', 'app://postern');
}
