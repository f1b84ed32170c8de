const quote = 0x22;
const backslash = 0x5c;
const [minus, plus, point, zero, letterE, letterU] = [0x2d, 0x2b, 0x2e, 0x30, 0x65, 0x75];
/** Makes a small letter of a capital. */
const asSmall = 0x20;

/** Bytes of a string that are its text: not its end, an escape, or one that may not stand there. */
const isText = new Uint8Array(256).fill(1, 0x20);
const isEscape = new Uint8Array(256);
const isDigit = new Uint8Array(256);
const isHex = new Uint8Array(256);
for (const byte of Buffer.from('"\\')) isText[byte] = 0;
for (const byte of Buffer.from('"\\/bfnrtu')) isEscape[byte] = 1;
for (const byte of Buffer.from('0123456789')) isDigit[byte] = isHex[byte] = 1;
for (const byte of Buffer.from('abcdefABCDEF')) isHex[byte] = 1;
/** Four bytes in one number: of each its lowest and its highest bit, and four of one kind. */
const lowBits = 0x01010101;
const highBits = 0x80808080;
const spaces = 0x20202020;
const quotes = 0x22222222;
const backslashes = 0x5c5c5c5c;
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/**
 * Finds the ends of strings, numbers and words in JSON text, and sees whether each is one (RFC 8259 sections 3, 6, 7).
 */
export class JsonTokens {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Whether all have been so far. */
  areSound = true;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the quote stands that ends the string whose text begins at `start`; without one, the end of all. */
  endOfString(start: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    for (let at = this.#endOfText(start); at < length; at = this.#endOfText(at)) {
      const byte = bytes[at];
      if (byte === quote) return at;
      if (byte === backslash) {
        const escaped = bytes[at + 1] ?? 0;
        if (isEscape[escaped] === 0 || (escaped === letterU && this.#skip(isHex, at + 2, 4) < at + 6)) {
          this.areSound = false;
        }
        at += 2;
      } else {
        this.areSound = false;
        at += 1;
      }
    }
    this.areSound = false;
    return length;
  }

  /**
   * Where the first byte stands that is more than text of a string. Almost all of a long message is text: four bytes of
   * it at a time take less than half as long, also where every line of it ends with an escape.
   */
  #endOfText(start: number): number {
    const view = this.#view;
    const last = view.byteLength - 4;
    let at = start;
    for (; at <= last; at += 4) {
      const four = view.getInt32(at, true);
      // The highest bit of each byte that is below a space, a quote or a backslash. Those of later bytes may be wrong.
      const found = (((four - spaces) & ~four) | zeros(four ^ quotes) | zeros(four ^ backslashes)) & highBits;
      if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
    }
    return this.#skip(isText, at);
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

/** With the highest bit of each byte of four that is 0. */
function zeros(four: number): number {
  return (four - lowBits) & ~four;
}
