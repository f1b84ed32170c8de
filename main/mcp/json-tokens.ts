const quote = 0x22;
const backslash = 0x5c;
const [minus, plus, point, zero, letterE, letterU] = [0x2d, 0x2b, 0x2e, 0x30, 0x65, 0x75];
/** Makes a small letter of a capital. */
const asSmall = 0x20;

/** Bytes of a string that are more than its text: its end, an escape, and those that may not stand there. */
const isSpecial = new Uint8Array(256).fill(1, 0, 0x20);
const isEscape = new Uint8Array(256);
const isDigit = new Uint8Array(256);
const isHex = new Uint8Array(256);
for (const byte of Buffer.from('"\\')) isSpecial[byte] = 1;
for (const byte of Buffer.from('"\\/bfnrtu')) isEscape[byte] = 1;
for (const byte of Buffer.from('0123456789')) isDigit[byte] = isHex[byte] = 1;
for (const byte of Buffer.from('abcdefABCDEF')) isHex[byte] = 1;
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/**
 * Finds the ends of strings, numbers and words in JSON text, and sees whether each is one (RFC 8259 sections 3, 6, 7).
 */
export class JsonTokens {
  readonly #bytes: Uint8Array;
  /** Whether all have been so far. */
  areSound = true;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Where the quote stands that ends the string whose text begins at `start`; without one, the end of all. */
  endOfString(start: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    for (let at = start; at < length; at += 1) {
      // Almost all of a long message is text, and four bytes of it at a time take half as long.
      while (
        at + 4 <= length &&
        ((isSpecial[bytes[at] ?? 0] ?? 0) |
          (isSpecial[bytes[at + 1] ?? 0] ?? 0) |
          (isSpecial[bytes[at + 2] ?? 0] ?? 0) |
          (isSpecial[bytes[at + 3] ?? 0] ?? 0)) ===
          0
      ) {
        at += 4;
      }
      const byte = bytes[at] ?? 0;
      if (at >= length || isSpecial[byte] === 0) continue;
      if (byte === quote) return at;
      if (byte === backslash) {
        at += 1;
        const escaped = bytes[at] ?? 0;
        if (isEscape[escaped] === 0 || (escaped === letterU && this.#skip(isHex, at + 1, 4) < at + 5)) {
          this.areSound = false;
        }
      } else this.areSound = false;
    }
    this.areSound = false;
    return length;
  }

  /** Where the number or word ends that begins at `start`; behind one byte where there is none. */
  endOfScalar(start: number): number {
    const word = words.find((each) => each[0] === this.#bytes[start]);
    const end = word ? this.#endOfWord(word, start) : this.#endOfNumber(start);
    if (end === undefined) this.areSound = false;
    return end ?? start + 1;
  }

  #endOfWord(word: Buffer, start: number): number | undefined {
    return word.every((byte, index) => byte === this.#bytes[start + index]) ? start + word.length : undefined;
  }

  #endOfNumber(start: number): number | undefined {
    const bytes = this.#bytes;
    const first = bytes[start] === minus ? start + 1 : start;
    let at = bytes[first] === zero ? first + 1 : this.#skip(isDigit, first);
    if (at === first) return undefined;
    if (bytes[at] === point) {
      const fraction = at + 1;
      at = this.#skip(isDigit, fraction);
      if (at === fraction) return undefined;
    }
    if (((bytes[at] ?? 0) | asSmall) !== letterE) return at;
    const sign = bytes[at + 1];
    const exponent = at + (sign === plus || sign === minus ? 2 : 1);
    at = this.#skip(isDigit, exponent);
    return at === exponent ? undefined : at;
  }

  #skip(kind: Uint8Array, start: number, most = Infinity): number {
    let at = start;
    while (at - start < most && kind[this.#bytes[at] ?? 0] === 1) at += 1;
    return at;
  }
}
