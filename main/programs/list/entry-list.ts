import type { Span } from '../../apps/list/entry-list.ts';

/** A value as JSON, TOML and YAML have it; of TOML and YAML also dates and large numbers. */
export type Entry = Readonly<Record<string, unknown>>;

/** What a file holds, for showing entries and for comparing two of its states. */
export interface FileContent {
  /** All but the list. */
  readonly rest: unknown;
  /** In the order of the file. `undefined`: it has no list. */
  readonly entries: readonly (readonly [name: string, value: unknown])[] | undefined;
}

/** What an addition had to make besides its entry, so that taking the last one out takes that too. */
export type Making = 'entry' | 'list' | 'all';

export type NamedEntry = readonly [name: string, entry: Entry];

/** How one format keeps its list of entries. Texts are whole files; `''` is an empty one. Errors: `ListFault`. */
export interface EntryList {
  read(text: string): FileContent;
  /** With more at the end, in one reading; there are none of those names. */
  add(text: string, ...entries: readonly NamedEntry[]): { readonly text: string; readonly made: Making };
  /** With other values in the places of those names, in one reading. */
  replace(text: string, ...entries: readonly NamedEntry[]): string;
  /** Where entries are, in one reading. */
  spans(text: string, names: readonly string[]): readonly Span[];
  /** Without one. `made`: what goes with the last of them. */
  remove(text: string, name: string, made: Making): string;
}

/** The value of an entry; `undefined`: it is not there. */
export function entryNamed({ entries = [] }: FileContent, name: string): unknown {
  return entries.find(([known]) => known === name)?.[1];
}

/** Why a text cannot be used: it is not valid in its format, or valid and of a kind that is not changed safely. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
  readonly kind: 'damaged' | 'layout';

  constructor(kind: 'damaged' | 'layout', cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Errors of a parser, which may be any, and a text that is nested too deeply for it. */
export function asDamage<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ListFault) throw error;
    throw new ListFault('damaged', error);
  }
}

/** Stands for a value that is not shown. */
export const hiddenValue = '…';
