import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCheckout } from '../../../../main/engine/checkout.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'postern-checkout-'));
  for (const folder of ['bin', 'dist/cli']) mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, 'bin/postern.js'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('findCheckout', () => {
  it('tells the sources from what npm has installed', () => {
    const built = path.join(root, 'dist/cli');
    expect(findCheckout(built)).toBeUndefined();
    writeFileSync(path.join(root, 'package-lock.json'), '{}');
    expect(findCheckout(built)).toBe(root);
  });

  it('finds none where there is no launcher, as in a package', () => {
    rmSync(path.join(root, 'bin'), { recursive: true });
    expect(findCheckout(path.join(root, 'dist/cli'))).toBeUndefined();
  });
});
