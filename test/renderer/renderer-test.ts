import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import type { Snapshots } from '../../shared/snapshots.ts';
import { buildRenderer } from './build-renderer.ts';
import { anApp } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { somePrograms } from './program-fixtures.ts';
import { launchBrowser, openRenderer } from './open-renderer.ts';
import type { OpenedRenderer, RendererOptions } from './open-renderer.ts';

type Setup = Partial<Omit<RendererOptions, 'snapshots'>> & {
  readonly snapshots?: Partial<Snapshots>;
  /** Another page than the one that is there at start. */
  readonly at?: 'connect';
};

interface RendererFixtures {
  /** Opens the renderer in a window of its own, closed after the test. */
  readonly openWindow: (setup?: Setup) => Promise<OpenedRenderer>;
}

interface RendererWorkerFixtures {
  /** The folder of the built renderer. */
  readonly builtRenderer: string;
}

export { expect };

export const test = base.extend<RendererFixtures, RendererWorkerFixtures>({
  builtRenderer: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'postern-renderer-'));
      await buildRenderer(folder);
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  // The installed one; Playwright's own would have to be downloaded.
  browser: [
    async ({}, use) => {
      const browser = await launchBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  openWindow: async ({ browser, builtRenderer }, use) => {
    const windows: OpenedRenderer[] = [];
    await use(async ({ snapshots, at, ...options } = {}) => {
      const whole = {
        app: anApp(),
        integrations: someIntegrations(),
        connections: [],
        deletions: [],
        programs: somePrograms(),
        approvals: [],
        ...snapshots,
      };
      const opened = await openRenderer(browser, builtRenderer, { ...options, snapshots: whole });
      windows.push(opened);
      if (at !== undefined) await opened.send({ event: 'command', command: at });
      return opened;
    });
    for (const opened of windows) await opened.close();
    // Nothing may be refused by the content security policy, and nothing thrown.
    for (const { complaints } of windows) expect(complaints).toEqual([]);
  },
});
