import { fairTurn } from '../../fair-turn.ts';
import { uncounted } from '../../gateway-ports.ts';
import type { Holding } from '../../gateway-ports.ts';
import { grownBuffer } from '../../grown-buffer.ts';
import { closeObject, JsonTokens, openArray, openObject } from '../../json-tokens.ts';
import { gatewayMessage } from '../../limits.ts';
import { surveyInTurn, surveyJson } from './survey-json.ts';

interface Reading {
  /** Told what is held of it. */
  readonly holding?: Holding;
  /**
   * Where the answer says how long it is, its last byte is its end. The connection is free a moment after that: not for
   * whoever sends the next request at once.
   */
  readonly endsAtLength?: boolean;
}

/** The whole body. Its size is bounded by the fetch that it came through. Errors: what reading errors with. */
export async function readDocument(
  { body, headers }: Response,
  { holding = uncounted, endsAtLength = false }: Reading = {},
): Promise<Buffer> {
  const length = Number(headers.get('content-length'));
  const announced = length <= gatewayMessage.size ? length : 0;
  await holding.hold(announced);
  const buffer = new ByteBuffer(announced);
  if (!body) return buffer.take();
  const end = endsAtLength && announced > 0 ? announced : Infinity;
  const reader = body.getReader();
  try {
    do {
      const { done, value } = await reader.read();
      if (done) break;
      await holding.hold(Math.max(announced, buffer.length + value.byteLength));
      buffer.append(value);
      // Several long ones may come at once.
      await fairTurn();
    } while (buffer.length < end);
    return withoutMark(buffer.take());
  } finally {
    buffer.release();
  }
}

/** RFC 8259 section 8.1: a reader may ignore it. */
export function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/** The beginning of a body; more than `limit` bytes are not waited for. Never rejects: what has come is enough. */
export async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const buffer = new ByteBuffer();
  try {
    for await (const chunk of response.body ?? []) {
      buffer.append(chunk);
      // Leaving the loop cancels the body, and that closes the connection.
      if (buffer.length > limit) break;
    }
  } catch {
    // It broke off, or somebody gave it up.
  }
  return buffer.take().subarray(0, limit);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
/** Bytes of a line that tell which field it is. */
const longestField = 'event:'.length;

/** Where a stream stands: what a later request for the rest of it names (WHATWG HTML 9.2.6). */
export interface StreamPosition {
  lastEventId?: string;
  /** Milliseconds that the server wants to be left alone before it is asked for the rest. */
  retry?: number;
}

/**
 * Each message of an event stream; `position` is kept up to date, and `holding` told what is held of an event. What is
 * no message, under another name, is told to `onOther`. A whole answer at the end of the stream counts without the empty
 * line that some servers do not send. Whoever stops early ends the reader. Errors: what reading errors with, and those
 * of `onOther`.
 */
export async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  position: StreamPosition,
  holding: Holding = uncounted,
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
          if (part.bytes.byteLength > 0) await holding.hold(stream.held + data.length + part.bytes.byteLength);
          data.append(part.bytes);
        } else if (part.kind === 'field') {
          const value = part.value.toString('utf8');
          if (part.name === 'event') name = value;
          if (part.name === 'id') next.lastEventId = value;
          if (part.name === 'retry' && /^\d{1,9}$/u.test(value)) next.retry = Number(value);
        } else if (!done) {
          // An event without data counts too: servers begin with one, so that the stream can be taken up.
          Object.assign(position, next);
          delete next.lastEventId;
          delete next.retry;
          const [type, text] = [name, data.take()];
          name = '';
          let hasMessage = isMessage(type);
          for await (const message of messagesIn(text, type)) {
            hasMessage = true;
            yield message;
          }
          if (!hasMessage) onOther(type, text);
          await holding.hold(0);
        }
        await fairTurn();
      }
      if (!done && stream.held > 0) await holding.hold(stream.held + data.length);
      if (!done) continue;
      for await (const message of messagesIn(data.take(), name)) if (isAnswer(message)) yield message;
      return;
    }
  } finally {
    data.release();
    void holding.hold(0);
  }
}

/** What some of an event stream says: a piece of an event's data, another field of it, or that the event is over. */
type StreamPart =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'field'; readonly name: string; readonly value: Buffer }
  | { readonly kind: 'end' };

