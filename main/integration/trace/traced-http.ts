import type { Http } from '../../ports.ts';
import type { Trace } from './trace.ts';
import type { TraceRecord } from './trace-record.ts';

/** Characters of a body that are looked at; a longer one is cut, and then is no document any more. */
const bodyLength = 256 * 1024;

/** The same Http, with every request noted in `trace`. Changes nothing of what is sent, answered or thrown. */
export function traceHttp(http: Http, trace: Trace): Http {
  return {
    async exchange(request) {
      const record = trace.begin(request);
      try {
        const response = await http.exchange(request);
        record.answered(response.status, response.headers);
        record.received(decode(response.body));
        return response;
      } catch (error) {
        record.failed(error);
        throw error;
      }
    },
    async stream({ body, ...request }) {
      const text = body instanceof Uint8Array ? decode(body) : body;
      const record = trace.begin({ ...request, ...(text !== undefined && { body: text }) });
      try {
        const response = await http.stream({ ...request, ...(body !== undefined && { body }) });
        record.answered(response.status, response.headers);
        return response.body ? withWatchedBody(response, response.body, record) : response;
      } catch (error) {
        record.failed(error);
        throw error;
      }
    },
  };
}

/** Notes what the reader of the body has read of it; reads nothing by itself. */
function withWatchedBody(response: Response, body: ReadableStream<Uint8Array>, record: TraceRecord): Response {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  record.receives(() => text);
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          record.received(text);
          return controller.close();
        }
        if (text.length < bodyLength) text += decoder.decode(value, { stream: true });
        controller.enqueue(value);
      },
      cancel(reason) {
        record.received(text);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(watched, { status, statusText, headers }), 'url', { value: url });
}

function decode(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, bodyLength));
}
