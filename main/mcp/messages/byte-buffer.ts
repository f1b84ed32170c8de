/** Smaller pieces are put together as they come: one that is kept as it is costs more than its bytes. */
const blockBytes = 2 * 1_024;

/** Bytes that come in pieces. Large pieces stay as they are until somebody wants all bytes in one place. */
export class ByteBuffer {
  #pieces: Uint8Array[] = [];
  /** What comes next is put here, as far as there is room. */
  #block: Buffer;
  #used = 0;
  #length = 0;

  /** `room`: bytes that are expected. */
  constructor(room = 0) {
    this.#block = Buffer.allocUnsafe(room);
  }

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    this.#length += piece.byteLength;
    if (piece.byteLength > this.#block.byteLength - this.#used) {
      this.#endBlock();
      if (piece.byteLength >= blockBytes) return void this.#pieces.push(piece);
      this.#block = Buffer.allocUnsafe(blockBytes);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.byteLength;
  }

  /** All that has come, and begins anew. The bytes are the caller's. */
  take(): Buffer {
    this.#endBlock();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    const [first] = pieces;
    if (first === undefined || pieces.length > 1) return Buffer.concat(pieces);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  #endBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
