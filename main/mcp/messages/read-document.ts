import { gatewayMessage } from '../../limits.ts';
import { ByteBuffer } from './byte-buffer.ts';
import type { Holding } from '../../holding.ts';
import { uncounted } from '../../holding.ts';

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
  do {
    const { done, value } = await reader.read();
    if (done) break;
    await holding.hold(Math.max(announced, buffer.length + value.byteLength));
    buffer.append(value);
  } while (buffer.length < end);
  return buffer.take();
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
