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
