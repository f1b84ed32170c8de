import { test } from '@playwright/test';
import { buildRenderer } from './build-renderer.ts';
import { builtFolder } from './open-renderer.ts';

/** Once for all workers. */
test('the renderer is built', async () => {
  await buildRenderer(builtFolder(test.info().project));
});
