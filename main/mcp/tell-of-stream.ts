import { endpointEvent, firstEventName } from '../oauth/wire/first-event.ts';
import { oldTransport } from '../oauth/discovery/old-transport.ts';

/**
 * The same response, with word of what ends its event stream before its time: the MCP library keeps only the text of
 * such an error. `askedAt`: where the question went that it answers. There a stream that begins as that of the old
 * transport ends at once, since the answer never comes on it. Other bodies are read whole, and their errors arrive by
 * themselves.
 */
export function tellOfStream(response: Response, askedAt: URL | undefined, tell: (error: unknown) => void): Response {
  const { body } = response;
  if (!body || response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') !== true) {
    return response;
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let start: string | undefined = '';
  const refuseOldTransport = async (chunk: Uint8Array): Promise<void> => {
    if (askedAt === undefined || start === undefined) return;
    start += decoder.decode(chunk, { stream: true });
    const name = firstEventName(start);
    if (name !== undefined || start.length > longestStart) start = undefined;
    if (name !== endpointEvent) return;
    await reader.cancel();
    throw oldTransport(askedAt, 'connection');
  };
  const told = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (value) await refuseOldTransport(value);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          tell(error);
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return Object.defineProperty(response, 'body', { value: told });
}

/** Characters in which a first event is looked for: that of the old transport is an address. */
const longestStart = 4_096;
