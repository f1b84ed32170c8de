import type { CallOutcome } from './call-log.ts';
import { OutcomeScanner } from './outcome-scanner.ts';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];
const dataField = Buffer.from('data:');

/**
 * Reads of an answer over HTTP how the call went, while its bytes pass: an answer of any size, wherever in it that is
 * said, without any of it being held. Of an event stream it is the last answer in it.
 */
export class OutcomeReader {
  readonly #scanner: OutcomeScanner;
  readonly #isStream: boolean;
  #outcome: CallOutcome | undefined;
  /** How much of a data field's name the line begins with, in bytes; -1: it is no data field. */
  #matched = 0;
  #isEmptyLine = true;
  #wasReturn = false;
  bytes = 0;

  constructor(method: string, { isStream }: { readonly isStream: boolean }) {
    this.#scanner = new OutcomeScanner(method);
    this.#isStream = isStream;
  }

  add(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.bytes += bytes.byteLength;
    if (this.#isStream) this.#addLines(bytes);
    else this.#scanner.feed(bytes, 0, bytes.byteLength);
  }

  /** How it went, once all of it has passed; `undefined` where no answer came. */
  end(): CallOutcome | undefined {
    // An event without its empty line is none (HTML, server-sent events, 9.2.6), and a document ends with the body.
    if (!this.#isStream) this.#endMessage();
    return this.#outcome;
  }

  #addLines(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.byteLength) {
      const byte = bytes[at] ?? 0;
      if (byte === lineFeed || byte === carriageReturn) {
        this.#endLine(byte);
        at += 1;
      } else if (this.#matched === dataField.byteLength) {
        const end = endOfLine(bytes, at);
        this.#scanner.feed(bytes, at, end);
        at = end;
      } else if (this.#matched < 0) {
        at = endOfLine(bytes, at);
      } else {
        this.#matched = byte === dataField[this.#matched] ? this.#matched + 1 : -1;
        this.#isEmptyLine = false;
        at += 1;
      }
    }
  }

  #endLine(byte: number): void {
    const isSecondOfOne = byte === lineFeed && this.#wasReturn && this.#isEmptyLine;
    this.#wasReturn = byte === carriageReturn;
    if (isSecondOfOne) return;
    if (this.#isEmptyLine) this.#endMessage();
    this.#isEmptyLine = true;
    this.#matched = 0;
  }

  #endMessage(): void {
    this.#outcome = this.#scanner.take() ?? this.#outcome;
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(lineFeed, from);
  const end = feed < 0 ? bytes.byteLength : feed;
  const back = bytes.subarray(from, end).indexOf(carriageReturn);
  return back < 0 ? end : from + back;
}
