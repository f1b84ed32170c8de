import type { Detail, DetailOf, Sentence } from '../../error-catalogue/catalogue-entry.ts';

/** What happened, in German, for each code of an English table. What helps is the same in every language. */
export type GermanOf<Table> = {
  readonly [Code in keyof Table]: string | Sentence<DetailOf<Table[Code]>>;
};

/** `detail.scopes` as names in quotes, the first three of them, after `lead`; nothing where none is known. */
export function namedScopes({ scopes: names = [] }: Detail<'scopes'>): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, 3).map((name) => `„${name.length > 40 ? `${name.slice(0, 39)}…` : name}“`);
  const more = names.length > shown.length ? ` und ${names.length - shown.length} weitere` : '';
  return `: ${shown.join(', ')}${more}`;
}

/** A day on this computer's clock: `20. November 2026`. `moment` in milliseconds since 1970. */
export function dayOf(moment: number): string {
  return new Date(moment).toLocaleDateString('de-DE', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** The error code of RFC 6749 that the sign-in service gave, in parentheses; nothing for one that is not known. */
export function namedError({ error }: Detail<'error'>): string {
  return error === undefined || error === 'unknown' ? '' : ` (Code: ${error})`;
}

/** The status of an answer, in parentheses; nothing where none is known. */
export function answered({ status }: Detail<'status'>): string {
  return status === undefined ? '' : ` (Antwort: ${status})`;
}
