import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import type { IncomingResponse } from './dispatch-request.ts';

/** More than was asked for at most. */
export class LargeBody extends PosternError {}

/**
 * The whole body, at most `limit` bytes; what declares or turns out to be longer is cut off at the connection.
 * Errors: BODY_TOO_LARGE, detail `{maximum}`, and what the body stream errors with.
 */
export async function readBody(response: IncomingResponse, limit: number, stage: Stage): Promise<Uint8Array> {
  const tooLarge = () => new LargeBody('BODY_TOO_LARGE', { stage, detail: { maximum: limit } });
  if (Number(response.headers.get('content-length')) > limit) {
    await response.body.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream, and that closes the connection.
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
