const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A line, or that one was longer than it may be; of that its beginning. */
export interface Line {
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** Bytes that are kept of a line that is too long: enough to find the id of its message. */
const beginning = 64 * 1_024;

/** Cuts what arrives into lines, of at most `limit` bytes; what is longer is read away and told of. */
export class MessageLines {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #isTooLong = false;

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
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      const line = this.#end();
      if (line.bytes.byteLength > 0) yield line;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    this.#length += piece.byteLength;
    if (piece.byteLength === 0 || this.#isTooLong) return;
    this.#pieces.push(piece);
    if (this.#length <= this.#limit) return;
    this.#isTooLong = true;
    this.#pieces = [Buffer.from(Buffer.concat(this.#pieces).subarray(0, beginning))];
  }

  #end(): Line {
    const [only, ...more] = this.#pieces;
    let bytes = more.length === 0 ? (only ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces);
    if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1);
    const line = { bytes, isTooLong: this.#isTooLong };
    this.#pieces = [];
    this.#length = 0;
    this.#isTooLong = false;
    return line;
  }
}
