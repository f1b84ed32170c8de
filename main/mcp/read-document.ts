import { gatewayMessage } from '../limits.ts';
import { ByteBuffer } from './byte-buffer.ts';
import type { Holding } from './holding.ts';
import { uncounted } from './holding.ts';

/**
 * The whole body; `holding` is told what is held of it. Its size is bounded by the fetch that it came through. Errors:
 * what reading errors with.
 */
export async function readDocument({ body, headers }: Response, holding: Holding = uncounted): Promise<Buffer> {
  const length = Number(headers.get('content-length'));
  const announced = length <= gatewayMessage.size ? length : 0;
  await holding.hold(announced);
  const buffer = new ByteBuffer(announced);
  for await (const chunk of body ?? []) {
    await holding.hold(Math.max(announced, buffer.length + chunk.byteLength));
    buffer.append(chunk);
  }
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
