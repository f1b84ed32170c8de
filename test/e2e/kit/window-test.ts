import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test as base } from '@playwright/test';
import { registerCleanupWith } from '../../support/after-test.ts';
import type { RunningWindow } from '../../support/launch-window.ts';
import { runByStandIn } from '../../support/run-by-stand-in.ts';
import type { WindowRuntime } from '../../support/window-runtime.ts';
import { startPostern } from './open-postern.ts';
import type { RunningPostern, PosternOptions } from './open-postern.ts';

const packageScript = path.join(import.meta.dirname, '../../../scripts/package/dry-run.ts');

export type OpenPostern = (options?: PosternOptions) => Promise<RunningPostern>;

interface WindowFixtures {
  /** Cleanups registered with `afterTest`. */
  readonly afterTests: void;
  /** Starts Postern with its own profile; both are gone after the test. */
  readonly openPostern: OpenPostern;
}

export interface WindowWorkerOptions {
  /** The runtime of Postern. */
  readonly runtime: WindowRuntime;
}

interface WindowWorkerFixtures extends WindowWorkerOptions {
  /** The folder of a Linux package with a placeholder for Electron. */
  readonly packed: string;
  /** A copy of it that the stand-in can start. */
  readonly standInPackage: string;
}

export { expect };

export const test = base.extend<WindowFixtures, WindowWorkerFixtures>({
  runtime: ['stand-in', { scope: 'worker', option: true }],
  afterTests: [
    async ({}, use) => {
      const cleanups: (() => unknown)[] = [];
      registerCleanupWith((clean) => void cleanups.push(clean));
      await use();
      registerCleanupWith(undefined);
      const errors: unknown[] = [];
      for (const clean of cleanups.toReversed()) {
        try {
          await clean();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, 'what the test started does not end');
    },
    { auto: true },
  ],
  openPostern: async ({ runtime }, use, testInfo) => {
    const windows: RunningWindow[] = [];
    await use(async (options) => {
      const postern = await startPostern(runtime, options);
      windows.push(postern.window);
      return postern;
    });
    if (testInfo.status === testInfo.expectedStatus) return;
    for (const body of windows.map((window) => window.output()).filter((output) => output !== ''))
      await testInfo.attach('what the program wrote', { body, contentType: 'text/plain' });
  },
  packed: [
    async ({}, use) => {
      const output = mkdtempSync(path.join(tmpdir(), 'postern-package-'));
      chmodSync(output, 0o755);
      // In its own process, because electron-builder changes how stacks are written.
      await promisify(execFile)(process.execPath, [packageScript, output]);
      const [folder = ''] = readdirSync(output).filter((name) => name.endsWith('-unpacked'));
      await use(path.join(output, folder));
      rmSync(output, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  standInPackage: [
    async ({ packed }, use) => {
      const folder = `${packed}-on-the-stand-in`;
      cpSync(packed, folder, { recursive: true });
      runByStandIn(path.join(folder, 'postern'));
      await use(folder);
    },
    { scope: 'worker' },
  ],
});
