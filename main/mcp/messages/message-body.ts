import { yieldIfBusy } from '../../yield-if-busy.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { Reservation } from '../../gateway-ports.ts';
import { closeObject, JsonTokens, openArray, openObject } from '../../json-tokens.ts';
import { gatewayMessage } from '../../limits.ts';
import { growBuffer } from '../../message-lines.ts';
import { surveyInSlices, surveyJson } from './survey-json.ts';

interface ReadOptions {
  /** Accounts for its memory. */
  readonly holding?: Reservation;
  /**
   * Stop at the announced length. The connection becomes free a moment later: too late for a caller that sends the next
   * request at once.
   */
  readonly endsAtLength?: boolean;
}

/** Reads the whole body; the fetch bounds its size. Errors: those of reading. */
export async function readDocument(
  { body, headers }: Response,
  { holding = unlimited, endsAtLength = false }: ReadOptions = {},
): Promise<Buffer> {
  const length = Number(headers.get('content-length'));
  const announced = length <= gatewayMessage.size ? length : 0;
  await holding.reserve(announced);
  const buffer = new ByteBuffer(announced);
  if (!body) return buffer.take();
  const end = endsAtLength && announced > 0 ? announced : Infinity;
  const reader = body.getReader();
  try {
    do {
      const { done, value } = await reader.read();
      if (done) break;
      await holding.reserve(Math.max(announced, buffer.length + value.byteLength));
      buffer.append(value);
      // Several long bodies may arrive at once.
      await yieldIfBusy();
    } while (buffer.length < end);
    return withoutByteOrderMark(buffer.take());
  } finally {
    buffer.release();
  }
}

/** RFC 8259 section 8.1: parsers may ignore a byte order mark. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/** Reads the start of a body, about `limit` bytes. Never rejects: it returns what has arrived. */
export async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const buffer = new ByteBuffer();
  try {
    for await (const chunk of response.body ?? []) {
      buffer.append(chunk);
      // Leaving the loop cancels the body, which closes the connection.
      if (buffer.length > limit) break;
    }
  } catch {
    // The connection broke, or the request was aborted.
  }
  return buffer.take().subarray(0, limit);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
/** Bytes of a line needed to recognize its field. */
const maxFieldPrefix = 'event:'.length;

/** Position in a stream, for resuming it (WHATWG HTML 9.2.6). */
export interface StreamPosition {
  lastEventId?: string;
  /** Milliseconds the server asks to wait before resuming. */
  retry?: number;
}

/**
 * Yields each message of an event stream; updates `position`, and reports memory to `holding`. Events that are not
 * messages go to `onOther`. A complete response at the end of the stream counts even without the empty line that some
 * servers omit. Stopping early is up to the caller, who closes the reader. Errors: those of reading, and those of
 * `onOther`.
 */
export async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  position: StreamPosition,
  holding: Reservation = unlimited,
  onOther: (name: string, data: Buffer) => void = () => {},
): AsyncGenerator<Buffer> {
  const stream = new EventStream();
  const data = new ByteBuffer();
  let name = '';
  const next: StreamPosition = {};
  try {
    for (;;) {
      const { done, value: chunk } = await reader.read();
      for (const part of done ? stream.endLine() : stream.take(chunk)) {
        if (part.kind === 'data') {
          if (part.bytes.byteLength > 0)
            await holding.reserve(stream.bufferedBytes + data.length + part.bytes.byteLength);
          data.append(part.bytes);
        } else if (part.kind === 'field') {
          const value = part.value.toString('utf8');
          if (part.name === 'event') name = value;
          if (part.name === 'id') next.lastEventId = value;
          if (part.name === 'retry' && /^\d{1,9}$/u.test(value)) next.retry = Number(value);
        } else if (!done) {
          // Events without data count too: servers send one first, so that the stream can be resumed.
          Object.assign(position, next);
          delete next.lastEventId;
          delete next.retry;
          const [type, text] = [name, data.take()];
          name = '';
          let hasMessage = isMessageEvent(type);
          for await (const message of messagesIn(text, type)) {
            hasMessage = true;
            yield message;
          }
          if (!hasMessage) onOther(type, text);
          await holding.reserve(0);
        }
        await yieldIfBusy();
      }
      if (!done && stream.bufferedBytes > 0) await holding.reserve(stream.bufferedBytes + data.length);
      if (!done) continue;
      for await (const message of messagesIn(data.take(), name)) if (isResponse(message)) yield message;
      return;
    }
  } finally {
    data.release();
    void holding.reserve(0);
  }
}

/** Part of an event stream: a piece of an event's data, another field, or the end of the event. */
type StreamPart =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'field'; readonly name: string; readonly value: Buffer }
  | { readonly kind: 'end' };

