import { describe, expect, it } from 'vitest';
import { PosternError, toPlainError } from '../../../main/errors/postern-error.ts';
import type { CatalogEntry } from '../../../shared/error-catalog/catalog-entry.ts';
import { errorCatalog, errorCodes } from '../../../shared/error-codes.ts';
import { errorTraits, hasTrait, isSameError } from '../../../shared/error-traits.ts';

const entries: readonly CatalogEntry[] = Object.values(errorCatalog);

describe('error facts', () => {
  it.each(errorTraits)('has an error that is about %s, and another that is not', (fact) => {
    const stated = entries.filter((entry) => hasTrait(entry, fact));
    expect(stated).not.toEqual([]);
    expect(stated.length).toBeLessThan(entries.length);
  });

  it('agrees for an error, its plain form and its catalog entry', () => {
    for (const code of errorCodes) {
      const error = new PosternError(code, { stage: 'postern' });
      for (const fact of errorTraits) {
        const said = hasTrait(errorCatalog[code], fact);
        expect(hasTrait(error, fact)).toBe(said);
        expect(hasTrait(toPlainError(error), fact)).toBe(said);
      }
    }
  });
});

describe('isSameError', () => {
  it('compares two errors by code, and treats no errors as equal', () => {
    expect(isSameError({ code: 'DEADLINE' }, { code: 'DEADLINE' })).toBe(true);
    expect(isSameError({ code: 'DEADLINE' }, { code: 'DNS_FAIL' })).toBe(false);
    expect(isSameError({}, {})).toBe(false);
    expect(isSameError(undefined, undefined)).toBe(false);
  });
});
