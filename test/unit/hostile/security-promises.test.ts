import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8');
const promises = (text.split('## What we promise')[1]?.split('## What we do not promise')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('- '));

describe('SECURITY.md', () => {
  it.each(promises)('names a proof that is there: %.60s', (promise) => {
    const proofs = [...promise.matchAll(/`((?:unit|contract|hostile|keychain|renderer|e2e|packaged)\/[\w./-]*)`/g)].map(
      ([, file = '']) => file,
    );
    expect(proofs).not.toEqual([]);
    expect(proofs.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  });

  it('promises something', () => {
    expect(promises.length).toBeGreaterThan(15);
  });
});
