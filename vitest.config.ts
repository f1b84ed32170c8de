import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';

/** Every test but those of the window, which `playwright.config.ts` has. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/vitest-setup.ts'],
    // vitest leaves one processor to itself, which has little to do here: of two, that is half of the time.
    maxWorkers: '100%',
    // Milliseconds: the machine may be busy, and nothing waits longer than it has to.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        // Nothing here touches what another file could see, and fresh module graphs would take most of the time.
        // The properties among them need more than the usual 5 s on a busy machine.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: ['test/hostile/**/*.test.ts'],
          sequence: { groupOrder: 3 },
          testTimeout: 180_000,
          hookTimeout: 60_000,
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
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'keychain',
          include: ['test/keychain/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
