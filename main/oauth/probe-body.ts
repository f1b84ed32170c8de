import * as z from 'zod';
import { bodyLimit, deadline } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Clock } from '../ports.ts';
import { readJsonDocument } from './json-document.ts';

const jsonRpcErrorSchema = z.object({ error: z.object({ code: z.number() }) });

/**
 * Reads the rest of a probe's answer, so that its connection can serve the next request, and gives the code of the
 * JSON-RPC error in it. An event stream may stay open for good and is left at once; a slow body after a second.
 */
export async function readErrorCode(response: Response, clock: Clock): Promise<number | undefined> {
  if (response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true) {
    await response.body?.cancel().catch(() => {});
    return undefined;
  }
  const body = await readBody(response, clock);
  if (body === undefined) return undefined;
  try {
    const { status, headers, url } = response;
    const document = readJsonDocument({ status, headers, url, body }, { stage: 'probe' });
    return jsonRpcErrorSchema.safeParse(document).data?.error.code;
  } catch (error) {
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}

async function readBody(response: Response, clock: Clock): Promise<Uint8Array | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return undefined;
  let whole = true;
  const leave = () => {
    whole = false;
    reader.cancel().catch(() => {});
  };
  const stopTimer = clock.after(deadline.probeBody, leave);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > bodyLimit.probe) leave();
      else chunks.push(value);
    }
  } catch {
    // The status has been read; a body that breaks off adds nothing to it.
    whole = false;
  } finally {
    stopTimer();
  }
  return whole ? Buffer.concat(chunks) : undefined;
}
