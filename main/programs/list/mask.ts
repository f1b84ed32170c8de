import { hiddenValue } from '../hidden-value.ts';

/** What is shown of a value of a file; `undefined`: nothing. */
export type ShowValue = (value: string) => string | undefined;

/** A piece of a text that is shown otherwise. */
export interface Masked {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** As many lines as it had, and nothing else of it. */
export function blank(text: string): string {
  return hiddenValue + text.replaceAll(/[^\r\n]+/g, '');
}

export function maskAll(text: string, pieces: readonly Masked[]): string {
  let at = 0;
  let done = '';
  for (const { from, to, by } of pieces.toSorted((one, other) => one.from - other.from)) {
    if (from < at) continue;
    done += text.slice(at, from) + by;
    at = to;
  }
  return done + text.slice(at);
}
