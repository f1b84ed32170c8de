import { defineConfig } from '@playwright/test';
import type { WindowWorkerOptions } from './test/e2e/kit/window-test.ts';
import './test/support/compile-cache.ts';
import './test/support/memory-folder.ts';
import { testElectron } from './test/support/window-runtime.ts';

/** Times in milliseconds: the machine may be busy, and nothing waits longer than it has to. */
const inWindow = {
  testDir: 'test/e2e',
  // A test of the program has a browser, a window and servers of its own; two at once only wait for each other.
  workers: 1,
  timeout: 360_000,
  expect: { timeout: 120_000 },
};

/** The tests of the window: its renderer alone, and the whole program. All others are vitest's. */
export default defineConfig<object, WindowWorkerOptions>({
  // `npm test` gives each part folders of its own.
  outputDir: 'test-results/window',
  workers: 2,
  // For its trace, which would make every test a third longer. One that passes then has failed nevertheless.
  retries: 1,
  failOnFlakyTests: true,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [
    ['list'],
    ['html', { open: 'never', outputFolder: 'test-results/window-report' }],
    // Without a file it would go to the terminal.
    ...(process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] === undefined ? [] : [['json'] as const]),
  ],
  use: {
    screenshot: 'only-on-failure',
    // The pages themselves are in it, step by step; a film of them would take time from every test.
    trace: { mode: 'on-first-retry', screenshots: false },
  },
  projects: [
    // A page for each test, and one file has half of them.
    {
      name: 'renderer',
      testDir: 'test/renderer',
      fullyParallel: true,
      timeout: 180_000,
      expect: { timeout: 120_000 },
    },
    { name: 'e2e-stand-in', ...inWindow, use: { runtime: 'stand-in' } },
    ...(testElectron === undefined
      ? []
      : [{ name: 'e2e-electron', ...inWindow, use: { runtime: 'electron' as const } }]),
  ],
});
