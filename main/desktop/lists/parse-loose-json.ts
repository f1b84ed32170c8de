/** JSON as people keep it in settings: comments and trailing commas are forgiven. `undefined`: not even that. */
export function parseLooseJson(text: string): unknown {
  return parse(text) ?? parse(withoutComments(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [quote, backslash, slash, star, newline] = [0x22, 0x5c, 0x2f, 0x2a, 0x0a] as const;
const [comma, bracketEnd, braceEnd] = [0x2c, 0x5d, 0x7d] as const;
/** RFC 8259 2 */
const whitespace: ReadonlySet<number> = new Set([0x20, 0x09, newline, 0x0d]);

type Place = 'outside' | 'string' | 'line-comment' | 'block-comment';

/**
 * Goes over `text` once, and never back: a paste may be megabytes of what looks like the start of a string. What stays
 * open is kept as it is, and then is no JSON.
 */
function withoutComments(text: string): string {
  const pieces: string[] = [];
  let place: Place = 'outside';
  /** Where the piece begins that has not been taken over yet. */
  let from = 0;
  /** Index in `pieces` of a comma after which only space and comments have come. */
  let lastComma: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (place === 'string') {
      if (unit === backslash) at += 1;
      else if (unit === quote) place = 'outside';
    } else if (place === 'line-comment') {
      if (unit === newline) [place, from] = ['outside', at];
    } else if (place === 'block-comment') {
      if (unit === slash && at - from >= 3 && text.charCodeAt(at - 1) === star) [place, from] = ['outside', at + 1];
    } else if (unit === slash) {
      const next = text.charCodeAt(at + 1);
      if (next !== slash && next !== star) continue;
      pieces.push(text.slice(from, at));
      [place, from] = [next === slash ? 'line-comment' : 'block-comment', at];
      at += 1;
    } else if (unit === comma) {
      pieces.push(text.slice(from, at), ',');
      [lastComma, from] = [pieces.length - 1, at + 1];
    } else if (!whitespace.has(unit)) {
      if (lastComma !== undefined && (unit === bracketEnd || unit === braceEnd)) pieces[lastComma] = '';
      lastComma = undefined;
      if (unit === quote) place = 'string';
    }
  }
  if (place !== 'line-comment') pieces.push(text.slice(from));
  return pieces.join('');
}
