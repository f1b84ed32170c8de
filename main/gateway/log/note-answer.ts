import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import type { CallLog, CallOutcome, NotedCall } from './call-log.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import { OutcomeReader } from './outcome-reader.ts';

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