/**
 * Incremental parser for event streams (WHATWG HTML 9.2.6). Data, which may be large, passes through in pieces and is
 * not buffered.
 */
export class EventStream {
  readonly #line = new ByteBuffer();
  /** Kind of the current line; `undefined`: not known yet. */
  #kind: 'data' | 'field' | 'ignored' | undefined;
  #isFirstLine = true;
  #hasData = false;
  #isAfterCarriageReturn = false;

  /** Bytes of the buffered line. */
  get bufferedBytes(): number {
    return this.#line.length;
  }

  *take(chunk: Uint8Array): Generator<StreamPart> {
    let start = 0;
    let nextReturn = -1;
    while (start < chunk.byteLength) {
      const isSecondOfPair = this.#isAfterCarriageReturn && chunk[start] === lineFeed;
      this.#isAfterCarriageReturn = false;
      if (isSecondOfPair) {
        start += 1;
        continue;
      }
      // Searched only once per hit, since most streams have none.
      if (nextReturn < start) nextReturn = indexOfByte(chunk, carriageReturn, start);
      const end = Math.min(indexOfByte(chunk, lineFeed, start), nextReturn);
      yield* this.#append(chunk.subarray(start, end));
      if (end === chunk.byteLength) return;
      this.#isAfterCarriageReturn = chunk[end] === carriageReturn;
      start = end + 1;
      yield* this.endLine();
    }
  }

  /** Ends the line, or the stream. */
  *endLine(): Generator<StreamPart> {
    const kind = this.#kind;
    const line = this.#isFirstLine ? withoutByteOrderMark(this.#line.take()) : this.#line.take();
    this.#kind = undefined;
    this.#isFirstLine = false;
    if (kind === 'data' || kind === 'ignored') return;
    if (line.byteLength === 0) {
      this.#hasData = false;
      yield { kind: 'end' };
      return;
    }
    const colon = line.indexOf(':');
    const name = (colon < 0 ? line : line.subarray(0, colon)).toString('latin1');
    const value =
      colon < 0 ? line.subarray(line.byteLength) : line.subarray(colon + (line[colon + 1] === space ? 2 : 1));
    if (name === 'data') yield* this.#beginData(value);
    else yield { kind: 'field', name, value };
  }

