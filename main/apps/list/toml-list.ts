import { parse } from 'smol-toml';
import { parseOrThrow, cut, lineEnd, lineStart, lineStop, ListFault, nextLine, splice } from './entry-list.ts';
import type { Entry, EntryList, Span } from './entry-list.ts';

/** A list of tables (`[mcp_servers.NAME]`). Inline tables and arrays of tables are never edited. */
export function tomlList(list: string): EntryList {
  function open(text: string): { rest: unknown; entries: Record<string, unknown> | undefined } {
    // Keep 64-bit integers exact.
    const parsed = parseOrThrow(() => parse(withoutByteOrderMark(text), { integersAsBigInt: 'asNeeded' }));
    const { [list]: entries, ...rest } = parsed;
    if (entries !== undefined && !isTable(entries)) throw new ListFault('layout');
    return { rest, entries };
  }

  /** Whole-line spans of the entries' tables, in the order of `names`. */
  function spansOf(text: string, names: readonly string[]): readonly (readonly [Span, ...Span[]])[] {
    open(text);
    const spans = new Map<string, Span[]>(names.map((name) => [name, []]));
    let own: Span[] | undefined;
    for (const { from, to, table } of readStatements(text, list)) {
      if (table) own = table[0] === list ? spans.get(table[1] ?? '') : undefined;
      const last = table ? undefined : own?.pop();
      own?.push({ from: last?.from ?? lineStart(text, from), to: nextLine(text, to) });
    }
    return [...spans.values()].map(([first, ...others]) => {
      if (!first) throw new ListFault('layout');
      return [first, ...others];
    });
  }

  return {
    read(text) {
      const { rest, entries } = open(text);
      return { rest, entries: entries && Object.entries(entries) };
    },

    add(text, ...added) {
      open(text);
      const end = lineEnd(text);
      const tables = added.map(([name, entry]) => renderTable([list, name], entry, end));
      return { text: `${text}${gapBefore(text, end)}${tables.join(end)}`, made: 'entry' };
    },

    replace(text, ...replaced) {
      const end = lineEnd(text);
      const places = spansOf(
        text,
        replaced.map(([name]) => name),
      );
      const splices = replaced.flatMap(([name, entry], index) =>
        (places[index] ?? []).map((span, place) => ({
          ...span,
          text: place === 0 ? renderTable([list, name], entry, end) : '',
        })),
      );
      return splice(text, splices);
    },

    spans: (text, names) => spansOf(text, names).flat(),

    remove(text, names) {
      // From the end, since whether the blank line before a table is removed depends on what then follows it.
      return spansOf(text, names)
        .flat()
        .toSorted((one, other) => other.from - one.from)
        .reduce((left, { from, to }) => cut(left, [{ from: withBlankLine(left, from, to), to }]), text);
    },
  };
}

/** A blank line, unless the text already ends with one or is empty. */
function gapBefore(text: string, end: string): string {
  const bare = withoutByteOrderMark(text);
  if (bare === '') return '';
  if (!bare.endsWith('\n')) return `${end}${end}`;
  return /^\r?\n$|\n\r?\n$/.test(bare) ? '' : end;
}

/** Includes the blank line before the span if another one, or the end of the file, follows. */
function withBlankLine(text: string, from: number, to: number): number {
  if (to !== text.length && !/^\r?\n/.test(text.slice(to, to + 2))) return from;
  return from - (/(?<=\n)\r?\n$/.exec(text.slice(Math.max(0, from - 3), from))?.[0].length ?? 0);
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether the list is an inline table: adding a `[header]` would then be an error. */
export function isInlineList(text: string, list: string): boolean {
  for (const { from, to, table } of readStatements(text, list)) {
    if (table) return false;
    const [, key = '', value = ''] = /^([^=]+)=\s*(.)/s.exec(text.slice(from, to)) ?? [];
    if (value === '{' && key.trim().replaceAll(/^["']|["']$/g, '') === list) return true;
  }
  return false;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A table header or a pair, without surrounding blanks and comments. */
interface Statement {
  readonly from: number;
  readonly to: number;
  /** Keys of a table header, empty if it does not contain `list`; `undefined` for a pair. */
  readonly table?: readonly string[];
}

/** Finds the tables of `list` in a text that is known to be valid TOML 1.0. */
export function readStatements(text: string, list: string): readonly Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < text.length;) {
    if (/[\s\ufeff]/.test(text[at] ?? '')) at += 1;
    else if (text[at] === '#') at = lineStop(text, at);
    else {
      const to = endOfStatement(text, at);
      const written = text.slice(at, to);
      statements.push({
        from: at,
        to,
        ...(written.startsWith('[') && { table: mightName(written, list) ? keysOf(written) : [] }),
      });
      at = to;
    }
  }
  return statements;
}

/** Up to the first line ending or comment outside strings and brackets. */
function endOfStatement(text: string, from: number): number {
  let depth = 0;
  let at = from;
  let end = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") end = at = endOfString(text, at);
    else if (character === '#' && depth === 0) break;
    else if (character === '#') at = lineStop(text, at);
    else if (character === '\n' && depth === 0) break;
    else {
      if (character === '[' || character === '{') depth += 1;
      if (character === ']' || character === '}') depth -= 1;
      at += 1;
      if (character.trim() !== '') end = at;
    }
  }
  return end;
}

function endOfString(text: string, from: number): number {
  const quote = text[from] ?? '';
  const isLong = text.startsWith(quote.repeat(3), from);
  const closing = isLong ? quote.repeat(3) : quote;
  for (let at = from + closing.length; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text.startsWith(closing, at)) {
      // Up to two quotes may precede the closing three.
      const further = isLong ? [1, 2].filter((more) => text.startsWith(quote.repeat(more), at + 3)).length : 0;
      return at + further + closing.length;
    }
  }
  return text.length;
}

/** Cheap test before parsing: a key may also be written with escapes. */
function mightName(header: string, list: string): boolean {
  return header.includes(list) || header.includes('\\');
}

function keysOf(header: string): readonly string[] {
  const keys: string[] = [];
  for (let value: unknown = parse(header); ;) {
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    const [key] = Object.keys(Object(inner) as object);
    if (key === undefined) return keys;
    keys.push(key);
    value = (inner as Record<string, unknown>)[key];
  }
}

/** A table header and one pair per line. */
function renderTable(keys: readonly string[], entry: Entry, end: string): string {
  const pairs = Object.entries(entry).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`);
  return [`[${keys.map(renderKey).join('.')}]`, ...pairs].map((line) => `${line}${end}`).join('');
}

/** A pair for an existing inline table: on one line (TOML 1.0, inline tables). */
export function renderPair(key: string, entry: Entry): string {
  return `${renderKey(key)} = ${renderValue(entry)}`;
}

function renderKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : renderText(key);
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${renderKey(key)} = ${renderValue(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** A basic string: TOML escapes what JSON does, plus U+007F (TOML 1.0, strings). */
function renderText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`);
}
