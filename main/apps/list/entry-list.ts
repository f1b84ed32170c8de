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
  /** Without those of these names, in one reading. `made`: what goes with the last of all. */
  remove(text: string, names: readonly string[], made: Making): string;
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

/** Text that is put in, at an offset of the text before. Several at one place go in as they stand. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Part of a text, from its first character to the one after its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Text in the place of a part. */
export interface Splice extends Span {
  readonly text: string;
}

export function splice(text: string, splices: readonly Splice[]): string {
  let at = 0;
  let done = '';
  for (const { from, to, text: put } of splices.toSorted((one, other) => one.from - other.from)) {
    done += text.slice(at, from) + put;
    at = to;
  }
  return done + text.slice(at);
}

export function insert(text: string, insertions: readonly Insertion[]): string {
  return splice(
    text,
    insertions.map(({ at, text: put }) => ({ from: at, to: at, text: put })),
  );
}

export function cut(text: string, spans: readonly Span[]): string {
  let at = 0;
  let done = '';
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    done += text.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return done + text.slice(at);
}

/** How the lines of a text end; where it has none, as most do. */
export function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The place after the last line end before `at`. */
export function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
}

/** The place of the first line end from `at` on. */
export function lineStop(text: string, at: number): number {
  const found = text.slice(at).search(/[\r\n]/);
  return found === -1 ? text.length : at + found;
}

/** The place after the line that `at` is in. */
export function nextLine(text: string, at: number): number {
  const stop = lineStop(text, at);
  return text.startsWith('\r\n', stop) ? stop + 2 : Math.min(stop + 1, text.length);
}

/** White space that the line of `at` begins with. */
export function indentationAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), lineStop(text, at)))?.[0] ?? '';
}

/** Nothing but white space stands before `at` in its line. */
export function beginsLine(text: string, at: number): boolean {
  return text.slice(lineStart(text, at), at).trim() === '' || text.slice(lineStart(text, at), at) === '\ufeff';
}

/** Every character of `part` stands in `whole`, in the same order. */
export function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index += 1) {
    if (whole.charCodeAt(index) === part.charCodeAt(at)) at += 1;
  }
  return at === part.length;
}
