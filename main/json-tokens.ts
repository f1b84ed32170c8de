/** Kinds of tokens: their first byte; `scalar` for numbers and literals. */
export const [quote, comma, colon, openObject, closeObject, openArray, closeArray] = [
  0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
];
export const scalar = 0;

const [tab, lineFeed, carriageReturn, space, backslash] = [0x09, 0x0a, 0x0d, 0x20, 0x5c];
const [minus, plus, point, zero, letterE, letterU] = [0x2d, 0x2b, 0x2e, 0x30, 0x65, 0x75];
/** Bit that turns an uppercase letter into lowercase. */
const lowercaseBit = 0x20;

/** The expected token. `First`: or the end of the container. `toEnd`: a comma or that end; at top level, nothing. */
const [toValue, toFirstValue, toName, toFirstName, toColon, toEnd] = [0, 1, 2, 3, 4, 5];

/** Bytes per slice, between which other work gets a turn. A token is never split. */
const slice = 64 * 1_024;
/**
 * An incomplete token up to this length is re-read with the next piece. A longer string loses its text; a longer number
 * is invalid.
 */
const maxReread = 256;

/** Bytes that are plain string content: not a quote, an escape or a control character. */
const isText = new Uint8Array(256).fill(1, 0x20);
const isEscape = new Uint8Array(256);
const isDigit = new Uint8Array(256);
const isHex = new Uint8Array(256);
/** Bytes of numbers and literals. */
const isScalar = new Uint8Array(256);
for (const byte of Buffer.from('"\\')) isText[byte] = 0;
for (const byte of Buffer.from('"\\/bfnrtu')) isEscape[byte] = 1;
for (const byte of Buffer.from('0123456789')) isDigit[byte] = isHex[byte] = 1;
for (const byte of Buffer.from('abcdefABCDEF')) isHex[byte] = 1;
for (const byte of Buffer.from('0123456789+-.Eabcdefghijklmnopqrstuvwxyz')) isScalar[byte] = 1;
/** Four bytes in one number (SWAR): the lowest and the highest bit of each, and four times the same character. */
const lowBits = 0x01010101;
const highBits = 0x80808080;
const spaces = 0x20202020;
const quotes = 0x22222222;
const backslashes = 0x5c5c5c5c;
/** Literals, by their first byte. */
const words: (Buffer | undefined)[] = [];
for (const word of ['true', 'false', 'null'].map((each) => Buffer.from(each))) words[word[0] ?? 0] = word;
words.length = 256;

/**
 * A JSON tokenizer and validator (RFC 8259) that builds no values and does not recurse, so any depth and size is safe.
 * After a fault it continues as well as it can. The text is given as a whole or in pieces; positions are then relative
 * to the current piece.
 */
export class JsonTokens {
  #bytes: Uint8Array;
  #view: DataView;
  readonly #isWhole: boolean;
  #at = 0;
  /** End of the slice. */
  #sliceEnd = Infinity;
  /** Where an unfinished string continues. */
  #resume = 0;
  #isInString = false;
  #level = 0;
  #expected = toValue;
  /** One bit per level: whether its container is an object. Compact, because every byte of a text may open a level. */
  #objects = new Uint32Array(4);
  kind = scalar;
  start = 0;
  end = 0;
  /** Open containers. A token that opens or closes a container counts as inside it. */
  depth = 0;
  isName = false;
  /** Number of values, slightly overestimated: the memory of the parsed text grows with it. */
  nodes = 1;
  /** The deepest level so far. */
  deepest = 0;
  /** Where the text stops being JSON; -1: no fault so far. */
  fault = -1;

  /** `bytes`: the whole text; omit it to pass pieces to `feed`. */
  constructor(bytes?: Uint8Array) {
    this.#isWhole = bytes !== undefined;
    this.#bytes = bytes ?? new Uint8Array();
    this.#view = viewOf(this.#bytes);
  }

