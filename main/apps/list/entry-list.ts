/** An object of JSON, TOML or YAML; the latter two may hold dates and 64-bit integers. */
export type Entry = Readonly<Record<string, unknown>>;

/** The content of a file, for showing entries and comparing versions. */
export interface FileContent {
  /** Everything but the list. */
  readonly rest: unknown;
  /** In file order; `undefined` if the file has no list. */
  readonly entries: readonly (readonly [name: string, value: unknown])[] | undefined;
}

/** What adding an entry had to create: nothing else, the list, or the whole file. Removed with the last entry. */
export type CreatedScope = 'entry' | 'list' | 'all';

export type NamedEntry = readonly [name: string, entry: Entry];

/** The list of entries in one file format. Texts are whole files; `''` is an empty file. Errors: `ListFault`. */
export interface EntryList {
  read(text: string): FileContent;
  /** Appends entries, parsing once. None of the names may exist. */
  add(text: string, ...entries: readonly NamedEntry[]): { readonly text: string; readonly made: CreatedScope };
  /** Replaces the values of entries, parsing once. */
  replace(text: string, ...entries: readonly NamedEntry[]): string;
  /** The spans of entries, parsing once. */
  spans(text: string, names: readonly string[]): readonly Span[];
  /** Removes entries, parsing once. `made`: what to remove along with the last one. */
  remove(text: string, names: readonly string[], made: CreatedScope): string;
}

export function entryNamed({ entries = [] }: FileContent, name: string): unknown {
  return entries.find(([known]) => known === name)?.[1];
}

/** `damaged`: the text is invalid in its format. `layout`: it is valid, but cannot be edited safely. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
  readonly kind: 'damaged' | 'layout';

  constructor(kind: 'damaged' | 'layout', cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Turns any parser error into `damaged`, including a stack overflow on deeply nested text. */
export function parseOrThrow<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ListFault) throw error;
    throw new ListFault('damaged', error);
  }
}

/** Replaces a value that must not be shown. */
export const hiddenValue = '…';

/** Text to insert at an offset of the original. Several at the same offset keep their order. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Half-open range of offsets. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Splice extends Span {
  readonly text: string;
}

export function splice(text: string, splices: readonly Splice[]): string {
  let at = 0;
  let done = '';
  for (const { from, to, text: inserted } of splices.toSorted((one, other) => one.from - other.from)) {
    done += text.slice(at, from) + inserted;
    at = to;
  }
  return done + text.slice(at);
}

export function insert(text: string, insertions: readonly Insertion[]): string {
  return splice(
    text,
    insertions.map(({ at, text: inserted }) => ({ from: at, to: at, text: inserted })),
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

/** The line ending of a text; `\n` if it has a single line. */
export function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Offset where the line of `at` starts. */
export function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
}

/** Offset of the line ending at or after `at`. */
export function lineStop(text: string, at: number): number {
  const found = text.slice(at).search(/[\r\n]/);
  return found === -1 ? text.length : at + found;
}

/** Offset where the next line starts. */
export function nextLine(text: string, at: number): number {
  const stop = lineStop(text, at);
  return text.startsWith('\r\n', stop) ? stop + 2 : Math.min(stop + 1, text.length);
}

/** Indentation of the line of `at`. */
export function indentationAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), lineStop(text, at)))?.[0] ?? '';
}

/** Only white space or a byte order mark precedes `at` in its line. */
export function beginsLine(text: string, at: number): boolean {
  return text.slice(lineStart(text, at), at).trim() === '' || text.slice(lineStart(text, at), at) === '\ufeff';
}

/** Whether `part` is a subsequence of `whole`. */
export function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index += 1) {
    if (whole.charCodeAt(index) === part.charCodeAt(at)) at += 1;
  }
  return at === part.length;
}
