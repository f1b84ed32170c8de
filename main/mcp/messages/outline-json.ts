import { yieldIfBusy } from '../../yield-if-busy.ts';
import { JsonTokens, quote } from '../../json-tokens.ts';
import type { Span } from './survey-json.ts';

/** Strings up to this many bytes are copied as they are. */
const longestText = 64;
/** Bytes scanned per slice. */
const slice = 64 * 1_024;
/** Placeholders for a long string and for a long Base64 string. */
const [shortText, shortBase64] = ['"…"', '"AAAA"'];

const base64Bytes = new Uint8Array(256);
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'))
  base64Bytes[byte] = 1;
const [padding, backslash, slash] = [0x3d, 0x5c, 0x2f];

/**
 * The JSON text of a value with each long string replaced by a short placeholder, to check what kinds of values it has:
 * parsing a string of many MB would hold it twice more, as text and as value. Base64 strings in the members `base64`
 * stay Base64. `undefined`: it has more values than `maxValues`. Works in slices. `bytes`: valid JSON.
 */
export async function outlineOf(
  bytes: Buffer,
  { start, end }: Span,
  { maxValues, base64 }: { readonly maxValues: number; readonly base64: ReadonlySet<string> },
): Promise<string | undefined> {
  const value = bytes.subarray(start, end);
  const tokens = new JsonTokens(value);
  let [outline, from, name] = ['', 0, ''];
  while (tokens.beginSlice()) {
    while (tokens.next()) {
      if (tokens.kind !== quote) continue;
      if (tokens.isName) name = tokens.text(longestText);
      else if (tokens.end - tokens.start > longestText) {
        outline += value.toString('utf8', from, tokens.start);
        from = tokens.end;
        const mayBeBase64 = base64.has(name);
        outline += mayBeBase64 && (await isBase64At(value, tokens.start + 1, tokens.end - 1)) ? shortBase64 : shortText;
      }
    }
    if (tokens.nodes > maxValues) return undefined;
    await yieldIfBusy();
  }
  return outline + value.toString('utf8', from);
}

/** Whether a string is padded Base64 (RFC 4648 section 4); PHP escapes each slash in it. */
async function isBase64At(bytes: Buffer, start: number, end: number): Promise<boolean> {
  let [at, length] = [start, 0];
  let last = end;
  while (last > end - 2 && bytes[last - 1] === padding) last -= 1;
  while (at < last) {
    const until = Math.min(at + slice, last);
    for (; at < until; at += 1, length += 1) {
      const byte = bytes[at] ?? 0;
      if (base64Bytes[byte] === 1) continue;
      if (byte !== backslash || bytes[at + 1] !== slash) return false;
      at += 1;
    }
    await yieldIfBusy();
  }
  return (length + end - last) % 4 === 0;
}
