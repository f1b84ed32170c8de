import type { JsonValue } from './resolve-schema.ts';

/** What was entered for one value, right or wrong. */
export type Draft =
  /** Of a group: it is left out. */
  | string
  | { readonly list: readonly Draft[] }
  | GroupDraft
  | VariantDraft
  /** It does not fit the field, so that it is shown as it is. */
  | { readonly json: string };
export interface GroupDraft {
  readonly group: Readonly<Record<string, Draft>>;
  /** Members without a field. */
  readonly extra?: Readonly<Record<string, JsonValue>>;
}

/** What was entered for other options stays. `option`: -1, none. */
export interface VariantDraft {
  readonly option: number;
  readonly drafts: Readonly<Record<number, Draft>>;
}
