import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { aDesktop } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { builtFolder, launchRendererBrowser, showRenderer, newRendererPage, serveRenderer } from './open-renderer.ts';
import type { OpenedRenderer, RendererOptions } from './open-renderer.ts';
import { someApps } from './app-fixtures.ts';

type Setup = Partial<Omit<RendererOptions, 'snapshots'>> & {
  readonly snapshots?: Partial<Snapshots>;
  /** A page other than the start page. */
  readonly at?: 'connect';
  /** Needed for per-page state: a fake clock, or modules loaded once. */
  readonly ownPage?: boolean;
};

interface RendererFixtures {
  /**
   * Opens the renderer in a window, left after the test. The first one of a test is shared by the worker: it is loaded
   * once and re-rendered per test.
   */
  readonly openWindow: (setup?: Setup) => Promise<OpenedRenderer>;
}

interface RendererWorkerFixtures {
  /** The origin of the built renderer. */
  readonly builtRenderer: string;
  /** Reused by the tests of a worker. */
  readonly sharedPage: Page;
}

export { expect };

export const test = base.extend<RendererFixtures, RendererWorkerFixtures>({
  builtRenderer: [
    async ({}, use, { project }) => {
      await using server = await serveRenderer(builtFolder(project));
      await use(server.origin);
    },
    { scope: 'worker' },
  ],
  // The installed browser; Playwright's own would have to be downloaded.
  browser: [
    async ({}, use) => {
      const browser = await launchRendererBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  sharedPage: [
    async ({ browser }, use) => {
      const page = await newRendererPage(browser);
      // Otherwise later tests would get it too.
      Object.defineProperty(page, 'clock', {
        get() {
          throw new Error('a page with a clock of its own needs `ownPage`');
        },
      });
      await use(page);
      await page.context().close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  openWindow: async ({ browser, builtRenderer, sharedPage }, use) => {
    const windows: OpenedRenderer[] = [];
    let isFree = true;
    await use(async ({ snapshots, at, ownPage = false, ...options } = {}) => {
      const whole = {
        desktop: aDesktop(),
        integrations: someIntegrations(),
        connections: [],
        deletions: [],
        apps: someApps(),
        approvals: [],
        heldCalls: [],
        collections: [],
        questions: [],
        ...snapshots,
      };
      const isShared = isFree && !ownPage;
      if (isShared) isFree = false;
      const page = isShared ? sharedPage : await newRendererPage(browser);
      const opened = await showRenderer(page, builtRenderer, { ...options, snapshots: whole });
      windows.push(opened);
      if (at !== undefined) await opened.send({ event: 'command', command: at });
      return opened;
    });
    for (const { page, leave } of windows) await (page === sharedPage ? leave() : page.context().close());
    // No content security policy violations and no exceptions.
    for (const { complaints } of windows) expect(complaints).toEqual([]);
  },
});