  /** Appends a piece of a line. */
  *#append(piece: Uint8Array): Generator<StreamPart> {
    if (this.#kind === 'data' && piece.byteLength > 0) yield { kind: 'data', bytes: piece };
    if (this.#kind === 'data' || this.#kind === 'ignored') return;
    this.#line.append(piece);
    if (this.#kind !== undefined || this.#line.length < maxFieldPrefix) return;
    const prefix = this.#line.take();
    const start = prefix.subarray(0, maxFieldPrefix).toString('latin1');
    this.#kind = start.startsWith('data:') ? 'data' : 'field';
    if (this.#kind === 'data') return yield* this.#beginData(prefix.subarray(prefix[5] === space ? 6 : 5));
    // The first line may start with a byte order mark.
    if (this.#isFirstLine || /^(?:event|id|retry):/u.test(start)) this.#line.append(prefix);
    else this.#kind = 'ignored';
  }

  *#beginData(bytes: Uint8Array): Generator<StreamPart> {
    if (this.#hasData) yield { kind: 'data', bytes: Uint8Array.of(lineFeed) };
    this.#hasData = true;
    yield { kind: 'data', bytes };
  }
}

export function isPage(body: Buffer): boolean {
  return /^\s*<(?:!doctype|!--|html)/iu.test(body.toString('latin1', 0, 1_024));
}

/**
 * The messages in an event's data. Some servers send several in one event, as an array (MCP 2025-03-26, batching) or
 * concatenated, or with an end marker, or under another event name: all are accepted.
 */
async function* messagesIn(data: Buffer, name: string): AsyncGenerator<Buffer> {
  await surveyInSlices(data);
  if (surveyJson(data).isJson && !isJsonArray(data)) {
    if (isMessageEvent(name) || isRpcMessage(data)) yield data;
    return;
  }
  let hasMessage = false;
  for await (const message of splitMessages(data)) {
    hasMessage = true;
    yield message;
  }
  if (!hasMessage && isMessageEvent(name) && data.byteLength > 0) yield data;
}

/** The messages in an array, or concatenated ones. */
export async function* splitMessages(data: Buffer): AsyncGenerator<Buffer> {
  for (const text of objectsIn(data)) {
    await surveyInSlices(text);
    if (isRpcMessage(text)) yield text;
    await yieldIfBusy();
  }
}

type LineKind = 'message' | 'noise';

/** Passes on each message of a line: one, or an array of them. */
export async function handleLine(line: Buffer, handle: (message: Buffer) => Promise<LineKind>): Promise<LineKind> {
  await surveyInSlices(line);
  if (!surveyJson(line).isJson || !isJsonArray(line)) return await handle(line);
  let kind: LineKind = 'noise';
  for await (const message of splitMessages(line)) kind = await handle(message);
  return kind;
}

/** The response in an event's data, else all of the data. */
export function findResponse(data: Buffer): Buffer {
  const isSingle = surveyJson(data).isJson && !isJsonArray(data);
  return (isSingle ? undefined : [...objectsIn(data)].find(isResponse)) ?? data;
}

/** Whether a JSON text is an array. */
export function isJsonArray(data: Buffer): boolean {
  return data.find((byte) => byte > space) === openArray;
}

/** The objects in an array, or concatenated ones, that are long enough to be a message. */
function* objectsIn(data: Buffer): Generator<Buffer> {
  const level = surveyJson(data).isJson ? 2 : 1;
  const tokens = new JsonTokens(data);
  let start = 0;
  while (tokens.next(level)) {
    if (tokens.depth !== level) continue;
    if (tokens.kind === openObject) ({ start } = tokens);
    else if (tokens.kind === closeObject && tokens.end - start >= minMessageLength)
      yield data.subarray(start, tokens.end);
  }
}

const minMessageLength = '{"error":1}'.length;

/** Whether it has a member specific to JSON-RPC messages. */
function isRpcMessage(data: Buffer): boolean {
  const { isJson, hasMethod, hasResult, hasError } = surveyJson(data);
  return isJson && (hasMethod || hasResult || hasError);
}

/** A complete response; truncated ones do not count. */
function isResponse(data: Buffer): boolean {
  const { isJson, id, hasMethod, hasResult, hasError } = surveyJson(data);
  return isJson && id !== undefined && !hasMethod && (hasResult || hasError);
}

/** Whether events with this name are messages (WHATWG HTML 9.2.6). */
function isMessageEvent(name: string): boolean {
  return name === '' || name === 'message';
}

function indexOfByte(chunk: Uint8Array, byte: number, start: number): number {
  const found = chunk.indexOf(byte, start);
  return found < 0 ? chunk.byteLength : found;
}

/** Smaller pieces are merged as they arrive: storing one costs more than its bytes. */
const blockBytes = 2 * 1_024;
/** Beyond this many bytes, everything goes into one buffer: joining pieces later would need twice the memory. */
const maxInPieces = 1_024 * 1_024;
/** Growth factor of that buffer: unused room costs no memory, while moving touches fresh pages. */
const growth = 4;

/**
 * Collects bytes that arrive in pieces. Up to a bound, large pieces are not copied until all bytes are needed in one
 * buffer.
 */
class ByteBuffer {
  #pieces: Uint8Array[] = [];
  /** Buffer for the next bytes, while there is room. */
  #block: Buffer;
  #used = 0;
  #length = 0;
  /** All bytes are in `#block`; there are no pieces. */
  #isContiguous = false;

  /** `room`: expected bytes. */
  constructor(room = 0) {
    this.#isContiguous = room > maxInPieces;
    this.#block = this.#isContiguous ? Buffer.allocUnsafeSlow(room) : Buffer.allocUnsafe(room);
  }

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    this.#length += piece.byteLength;
    if (piece.byteLength > this.#block.byteLength - this.#used && !this.#makeRoom(piece))
      return void this.#pieces.push(piece);
    this.#block.set(piece, this.#used);
    this.#used += piece.byteLength;
  }

  /** Returns all bytes and resets. The caller owns them. */
  take(): Buffer {
    this.#flushBlock();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    this.#isContiguous = false;
    const [first] = pieces;
    if (first === undefined || pieces.length > 1) return Buffer.concat(pieces);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** Discards the bytes and frees their memory at once. */
  release(): void {
    if (this.#isContiguous) this.#block = growBuffer(this.#block, 0);
    this.take();
  }

  /** `false`: keep the piece as is. */
  #makeRoom(piece: Uint8Array): boolean {
    if (this.#isContiguous) {
      this.#block = growBuffer(this.#block, Math.max(this.#length, growth * this.#block.byteLength));
      return true;
    }
    this.#flushBlock();
    if (this.#length > maxInPieces) this.#merge();
    else if (piece.byteLength >= blockBytes) return false;
    else this.#block = Buffer.allocUnsafe(blockBytes);
    return true;
  }

  #merge(): void {
    this.#block = Buffer.allocUnsafeSlow(growth * this.#length);
    for (const piece of this.#pieces) {
      this.#block.set(piece, this.#used);
      this.#used += piece.byteLength;
    }
    this.#pieces = [];
    this.#isContiguous = true;
  }

  #flushBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = this.#isContiguous ? Buffer.alloc(0) : this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
