import { blank, type Masked, maskAll, type ShowValue } from '../mask.ts';
import { readStatements } from './toml-statements.ts';

/** A string of either kind, on one line or more; a key or another value; a comment within a list. */
const part = /"""[\s\S]*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\r\n]*|[^\s=,[\]{}"'#]+/g;

/** The text with its tables and keys, and of its values what `show` says. Comments are somebody's too. */
export function maskToml(text: string, list: string, show: ShowValue): string {
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
  return [...pair.matchAll(part)].flatMap(({ 0: written, index }): readonly Masked[] => {
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
