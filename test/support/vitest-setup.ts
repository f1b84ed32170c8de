import { onTestFinished } from 'vitest';
import { keepForAfterTest } from './after-test.ts';

keepForAfterTest((clean) =>
  onTestFinished(async () => {
    await clean();
  }),
);
