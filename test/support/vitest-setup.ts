import { onTestFinished } from 'vitest';
import { registerCleanupWith } from './after-test.ts';

registerCleanupWith((clean) =>
  onTestFinished(async () => {
    await clean();
  }),
);
