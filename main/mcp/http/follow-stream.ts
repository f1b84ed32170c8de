import { setTimeout as pause } from 'node:timers/promises';
import { hasTrait } from '../../../shared/error-traits.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Reservation } from '../../gateway-ports.ts';
import { drainBytes, resumption, toolCall } from '../../limits.ts';
import { readAtMost, readEvents } from '../messages/message-body.ts';
import type { StreamPosition } from '../messages/message-body.ts';
import { mediaType } from '../messages/message-headers.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

interface FollowOptions {
  /** Reading pauses until it resolves. */
  readonly onMessage: (data: Buffer) => void | Promise<void>;
  /** True until the response has arrived. */
  readonly isPending: () => boolean;
  /** Requests the rest of the stream after that event; absent: cannot be resumed. */
  readonly resume: ((lastEventId: string) => Promise<Response>) | undefined;
  /** Called before a resumption. */
  readonly onPaused?: (() => void) | undefined;
  /** The error if the server refuses; drains its response. */
  readonly refusal: (response: Response) => Promise<Error>;
  readonly signal: AbortSignal;
  /** Accounts for the memory of each message. */
  readonly holding?: Reservation;
}

/**
 * Reads the stream of a response, resuming it if the connection ends early (MCP 2025-11-25, resumability), after the
 * pause the server asks for. A server may close its streams as often as the call lasts, provided each brings a message
 * with a new id; otherwise resumptions are limited. Errors: if the response cannot arrive.
 */
export async function followStream(first: Response, options: FollowOptions): Promise<void> {
  const { isPending, resume, refusal, signal } = options;
  const position: StreamPosition = {};
  let response: Response | undefined = first;
  let failure: unknown;
  const startedAt = performance.now();
  for (let resumptions = 0, failures = 0; ;) {
    if (response) {
      const previousEventId = position.lastEventId;
      let hasMessage = false;
      const onMessage = (data: Buffer): void | Promise<void> => {
        hasMessage = true;
        return options.onMessage(data);
      };
      failure = await readStream(response, position, { ...options, onMessage });
      if (!isPending()) return;
      if (hasMessage && position.lastEventId !== previousEventId) resumptions = 0;
      failures = 0;
    }
    const lastEventId = resumableEventId(position);
    if (!resume || lastEventId === undefined || !canResume(failure) || resumptions >= resumption.attempts)
      throw failure;
    // Each exchange has its own limit; this limits all of them together.
    if (performance.now() - startedAt > toolCall.longest) throw failure;
    options.onPaused?.();
    const { shortest, longest, standard } = resumption.pause;
    await pause(Math.min(Math.max(position.retry ?? standard, shortest), longest), undefined, { signal });
    resumptions += 1;
    try {
      response = await resume(lastEventId);
    } catch (error) {
      failures += 1;
      if (failures >= resumption.failures || !canResume(error)) throw error;
      response = undefined;
      continue;
    }
    if (!response.ok) throw await refusal(response);
  }
}

/** Reads until the response has arrived; otherwise returns why it stopped. */
async function readStream(
  { body }: Response,
  position: StreamPosition,
  { onMessage, isPending, holding }: FollowOptions,
): Promise<unknown> {
  if (!body) return new Error('there is no stream');
  const reader = body.getReader();
  try {
    for await (const data of readEvents(reader, position, holding)) {
      await onMessage(data);
      if (isPending()) continue;
      // The end usually follows; draining it lets the connection be reused.
      reader.releaseLock();
      void readAtMost(new Response(body), drainBytes);
      return undefined;
    }
  } catch (error) {
    return error;
  }
  return new Error('the stream ended without an answer');
}

/** Only a broken connection can be resumed: a refusal, ours or the server's, would repeat. */
function canResume(error: unknown): boolean {
  return !(error instanceof PosternError) || hasTrait(error, 'broken-connection');
}

/** An event id that fits into a header field. */
function resumableEventId({ lastEventId = '' }: StreamPosition): string | undefined {
  return /^[\x21-\x7e][\x20-\x7e]{0,1023}$/u.test(lastEventId) ? lastEventId : undefined;
}

interface ListenOptions {
  /** The bytes are valid until it resolves. */
  readonly onMessage: (data: Buffer) => Promise<void>;
  readonly signal: AbortSignal;
  /** Whether there is still a listener. */
  readonly hasListener: () => boolean;
  /** Accounts for the memory of each message. */
  readonly holding: Reservation;
}

/**
 * Follows the unsolicited messages of a session-based server, reconnecting when the stream breaks (MCP 2025-11-25,
 * listening for messages). Resolves when there is no listener left, or with the status of a server without such a
 * stream.
 */
export async function listenToServer(
  endpoint: McpEndpoint,
  { onMessage, signal, hasListener, holding }: ListenOptions,
): Promise<number | undefined> {
  const position: StreamPosition = {};
  const { shortest, longest, standard } = resumption.pause;
  for (let failures = 0; failures < resumption.failures && hasListener();) {
    try {
      const { lastEventId } = position;
      const response = await endpoint.request('GET', lastEventId === undefined ? {} : { lastEventId });
      if (!response.ok || mediaType(response) !== 'text/event-stream' || !response.body) {
        // Many servers have no such stream (405).
        await readAtMost(response, drainBytes);
        return response.status;
      }
      failures = 0;
      for await (const data of readEvents(response.body.getReader(), position, holding)) await onMessage(data);
    } catch {
      failures += 1;
    }
    await pause(Math.min(Math.max(position.retry ?? standard, shortest), longest), undefined, { signal });
  }
  return undefined;
}
