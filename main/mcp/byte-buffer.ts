const firstRoom = 16 * 1_024;

/** Bytes that come in pieces, put together in one place. Its room is used again, so that many large messages cost one. */
export class ByteBuffer {
  #room: Buffer;
  #length = 0;

  constructor(room = firstRoom) {
    this.#room = Buffer.allocUnsafe(Math.max(room, firstRoom));
  }

  /** What has come; good until the next `append` or `clear`. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.byteLength;
    if (length > this.#room.byteLength) {
      const room = Buffer.allocUnsafe(Math.max(length, this.#room.byteLength * 2));
      this.#room.copy(room, 0, 0, this.#length);
      this.#room = room;
    }
    this.#room.set(piece, this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#length = 0;
  }
}
