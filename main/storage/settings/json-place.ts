/** Where something stands in a text, both from 1, as editors count. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

type Step = string | number;

/** Where `text` stops being JSON (RFC 8259); `undefined` where it is JSON. `JSON.parse` does not always say. */
export function findJsonFault(text: string): Place | undefined {
  const at = walk(text, () => {});
  return at === undefined ? undefined : placeAt(text, at);
}

/** Where the value at `path` begins in a text that is JSON; of what is not there, the value around it. */
export function placeInJson(text: string, path: readonly Step[]): Place {
  let found = 0;
  let depth = -1;
  walk(text, (at, here) => {
    if (here.length <= depth || here.length > path.length || here.some((step, index) => step !== path[index])) return;
    found = at;
    depth = here.length;
  });
  return placeAt(text, found);
}

function placeAt(text: string, at: number): Place {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\n\r]*/y;

/** Tells where each value begins; answers where the text stops being JSON. Without recursion: any depth may come. */
function walk(text: string, onValue: (at: number, path: readonly Step[]) => void): number | undefined {
  const path: Step[] = [];
  const ends: string[] = [];
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' = 'value';
  for (let at = endOf(space, text, 0); ; at = endOf(space, text, at)) {
    const sign = text[at];
    const end = ends.at(-1);
    const mayEnd = expected === 'comma' || expected === 'first value' || expected === 'first key';
    if (end !== undefined && mayEnd && sign === end) {
      ends.pop();
      path.pop();
      expected = 'comma';
      at += 1;
    } else if (expected === 'comma') {
      if (end === undefined && sign === undefined) return undefined;
      if (end === undefined || sign !== ',') return at;
      if (end === ']') path.push(Number(path.pop()) + 1);
      expected = end === ']' ? 'value' : 'key';
      at += 1;
    } else if (expected === 'colon') {
      if (sign !== ':') return at;
      expected = 'value';
      at += 1;
    } else if (expected === 'key' || expected === 'first key') {
      const string = endOfString(text, at);
      if (!string.isWhole) return string.at;
      path[path.length - 1] = JSON.parse(text.slice(at, string.at)) as string;
      expected = 'colon';
      at = string.at;
    } else if (sign === '{' || sign === '[') {
      onValue(at, path);
      ends.push(sign === '{' ? '}' : ']');
      path.push(sign === '{' ? '' : 0);
      expected = sign === '{' ? 'first key' : 'first value';
      at += 1;
    } else {
      const value = sign === '"' ? endOfString(text, at) : { isWhole: true, at: endOf(literal, text, at) };
      if (!value.isWhole || value.at === at) return value.at;
      onValue(at, path);
      expected = 'comma';
      at = value.at;
    }
  }
}

/** `at` itself where `part` is not there. */
function endOf(part: RegExp, text: string, at: number): number {
  part.lastIndex = at;
  return part.test(text) ? part.lastIndex : at;
}

const plain = /[^"\\\u0000-\u001f]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** After its closing quote; or not whole, and where it fails. */
function endOfString(text: string, start: number): { isWhole: boolean; at: number } {
  if (text[start] !== '"') return { isWhole: false, at: start };
  for (let at = start + 1; ;) {
    at = endOf(plain, text, at);
    if (text[at] === '"') return { isWhole: true, at: at + 1 };
    const next = endOf(escaped, text, at);
    if (next === at) return { isWhole: false, at };
    at = next;
  }
}
