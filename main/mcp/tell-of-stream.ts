/**
 * The same response, with word of what ends its event stream before its time: the MCP library keeps only the text of
 * such an error. Other bodies are read whole, and their errors arrive by themselves.
 */
export function tellOfStream(response: Response, tell: (error: unknown) => void): Response {
  const { body } = response;
  if (!body || response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') !== true) {
    return response;
  }
  const reader = body.getReader();
  const told = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
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
