import { printableLine } from './printable.ts';

/** A name as a person would type it in a shell. */
export function writeReference(name: string): string {
  const shown = printableLine(name);
  if (/^[\w.-]+$/u.test(shown)) return shown;
  return /["$`\\!%]/u.test(shown) ? `'${shown.replaceAll("'", `'\\''`)}'` : `"${shown}"`;
}