  /** Adds the next piece, after `next` has consumed the previous one. */
  feed(piece: Uint8Array): void {
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece]);
    this.#view = viewOf(this.#bytes);
    this.#at = 0;
  }

  /** Begins a slice, at whose end `next` returns false. False: there is no more text. */
  beginSlice(): boolean {
    this.#sliceEnd = this.#at + slice;
    return this.#at < this.#bytes.length;
  }

  /** Whether the text is one JSON value. Valid after it was read to the end. */
  get isJson(): boolean {
    return this.fault < 0 && this.#expected === toEnd && this.#level === 0;
  }

  /**
   * Advances to the next token that is at most `maxDepth` levels deep; deeper ones are only validated. False: there is
   * none, or it is incomplete.
   */
  next(maxDepth = Infinity): boolean {
    const bytes = this.#bytes;
    const length = Math.min(bytes.length, this.#sliceEnd);
    let objects = this.#objects;
    const isWhole = this.#isWhole;
    let at = this.#at;
    let level = this.#level;
    let expected = this.#expected;
    let depth = level;
    if (this.#isInString) {
      at = this.#endString(at);
      if (at < 0) return false;
      expected = this.isName ? toColon : toEnd;
      this.#isInString = false;
      if (level <= maxDepth) return this.#emit(quote, at, at, level, level, expected);
    }
    for (; at < length;) {
      const start = at;
      let kind = bytes[at] ?? 0;
      at += 1;
      switch (kind) {
        case space:
        case lineFeed:
        case carriageReturn:
        case tab:
          continue;
        case quote: {
          const isName = expected === toName || expected === toFirstName;
          if (!isName && expected > toFirstValue) this.#markFault(start);
          this.isName = isName;
          at = this.#endString(at);
          if (at < 0) return this.#suspend(start, level, expected);
          depth = level;
          expected = isName ? toColon : toEnd;
          break;
        }
        case comma:
          this.nodes += 1;
          if (expected !== toEnd || level < 1) this.#markFault(start);
          depth = level;
          expected = isSet(objects, level) ? toName : toValue;
          break;
        case colon:
          if (expected !== toColon) this.#markFault(start);
          depth = level;
          expected = toValue;
          break;
        case openObject:
        case openArray:
          this.nodes += 1;
          if (expected > toFirstValue) this.#markFault(start);
          depth = level += 1;
          if (level > this.deepest) this.deepest = level;
          if (level >> 5 >= objects.length) objects = this.#growObjects();
          setBit(objects, level, kind === openObject);
          expected = kind === openObject ? toFirstName : toFirstValue;
          break;
        case closeObject:
        case closeArray: {
          const isOpen = level > 0 && isSet(objects, level) === (kind === closeObject);
          const first = kind === closeObject ? toFirstName : toFirstValue;
          if (!isOpen || (expected !== toEnd && expected !== first)) this.#markFault(start);
          depth = level;
          level -= 1;
          expected = toEnd;
          break;
        }
        default:
          if (!isWhole && this.#mayContinue(start)) return this.#suspend(start, level, expected);
          if (expected > toFirstValue) this.#markFault(start);
          at = this.#endOfScalar(start);
          depth = level;
          expected = toEnd;
          kind = scalar;
      }
      if (depth <= maxDepth) return this.#emit(kind, start, at, depth, level, expected);
    }
    this.#at = at;
    this.#level = level;
    this.#expected = expected;
    if (this.#isWhole && at >= bytes.length && !this.isJson) this.#markFault(bytes.length);
    return false;
  }

  #growObjects(): Uint32Array<ArrayBuffer> {
    const grown = new Uint32Array(2 * this.#objects.length);
    grown.set(this.#objects);
    return (this.#objects = grown);
  }

  #emit(kind: number, start: number, end: number, depth: number, level: number, expected: number): true {
    this.kind = kind;
    this.start = start;
    this.end = this.#at = end;
    this.depth = depth;
    this.#level = level;
    this.#expected = expected;
    return true;
  }

  /** Stops at an incomplete token. A short one is re-read with the next piece. */
  #suspend(start: number, level: number, expected: number): false {
    this.#at = this.#isInString ? this.#resume : start;
    this.#level = level;
    this.#expected = expected;
    return false;
  }

  /** The unescaped string, or the raw one if its escapes are invalid; '' if it is longer than `maxBytes`. */
  text(maxBytes: number): string {
    if (this.end - this.start - 2 > maxBytes) return '';
    const raw = textOf(this.#bytes, this.start + 1, this.end - 1);
    if (!raw.includes('\\')) return raw;
    try {
      return String(JSON.parse(`"${raw}"`));
    } catch {
      return raw;
    }
  }

  /** The raw token, without quotes. */
  get raw(): string {
    const edge = this.kind === quote ? 1 : 0;
    return textOf(this.#bytes, this.start + edge, this.end - edge);
  }

  #markFault(at: number): void {
    if (this.fault < 0) this.fault = at;
  }

  /** Position after a string; -1 if the string is incomplete. */
  #endString(from: number): number {
    const end = this.#endOfString(from);
    if (end >= 0) return end;
    if (this.#isWhole) return this.#bytes.length;
    if (this.#isInString) this.#at = this.#resume;
    else this.#isInString = this.#bytes.length - from > maxReread;
    return -1;
  }

  /** Position after the closing quote; -1 if there is none. */
  #endOfString(start: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    for (let at = this.#endOfText(start); at < length; at = this.#endOfText(at)) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte !== backslash) {
        this.#markFault(at);
        at += 1;
        continue;
      }
      const escaped = bytes[at + 1] ?? 0;
      if (!this.#isWhole && at + (escaped === letterU ? 6 : 2) > length) {
        this.#resume = at;
        return -1;
      }
      if (isEscape[escaped] === 0 || (escaped === letterU && this.#skip(isHex, at + 2, 4) < at + 6))
        this.#markFault(at);
      at += 2;
    }
    this.#resume = length;
    if (this.#isWhole) this.#markFault(length);
    return -1;
  }

  /**
   * Position of the first byte that is not plain string content. Long messages are mostly that: scanning four bytes at
   * a time takes less than half the time, even if every line ends with an escape.
   */
  #endOfText(start: number): number {
    const view = this.#view;
    const last = view.byteLength - 4;
    let at = start;
    for (; at <= last; at += 4) {
      const four = view.getInt32(at, true);
      // Sets the highest bit of each byte that is below a space, a quote or a backslash. Only the first one is
      // reliable.
      const found = (((four - spaces) & ~four) | zeros(four ^ quotes) | zeros(four ^ backslashes)) & highBits;
      if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
    }
    return this.#skip(isText, at);
  }

  /** Whether the number or literal may continue in the next piece. */
  #mayContinue(at: number): boolean {
    const { length } = this.#bytes;
    return length - at <= maxReread && this.#skip(isScalar, at) === length;
  }

  #endOfScalar(at: number): number {
    const word = words[this.#bytes[at] ?? 0];
    const end = word ? this.#endOfWord(word, at) : this.#endOfNumber(at);
    if (end === at) this.#markFault(at);
    return Math.max(end, at + 1);
  }

  /** `start` if it is not this literal. */
  #endOfWord(word: Buffer, start: number): number {
    return word.every((byte, index) => byte === this.#bytes[start + index]) ? start + word.length : start;
  }

  /** `start` if there is no number. Bytes after its end fail as the next token. */
  #endOfNumber(start: number): number {
    const bytes = this.#bytes;
    const first = bytes[start] === minus ? start + 1 : start;
    let end = bytes[first] === zero ? first + 1 : this.#skip(isDigit, first);
    if (end === first) return start;
    if (bytes[end] === point) {
      const fraction = this.#skip(isDigit, end + 1);
      if (fraction === end + 1) return end;
      end = fraction;
    }
    if (((bytes[end] ?? 0) | lowercaseBit) !== letterE) return end;
    const sign = bytes[end + 1];
    const exponent = end + (sign === plus || sign === minus ? 2 : 1);
    const last = this.#skip(isDigit, exponent);
    return last === exponent ? end : last;
  }

  #skip(kind: Uint8Array, start: number, maxBytes = Infinity): number {
    let at = start;
    while (at - start < maxBytes && kind[this.#bytes[at] ?? 0] === 1) at += 1;
    return at;
  }
}

/** False for level 0 and beyond. */
function isSet(bits: Uint32Array, at: number): boolean {
  return (((bits[at >> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}

function setBit(bits: Uint32Array, at: number, value: boolean): void {
  if (at <= 0) return;
  const mask = 1 << (at & 31);
  bits[at >> 5] = value ? (bits[at >> 5] ?? 0) | mask : (bits[at >> 5] ?? 0) & ~mask;
}

/** Sets the highest bit of each of the four bytes that is 0. */
function zeros(four: number): number {
  return (four - lowBits) & ~four;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start, end);
}
