import type { Stage } from '../../shared/error-codes.ts';
import { bodyLimit } from '../limits.ts';
import { PosternError } from '../postern-error.ts';

/** A line end and another one: CR, LF and CR LF each end a line, so CR LF alone is none of these. */
const blankLines = ['\n\n', '\n\r', '\r\r'].map((text) => Buffer.from(text));

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
  /** The last byte of the chunk before: a blank line may come in two. */
  let carried = Buffer.alloc(0);

  function count(chunk: Uint8Array): void {
    length += chunk.byteLength;
    if (!isEventStream) return;
    const bytes = Buffer.concat([carried, chunk]);
    const blank = Math.max(...blankLines.map((text) => bytes.lastIndexOf(text)));
    if (blank >= 0) length = bytes.length - blank - 2;
    carried = bytes.subarray(-1);
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