/** An event stream (WHATWG HTML 9.2.6) as it comes. Data, which may be large, passes in pieces; nothing of it is held. */
export class EventStream {
  readonly #line = new ByteBuffer();
  /** What the rest of the line is; `undefined`: that is still to be seen. */
  #kind: 'data' | 'field' | 'ignored' | undefined;
  #isFirstLine = true;
  #hasData = false;
  #isAfterReturn = false;

  /** Bytes of a line that is held. */
  get held(): number {
    return this.#line.length;
  }

  *take(chunk: Uint8Array): Generator<StreamPart> {
    let start = 0;
    let nextReturn = -1;
    while (start < chunk.byteLength) {
      const isSecondOfOne = this.#isAfterReturn && chunk[start] === lineFeed;
      this.#isAfterReturn = false;
      if (isSecondOfOne) {
        start += 1;
        continue;
      }
      // Looked for once for each that is found, since most streams have none.
      if (nextReturn < start) nextReturn = positionOf(chunk, carriageReturn, start);
      const end = Math.min(positionOf(chunk, lineFeed, start), nextReturn);
      yield* this.#append(chunk.subarray(start, end));
      if (end === chunk.byteLength) return;
      this.#isAfterReturn = chunk[end] === carriageReturn;
      start = end + 1;
      yield* this.endLine();
    }
  }

