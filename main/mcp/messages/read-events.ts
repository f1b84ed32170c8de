import { ByteBuffer } from './byte-buffer.ts';
import type { Holding } from '../../holding.ts';
import { uncounted } from '../../holding.ts';
import { surveyJson } from './survey-json.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const byteOrderMark = '\ufeff';

/** Where a stream stands: what a later request for the rest of it names (WHATWG HTML 9.2.6). */
export interface StreamPosition {
  lastEventId?: string;
  /** Milliseconds that the server wants to be left alone before it is asked for the rest. */
  retry?: number;
}

/**
 * The data of each message of an event stream; `position` is kept up to date, and `holding` told what is held of a
 * message. Events with another name are told to `onOther` alone. A whole answer at the end of the stream counts without
 * the empty line that some servers do not send. Whoever stops early ends the reader. Errors: what reading errors with,
 * and those of `onOther`.
 */
export async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  position: StreamPosition,
  holding: Holding = uncounted,
  onOther: (name: string, data: Buffer) => void = () => {},
): AsyncGenerator<Buffer> {
  const event = new EventText();
  let isAfterReturn = false;
  try {
    for (;;) {
      const { done, value: chunk } = await reader.read();
      if (done) {
        event.endLine();
        const { name, data } = event.take();
        if (isMessage(name) && isAnswer(data)) yield data;
        return;
      }
      let start = 0;
      let nextReturn = -1;
      while (start < chunk.byteLength) {
        if (isAfterReturn && chunk[start] === lineFeed) {
          isAfterReturn = false;
          start += 1;
          continue;
        }
        isAfterReturn = false;
        // Looked for once for each that is found, since most streams have none.
        if (nextReturn < start) nextReturn = positionOf(chunk, carriageReturn, start);
        const end = Math.min(positionOf(chunk, lineFeed, start), nextReturn);
        if (end > start) await holding.hold(event.length + end - start);
        event.append(chunk.subarray(start, end));
        if (end === chunk.byteLength) break;
        isAfterReturn = chunk[end] === carriageReturn;
        start = end + 1;
        if (!event.endLine()) continue;
        event.place(position);
        const { name, data } = event.take();
        if (isMessage(name) && data.byteLength > 0) yield data;
        else if (!isMessage(name)) onOther(name, data);
        await holding.hold(0);
      }
    }
  } finally {
    void holding.hold(0);
  }
}

/** One event while its lines come. Its data, which may be large, is put in one place once. */
class EventText {
  readonly #line = new ByteBuffer();
  readonly #data = new ByteBuffer();
  #isDataLine = false;
  /** Nothing but its end says more of the line. */
  #isLooked = true;
  #isFirstLine = true;
  #hasData = false;
  #type = '';
  #id: string | undefined;
  #retry: number | undefined;

  /** Bytes of it so far. */
  get length(): number {
    return this.#line.length + this.#data.length;
  }

  /** Takes some of a line. */
  append(piece: Uint8Array): void {
    if (this.#isDataLine) return this.#data.append(piece);
    this.#line.append(piece);
    // The first one may have a mark in front.
    if (this.#isLooked || this.#line.length < 'data: '.length) return;
    this.#isLooked = true;
    const begun = this.#line.take();
    this.#isDataLine = begun.subarray(0, 5).toString('latin1') === 'data:';
    if (this.#isDataLine) this.#beginData(begun.subarray(begun[5] === space ? 6 : 5));
    else this.#line.append(begun);
  }

  /** Answers whether the line was empty: then the event is over. */
  endLine(): boolean {
    const isData = this.#isDataLine;
    const line = this.#isFirstLine ? withoutMark(this.#line.take()) : this.#line.take();
    this.#isDataLine = false;
    this.#isLooked = false;
    this.#isFirstLine = false;
    if (!isData && line.byteLength > 0) this.#takeField(line);
    return !isData && line.byteLength === 0;
  }

  #takeField(line: Buffer): void {
    const colon = line.indexOf(':');
    const name = (colon < 0 ? line : line.subarray(0, colon)).toString('latin1');
    const value =
      colon < 0 ? line.subarray(line.byteLength) : line.subarray(colon + (line[colon + 1] === space ? 2 : 1));
    if (name === 'data') this.#beginData(value);
    else if (name === 'event') this.#type = value.toString('utf8');
    else if (name === 'id') this.#id = value.toString('utf8');
    else if (name === 'retry' && /^\d{1,9}$/u.test(value.toString('latin1'))) this.#retry = Number(value.toString());
  }

  #beginData(value: Uint8Array): void {
    if (this.#hasData) this.#data.append(Uint8Array.of(lineFeed));
    this.#hasData = true;
    this.#data.append(value);
  }

  /** An event without data counts too: servers begin with one, so that the stream can be taken up (MCP 2025-11-25). */
  place(position: StreamPosition): void {
    if (this.#id !== undefined) position.lastEventId = this.#id;
    if (this.#retry !== undefined) position.retry = this.#retry;
  }

  /** Its name, '' where it has none, and its data; what comes next is another one. */
  take(): { readonly name: string; readonly data: Buffer } {
    const taken = { name: this.#type, data: this.#data.take() };
    this.#hasData = false;
    this.#type = '';
    this.#id = undefined;
    this.#retry = undefined;
    return taken;
  }
}

/** A whole one: of what broke off nothing is taken. */
function isAnswer(data: Buffer): boolean {
  if (data.byteLength === 0) return false;
  const { isJson, id, hasMethod, hasResult, hasError } = surveyJson(data);
  return isJson && id !== undefined && !hasMethod && (hasResult || hasError);
}

function isMessage(name: string): boolean {
  return name === '' || name === 'message';
}

function positionOf(chunk: Uint8Array, byte: number, start: number): number {
  const found = chunk.indexOf(byte, start);
  return found < 0 ? chunk.byteLength : found;
}

function withoutMark(line: Buffer): Buffer {
  return line.subarray(0, 3).toString('utf8') === byteOrderMark ? line.subarray(3) : line;
}
