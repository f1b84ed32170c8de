import { parseDocument, visit } from 'yaml';
import type { Program } from '../table/program.ts';
import { openList } from './edit-file.ts';
import { hiddenValue, ListFault } from './entry-list.ts';
import { readStatements } from './toml-list.ts';

/** Pairs of lines that are compared, at most: beyond these two texts have too little in common. */
const mostPairs = 4_000_000;

interface Texts {
  readonly before: string;
  readonly after: string;
}

/**
 * The lines of a file that go, and those that come, as they stand in it; of values what `show` says. Entries of `names`
 * that stay under their name are shown whole, both times. A line that has one comma more or less is neither.
 * `undefined`: they cannot be told.
 */
export function changedLines(
  program: Program,
  texts: Texts,
  names: readonly string[],
  show: ShowValue,
): Texts | undefined {
  const [old, now] = [texts.before, texts.after].map((text) => ({
    lines: linesOf(text),
    shown: linesOf(mask(program, text, show)),
    own: entryLines(program, text, names),
  }));
  if (!old || !now || old.shown.length !== old.lines.length || now.shown.length !== now.lines.length) return undefined;
  const changed = findChanged(old, now);
  if (!changed) return undefined;
  return {
    before: changed.gone.map((place) => old.shown[place] ?? '').join('\n'),
    after: changed.come.map((place) => now.shown[place] ?? '').join('\n'),
  };
}

/** Places of the lines that entries have. */
function entryLines(program: Program, text: string, names: readonly string[]): ReadonlySet<number> {
  const list = openList(program);
  const there = new Set(text === '' ? [] : (list.read(text).entries ?? []).map(([name]) => name));
  try {
    const own = names.filter((name) => there.has(name));
    if (own.length === 0) return new Set();
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
    const lineOf = (at: number): number => ends.findLastIndex((end) => end < at) + 1;
    return new Set(
      list.spans(text, own).flatMap(({ from, to }) => {
        const first = lineOf(from);
        return Array.from({ length: lineOf(to - 1) - first + 1 }, (_, index) => first + index);
      }),
    );
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    return new Set();
  }
}

function mask(program: Program, text: string, show: ShowValue): string {
  switch (program.format) {
    case 'json':
    case 'jsonc':
      return maskJson(text, show);
    case 'toml':
      return maskToml(text, program.list, show);
    case 'yaml-map':
    case 'yaml-list':
      return maskYaml(text, show);
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, ''));
}

function isCommaApart(line: string, other: string): boolean {
  const [short, long] = line.length < other.length ? [line, other] : [other, line];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return long[at] === ',' && long.slice(at + 1) === short.slice(at);
}

interface Lines {
  readonly lines: readonly string[];
  /** Places of lines that have no partner, whatever stands there. */
  readonly own: ReadonlySet<number>;
}

interface Changed {
  readonly gone: readonly number[];
  readonly come: readonly number[];
}

/** Places of lines that have no partner on the other side. */
function findChanged(old: Lines, now: Lines): Changed | undefined {
  const changed = findUncommon(old, now);
  if (!changed) return undefined;
  const partners = new Set<number>();
  const gone = changed.gone.filter((place) => {
    const partner = changed.come.find(
      (each) => !partners.has(each) && isCommaApart(old.lines[place] ?? '', now.lines[each] ?? ''),
    );
    if (partner !== undefined) partners.add(partner);
    return partner === undefined;
  });
  return { gone, come: changed.come.filter((place) => !partners.has(place)) };
}

/** By the longest sequence of lines that both have. */
function findUncommon(old: Lines, now: Lines): Changed | undefined {
  const isSame = (place: number, other: number): boolean =>
    old.lines[place] === now.lines[other] && !old.own.has(place) && !now.own.has(other);
  let start = 0;
  let [oldEnd, nowEnd] = [old.lines.length, now.lines.length];
  while (start < Math.min(oldEnd, nowEnd) && isSame(start, start)) start += 1;
  while (oldEnd > start && nowEnd > start && isSame(oldEnd - 1, nowEnd - 1))
    [oldEnd, nowEnd] = [oldEnd - 1, nowEnd - 1];
  const [rows, columns] = [oldEnd - start, nowEnd - start];
  if (rows * columns > mostPairs) return undefined;
  // How many lines two rests have in common.
  const common = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const of = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const most = isSame(start + row, start + column)
        ? of(row + 1, column + 1) + 1
        : Math.max(of(row + 1, column), of(row, column + 1));
      common[row]?.fill(most, column, column + 1);
    }
  const [gone, come]: [number[], number[]] = [[], []];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const canBoth = row < rows && column < columns;
    if (canBoth && isSame(start + row, start + column)) [row, column] = [row + 1, column + 1];
    else if (column === columns || (canBoth && of(row + 1, column) >= of(row, column + 1))) gone.push(start + row++);
    else come.push(start + column++);
  }
  return { gone, come };
}

