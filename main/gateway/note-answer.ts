import { activityBounds } from '../../shared/activity.ts';
import type { ProgramAnswer, ProgramRequest } from '../gateway-ports.ts';
import { outcomeOf } from './call-log.ts';
import type { CallLog, CallOutcome, NotedCall } from './call-log.ts';
import { readEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';

interface Noting {
  readonly call: NotedCall;
  readonly method: string;
  /** Aborts when the program no longer waits. */
  readonly signal: AbortSignal;
}

/** Answers what a program sends by HTTP, and notes the requests among it. Errors: those of `answer`. */
export async function answerNoted(
  calls: CallLog,
  { method, body, signal }: ProgramRequest,
  answer: (message: Envelope | undefined) => Promise<ProgramAnswer>,
): Promise<ProgramAnswer> {
  const message = method === 'POST' ? readEnvelope(body) : undefined;
  if (message?.kind !== 'request') return await answer(message);
  const call = calls.begin(message);
  return noteAnswer(await answer(message), { call, method: message.method, signal });
}

/**
 * Notes a request by HTTP when all of its answer has gone to the program. That passes as it comes: only its end is
 * looked at, which says how it went.
 */
function noteAnswer(answer: ProgramAnswer, { call, method, signal }: Noting): ProgramAnswer {
  const { body, code } = answer;
  const end = new AnswerEnd();
  const note = (outcome: () => CallOutcome): void =>
    call.end(signal.aborted ? 'cancelled' : (code ?? outcome()), end.bytes);
  if (body instanceof ReadableStream) {
    const ended = (isWhole: boolean): void => note(() => (isWhole ? outcomeBy(answer, method, end) : 'SESSION_LOST'));
    return { ...answer, body: watch(body, (chunk) => end.add(chunk), ended) };
  }
  if (body !== undefined) end.add(typeof body === 'string' ? Buffer.from(body) : body);
  note(() => outcomeBy(answer, method, end));
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
    // Nothing is read ahead: a program that reads slowly is waited for.
    { highWaterMark: 0 },
  );
}

/** What came last of an answer. */
class AnswerEnd {
  readonly #parts: Uint8Array[] = [];
  #kept = 0;
  bytes = 0;

  add(part: Uint8Array): void {
    this.bytes += part.byteLength;
    this.#kept += part.byteLength;
    this.#parts.push(part);
    for (
      let first = this.#parts[0];
      first && this.#kept - first.byteLength >= activityBounds.look;
      [first] = this.#parts
    ) {
      this.#parts.shift();
      this.#kept -= first.byteLength;
    }
  }

  /** Whether that is all of it. */
  get isWhole(): boolean {
    return this.bytes <= activityBounds.look;
  }

  get text(): string {
    return Buffer.concat(this.#parts).subarray(-activityBounds.look).toString('utf8');
  }
}

function outcomeBy({ status, headers }: ProgramAnswer, method: string, end: AnswerEnd): CallOutcome {
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const { text } = end;
  const answer = readEnvelope(Buffer.from(isStream ? lastMessage(text) : text));
  if (answer.kind === 'answer') return outcomeOf(method, answer.message);
  if (status >= 400) return status === 404 ? 'SESSION_LOST' : 'MCP_FAILED';
  // Of an answer that is longer than what is looked at, a failed tool still says so behind all that it says.
  if (!end.isWhole) return method === 'tools/call' && /"isError"\s*:\s*true/u.test(text) ? 'toolError' : 'ok';
  return isStream ? 'SESSION_LOST' : 'MCP_FAILED';
}

/** The data of the last event of a stream. */
function lastMessage(text: string): string {
  const events = text.split(/\r\n\r\n|\n\n|\r\r/u);
  const last = events.findLast((event) => /^data:/mu.test(event)) ?? '';
  return last
    .split(/\r\n|\n|\r/u)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    .join('\n');
}
