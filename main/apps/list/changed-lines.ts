import { parseDocument, visit } from 'yaml';
import type { App } from '../table/app.ts';
import { openList } from './edit-file.ts';
import { hiddenValue, ListFault } from './entry-list.ts';
import { readStatements } from './toml-list.ts';

/** Most pairs of lines to compare; beyond that, the two texts have too little in common. */
const maxPairs = 4_000_000;

interface Texts {
  readonly before: string;
  readonly after: string;
}

/**
 * The removed and added lines of a file, with values masked by `show`. Entries in `names` are shown whole, before and
 * after. Lines that differ only by a comma are left out. `undefined` if no diff can be computed.
 */
export function changedLines(app: App, texts: Texts, names: readonly string[], show: ShowValue): Texts | undefined {
  const [old, now] = [texts.before, texts.after].map((text) => ({
    lines: linesOf(text),
    shown: linesOf(mask(app, text, show)),
    own: entryLines(app, text, names),
  }));
  if (!old || !now || old.shown.length !== old.lines.length || now.shown.length !== now.lines.length) return undefined;
  const changed = findChanged(old, now);
  if (!changed) return undefined;
  return {
    before: changed.removed.map((place) => old.shown[place] ?? '').join('\n'),
    after: changed.added.map((place) => now.shown[place] ?? '').join('\n'),
  };
}

/** Line numbers of the entries. */
function entryLines(app: App, text: string, names: readonly string[]): ReadonlySet<number> {
  const list = openList(app);
  const existing = new Set(text === '' ? [] : (list.read(text).entries ?? []).map(([name]) => name));
  try {
    const own = names.filter((name) => existing.has(name));
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

function mask(app: App, text: string, show: ShowValue): string {
  switch (app.format) {
    case 'json':
    case 'jsonc':
      return maskJson(text, show);
    case 'toml':
      return maskToml(text, app.list, show);
    case 'yaml-map':
    case 'yaml-list':
      return maskYaml(text, show);
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, ''));
}

function differsByComma(line: string, other: string): boolean {
  const [short, long] = line.length < other.length ? [line, other] : [other, line];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return long[at] === ',' && long.slice(at + 1) === short.slice(at);
}

interface Lines {
  readonly lines: readonly string[];
  /** Line numbers that always count as changed. */
  readonly own: ReadonlySet<number>;
}

interface Changed {
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

/** Line numbers without a counterpart in the other text. */
function findChanged(old: Lines, now: Lines): Changed | undefined {
  const changed = diffLines(old, now);
  if (!changed) return undefined;
  const partners = new Set<number>();
  const removed = changed.removed.filter((place) => {
    const partner = changed.added.find(
      (each) => !partners.has(each) && differsByComma(old.lines[place] ?? '', now.lines[each] ?? ''),
    );
    if (partner !== undefined) partners.add(partner);
    return partner === undefined;
  });
  return { removed, added: changed.added.filter((place) => !partners.has(place)) };
}

/** Longest common subsequence. */
function diffLines(old: Lines, now: Lines): Changed | undefined {
  const isSame = (place: number, other: number): boolean =>
    old.lines[place] === now.lines[other] && !old.own.has(place) && !now.own.has(other);
  let start = 0;
  let [oldEnd, nowEnd] = [old.lines.length, now.lines.length];
  while (start < Math.min(oldEnd, nowEnd) && isSame(start, start)) start += 1;
  while (oldEnd > start && nowEnd > start && isSame(oldEnd - 1, nowEnd - 1))
    [oldEnd, nowEnd] = [oldEnd - 1, nowEnd - 1];
  const [rows, columns] = [oldEnd - start, nowEnd - start];
  if (rows * columns > maxPairs) return undefined;
  // Length of the common subsequence of two suffixes.
  const common = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const lengthAt = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const most = isSame(start + row, start + column)
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
      common[row]?.fill(most, column, column + 1);
    }
  const [removed, added]: [number[], number[]] = [[], []];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const canBoth = row < rows && column < columns;
    if (canBoth && isSame(start + row, start + column)) [row, column] = [row + 1, column + 1];
    else if (column === columns || (canBoth && lengthAt(row + 1, column) >= lengthAt(row, column + 1)))
      removed.push(start + row++);
    else added.push(start + column++);
  }
  return { removed, added };
}

