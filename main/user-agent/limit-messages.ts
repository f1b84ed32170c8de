import type { Stage } from '../../shared/error-codes.ts';
import { bodyLimit } from '../limits.ts';
import { PosternError } from '../postern-error.ts';

const lineFeed = 10;
const carriageReturn = 13;

/**
 * A body that streams, with a bound on what its reader has to hold at one time: on the whole of a document, and on each
 * event of an event stream, which may go on for hours (WHATWG HTML section 9.2.6: an event ends with a blank line).
 * Errors: BODY_TOO_LARGE, which closes the connection.
 */
export function limitMessages(
  body: ReadableStream<Uint8Array>,
  isEventStream: boolean,
  stage: Stage,
): ReadableStream<Uint8Array> {
  let length = 0;
  let isLineEmpty = false;
  let last = 0;

  function count(chunk: Uint8Array): void {
    if (!isEventStream) {
      length += chunk.byteLength;
      return;
    }
    for (const byte of chunk) {
      length += 1;
      const isPair = byte === lineFeed && last === carriageReturn;
      last = byte;
      if (isPair) continue;
      const isLineEnd = byte === lineFeed || byte === carriageReturn;
      if (isLineEnd && isLineEmpty) length = 0;
      isLineEmpty = isLineEnd;
      if (length > bodyLimit.mcpMessage) return;
    }
  }

  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        count(chunk);
        if (length > bodyLimit.mcpMessage) {
          throw new PosternError('BODY_TOO_LARGE', { stage, detail: { maximum: bodyLimit.mcpMessage } });
        }
        controller.enqueue(chunk);
      },
    }),
  );
}
