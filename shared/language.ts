import { supportedLanguages } from './choices.ts';
import type { Language, LanguageChoice } from './choices.ts';

/**
 * The chosen language, or the first of `system` that Postern supports, otherwise English. `system`: BCP 47 language
 * tags, the user's favorite first.
 */
export function languageOf(choice: LanguageChoice, system: readonly string[]): Language {
  if (choice !== 'system') return choice;
  for (const tag of system) {
    const [primary = ''] = tag.toLowerCase().split(/[-_]/u);
    const spoken = supportedLanguages.find((language) => language === primary);
    if (spoken) return spoken;
  }
  return 'en';
}

/** The same table in another language: the same keys, and functions with the same parameters. */
export type Translated<Table> = Table extends string
  ? string
  : Table extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translated<Result>
    : { readonly [Key in keyof Table]: Translated<Table[Key]> };

/** A number with its noun: `1 second`, `2 seconds`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