  /** The line ends here, or the stream does. */
  *endLine(): Generator<StreamPart> {
    const kind = this.#kind;
    const line = this.#isFirstLine ? withoutMark(this.#line.take()) : this.#line.take();
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

  /** Takes some of a line. */
  *#append(piece: Uint8Array): Generator<StreamPart> {
    if (this.#kind === 'data' && piece.byteLength > 0) yield { kind: 'data', bytes: piece };
    if (this.#kind === 'data' || this.#kind === 'ignored') return;
    this.#line.append(piece);
    if (this.#kind !== undefined || this.#line.length < longestField) return;
    const begun = this.#line.take();
    const start = begun.subarray(0, longestField).toString('latin1');
    this.#kind = start.startsWith('data:') ? 'data' : 'field';
    if (this.#kind === 'data') return yield* this.#beginData(begun.subarray(begun[5] === space ? 6 : 5));
    // The first one may have a mark in front.
    if (this.#isFirstLine || /^(?:event|id|retry):/u.test(start)) this.#line.append(begun);
    else this.#kind = 'ignored';
  }

  *#beginData(bytes: Uint8Array): Generator<StreamPart> {
    if (this.#hasData) yield { kind: 'data', bytes: Uint8Array.of(lineFeed) };
    this.#hasData = true;
    yield { kind: 'data', bytes };
  }
}

/** Whether a body is a web page. */
export function isPage(body: Buffer): boolean {
  return /^\s*<(?:!doctype|!--|html)/iu.test(body.toString('latin1', 0, 1_024));
}

/**
 * The messages in the data of an event with this name. Some servers send several in one, in a list (MCP 2025-03-26,
 * batching) or one after the other, or a mark of its end behind one, or name their events otherwise than MCP does: a
 * message is one all the same.
 */
async function* messagesIn(data: Buffer, name: string): AsyncGenerator<Buffer> {
  await surveyInTurn(data);
  if (surveyJson(data).isJson && !isList(data)) {
    if (isMessage(name) || isRpcMessage(data)) yield data;
    return;
  }
  let hasMessage = false;
  for await (const message of severalIn(data)) {
    hasMessage = true;
    yield message;
  }
  if (!hasMessage && isMessage(name) && data.byteLength > 0) yield data;
}

/** The messages in a list, or one after the other. */
export async function* severalIn(data: Buffer): AsyncGenerator<Buffer> {
  for (const text of textsIn(data)) {
    await surveyInTurn(text);
    if (isRpcMessage(text)) yield text;
    await fairTurn();
  }
}

type Heard = 'message' | 'noise';

/** Takes each message of a line, which is one, or a list of them. */
export async function takeLine(line: Buffer, take: (message: Buffer) => Promise<Heard>): Promise<Heard> {
  await surveyInTurn(line);
  if (!surveyJson(line).isJson || !isList(line)) return await take(line);
  let heard: Heard = 'noise';
  for await (const message of severalIn(line)) heard = await take(message);
  return heard;
}

/** Of the data of an event what answers a request, else all of it. */
export function answerIn(data: Buffer): Buffer {
  const isOne = surveyJson(data).isJson && !isList(data);
  return (isOne ? undefined : [...textsIn(data)].find(isAnswer)) ?? data;
}

/** Whether a JSON text is a list. */
export function isList(data: Buffer): boolean {
  return data.find((byte) => byte > space) === openArray;
}

/** The objects in a list, or one after the other in what is not one JSON text, that are long enough for a message. */
function* textsIn(data: Buffer): Generator<Buffer> {
  const level = surveyJson(data).isJson ? 2 : 1;
  const tokens = new JsonTokens(data);
  let start = 0;
  while (tokens.next(level)) {
    if (tokens.depth !== level) continue;
    if (tokens.kind === openObject) ({ start } = tokens);
    else if (tokens.kind === closeObject && tokens.end - start >= shortestMessage)
      yield data.subarray(start, tokens.end);
  }
}

const shortestMessage = '{"error":1}'.length;

/** Whether it has a member that only messages of JSON-RPC have. */
function isRpcMessage(data: Buffer): boolean {
  const { isJson, hasMethod, hasResult, hasError } = surveyJson(data);
  return isJson && (hasMethod || hasResult || hasError);
}

/** A whole one: of what broke off nothing is taken. */
export function isAnswer(data: Buffer): boolean {
  const { isJson, id, hasMethod, hasResult, hasError } = surveyJson(data);
  return isJson && id !== undefined && !hasMethod && (hasResult || hasError);
}

/** Whether events of this name are messages (WHATWG HTML 9.2.6). */
export function isMessage(name: string): boolean {
  return name === '' || name === 'message';
}

function positionOf(chunk: Uint8Array, byte: number, start: number): number {
  const found = chunk.indexOf(byte, start);
  return found < 0 ? chunk.byteLength : found;
}

/** Smaller pieces are put together as they come: one that is kept as it is costs more than its bytes. */
const blockBytes = 2 * 1_024;
/** All of more bytes than that stand in one place as they come: put together at the end, they would be there twice. */
const mostInPieces = 1_024 * 1_024;
/** How much more room than needed is taken then: what is not used of it is no memory, and moving costs fresh pages. */
const growth = 4;

/** Bytes that come in pieces. Large pieces stay as they are, up to a bound, until somebody wants all in one place. */
class ByteBuffer {
  #pieces: Uint8Array[] = [];
  /** What comes next is put here, as far as there is room. */
  #block: Buffer;
  #used = 0;
  #length = 0;
  /** All that has come, where there are no pieces any more. */
  #isOnePlace = false;

  /** `room`: bytes that are expected. */
  constructor(room = 0) {
    this.#isOnePlace = room > mostInPieces;
    this.#block = this.#isOnePlace ? Buffer.allocUnsafeSlow(room) : Buffer.allocUnsafe(room);
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

  /** All that has come, and begins anew. The bytes are the caller's. */
  take(): Buffer {
    this.#endBlock();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    this.#isOnePlace = false;
    const [first] = pieces;
    if (first === undefined || pieces.length > 1) return Buffer.concat(pieces);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** What has come is of no use any more: its memory is there again at once. */
  release(): void {
    if (this.#isOnePlace) this.#block = grownBuffer(this.#block, 0);
    this.take();
  }

  /** `false`: the piece stays as it is. */
  #makeRoom(piece: Uint8Array): boolean {
    if (this.#isOnePlace) {
      this.#block = grownBuffer(this.#block, Math.max(this.#length, growth * this.#block.byteLength));
      return true;
    }
    this.#endBlock();
    if (this.#length > mostInPieces) this.#gather();
    else if (piece.byteLength >= blockBytes) return false;
    else this.#block = Buffer.allocUnsafe(blockBytes);
    return true;
  }

  #gather(): void {
    this.#block = Buffer.allocUnsafeSlow(growth * this.#length);
    for (const piece of this.#pieces) {
      this.#block.set(piece, this.#used);
      this.#used += piece.byteLength;
    }
    this.#pieces = [];
    this.#isOnePlace = true;
  }

  #endBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = this.#isOnePlace ? Buffer.alloc(0) : this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
