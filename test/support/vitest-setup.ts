import { AsyncLocalStorage } from 'node:async_hooks';
import { aroundEach } from 'vitest';
import type { TestContext } from 'vitest';
import { registerCleanupWith } from './after-test.ts';

/** Of concurrent tests too, which vitest's global `onTestFinished` mixes up. */
const currentTest = new AsyncLocalStorage<TestContext>();

aroundEach((run, test) => currentTest.run(test, run));

registerCleanupWith((clean) =>
  currentTest.getStore()?.onTestFinished(async () => {
    await clean();
  }),
);
