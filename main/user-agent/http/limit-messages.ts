import type { Stage } from '../../../shared/error-codes.ts';
import { bodyLimit } from '../../limits.ts';
import type { StreamRequest } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

type StreamLimits = StreamRequest['limits'];

const usual = { message: bodyLimit.mcpMessage, stream: bodyLimit.mcpStream };

/** A line end and another one: CR, LF and CR LF each end a line, so CR LF alone is none of these. */
const blankLines = ['\n\n', '\n\r', '\r\r'].map((text) => Buffer.from(text));

/**
 * Counts the bytes of a body as they arrive, with a bound on what its reader has to hold at one time: on the whole of a
 * document, on each event of an event stream (WHATWG HTML section 9.2.6: an event ends with a blank line), and on all
 * of them together. What it answers errors with RESULT_TOO_LARGE.
 */
export function limitMessages(
  isEventStream: boolean,
  { stage, host, limits = usual }: { readonly stage: Stage; readonly host: string; readonly limits: StreamLimits },
): (chunk: Uint8Array) => void {
  const tooLarge = (maximum: number) => new PosternError('RESULT_TOO_LARGE', { stage, detail: { host, maximum } });
  let length = 0;
  let total = 0;
  /** The last byte of the chunk before: a blank line may come in two. */
  let carried: number | undefined;

  function count(chunk: Uint8Array): void {
    length += chunk.byteLength;
    total += chunk.byteLength;
    if (!isEventStream || chunk[0] === undefined) return;
    // A view, no copy: what is copied here would be garbage for each chunk of a stream that never ends.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const blank = Math.max(...blankLines.map((text) => bytes.lastIndexOf(text)));
    if (blank >= 0) length = bytes.length - blank - 2;
    else if (carried !== undefined && blankLines.some((text) => text[0] === carried && text[1] === chunk[0])) {
      length = bytes.length - 1;
    }
    carried = bytes.at(-1);
  }

  return (chunk) => {
    count(chunk);
    if (length > limits.message) throw tooLarge(limits.message);
    if (isEventStream && total > limits.stream) throw tooLarge(limits.stream);
  };
}
