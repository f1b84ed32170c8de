import type { Detail, DetailOf, Sentence } from '../../error-catalog/catalog-entry.ts';

/** The German message of each code in an English table. The remedy does not depend on the language. */
export type GermanOf<Table> = {
  readonly [Code in keyof Table]: string | Sentence<DetailOf<Table[Code]>>;
};

/** The first three scopes in quotes, after a colon; empty if none are known. */
export function namedScopes({ scopes: names = [] }: Detail<'scopes'>): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, 3).map((name) => `„${name.length > 40 ? `${name.slice(0, 39)}…` : name}“`);
  const more = names.length > shown.length ? ` und ${names.length - shown.length} weitere` : '';
  return `: ${shown.join(', ')}${more}`;
}

/** Local time: `14:05:30`. `moment` in milliseconds since 1970. */
export function timeOfDay(moment: number): string {
  return new Date(moment).toLocaleTimeString('de-DE');
}

/** Local date: `20. November 2026`. `moment` in milliseconds since 1970. */
export function dayOf(moment: number): string {
  return new Date(moment).toLocaleDateString('de-DE', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** The OAuth error code (RFC 6749) in parentheses; empty for an unknown one. */
export function namedError({ error }: Detail<'error'>): string {
  return error === undefined || error === 'unknown' ? '' : ` (Code: ${error})`;
}

/** The response status in parentheses; empty if it is unknown. */
export function statusSuffix({ status }: Detail<'status'>): string {
  return status === undefined ? '' : ` (HTTP ${status})`;
}
