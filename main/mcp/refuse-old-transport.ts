import { endpointEvent, firstEventName } from '../oauth/wire/first-event.ts';
import { oldTransport } from '../oauth/discovery/old-transport.ts';

/**
 * The same response, whose event stream errors where it begins as that of the old transport (MCP 2024-11-05): the
 * answer to a question never comes on it, and it never ends. `askedAt`: where the question went that it answers.
 */
export function refuseOldTransport(response: Response, askedAt: URL): Response {
  const { body } = response;
  if (!body || response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') !== true) {
    return response;
  }
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

/** Characters in which a first event is looked for: that of the old transport is an address. */
const longestStart = 4_096;
