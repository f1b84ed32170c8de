import type { CheckedAddress } from '../../address/check-address.ts';
import { endpointEvent, firstEventName } from '../../oauth/wire/first-event.ts';
import { OldTransport, oldTransport } from '../../oauth/discovery/old-transport.ts';
import { mediaType } from '../messages/message-headers.ts';

/**
 * The same response, whose event stream errors where it begins as that of the old transport (MCP 2024-11-05): the
 * answer to a question never comes on it, and it never ends. `askedAt`: where the question went that it answers.
 */
export function refuseOldTransport(response: Response, askedAt: CheckedAddress): Response {
  const { body } = response;
  if (!body || mediaType(response) !== 'text/event-stream') return response;
  const decoder = new TextDecoder();
  let start: string | undefined = '';
  const told = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (start !== undefined) {
          start += decoder.decode(chunk, { stream: true });
          const name = firstEventName(start);
          if (name === endpointEvent) throw oldTransport(askedAt, 'connection');
          if (name !== undefined || start.length > longestStart) start = undefined;
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return Object.defineProperty(response, 'body', { value: told });
}

/**
 * The error that it is refused with so, where its first piece tells; a response with all of it else. Errors: those of
 * reading.
 */
export async function beginsAsOld(response: Response): Promise<Response | OldTransport> {
  const { body, status, headers } = response;
  if (!body || mediaType(response) !== 'text/event-stream') return response;
  const reader = body.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined;
  try {
    first = await reader.read();
  } catch (error) {
    if (error instanceof OldTransport) return error;
    throw error;
  }
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(whole, { status, headers });
}

/** Characters in which a first event is looked for: that of the old transport is an address. */
const longestStart = 4_096;
