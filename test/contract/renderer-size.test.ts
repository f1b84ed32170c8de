import { expect, it } from 'vitest';
import { rendererSize } from '../bench/window/renderer-size.ts';

it('the renderer has at most 260 kB compressed, in all languages', () => {
  const size = rendererSize();
  // Empty, it would be small too.
  expect(size).toBeGreaterThan(100);
  expect(size).toBeLessThanOrEqual(260);
});
