import { describe, expect, it } from 'vitest';
import { PosternError, toPlainError } from '../../../main/errors/postern-error.ts';
import type { CatalogEntry } from '../../../shared/error-catalog/catalog-entry.ts';
import { errorCatalog, errorCodes } from '../../../shared/error-codes.ts';
import { errorFacts, isAbout, isSameError } from '../../../shared/error-facts.ts';

const entries: readonly CatalogEntry[] = Object.values(errorCatalog);

describe('error facts', () => {
  it.each(errorFacts)('has an error that is about %s, and another that is not', (fact) => {
    const stated = entries.filter((entry) => isAbout(entry, fact));
    expect(stated).not.toEqual([]);
    expect(stated.length).toBeLessThan(entries.length);
  });

  it('agrees for an error, its plain form and its catalog entry', () => {
    for (const code of errorCodes) {
      const error = new PosternError(code, { stage: 'postern' });
      for (const fact of errorFacts) {
        const said = isAbout(errorCatalog[code], fact);
        expect(isAbout(error, fact)).toBe(said);
        expect(isAbout(toPlainError(error), fact)).toBe(said);
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
