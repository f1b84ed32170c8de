/**
 * What a command and the Postern that runs it say to each other after the first line: a byte for the kind, four for the
 * length of what follows (big-endian), and that.
 */
const kinds = {
  /** To the command: it can run here; and its word that it waits for that. Before it nothing is done. */
  accepted: 0,
  begin: 11,
  /** To its standard output and standard error. */
  out: 1,
  err: 2,
  /** It has ended with this code, one byte. */
  exit: 3,
  /** To the command: its standard input is wanted from here on; line by line, or key by key. */
  read: 4,
  keys: 5,
  lines: 6,
  /** Of the command: its standard input, and the end of that. */
  input: 7,
  inputEnd: 8,
  /** The name of a signal. */
  signal: 9,
  /** The width of its terminal has changed: a decimal number. */
  columns: 10,
} as const;

export type FrameKind = keyof typeof kinds;

const names: ReadonlyMap<number, FrameKind> = new Map(
  Object.entries(kinds).map(([name, number]) => [number, name as FrameKind]),
);
const headerLength = 5;

export function frame(kind: FrameKind, bytes: Uint8Array | string = ''): Buffer {
  const payload = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const whole = Buffer.allocUnsafe(headerLength + payload.byteLength);
  whole[0] = kinds[kind];
  whole.writeUInt32BE(payload.byteLength, 1);
  whole.set(payload, headerLength);
  return whole;
}

/** A frame, or a piece of a long one: what `out`, `err` and `input` say is handed on as it comes. */
export interface FramePiece {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

/** Bytes of a frame that is taken whole. */
const longestWhole = 1_024;

export class FrameReader {
  #header = Buffer.alloc(0);
  #kind: FrameKind | undefined;
  #left = 0;
  #held: Buffer[] = [];

  /** Errors: Error where the other side speaks something else. */
  *take(chunk: Buffer): Generator<FramePiece> {
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (this.#kind === undefined) {
        const header = Buffer.concat([this.#header, rest.subarray(0, headerLength - this.#header.byteLength)]);
        rest = rest.subarray(header.byteLength - this.#header.byteLength);
        this.#header = header;
        if (header.byteLength < headerLength) return;
        this.#begin(header);
        if (this.#left > 0) continue;
      }
      const bytes = rest.subarray(0, this.#left);
      rest = rest.subarray(bytes.byteLength);
      this.#left -= bytes.byteLength;
      yield* this.#pass(bytes);
    }
  }

  #begin(header: Buffer): void {
    this.#kind = names.get(header[0] ?? 0xff);
    this.#left = header.readUInt32BE(1);
    this.#header = Buffer.alloc(0);
    if (this.#kind === undefined || (!isStreamed(this.#kind) && this.#left > longestWhole))
      throw new Error('not a frame');
  }

  *#pass(bytes: Buffer): Generator<FramePiece> {
    const kind = this.#kind;
    if (kind === undefined) return;
    const isLast = this.#left === 0;
    if (isLast) this.#kind = undefined;
    if (isStreamed(kind)) {
      if (bytes.byteLength > 0) yield { kind, bytes };
      return;
    }
    this.#held.push(bytes);
    if (isLast) yield { kind, bytes: Buffer.concat(this.#held.splice(0)) };
  }
}

function isStreamed(kind: FrameKind): boolean {
  return kind === 'out' || kind === 'err' || kind === 'input';
}
