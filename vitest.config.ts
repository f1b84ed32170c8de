import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';
import './test/support/memory-folder.ts';
import { LongFilesFirst } from './test/support/long-files-first.ts';

/** Every test but those of the window, which `playwright.config.ts` has. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/vitest-setup.ts'],
    sequence: { sequencer: LongFilesFirst },
    // vitest leaves one processor to itself, which has little to do here: of two, that is half of the time.
    maxWorkers: '100%',
    // Milliseconds. They end what hangs, and measure no machine: under a load of 30 everything takes 20 times as long.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        // Nothing here touches what another file could see, and fresh module graphs would take most of the time.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          // It imports electron, which a test can only take the place of in what passes through vitest.
          server: { deps: { inline: ['electron-store'] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          // A file takes back what it changes in its process: a new one for each costs a second of processor.
          isolate: false,
          // Some of its rules are about seconds in which nothing happens.
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
          // Every program is started many times, on slow machines too.
          testTimeout: 600_000,
        },
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
