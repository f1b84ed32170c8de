// Long strings of a response, taken out of its JSON instead of held twice.

import { randomUUID } from 'node:crypto';
import { colon, JsonTokens, quote } from '../../json-tokens.ts';

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
