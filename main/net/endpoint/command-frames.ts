/**
 * Frames between a command and the Postern process that runs it, after the first line: one byte for the kind, four for
 * the payload length (big-endian), then the payload.
 */
const kinds = {
  /** `accepted` to the command: it can run here. `begin` from the command: go ahead. Nothing happens before that. */
  accepted: 0,
  begin: 11,
  /** To the command: its standard output and standard error. */
  out: 1,
  err: 2,
  /** To the command: its exit code, one byte. */
  exit: 3,
  /** To the command: start sending standard input; in raw mode, or line by line. */
  read: 4,
  keys: 5,
  lines: 6,
  /** From the command: its standard input, and the end of it. */
  input: 7,
  inputEnd: 8,
  /** From the command: the name of a signal. */
  signal: 9,
  /** From the command: the new width of its terminal, a decimal number. */
  columns: 10,
} as const;

export type FrameKind = keyof typeof kinds;

const names: ReadonlyMap<number, FrameKind> = new Map(
  Object.entries(kinds).map(([name, number]) => [number, name as FrameKind]),
);
const headerLength = 5;

export function encodeFrame(kind: FrameKind, bytes: Uint8Array | string = ''): Buffer {
  const payload = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const encoded = Buffer.allocUnsafe(headerLength + payload.byteLength);
  encoded[0] = kinds[kind];
  encoded.writeUInt32BE(payload.byteLength, 1);
  encoded.set(payload, headerLength);
  return encoded;
}

/** A frame, or a piece of one: `out`, `err` and `input` are passed on as they arrive. */
export interface FramePiece {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

/** Most bytes of a frame that is buffered. */
const maxBufferedLength = 1_024;

export class FrameReader {
  #header = Buffer.alloc(0);
  #kind: FrameKind | undefined;
  #remaining = 0;
  #buffered: Buffer[] = [];

  /** Errors: Error if the data is not a frame. */
  *read(chunk: Buffer): Generator<FramePiece> {
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (this.#kind === undefined) {
        const header = Buffer.concat([this.#header, rest.subarray(0, headerLength - this.#header.byteLength)]);
        rest = rest.subarray(header.byteLength - this.#header.byteLength);
        this.#header = header;
        if (header.byteLength < headerLength) return;
        this.#begin(header);
        if (this.#remaining > 0) continue;
      }
      const bytes = rest.subarray(0, this.#remaining);
      rest = rest.subarray(bytes.byteLength);
      this.#remaining -= bytes.byteLength;
      yield* this.#emit(bytes);
    }
  }

  #begin(header: Buffer): void {
    this.#kind = names.get(header[0] ?? 0xff);
    this.#remaining = header.readUInt32BE(1);
    this.#header = Buffer.alloc(0);
    if (this.#kind === undefined || (!isStreamed(this.#kind) && this.#remaining > maxBufferedLength))
      throw new Error('not a frame');
  }

  *#emit(bytes: Buffer): Generator<FramePiece> {
    const kind = this.#kind;
    if (kind === undefined) return;
    const isLast = this.#remaining === 0;
    if (isLast) this.#kind = undefined;
    if (isStreamed(kind)) {
      if (bytes.byteLength > 0) yield { kind, bytes };
      return;
    }
    this.#buffered.push(bytes);
    if (isLast) yield { kind, bytes: Buffer.concat(this.#buffered.splice(0)) };
  }
}

function isStreamed(kind: FrameKind): boolean {
  return kind === 'out' || kind === 'err' || kind === 'input';
}
