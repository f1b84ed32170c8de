import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { product } from '../../../shared/product.ts';

it("has the package's version", () => {
  const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toMatchObject(product);
});
