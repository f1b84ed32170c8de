import { parse } from 'smol-toml';
import { lineStop } from '../text-edit.ts';

/** A table header or a pair, without the blanks and the comment around it. */
export interface Statement {
  readonly from: number;
  readonly to: number;
  /** Keys of a table's header, if `list` stands in it, else none; `undefined` for a pair. */
  readonly table?: readonly string[];
}

/** The statements of a text that is known to be valid TOML 1.0, to find the tables of `list`. */
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
        ...(written.startsWith('[') && { table: mayName(written, list) ? keysOf(written) : [] }),
      });
      at = to;
    }
  }
  return statements;
}

/** Up to the line end or comment that is in no string and no bracket. */
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
      // Up to two quotes may stand before the three that end it.
      const further = isLong ? [1, 2].filter((more) => text.startsWith(quote.repeat(more), at + 3)).length : 0;
      return at + further + closing.length;
    }
  }
  return text.length;
}

/** A key may be written with escapes. */
function mayName(header: string, list: string): boolean {
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
