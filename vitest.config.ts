import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';
import './test/support/memory-folder.ts';
import { LongFilesFirst } from './test/support/long-files-first.ts';

/** All tests except those of the window, which are in `playwright.config.ts`. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/vitest-setup.ts'],
    sequence: { sequencer: LongFilesFirst },
    // By default, vitest reserves one core for itself, although it is mostly idle; with two cores that is half.
    maxWorkers: '100%',
    // Milliseconds. Only for tests that hang: under a load of 30, everything takes 20 times as long.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        // No test affects other files, and fresh module graphs would take most of the time.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          // It imports electron, which tests can only mock in modules that vitest processes.
          server: { deps: { inline: ['electron-store'] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          // Files undo their changes to the process: a new process per file costs a second of CPU time.
          isolate: false,
          // Some tests wait for seconds in which nothing happens.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: ['test/hostile/**/*.test.ts'],
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'packaged',
          include: ['test/packaged/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 4 },
          // The app is started many times, even on slow machines.
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        // `npm run windows`.
        test: { name: 'windows', include: ['test/windows/**/*.test.ts'], fileParallelism: false },
      },
      {
        extends: true,
        test: {
          name: 'keychain',
          include: ['test/keychain/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
