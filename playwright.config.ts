import { defineConfig } from '@playwright/test';
import type { WindowWorkerOptions } from './test/e2e/kit/window-test.ts';
import './test/support/compile-cache.ts';
import './test/support/memory-folder.ts';
import { testElectron } from './test/support/window-runtime.ts';

/** Milliseconds. Long, because the machine may be busy; nothing waits longer than necessary. */
const inWindow = {
  testDir: 'test/e2e',
  // Each app test has its own browser, window and servers; two at once only slow each other down.
  workers: 1,
  timeout: 360_000,
  expect: { timeout: 120_000 },
};

/** Tests of the window: only its renderer, and the whole app. All other tests run in vitest. */
export default defineConfig<object, WindowWorkerOptions>({
  // `npm test` gives each part its own folders.
  outputDir: 'test-results/window',
  workers: 2,
  // A retry records a trace, which makes a test a third longer. A test that passes on retry still fails.
  retries: 1,
  failOnFlakyTests: true,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [
    ['list'],
    ['html', { open: 'never', outputFolder: 'test-results/window-report' }],
    // Without a file it would print to the terminal.
    ...(process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] === undefined ? [] : [['json'] as const]),
  ],
  use: {
    screenshot: 'only-on-failure',
    // The trace contains the pages step by step; screenshots would slow down every test.
    trace: { mode: 'on-first-retry', screenshots: false },
  },
  projects: [
    { name: 'renderer-build', testDir: 'test/renderer', testMatch: 'build.setup.ts', timeout: 180_000 },
    // The tests of a worker share a page, and one file has half of the tests.
    {
      name: 'renderer',
      testDir: 'test/renderer',
      dependencies: ['renderer-build'],
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
