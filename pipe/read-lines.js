import { EnvelopeScanner } from './scan-envelope.js';

/** @import { Envelope } from './scan-envelope.js' */

/**
 * Receives lines: whole with their line end, or in parts if they are longer than `limit()` bytes, so that a
 * message of many MB is never held in memory.
 * @typedef {object} LineSink
 * @property {() => number} limit
 * @property {(line: Buffer, envelope: Envelope) => void} whole
 * @property {(part: Buffer) => void} part
 * @property {(part: Buffer, envelope: Envelope) => void} end the last part
 */

const lineFeed = 0x0a;

/** Splits a byte stream into lines and reads each line's envelope. */
export class LineReader {
  #scanner = new EnvelopeScanner();
  #sink;
  /** @type {Buffer[]} */
  #pending = [];
  #pendingBytes = 0;
  #isLong = false;

  /** @param {LineSink} sink */
  constructor(sink) {
    this.#sink = sink;
  }

  /** Bytes of an incomplete line. */
  get pendingBytes() {
    return this.#pendingBytes;
  }

  /** Whether parts of a line were passed on and the last one is still to come. */
  get isMidLongLine() {
    return this.#isLong;
  }

  /** @param {Buffer} chunk */
  push(chunk) {
    for (let from = 0; from < chunk.length;) {
      const found = chunk.indexOf(lineFeed, from);
      const to = found === -1 ? chunk.length : found + 1;
      this.#scanner.feed(chunk, from, found === -1 ? to : found);
      const piece = chunk.subarray(from, to);
      from = to;
      if (found === -1) this.#store(piece);
      else this.#end(piece);
    }
  }

  /** @param {Buffer} piece */
  #store(piece) {
    if (this.#isLong) return this.#sink.part(piece);
    if (this.#pendingBytes + piece.length <= this.#sink.limit()) {
      this.#pendingBytes += piece.length;
      // Copied, since the chunk's memory is reused.
      this.#pending.push(Buffer.from(piece));
      return;
    }
    this.#isLong = true;
    if (this.#pendingBytes > 0) this.#sink.part(this.#release());
    this.#sink.part(piece);
  }

  /** @param {Buffer} piece */
  #end(piece) {
    const envelope = this.#scanner.finish();
    if (this.#isLong) {
      this.#isLong = false;
      this.#sink.end(piece, envelope);
    } else {
      this.#pending.push(piece);
      this.#sink.whole(this.#release(), envelope);
    }
  }

  #release() {
    const [first = Buffer.alloc(0)] = this.#pending;
    const bytes = this.#pending.length === 1 ? first : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return bytes;
  }
}
