import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { buildRenderer } from './build-renderer.ts';
import { anApp } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { launchRendererBrowser, showRenderer, newRendererPage, serveRenderer } from './open-renderer.ts';
import type { OpenedRenderer, RendererOptions } from './open-renderer.ts';
import { somePrograms } from './program-fixtures.ts';

type Setup = Partial<Omit<RendererOptions, 'snapshots'>> & {
  readonly snapshots?: Partial<Snapshots>;
  /** Another page than the one that is there at start. */
  readonly at?: 'connect';
  /** Needed for what stays with a page: a clock of its own, or what is loaded once. */
  readonly ownPage?: boolean;
};

interface RendererFixtures {
  /**
   * Opens the renderer in a window, left after the test. A test's first one is the worker's, which is loaded once and
   * then drawn anew.
   */
  readonly openWindow: (setup?: Setup) => Promise<OpenedRenderer>;
}

interface RendererWorkerFixtures {
  /** The origin of the built renderer. */
  readonly builtRenderer: string;
  /** For one test after the other. */
  readonly sharedPage: Page;
}

export { expect };

export const test = base.extend<RendererFixtures, RendererWorkerFixtures>({
  builtRenderer: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'postern-renderer-'));
      await buildRenderer(folder);
      await using server = await serveRenderer(folder);
      await use(server.origin);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  // The installed one; Playwright's own would have to be downloaded.
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
      // It would be that of every later test.
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
        app: anApp(),
        integrations: someIntegrations(),
        connections: [],
        deletions: [],
        programs: somePrograms(),
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
    // Nothing may be refused by the content security policy, and nothing thrown.
    for (const { complaints } of windows) expect(complaints).toEqual([]);
  },
});
