/**
 * What stands in the envelope of one message. Of two members of one name the last counts, as with `JSON.parse`.
 * @typedef {object} Envelope
 * @property {string | undefined} id as it was written: a number keeps every digit
 * @property {string | undefined} key equal for ids that are equal, however a string of them was escaped
 * @property {string | undefined} method
 * @property {boolean} isAnswer it has an id, and a result or an error in place of a method
 * @property {boolean} isUnclear whoever reads it answers with the id null, as to what is no message (JSON-RPC 2.0 section 5)
 */

/** Bytes of an id or name that are kept; a longer one is as good as none. */
const longestText = 4_096;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace] = [0x7b, 0x7d];
/** Bytes of a string that are more than its text: its end, and what an escape begins with. */
const isSpecial = new Uint8Array(256);
isSpecial[quote] = isSpecial[backslash] = 1;
/** What a byte outside of strings does to the depth; a quote stands out too. */
const steps = new Int8Array(256);
steps[openBrace] = steps[openBrace ^ 0x20] = 1;
steps[closeBrace] = steps[closeBrace ^ 0x20] = -1;
steps[quote] = 2;
/** Makes a brace of a bracket. */
const asBrace = 0x20;

/**
 * Reads the envelope of a message while its bytes pass, in pieces of any size. It keeps nothing but `id` and `method`,
 * and checks nothing: text that is not JSON has an envelope without meaning.
 */
export class EnvelopeScanner {
  /** @type {Envelope} */
  #envelope = emptyEnvelope();
  /** Containers that are open; 1 is the message itself. */
  #depth = 0;
  #isObject = false;
  #inString = false;
  #escaped = false;
  #expectsName = false;
  /** The member of the message that is being read. */
  #name = '';
  #hasId = false;
  #hasOutcome = false;
  /** @type {number[] | undefined} Bytes of what is kept. */
  #kept;

  /**
   * @param {Uint8Array} bytes of one message, without its line end
   * @param {number} from
   * @param {number} to
   */
  feed(bytes, from, to) {
    let at = from;
    while (at < to) {
      if (this.#inString) at = this.#readString(bytes, at, to);
      else if (this.#depth > 1) at = this.#readDeep(bytes, at, to);
      else this.#readToken(/** @type {number} */ (bytes[at++]));
    }
  }

  /** The envelope of the message that ends here; the next byte begins another. @returns {Envelope} */
  take() {
    const envelope = this.#envelope;
    const { id, method } = envelope;
    const isBroken = this.#depth !== 0 || this.#inString || this.#hasId;
    envelope.isAnswer = id !== undefined && method === undefined && this.#hasOutcome;
    envelope.isUnclear = id === undefined && (method === undefined || isBroken);
    this.#envelope = emptyEnvelope();
    this.#depth = 0;
    this.#hasId = this.#hasOutcome = false;
    this.#isObject = this.#inString = this.#escaped = this.#expectsName = false;
    this.#name = '';
    this.#kept = undefined;
    return envelope;
  }

  /** @param {Uint8Array} bytes @param {number} from @param {number} to @returns {number} */
  #readString(bytes, from, to) {
    const kept = this.#kept;
    // Almost all of a long message is text that nobody asks for.
    if (kept === undefined) {
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
      if (kept.length <= longestText) kept.push(byte);
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

  /** What lies deeper than the envelope. @param {Uint8Array} bytes @param {number} from @param {number} to */
  #readDeep(bytes, from, to) {
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
      if (this.#isObject && (this.#expectsName || this.#isWanted())) this.#kept = [byte];
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
    } else if (this.#isWanted()) {
      this.#kept ??= [];
      if (this.#kept.length <= longestText) this.#kept.push(byte);
    }
  }

  #isWanted() {
    return !this.#expectsName && (this.#name === 'id' || this.#name === 'method');
  }

  #endString() {
    if (!this.#expectsName || this.#kept === undefined) return this.#endValue();
    this.#name = decode(this.#kept);
    this.#kept = undefined;
    if (this.#name === 'id') this.#hasId = true;
    if (this.#name === 'id') this.#envelope.id = this.#envelope.key = undefined;
    if (this.#name === 'result' || this.#name === 'error') this.#hasOutcome = true;
    if (this.#name === 'method') this.#envelope.method = undefined;
  }

  #endValue() {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined || kept.length > longestText) return;
    const isString = kept[0] === quote;
    if (this.#name === 'method') {
      if (isString) this.#envelope.method = decode(kept);
      return;
    }
    const raw = Buffer.from(kept).toString();
    if (isString || /^[-0-9]/u.test(raw)) {
      this.#envelope.id = raw;
      this.#envelope.key = isString ? `"${decode(kept)}` : raw;
    }
  }
}

/**
 * Where the quote stands that ends a string; `to` where there is none, one more where an escape begins with the last
 * byte.
 * @param {Uint8Array} bytes @param {number} from @param {number} to @returns {number}
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
  return { id: undefined, key: undefined, method: undefined, isAnswer: false, isUnclear: true };
}

/** What a JSON string says. @param {readonly number[]} bytes with its quotes @returns {string} */
function decode(bytes) {
  const raw = Buffer.from(bytes).toString();
  if (!bytes.includes(backslash)) return raw.slice(1, -1);
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
