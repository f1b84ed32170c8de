import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from './renderer-test.ts';

/** Bytes. What a window reads at its start decides when it can be used. */
const limit = 260_000;

test('the renderer has at most 260 kB compressed, in all languages', ({ builtRenderer }) => {
  const files = globSync('**/*.{html,js,css}', { cwd: builtRenderer });
  expect(files).toContain('index.html');
  const sizes = files.map((file) => gzipSync(readFileSync(join(builtRenderer, file))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit);
});
