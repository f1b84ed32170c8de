import { parse } from 'smol-toml';
import type { EntryList } from '../entry-list.ts';
import { asDamage, ListFault } from '../list-fault.ts';
import { cut, lineEnd, lineStart, nextLine, type Span } from '../text-edit.ts';
import { readStatements } from './toml-statements.ts';
import { renderTable } from './toml-table.ts';

/** A list of tables (`[mcp_servers.NAME]`). Inline tables and arrays of tables are of a kind that is not changed. */
export function tomlList(list: string): EntryList {
  function open(text: string): { rest: unknown; entries: Record<string, unknown> | undefined } {
    // Numbers of 64 bits stay what they are.
    const parsed = asDamage(() => parse(withoutMark(text), { integersAsBigInt: 'asNeeded' }));
    const { [list]: entries, ...rest } = parsed;
    if (entries !== undefined && !isTable(entries)) throw new ListFault('layout');
    return { rest, entries };
  }

  /** Where the tables of one entry stand, in whole lines. */
  function spansOf(text: string, name: string): readonly [Span, ...Span[]] {
    open(text);
    const spans: Span[] = [];
    let isOurs = false;
    for (const { from, to, table } of readStatements(text, list)) {
      if (table) isOurs = table[0] === list && table[1] === name;
      if (!isOurs) continue;
      const last = table ? undefined : spans.pop();
      spans.push({ from: last?.from ?? lineStart(text, from), to: nextLine(text, to) });
    }
    const [first, ...others] = spans;
    if (!first) throw new ListFault('layout');
    return [first, ...others];
  }

  return {
    read(text) {
      const { rest, entries } = open(text);
      return { rest, entries: entries && Object.entries(entries) };
    },

    add(text, name, entry) {
      open(text);
      const end = lineEnd(text);
      return { text: `${text}${gapBefore(text, end)}${renderTable([list, name], entry, end)}`, made: 'entry' };
    },

    replace(text, name, entry) {
      const [first, ...others] = spansOf(text, name);
      const rendered = renderTable([list, name], entry, lineEnd(text));
      const after = cut(
        text.slice(first.to),
        others.map(({ from, to }) => ({ from: from - first.to, to: to - first.to })),
      );
      return text.slice(0, first.from) + rendered + after;
    },

    remove(text, name) {
      const spans = spansOf(text, name);
      return cut(
        text,
        spans.map(({ from, to }) => ({ from: withBlankLine(text, from, to), to })),
      );
    },
  };
}

/** A blank line, unless there is one or nothing. */
function gapBefore(text: string, end: string): string {
  const bare = withoutMark(text);
  if (bare === '') return '';
  if (!bare.endsWith('\n')) return `${end}${end}`;
  return /^\r?\n$|\n\r?\n$/.test(bare) ? '' : end;
}

/** The blank line before goes too, where another one or the end follows. */
function withBlankLine(text: string, from: number, to: number): number {
  if (to !== text.length && !/^\r?\n/.test(text.slice(to, to + 2))) return from;
  return from - (/(?<=\n)\r?\n$/.exec(text.slice(Math.max(0, from - 3), from))?.[0].length ?? 0);
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether the list stands in one pair of braces: a header of its own would then be an error. */
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
