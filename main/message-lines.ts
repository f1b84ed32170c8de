import { grownBuffer } from './grown-buffer.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A line, or that one was longer than it may be; of that its beginning. */
export interface Line {
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** Bytes that are kept of a line that is too long: enough to find the id of its message. */
const beginning = 64 * 1_024;

/**
 * Cuts what arrives into lines, of at most `limit` bytes; what is longer is read away and told of. What has come of a
 * line stands in one place: a program that writes byte by byte costs no more than its bytes.
 */
export class MessageLines {
  readonly #limit: number;
  #begun = Buffer.alloc(0);
  #kept = 0;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of the line that has not ended yet. */
  get length(): number {
    return this.#length;
  }

  /** The lines that end in `chunk`, without their ends. Empty ones are nothing. */
  *take(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = this.#end(chunk.subarray(start, end));
      start = end + 1;
      if (line.bytes.byteLength > 0) yield line;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    const isTooLong = this.#length > this.#limit;
    this.#length += piece.byteLength;
    if (isTooLong || piece.byteLength === 0) return;
    const kept = this.#kept + piece.byteLength;
    if (kept > this.#begun.byteLength) {
      this.#begun = grownBuffer(this.#begun, Math.max(kept, Math.min(2 * this.#begun.byteLength, this.#limit)));
    }
    piece.copy(this.#begun, this.#kept);
    this.#kept = kept;
    if (this.#length > this.#limit) this.#keepBeginning();
  }

  #keepBeginning(): void {
    this.#kept = Math.min(this.#kept, beginning);
    this.#begun = Buffer.from(this.#begun.subarray(0, this.#kept));
  }

  #end(last: Buffer): Line {
    // Most lines are whole in what has come.
    if (this.#length === 0 && last.byteLength <= this.#limit) return { bytes: withoutReturn(last), isTooLong: false };
    this.#add(last);
    const line = {
      bytes: withoutReturn(this.#begun.subarray(0, this.#kept)),
      isTooLong: this.#length > this.#limit,
    };
    this.#begun = Buffer.alloc(0);
    this.#kept = 0;
    this.#length = 0;
    return line;
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}

/** Follows a stream of events as it passes: whether something can be put in without breaking one (WHATWG HTML 9.2.6). */
export class BetweenEvents {
  #end = '';

  /** Whether all that has passed is whole. */
  get is(): boolean {
    return this.#end === '' || /\n\n$|[\n\r]\r\n?$/u.test(this.#end);
  }

  pass(chunk: Uint8Array): void {
    // An empty line is no longer than that.
    this.#end = (this.#end + String.fromCharCode(...chunk.subarray(-3))).slice(-3);
  }
}
