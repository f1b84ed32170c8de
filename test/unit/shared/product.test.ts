import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { product } from '../../../shared/product.ts';

it('names the version of the package', () => {
  const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toMatchObject(product);
});
