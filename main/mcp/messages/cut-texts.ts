import { randomUUID } from 'node:crypto';

/** Texts of an answer that are too long to be held more than once, by the words that stand in their places. */
export type CutTexts = Map<string, Buffer>;

/** Bytes of a text that is cut out. */
const least = 262_144;
const quote = 0x22;
const backslash = 0x5c;
const before = /"text"\s*:\s*$/u;
/** What may stand between the name and its value, and the name. */
const nameRoom = 32;

/** RFC 8259, section 7: what follows a backslash. */
const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9 }).map(([sign, code]) => [sign.charCodeAt(0), code]),
);

/**
 * The document without its long texts (members "text", as results of tools and contents of resources have them): in the
 * place of each stands a word that nobody can guess, by which `cut` has its bytes, which are those of the document.
 */
export function cutTexts(document: Buffer, cut: CutTexts): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  for (let start = document.indexOf(quote); start >= 0;) {
    const end = endOfString(document, start);
    if (end < 0) break;
    if (end - start > least && before.test(document.toString('latin1', Math.max(0, start - nameRoom), start))) {
      const word = randomUUID();
      cut.set(word, document.subarray(start + 1, end));
      parts.push(document.subarray(kept, start + 1), Buffer.from(word));
      kept = end;
    }
    start = document.indexOf(quote, end + 1);
  }
  return parts.length === 0 ? document : Buffer.concat([...parts, document.subarray(kept)]);
}

/** Of its closing quote; -1 where there is none. */
function endOfString(document: Buffer, start: number): number {
  for (let end = document.indexOf(quote, start + 1); end >= 0; end = document.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (document[end - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
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