/** What is shown of a value of a file; `undefined`: nothing. */
type ShowValue = (value: string) => string | undefined;

/** A piece of a text that is shown otherwise. */
interface Masked {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** As many lines as it had, and nothing else of it. */
function blank(text: string): string {
  return hiddenValue + text.replaceAll(/[^\r\n]+/g, '');
}

function maskAll(text: string, pieces: readonly Masked[]): string {
  let at = 0;
  let done = '';
  for (const { from, to, by } of pieces.toSorted((one, other) => one.from - other.from)) {
    if (from < at) continue;
    done += text.slice(at, from) + by;
    at = to;
  }
  return done + text.slice(at);
}

/** A string, a comment of either kind, or a number. */
const jsonToken = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|-?\d[\d.eE+-]*/g;
const colon = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*:/y;

/** The text, which is valid, with its keys, and of its values what `show` says. Comments are somebody's too. */
function maskJson(text: string, show: ShowValue): string {
  const pieces = [...text.matchAll(jsonToken)].flatMap(({ 0: written, index: from }): readonly Masked[] => {
    const to = from + written.length;
    if (written.startsWith('/')) return [{ from, to, by: `${written.slice(0, 2)} ${blank(written)}` }];
    if (!written.startsWith('"')) return [{ from, to, by: show(written) ?? blank(written) }];
    colon.lastIndex = to;
    if (colon.test(text)) return [];
    const value = JSON.parse(written) as string;
    const shown = show(value);
    return shown === value ? [] : [{ from, to, by: JSON.stringify(shown ?? blank('')) }];
  });
  return maskAll(text, pieces);
}

/** A string of either kind, on one line or more; a key or another value; a comment within a list. */
const tomlToken = /"""[\s\S]*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\r\n]*|[^\s=,[\]{}"'#]+/g;

/** The text with its tables and keys, and of its values what `show` says. Comments are somebody's too. */
function maskToml(text: string, list: string, show: ShowValue): string {
  const pieces: Masked[] = [];
  let at = 0;
  for (const { from, to, table } of readStatements(text, list)) {
    pieces.push(...maskComment(text, at, from));
    if (table === undefined) pieces.push(...maskPair(text, from, to, show));
    at = to;
  }
  return maskAll(text, [...pieces, ...maskComment(text, at, text.length)]);
}

/** Between two statements. */
function maskComment(text: string, from: number, to: number): readonly Masked[] {
  return [...text.slice(from, to).matchAll(/#[^\r\n]*/g)].map(({ 0: found, index }) => ({
    from: from + index,
    to: from + index + found.length,
    by: '# …',
  }));
}

function maskPair(text: string, from: number, to: number, show: ShowValue): readonly Masked[] {
  const pair = text.slice(from, to);
  return [...pair.matchAll(tomlToken)].flatMap(({ 0: written, index }): readonly Masked[] => {
    const isKey = /^[\w."'\s-]*=/.test(pair.slice(index + written.length));
    if (isKey || written === 'true' || written === 'false') return [];
    const shown = show(readText(written));
    const span = { from: from + index, to: from + index + written.length };
    if (shown === undefined) return [{ ...span, by: blank(written) }];
    return shown === readText(written) ? [] : [{ ...span, by: JSON.stringify(shown) }];
  });
}

function readText(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1);
  if (!written.startsWith('"')) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** The text with its keys, and of its values what `show` says. Comments are somebody's too. */
function maskYaml(text: string, show: ShowValue): string {
  const pieces: Masked[] = [];
  visit(parseDocument(text, { prettyErrors: false, uniqueKeys: false }), {
    Scalar(key, { value, range }) {
      if (key === 'key' || !range || range[0] === range[1] || typeof value === 'boolean') return;
      const [from, to] = range;
      const shown = show(String(value));
      const written = text.slice(from, to);
      if (shown === undefined) pieces.push({ from, to, by: blank(written) });
      else if (shown !== value && typeof value === 'string') pieces.push({ from, to, by: JSON.stringify(shown) });
    },
  });
  return maskAll(text, pieces).replaceAll(/(^|\s)#[^\r\n]*/g, '$1# …');
}
