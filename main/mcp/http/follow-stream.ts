import { setTimeout as pause } from 'node:timers/promises';
import { isAbout } from '../../../shared/error-facts.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Holding } from '../../gateway-ports.ts';
import { leftoverBytes, resumption, toolCall } from '../../limits.ts';
import { readAtMost, readEvents } from '../messages/message-body.ts';
import type { StreamPosition } from '../messages/message-body.ts';
import { mediaType } from '../messages/message-headers.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

interface Following {
  /** The stream is not read on before it has resolved. */
  readonly take: (data: Buffer) => void | Promise<void>;
  /** Whether the answer has not come yet. */
  readonly isOpen: () => boolean;
  /** Asks for the rest of the stream after that event; without it there is none. */
  readonly resume: ((lastEventId: string) => Promise<Response>) | undefined;
  /** Told before that. */
  readonly onPaused?: (() => void) | undefined;
  /** The error for a server that says no to that; reads its answer away. */
  readonly refusal: (response: Response) => Promise<Error>;
  readonly signal: AbortSignal;
  /** Told what is held of each message. */
  readonly holding?: Holding;
}

/**
 * Reads the stream that an answer comes on, and the rest of it where the connection ends before (MCP 2025-11-25,
 * resumability): after the pause that the server asks for. A server may close its streams for as long as the call may
 * take, if each brings a message under a new id, and not for ever without. Errors: when the answer cannot come.
 */
export async function followStream(first: Response, following: Following): Promise<void> {
  const { isOpen, resume, refusal, signal } = following;
  const position: StreamPosition = {};
  let response: Response | undefined = first;
  let end: unknown;
  const began = performance.now();
  for (let resumed = 0, failed = 0; ;) {
    if (response) {
      const before = position.lastEventId;
      let hasMessage = false;
      const take = (data: Buffer): void | Promise<void> => {
        hasMessage = true;
        return following.take(data);
      };
      end = await readStream(response, position, { ...following, take });
      if (!isOpen()) return;
      if (hasMessage && position.lastEventId !== before) resumed = 0;
      failed = 0;
    }
    const lastEventId = resumable(position);
    if (!resume || lastEventId === undefined || !canGoOn(end) || resumed >= resumption.times) throw end;
    // Each exchange has a limit of its own, and nobody else may count how long all of them take.
    if (performance.now() - began > toolCall.longest) throw end;
    following.onPaused?.();
    const { shortest, longest, usual } = resumption.pause;
    await pause(Math.min(Math.max(position.retry ?? usual, shortest), longest), undefined, { signal });
    resumed += 1;
    try {
      response = await resume(lastEventId);
    } catch (error) {
      failed += 1;
      if (failed >= resumption.failures || !canGoOn(error)) throw error;
      response = undefined;
      continue;
    }
    if (!response.ok) throw await refusal(response);
  }
}

/** Reads until the answer is there, and answers why it stopped otherwise. */
async function readStream(
  { body }: Response,
  position: StreamPosition,
  { take, isOpen, holding }: Following,
): Promise<unknown> {
  if (!body) return new Error('there is no stream');
  const reader = body.getReader();
  try {
    for await (const data of readEvents(reader, position, holding)) {
      await take(data);
      if (isOpen()) continue;
      // Its end is next, as a rule, and then the connection can be used again.
      reader.releaseLock();
      void readAtMost(new Response(body), leftoverBytes);
      return undefined;
    }
  } catch (error) {
    return error;
  }
  return new Error('the stream ended without an answer');
}

/** The connection broke; what we or the server refuse will be refused again. */
function canGoOn(end: unknown): boolean {
  return !(end instanceof PosternError) || isAbout(end, 'broken-connection');
}

/** An id that a header field can carry, and of a length that is one. */
function resumable({ lastEventId = '' }: StreamPosition): string | undefined {
  return /^[\x21-\x7e][\x20-\x7e]{0,1023}$/u.test(lastEventId) ? lastEventId : undefined;
}

interface Listening {
  /** The bytes are good until it has resolved. */
  readonly take: (data: Buffer) => Promise<void>;
  readonly signal: AbortSignal;
  /** Whether somebody still listens. */
  readonly wanted: () => boolean;
  /** Told what is held of each message. */
  readonly holding: Holding;
}

/**
 * What a server of the wire with sessions sends by itself, taken up again where it breaks off (MCP 2025-11-25,
 * listening for messages). Resolves when there is none any more, or with the status of a server that has no such stream.
 */
export async function listenToServer(
  endpoint: McpEndpoint,
  { take, signal, wanted, holding }: Listening,
): Promise<number | undefined> {
  const position: StreamPosition = {};
  const { shortest, longest, usual } = resumption.pause;
  for (let failures = 0; failures < resumption.failures && wanted();) {
    try {
      const { lastEventId } = position;
      const response = await endpoint.request('GET', lastEventId === undefined ? {} : { lastEventId });
      if (!response.ok || mediaType(response) !== 'text/event-stream' || !response.body) {
        // Many servers have no such stream (405).
        await readAtMost(response, leftoverBytes);
        return response.status;
      }
      failures = 0;
      for await (const data of readEvents(response.body.getReader(), position, holding)) await take(data);
    } catch {
      failures += 1;
    }
    await pause(Math.min(Math.max(position.retry ?? usual, shortest), longest), undefined, { signal });
  }
  return undefined;
}
