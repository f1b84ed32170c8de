// JSON as the server wrote it: exact numbers, and long strings taken out instead of held twice.

import { randomUUID } from 'node:crypto';
import { colon, JsonTokens, quote } from '../../json-tokens.ts';

interface RawJson {
  /** ECMAScript proposal json-parse-with-source: a value that is serialized exactly as given. */
  rawJSON(text: string): unknown;
}

/**
 * `JSON.parse` for values that are serialized again: a number that JavaScript would write differently (an id of 20
 * digits, `1.0`, `1e400`) keeps its text, as a value that only `JSON.stringify` understands. Errors: SyntaxError.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, preserveNumber);
}

function preserveNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || JSON.stringify(value) === source) return value;
  return (JSON as unknown as RawJson).rawJSON(source);
}

/** For callers that pass a response on exactly as the server wrote it, except members that the library reads. */
export interface VerbatimOptions {
  /** Collects the long strings: see `extractTexts`. */
  readonly texts?: ExtractedTexts | undefined;
  /** Bytes of a message without the collected strings. Default: as for any message. */
  readonly maxBytes?: number | undefined;
}

/**
 * Numbers that may lose digits: 16 or more, an exponent, trailing zeros, or a negative zero. Matches in strings too.
 */
const mayDiffer = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/u;

/** `JSON.parse` that keeps the exact numbers in the `structuredContent` of results. Errors: SyntaxError. */
export function parseVerbatim(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!text.includes('"structuredContent"') || !mayDiffer.test(text)) return parsed;
  const exact = parseExactly(text);
  return Array.isArray(parsed) && Array.isArray(exact)
    ? parsed.map((message: unknown, index) => withStructure(message, exact[index]))
    : withStructure(parsed, exact);
}

/** The library needs real numbers in its own members: only the tool's content stays exact. */
function withStructure(message: unknown, exact: unknown): unknown {
  const result = memberOf(message, 'result');
  const structuredContent = memberOf(memberOf(exact, 'result'), 'structuredContent');
  if (structuredContent === undefined) return message;
  return { ...(message as object), result: { ...(result as object), structuredContent } };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Long strings of a response, too long to hold twice, by placeholder. */
export type ExtractedTexts = Map<string, Buffer>;

/** Longer strings are extracted. */
const minExtractedBytes = 262_144;
const backslash = 0x5c;

/** Escape characters (RFC 8259, section 7). */
const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9 }).map(([letter, code]) => [letter.charCodeAt(0), code]),
);

/**
 * The document without its long strings (members "text", as in tool results and resource contents). Each is replaced by
 * an unguessable placeholder; `extracted` maps it to the bytes, a view of the document.
 */
export function extractTexts(document: Buffer, extracted: ExtractedTexts): Buffer {
  if (document.byteLength <= minExtractedBytes) return document;
  const tokens = new JsonTokens(document);
  const texts: [start: number, end: number][] = [];
  let isText = false;
  while (tokens.next()) {
    const { kind, start, end, isName } = tokens;
    if (kind === colon) continue;
    if (isText && kind === quote && end - start > minExtractedBytes) texts.push([start + 1, end - 1]);
    isText = kind === quote && isName && end - start === '"text"'.length && tokens.raw === 'text';
  }
  if (texts.length === 0 || !tokens.isJson) return document;
  let copied = 0;
  const parts = texts.flatMap(([start, end]) => {
    const placeholder = randomUUID();
    extracted.set(placeholder, document.subarray(start, end));
    const prefix = document.subarray(copied, start);
    copied = end;
    return [prefix, Buffer.from(placeholder)];
  });
  return Buffer.concat([...parts, document.subarray(copied)]);
}

/** Unescapes a JSON string to UTF-8 in place: the result is never longer. Errors: SyntaxError. */
export function unescapeInPlace(bytes: Buffer): Buffer {
  let to = 0;
  let from = 0;
  for (;;) {
    const at = bytes.indexOf(backslash, from);
    const end = at < 0 ? bytes.length : at;
    if (from !== to) bytes.copy(bytes, to, from, end);
    to += end - from;
    if (at < 0) return bytes.subarray(0, to);
    const escaped = bytes[at + 1] ?? 0;
    if (escaped !== 0x75) {
      bytes[to] = escapes.get(escaped) ?? escaped;
      to += 1;
      from = at + 2;
      continue;
    }
    const unit = readCodeUnit(bytes, at);
    const isHighSurrogate = unit >= 0xd8_00 && unit <= 0xdb_ff;
    const next =
      isHighSurrogate && bytes[at + 6] === backslash && bytes[at + 7] === 0x75 ? readCodeUnit(bytes, at + 6) : 0;
    const isPair = next >= 0xdc_00 && next <= 0xdf_ff;
    from = at + (isPair ? 12 : 6);
    // A lone surrogate becomes U+FFFD, as usual.
    to += bytes.write(isPair ? String.fromCharCode(unit, next) : String.fromCharCode(unit), to, 'utf8');
  }
}

function readCodeUnit(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at + 2, at + 6);
  if (!/^[0-9a-f]{4}$/iu.test(digits)) throw new SyntaxError('No such escape');
  return Number.parseInt(digits, 16);
}

/** Approximate JSON overhead of a node. */
const nodeSize = 4;

/**
 * Approximate size of a JSON value in characters, and whether it is nested deeper than `depth` levels. Not recursive: a
 * value may be nested deeper than the stack.
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
