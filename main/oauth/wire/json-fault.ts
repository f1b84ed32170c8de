export interface JsonBounds {
  readonly depth: number;
  readonly keys: number;
  /** UTF-16 code units after unescaping, for names and values alike. */
  readonly string: number;
}

/** The codes of what `findJsonFault` finds. */
export type JsonFault = 'JSON_INVALID' | 'JSON_DEPTH' | 'JSON_DUPLICATE_KEY' | 'SCHEMA_INVALID';

interface Scan {
  readonly text: string;
  readonly bounds: JsonBounds;
  position: number;
}

/**
 * The first thing in a JSON text that we do not accept though `JSON.parse` would, found in one pass without
 * recursion: `JSON.parse` takes millions of levels, lets the last of two equal names win and keeps `__proto__`.
 * Syntax is not judged here.
 */
export function findJsonFault(text: string, bounds: JsonBounds): JsonFault | undefined {
  const scan: Scan = { text, bounds, position: 0 };
  /** One entry for each open container: the names seen in an object, `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let nameNext = false;
  let names = 0;
  while (scan.position < text.length) {
    switch (text.charAt(scan.position)) {
      case '{':
      case '[': {
        const object = text[scan.position] === '{';
        if (open.push(object ? new Set() : undefined) > bounds.depth) return 'JSON_DEPTH';
        nameNext = object;
        break;
      }
      case '}':
      case ']':
        open.pop();
        nameNext = false;
        break;
      case ',':
        nameNext = open.at(-1) !== undefined;
        break;
      case '"': {
        const start = scan.position;
        const fault = skipString(scan);
        if (fault !== undefined) return fault;
        if (!nameNext) break;
        nameNext = false;
        names += 1;
        if (names > bounds.keys) return 'SCHEMA_INVALID';
        const nameFault = addName(open, text.slice(start, scan.position + 1));
        if (nameFault !== undefined) return nameFault;
        break;
      }
    }
    scan.position += 1;
  }
  return undefined;
}

/** Moves to the closing quote (or the end of the text), judging the string on the way. */
function skipString(scan: Scan): JsonFault | undefined {
  const { text } = scan;
  let length = 0;
  for (scan.position += 1; scan.position < text.length; scan.position += 1) {
    const character = text[scan.position];
    if (character === '"') return undefined;
    if (character === '\\') {
      scan.position += 1;
      if (text[scan.position] === 'u' && !skipUnicodeEscape(scan)) return 'SCHEMA_INVALID';
    }
    length += 1;
    if (length > scan.bounds.string) return 'SCHEMA_INVALID';
  }
  return undefined;
}

/** From the `u` of an escape to its last digit. False for NUL and for a surrogate that has no partner. */
function skipUnicodeEscape(scan: Scan): boolean {
  const unit = unitAt(scan, scan.position + 1);
  scan.position += 4;
  if (unit === 0) return false;
  if (unit >= 0xdc00 && unit <= 0xdfff) return false;
  if (!(unit >= 0xd800 && unit <= 0xdbff)) return true;
  if (!scan.text.startsWith('\\u', scan.position + 1)) return false;
  const second = unitAt(scan, scan.position + 3);
  scan.position += 6;
  return second >= 0xdc00 && second <= 0xdfff;
}

/** NaN when these are no digits: then `JSON.parse` refuses the text. */
function unitAt(scan: Scan, position: number): number {
  return Number.parseInt(scan.text.slice(position, position + 4), 16);
}

function addName(open: readonly (Set<string> | undefined)[], token: string): JsonFault | undefined {
  let name: unknown;
  try {
    name = JSON.parse(token);
  } catch {
    return 'JSON_INVALID';
  }
  if (typeof name !== 'string') return 'JSON_INVALID';
  if (name === '__proto__') return 'SCHEMA_INVALID';
  // OAuth members stand at the top. A second reader that ignores case must not see another `issuer` there.
  const seen = open.at(-1);
  const key = open.length === 1 ? name.toLowerCase() : name;
  if (seen?.has(key)) return 'JSON_DUPLICATE_KEY';
  seen?.add(key);
  return undefined;
}
