/**
 * The envelope of one message. If a member appears twice, the last one counts, as with `JSON.parse`.
 * @typedef {object} Envelope
 * @property {string | undefined} id as written: a number keeps every digit
 * @property {string | undefined} key equal for equal ids, however a string was escaped
 * @property {string | undefined} method
 * @property {boolean} isResponse it has an id, and a result or error instead of a method
 * @property {boolean} isInvalid the receiver answers it with a null id, as it does a line that is not a message
 * (JSON-RPC 2.0 section 5)
 */

/** Bytes of an id or name that are stored; a longer one is ignored. */
const maxTextBytes = 4_096;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace] = [0x7b, 0x7d];
/** Bytes of a string that are not plain text: its end, and the start of an escape. */
const isSpecial = new Uint8Array(256);
isSpecial[quote] = isSpecial[backslash] = 1;
/** How a byte outside of strings changes the depth; quotes are marked too. */
const steps = new Int8Array(256);
steps[openBrace] = steps[openBrace ^ 0x20] = 1;
steps[closeBrace] = steps[closeBrace ^ 0x20] = -1;
steps[quote] = 2;
/** Turns a bracket into a brace. */
const asBrace = 0x20;

/**
 * Reads the envelope of a message as its bytes pass, in chunks of any size. Stores only `id` and `method` and validates
 * nothing: the envelope of text that is not JSON is meaningless.
 */
export class EnvelopeScanner {
  /** @type {Envelope} */
  #envelope = emptyEnvelope();
  /** Open containers; 1 is the message itself. */
  #depth = 0;
  #isObject = false;
  #inString = false;
  #escaped = false;
  #expectsName = false;
  /** The current member of the message. */
  #name = '';
  #hasId = false;
  #hasOutcome = false;
  /** @type {number[] | undefined} Stored bytes. */
  #stored;

  /**
   * @param {Uint8Array} bytes of one message, without its line end
   * @param {number} from
   * @param {number} to
   */
  feed(bytes, from, to) {
    let at = from;
    while (at < to) {
      if (this.#inString) at = this.#readString(bytes, at, to);
      else if (this.#depth > 1) at = this.#skipNested(bytes, at, to);
      else this.#readToken(/** @type {number} */ (bytes[at++]));
    }
  }

  /**
   * Returns the envelope of the message that ends here; the next byte begins another.
   * @returns {Envelope}
   */
  finish() {
    const envelope = this.#envelope;
    const { id, method } = envelope;
    const isBroken = this.#depth !== 0 || this.#inString || this.#hasId;
    envelope.isResponse = id !== undefined && method === undefined && this.#hasOutcome;
    envelope.isInvalid = id === undefined && (method === undefined || isBroken);
    this.#envelope = emptyEnvelope();
    this.#depth = 0;
    this.#hasId = this.#hasOutcome = false;
    this.#isObject = this.#inString = this.#escaped = this.#expectsName = false;
    this.#name = '';
    this.#stored = undefined;
    return envelope;
  }

  /** @param {Uint8Array} bytes @param {number} from @param {number} to @returns {number} */
  #readString(bytes, from, to) {
    const stored = this.#stored;
    // Almost all of a long message is text that is skipped.
    if (stored === undefined) {
      const end = endOfString(bytes, this.#escaped ? from + 1 : from, to);
      this.#escaped = end > to;
      if (end >= to) return to;
      this.#inString = false;
      this.#endString();
      return end + 1;
    }
    let escaped = this.#escaped;
    for (let at = from; at < to; at += 1) {
      const byte = /** @type {number} */ (bytes[at]);
      if (stored.length <= maxTextBytes) stored.push(byte);
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) {
        this.#escaped = this.#inString = false;
        this.#endString();
        return at + 1;
      }
    }
    this.#escaped = escaped;
    return to;
  }

  /**
   * Skips what is nested deeper than the envelope.
   * @param {Uint8Array} bytes
   * @param {number} from
   * @param {number} to
   */
  #skipNested(bytes, from, to) {
    let depth = this.#depth;
    let at = from;
    while (at < to && depth > 1) {
      const byte = /** @type {number} */ (bytes[at]);
      at += 1;
      const step = steps[byte];
      if (step === 0) continue;
      if (byte !== quote) depth += /** @type {number} */ (step);
      else {
        at = endOfString(bytes, at, to);
        if (at < to) at += 1;
        else {
          this.#inString = true;
          this.#escaped = at > to;
          at = to;
        }
      }
    }
    this.#depth = depth;
    return at;
  }

  /** @param {number} byte */
  #readToken(byte) {
    if (byte === quote) {
      this.#inString = true;
      if (this.#isObject && (this.#expectsName || this.#isStoredMember())) this.#stored = [byte];
    } else if ((byte | asBrace) === openBrace) {
      if (this.#depth === 0) this.#isObject = this.#expectsName = byte === openBrace;
      this.#depth += 1;
    } else if ((byte | asBrace) === closeBrace) {
      this.#endValue();
      this.#depth -= 1;
    } else if (byte === comma) {
      this.#endValue();
      this.#expectsName = true;
    } else if (byte === colon) {
      this.#expectsName = false;
    } else if (byte <= 0x20) {
      this.#endValue();
    } else if (this.#isStoredMember()) {
      this.#stored ??= [];
      if (this.#stored.length <= maxTextBytes) this.#stored.push(byte);
    }
  }

  #isStoredMember() {
    return !this.#expectsName && (this.#name === 'id' || this.#name === 'method');
  }

  #endString() {
    if (!this.#expectsName || this.#stored === undefined) return this.#endValue();
    this.#name = decode(this.#stored);
    this.#stored = undefined;
    if (this.#name === 'id') this.#hasId = true;
    if (this.#name === 'id') this.#envelope.id = this.#envelope.key = undefined;
    if (this.#name === 'result' || this.#name === 'error') this.#hasOutcome = true;
    if (this.#name === 'method') this.#envelope.method = undefined;
  }

  #endValue() {
    const stored = this.#stored;
    this.#stored = undefined;
    if (stored === undefined || stored.length > maxTextBytes) return;
    const isString = stored[0] === quote;
    if (this.#name === 'method') {
      if (isString) this.#envelope.method = decode(stored);
      return;
    }
    const raw = Buffer.from(stored).toString();
    if (isString || /^[-0-9]/u.test(raw)) {
      this.#envelope.id = raw;
      this.#envelope.key = isString ? `"${decode(stored)}` : raw;
    }
  }
}

/**
 * Position of the quote that ends a string; `to` if there is none, one more if an escape starts at the last byte.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 * @returns {number}
 */
function endOfString(bytes, from, to) {
  let at = from;
  while (at < to) {
    const byte = /** @type {number} */ (bytes[at]);
    if (isSpecial[byte] === 0) at += 1;
    else if (byte === quote) return at;
    else at += 2;
  }
  return at;
}

/** @returns {Envelope} */
function emptyEnvelope() {
  return { id: undefined, key: undefined, method: undefined, isResponse: false, isInvalid: true };
}

/**
 * Decodes a JSON string.
 * @param {readonly number[]} bytes with its quotes
 * @returns {string}
 */
function decode(bytes) {
  const raw = Buffer.from(bytes).toString();
  if (!bytes.includes(backslash)) return raw.slice(1, -1);
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