/** What to show for a value; `undefined` hides it. */
type ShowValue = (value: string) => string | undefined;

/** A part of the text that is shown differently. */
interface Mask {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/** Hides a value but keeps its number of lines. */
function hiddenLines(text: string): string {
  return hiddenValue + text.replaceAll(/[^\r\n]+/g, '');
}

function maskAll(text: string, pieces: readonly Mask[]): string {
  let at = 0;
  let done = '';
  for (const { from, to, replacement } of pieces.toSorted((one, other) => one.from - other.from)) {
    if (from < at) continue;
    done += text.slice(at, from) + replacement;
    at = to;
  }
  return done + text.slice(at);
}

/** A string, a comment of either kind, or a number. */
const jsonToken = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|-?\d[\d.eE+-]*/g;
const colon = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*:/y;

/** Valid JSON text with masked values. Comments are hidden too: they may hold secrets. */
function maskJson(text: string, show: ShowValue): string {
  const pieces = [...text.matchAll(jsonToken)].flatMap(({ 0: written, index: from }): readonly Mask[] => {
    const to = from + written.length;
    if (written.startsWith('/')) return [{ from, to, replacement: `${written.slice(0, 2)} ${hiddenLines(written)}` }];
    if (!written.startsWith('"')) return [{ from, to, replacement: show(written) ?? hiddenLines(written) }];
    colon.lastIndex = to;
    if (colon.test(text)) return [];
    const value = JSON.parse(written) as string;
    const shown = show(value);
    return shown === value ? [] : [{ from, to, replacement: JSON.stringify(shown ?? hiddenLines('')) }];
  });
  return maskAll(text, pieces);
}

/** A string of any kind, a key or another value, or a comment within an array. */
const tomlToken = /"""[\s\S]*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\r\n]*|[^\s=,[\]{}"'#]+/g;

/** Tables and keys, with masked values. Comments are hidden too. */
function maskToml(text: string, list: string, show: ShowValue): string {
  const pieces: Mask[] = [];
  let at = 0;
  for (const { from, to, table } of readStatements(text, list)) {
    pieces.push(...maskComment(text, at, from));
    if (table === undefined) pieces.push(...maskPair(text, from, to, show));
    at = to;
  }
  return maskAll(text, [...pieces, ...maskComment(text, at, text.length)]);
}

/** Hides comments between two statements. */
function maskComment(text: string, from: number, to: number): readonly Mask[] {
  return [...text.slice(from, to).matchAll(/#[^\r\n]*/g)].map(({ 0: found, index }) => ({
    from: from + index,
    to: from + index + found.length,
    replacement: '# …',
  }));
}

function maskPair(text: string, from: number, to: number, show: ShowValue): readonly Mask[] {
  const pair = text.slice(from, to);
  return [...pair.matchAll(tomlToken)].flatMap(({ 0: written, index }): readonly Mask[] => {
    const isKey = /^[\w."'\s-]*=/.test(pair.slice(index + written.length));
    if (isKey || written === 'true' || written === 'false') return [];
    const shown = show(readText(written));
    const span = { from: from + index, to: from + index + written.length };
    if (shown === undefined) return [{ ...span, replacement: hiddenLines(written) }];
    return shown === readText(written) ? [] : [{ ...span, replacement: JSON.stringify(shown) }];
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

/** Keys, with masked values. Comments are hidden too. */
function maskYaml(text: string, show: ShowValue): string {
  const pieces: Mask[] = [];
  visit(parseDocument(text, { prettyErrors: false, uniqueKeys: false }), {
    Scalar(key, { value, range }) {
      if (key === 'key' || !range || range[0] === range[1] || typeof value === 'boolean') return;
      const [from, to] = range;
      const shown = show(String(value));
      const written = text.slice(from, to);
      if (shown === undefined) pieces.push({ from, to, replacement: hiddenLines(written) });
      else if (shown !== value && typeof value === 'string')
        pieces.push({ from, to, replacement: JSON.stringify(shown) });
    },
  });
  return maskAll(text, pieces).replaceAll(/(^|\s)#[^\r\n]*/g, '$1# …');
}
