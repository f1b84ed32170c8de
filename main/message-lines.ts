const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A line. If it is too long, `bytes` is only its beginning. */
export interface Line {
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** Bytes retained of a line that is too long: enough to find the id of the message. */
const retainedBytes = 64 * 1_024;

/**
 * Splits a byte stream into lines of at most `limit` bytes. Longer lines are drained and reported. An incomplete line
 * is in one buffer, so that a peer that writes byte by byte costs no more memory than its bytes.
 */
export class MessageLines {
  readonly #limit: number;
  #partial = Buffer.alloc(0);
  #filled = 0;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of the incomplete line. */
  get length(): number {
    return this.#length;
  }

  /** The lines that end in `chunk`, without line ends. Empty lines are skipped. */
  *feed(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
      if (line.bytes.byteLength > 0) yield line;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    const isTooLong = this.#length > this.#limit;
    this.#length += piece.byteLength;
    if (isTooLong || piece.byteLength === 0) return;
    const filled = this.#filled + piece.byteLength;
    if (filled > this.#partial.byteLength) {
      this.#partial = growBuffer(this.#partial, Math.max(filled, Math.min(2 * this.#partial.byteLength, this.#limit)));
    }
    piece.copy(this.#partial, this.#filled);
    this.#filled = filled;
    if (this.#length > this.#limit) this.#truncate();
  }

  #truncate(): void {
    this.#filled = Math.min(this.#filled, retainedBytes);
    this.#partial = Buffer.from(this.#partial.subarray(0, this.#filled));
  }

  #finishLine(last: Buffer): Line {
    // Fast path: most lines arrive in one chunk.
    if (this.#length === 0 && last.byteLength <= this.#limit) return { bytes: withoutReturn(last), isTooLong: false };
    this.#add(last);
    const line = {
      bytes: withoutReturn(this.#partial.subarray(0, this.#filled)),
      isTooLong: this.#length > this.#limit,
    };
    this.#partial = Buffer.alloc(0);
    this.#filled = 0;
    this.#length = 0;
    return line;
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}

/** Watches an SSE stream pass, to insert a comment only between two events (WHATWG HTML 9.2.6). */
export class EventBoundary {
  #tail = '';

  /** True if the last event is complete. */
  get isReached(): boolean {
    return this.#tail === '' || /\n\n$|[\n\r]\r\n?$/u.test(this.#tail);
  }

  feed(chunk: Uint8Array): void {
    // Three characters are enough to recognize an empty line.
    this.#tail = (this.#tail + String.fromCharCode(...chunk.subarray(-3))).slice(-3);
  }
}

/**
 * Copies `bytes` to a buffer of `capacity` bytes, and frees the old memory now instead of at the next garbage
 * collection. No other code may hold a reference to the old buffer.
 */
export function growBuffer(bytes: Buffer, capacity: number): Buffer<ArrayBuffer> {
  // Not zero-filled: untouched pages use no memory.
  const grown = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(grown, 0, 0, capacity);
  const memory = bytes.buffer;
  // Small buffers share one ArrayBuffer, which must not be freed.
  if (memory instanceof ArrayBuffer && memory.byteLength === bytes.byteLength) memory.transfer(0);
  return grown;
}
