import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import { closeArray, closeObject, JsonTokens, openArray, openObject, quote, scalar } from '../../json-tokens.ts';
import { EventStream } from '../../mcp/messages/message-body.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { CallLog, CallOutcome, NotedCall } from './call-log.ts';

interface Noting {
  readonly call: NotedCall;
  readonly method: string;
  /** Aborts when the program no longer waits. */
  readonly signal: AbortSignal;
}

/**
 * Answers what a program sends by HTTP, and notes the requests among it, and what was refused without an answer. Errors:
 * those of `answer`.
 */
export async function answerNoted(
  calls: CallLog,
  { method, body, signal }: ProgramRequest,
  answer: (message: Envelope | undefined) => Promise<ProgramAnswer>,
): Promise<ProgramAnswer> {
  const message = method === 'POST' ? readEnvelope(body) : undefined;
  if (message?.kind === 'notification') {
    const answered = await answer(message);
    if (answered.code !== undefined) calls.begin(message).end(answered.code, 0);
    return answered;
  }
  if (message?.kind !== 'request') return await answer(message);
  const call = calls.begin(message);
  return noteAnswer(await answer(message), { call, method: message.method, signal });
}

/**
 * Notes a request over HTTP once the whole answer has gone to the program. It passes as it comes, and is read on the way
 * to see how it went.
 */
function noteAnswer(answer: ProgramAnswer, { call, method, signal }: Noting): ProgramAnswer {
  const { body, code, headers } = answer;
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const reader = new OutcomeReader(method, { isStream });
  const note = (isWhole: boolean): void => {
    const outcome = reader.end() ?? (isWhole ? outcomeWithout(answer, isStream) : 'SESSION_LOST');
    call.end(signal.aborted ? 'cancelled' : (code ?? outcome), reader.bytes);
  };
  if (body instanceof ReadableStream) return { ...answer, body: watch(body, (chunk) => reader.add(chunk), note) };
  if (body !== undefined) reader.add(typeof body === 'string' ? Buffer.from(body) : body);
  note(true);
  return answer;
}

/** The same stream, read as it is wanted. `onEnd` is told once whether it came to its end. */
function watch(
  body: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
  onEnd: (isWhole: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isOver = false;
  const end = (isWhole: boolean): void => {
    if (!isOver) onEnd(isWhole);
    isOver = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            onChunk(value);
            return controller.enqueue(value);
          }
          end(true);
          controller.close();
        } catch (error) {
          end(false);
          controller.error(error);
        }
      },
      async cancel(reason) {
        end(false);
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead: a slow reader is waited for.
    { highWaterMark: 0 },
  );
}

/** Where no answer says so. */
function outcomeWithout({ status }: ProgramAnswer, isStream: boolean): CallOutcome {
  if (status >= 400) return status === 404 ? 'SESSION_LOST' : 'MCP_FAILED';
  return isStream ? 'SESSION_LOST' : 'MCP_FAILED';
}

/**
 * Reads of an answer over HTTP how the call went, while its bytes pass: an answer of any size, wherever in it that is
 * said, without any of it being held. Of an event stream it is the last answer in it.
 */
export class OutcomeReader {
  readonly #scanner: OutcomeScanner;
  readonly #events: EventStream | undefined;
  #outcome: CallOutcome | undefined;
  bytes = 0;

  constructor(method: string, { isStream }: { readonly isStream: boolean }) {
    this.#scanner = new OutcomeScanner(method);
    this.#events = isStream ? new EventStream() : undefined;
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (!this.#events) return this.#scanner.feed(chunk);
    for (const part of this.#events.take(chunk)) {
      if (part.kind === 'data') this.#scanner.feed(part.bytes);
      else if (part.kind === 'end') this.#endMessage();
    }
  }

  /** How it went, once all of it has passed; `undefined` where no answer came. */
  end(): CallOutcome | undefined {
    // An event without its empty line is none (HTML, server-sent events, 9.2.6), and a document ends with the body.
    if (!this.#events) this.#endMessage();
    return this.#outcome;
  }

  #endMessage(): void {
    this.#outcome = this.#scanner.take() ?? this.#outcome;
  }
}

/** Bytes of a name; nothing that is asked for is longer, each letter of it escaped. */
const longestName = 64;

/**
 * How a call went, of an answer whose bytes pass in pieces of any size: it looks at the members of the message and of
 * its result or error, and holds no more than a name. Of two members of one name the last counts, as with `JSON.parse`.
 */
class OutcomeScanner {
  readonly #isCall: boolean;
  #tokens = new JsonTokens();
  #isObject = false;
  /** The members that are being read: of the message, and of the object in it. */
  #outer = '';
  #inner = '';
  #isWhole = false;
  #hasResult = false;
  #hasError = false;
  #isError = false;
  #code = '';

  constructor(method: string) {
    this.#isCall = method === 'tools/call';
  }

  feed(piece: Uint8Array): void {
    const tokens = this.#tokens;
    tokens.feed(piece);
    while (tokens.next(2)) {
      const { kind, depth } = tokens;
      if (kind === quote && tokens.isName) this.#takeName(depth, tokens.text(longestName));
      else if (kind === scalar) this.#takeScalar(depth, tokens.written);
      else if (kind === openObject || kind === openArray) {
        if (depth === 1) this.#isObject = kind === openObject;
        this.#inner = '';
      } else if (depth === 1 && (kind === closeObject || kind === closeArray)) this.#isWhole = this.#isObject;
    }
  }

  #takeName(depth: number, name: string): void {
    if (depth === 1) {
      this.#outer = name;
      if (name === 'result') [this.#hasResult, this.#isError] = [true, false];
      if (name === 'error') [this.#hasError, this.#code] = [true, ''];
      return;
    }
    this.#inner = name;
    if (name === 'isError' && this.#outer === 'result') this.#isError = false;
    if (name === 'code' && this.#outer === 'error') this.#code = '';
  }

  #takeScalar(depth: number, written: string): void {
    // An error that is null is none.
    if (depth === 1 && this.#outer === 'error' && written === 'null') this.#hasError = false;
    if (depth !== 2) return;
    if (this.#outer === 'result' && this.#inner === 'isError') this.#isError = written === 'true';
    if (this.#outer === 'error' && this.#inner === 'code') this.#code = written;
  }

  /** How the message that ends here says that it went; `undefined`: it is no answer. The next byte begins another. */
  take(): CallOutcome | undefined {
    const outcome = this.#isWhole ? this.#outcome() : undefined;
    this.#tokens = new JsonTokens();
    this.#isObject = this.#isWhole = this.#hasResult = this.#hasError = this.#isError = false;
    this.#outer = this.#inner = this.#code = '';
    return outcome;
  }

  #outcome(): CallOutcome | undefined {
    if (this.#hasError) return Number.isSafeInteger(Number(this.#code || NaN)) ? `${Number(this.#code)}` : 'MCP_FAILED';
    if (!this.#hasResult) return undefined;
    return this.#isCall && this.#isError ? 'toolError' : 'ok';
  }
}
