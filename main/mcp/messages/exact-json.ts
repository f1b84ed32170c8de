import { randomUUID } from 'node:crypto';
import { colon, JsonTokens, quote } from '../../json-tokens.ts';

interface RawJson {
  /** ECMAScript proposal json-parse-with-source: a value that is written as it was read. */
  rawJSON(text: string): unknown;
}

/**
 * `JSON.parse`, for what is written again: a number that JavaScript would write in other digits (an id of 20 digits,
 * `1.0`, `1e400`) stays as it stood, as a value that `JSON.stringify` alone understands. Errors: SyntaxError.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepNumber);
}

function keepNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || JSON.stringify(value) === source) return value;
  return (JSON as unknown as RawJson).rawJSON(source);
}

/** For whoever hands answers on as the server wrote them; what a library has to understand is left as it is. */
export interface AsWritten {
  /** Takes the long texts: see `cutTexts`. */
  readonly texts?: CutTexts | undefined;
}

/** Digits that a number may lose: 16 or more, an exponent, zeros at its end, or a minus before a zero. In texts too. */
const mayDiffer = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/u;

/** `JSON.parse`, with the numbers in the `structuredContent` of results as they stood. Errors: SyntaxError. */
export function parseAsWritten(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!text.includes('"structuredContent"') || !mayDiffer.test(text)) return parsed;
  const exact = parseExactly(text);
  return Array.isArray(parsed) && Array.isArray(exact)
    ? parsed.map((message: unknown, index) => withStructure(message, exact[index]))
    : withStructure(parsed, exact);
}

/** The library wants numbers where it knows of some: only what is the tool's own stays exact. */
function withStructure(message: unknown, exact: unknown): unknown {
  const result = memberOf(message, 'result');
  const structuredContent = memberOf(memberOf(exact, 'result'), 'structuredContent');
  if (structuredContent === undefined) return message;
  return { ...(message as object), result: { ...(result as object), structuredContent } };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Texts of an answer that are too long to be held more than once, by the words that stand in their places. */
export type CutTexts = Map<string, Buffer>;

/** Bytes of a text that is cut out. */
const least = 262_144;
const backslash = 0x5c;

/** RFC 8259, section 7: what follows a backslash. */
const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9 }).map(([sign, code]) => [sign.charCodeAt(0), code]),
);

/**
 * The document without its long texts (members "text", as results of tools and contents of resources have them): in the
 * place of each stands a word that nobody can guess, by which `cut` has its bytes, which are those of the document.
 */
export function cutTexts(document: Buffer, cut: CutTexts): Buffer {
  if (document.byteLength <= least) return document;
  const tokens = new JsonTokens(document);
  const texts: [start: number, end: number][] = [];
  let isText = false;
  while (tokens.next()) {
    const { kind, start, end, isName } = tokens;
    if (kind === colon) continue;
    if (isText && kind === quote && end - start > least) texts.push([start + 1, end - 1]);
    isText = kind === quote && isName && end - start === '"text"'.length && tokens.written === 'text';
  }
  if (texts.length === 0 || !tokens.isJson) return document;
  let kept = 0;
  const parts = texts.flatMap(([start, end]) => {
    const word = randomUUID();
    cut.set(word, document.subarray(start, end));
    const before = document.subarray(kept, start);
    kept = end;
    return [before, Buffer.from(word)];
  });
  return Buffer.concat([...parts, document.subarray(kept)]);
}

/** What a text of JSON stands for, in UTF-8, written over itself: it is never longer. Errors: SyntaxError. */
export function unescapeInPlace(bytes: Buffer): Buffer {
  let to = 0;
  let from = 0;
  for (;;) {
    const at = bytes.indexOf(backslash, from);
    const end = at < 0 ? bytes.length : at;
    if (from !== to) bytes.copy(bytes, to, from, end);
    to += end - from;
    if (at < 0) return bytes.subarray(0, to);
    const sign = bytes[at + 1] ?? 0;
    if (sign !== 0x75) {
      bytes[to] = escapes.get(sign) ?? sign;
      to += 1;
      from = at + 2;
      continue;
    }
    const unit = readUnit(bytes, at);
    const isHigh = unit >= 0xd8_00 && unit <= 0xdb_ff;
    const next = isHigh && bytes[at + 6] === backslash && bytes[at + 7] === 0x75 ? readUnit(bytes, at + 6) : 0;
    const isPair = next >= 0xdc_00 && next <= 0xdf_ff;
    from = at + (isPair ? 12 : 6);
    // Half a pair becomes U+FFFD, as everywhere.
    to += bytes.write(isPair ? String.fromCharCode(unit, next) : String.fromCharCode(unit), to, 'utf8');
  }
}

function readUnit(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at + 2, at + 6);
  if (!/^[0-9a-f]{4}$/iu.test(digits)) throw new SyntaxError('No such escape');
  return Number.parseInt(digits, 16);
}

/** What a node costs besides its text, roughly as JSON. */
const nodeSize = 4;

/**
 * How large a JSON value is, in characters and roughly, and whether it is nested more than `depth` levels deep. Never
 * calls itself: a value may be nested deeper than the stack.
 */
export function measureJson(value: unknown, depth: number): { readonly isTooDeep: boolean; readonly size: number } {
  let size = 0;
  let level: unknown[] = [value];
  for (let levels = 0; level.length > 0; levels += 1) {
    const next: unknown[] = [];
    for (const node of level) {
      size += nodeSize;
      if (typeof node === 'string') size += node.length;
      if (typeof node !== 'object' || node === null) continue;
      if (levels >= depth) return { isTooDeep: true, size };
      if (Array.isArray(node)) {
        for (const member of node) next.push(member);
        continue;
      }
      for (const [name, member] of Object.entries(node)) {
        size += name.length;
        next.push(member);
      }
    }
    level = next;
  }
  return { isTooDeep: false, size };
}
