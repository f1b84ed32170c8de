import type { CallOutcome } from './call-log.ts';

const [quote, backslash, comma, colon, letterN] = [0x22, 0x5c, 0x2c, 0x3a, 0x6e];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Turns a bracket into a brace. */
const asBrace = 0x20;
/** Bytes of a name or of a plain value that are kept; nothing that is asked for is longer. */
const longest = 128;
const short = 32;

/**
 * How a call went, of an answer whose bytes pass in pieces of any size: it looks at the members of the message and of
 * its result or error, and holds no more than a name. Of two members of one name the last counts, as with `JSON.parse`.
 */
export class OutcomeScanner {
  readonly #isCall: boolean;
  /** Open containers; 1 is the message itself. */
  #depth = 0;
  /** Whether the message, and the container in it, is an object. */
  #isObject: [boolean, boolean] = [false, false];
  /** The members that are being read: of the message, and of the object in it. */
  #names: [string, string] = ['', ''];
  #expectsName = false;
  #inString = false;
  #isEscaped = false;
  #kept: string | undefined;
  #isWhole = false;
  #hasResult = false;
  #hasError = false;
  #isError = false;
  #code = '';

  constructor(method: string) {
    this.#isCall = method === 'tools/call';
  }

  feed(bytes: Buffer, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (this.#inString) at = this.#readString(bytes, at, to);
      else if (this.#depth > 2) at = this.#readDeep(bytes, at, to);
      else this.#readByte(bytes[at++] ?? 0);
    }
  }

  /** How the message that ends here says that it went; `undefined`: it is no answer. The next byte begins another. */
  take(): CallOutcome | undefined {
    const outcome = this.#isWhole ? this.#outcome() : undefined;
    this.#depth = 0;
    this.#isObject = [false, false];
    this.#names = ['', ''];
    this.#expectsName = this.#inString = this.#isEscaped = this.#isWhole = false;
    this.#kept = undefined;
    this.#hasResult = this.#hasError = this.#isError = false;
    this.#code = '';
    return outcome;
  }

  #outcome(): CallOutcome | undefined {
    if (this.#hasError) return Number.isSafeInteger(Number(this.#code || NaN)) ? `${Number(this.#code)}` : 'MCP_FAILED';
    if (!this.#hasResult) return undefined;
    return this.#isCall && this.#isError ? 'toolError' : 'ok';
  }

  #readString(bytes: Buffer, from: number, to: number): number {
    let at = this.#kept === undefined ? this.#readShort(bytes, from, to) : from;
    if (at === to || !this.#inString) return at;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#keep(bytes, at, at + 1);
      at += 1;
    }
    while (at < to) {
      const found = bytes.indexOf(quote, at);
      const end = found < 0 || found >= to ? to : found;
      let slashes = 0;
      while (end - slashes > at && bytes[end - slashes - 1] === backslash) slashes += 1;
      const isEscaped = slashes % 2 === 1;
      this.#keep(bytes, at, end === to ? end : end + 1);
      if (end === to) {
        this.#isEscaped = isEscaped;
        return to;
      }
      at = end + 1;
      if (isEscaped) continue;
      this.#inString = false;
      this.#endString();
      return at;
    }
    return to;
  }

  /** The beginning of a string that nobody asks for, which is all of most: a search costs more than a few bytes. */
  #readShort(bytes: Buffer, from: number, to: number): number {
    let isEscaped = this.#isEscaped;
    const end = Math.min(to, from + short);
    let at = from;
    for (; at < end && this.#inString; at += 1) {
      const byte = bytes[at] ?? 0;
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) this.#inString = false;
    }
    this.#isEscaped = isEscaped;
    return at;
  }

  /** What lies deeper than the members of a result. */
  #readDeep(bytes: Buffer, from: number, to: number): number {
    let depth = this.#depth;
    let at = from;
    for (; at < to && depth > 2 && !this.#inString; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) this.#inString = true;
      else if ((byte | asBrace) === openBrace) depth += 1;
      else if ((byte | asBrace) === closeBrace) depth -= 1;
    }
    if (depth === 2) this.#expectsName = false;
    this.#depth = depth;
    return at;
  }

  #readByte(byte: number): void {
    switch (byte) {
      case quote:
        this.#inString = true;
        if (this.#expectsName && this.#depth <= 2) this.#kept = '"';
        return;
      case openBrace:
      case openBracket:
        return this.#open(byte === openBrace);
      case closeBrace:
      case closeBracket:
        this.#endValue();
        if (this.#depth === 0) return;
        this.#depth -= 1;
        this.#expectsName = false;
        this.#isWhole = this.#depth === 0 && this.#isObject[0];
        return;
      case comma:
        this.#endValue();
        this.#expectsName = this.#depth > 0 && this.#depth <= 2 && this.#isObject[this.#depth - 1] === true;
        return;
      case colon:
        this.#expectsName = false;
        return;
      default:
        if (byte <= 0x20) return this.#endValue();
        // An error that is null is none.
        if (this.#depth === 1 && byte === letterN && this.#names[0] === 'error') this.#hasError = false;
        if (this.#depth !== 2 || this.#expectsName) return;
        this.#kept ??= '';
        if (this.#kept.length < longest) this.#kept += String.fromCharCode(byte);
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth <= 1) this.#isObject[this.#depth as 0 | 1] = isObject;
    this.#depth += 1;
    this.#expectsName = isObject && this.#depth <= 2;
    if (this.#depth <= 2) this.#names[(this.#depth - 1) as 0 | 1] = '';
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    if (this.#kept === undefined || this.#kept.length >= longest) return;
    this.#kept += bytes.toString('latin1', from, Math.min(to, from + longest));
  }

  #endString(): void {
    const written = this.#kept;
    this.#kept = undefined;
    if (written === undefined) return;
    const name = decode(written);
    this.#names[(this.#depth - 1) as 0 | 1] = name;
    if (this.#depth === 1) {
      if (name === 'result') [this.#hasResult, this.#isError] = [true, false];
      if (name === 'error') [this.#hasError, this.#code] = [true, ''];
    } else if (name === 'isError' && this.#names[0] === 'result') this.#isError = false;
    else if (name === 'code' && this.#names[0] === 'error') this.#code = '';
  }

  #endValue(): void {
    const value = this.#kept;
    this.#kept = undefined;
    if (value === undefined || this.#depth !== 2 || !this.#isObject[1]) return;
    const [outer, inner] = this.#names;
    if (outer === 'result' && inner === 'isError') this.#isError = value === 'true';
    if (outer === 'error' && inner === 'code') this.#code = value;
  }
}

/** What a JSON string says. */
function decode(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    return '';
  }
}
