import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../shared/language.ts';

describe('languageOf', () => {
  it.each([
    ['de', ['en-US'], 'de'],
    ['en', ['de-DE'], 'en'],
    ['system', ['de-CH', 'en-US'], 'de'],
    ['system', ['fr-FR', 'de', 'en'], 'de'],
    ['system', ['fr-FR', 'en-GB', 'de'], 'en'],
    ['system', ['de_AT.UTF-8'], 'de'],
    ['system', ['DE-de'], 'de'],
    // Danish, and a language whose tag only starts like ours.
    ['system', ['da', 'del'], 'en'],
    ['system', ['fr-FR', 'ja'], 'en'],
    ['system', [], 'en'],
  ] as const)('with setting %s on a system in %s uses %s', (choice, system, spoken) => {
    expect(languageOf(choice, system)).toBe(spoken);
  });
});
