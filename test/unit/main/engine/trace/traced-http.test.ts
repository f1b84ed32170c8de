import { afterEach, describe, expect, it, vi } from 'vitest';
import { TraceRedactor } from '../../../../../main/engine/trace/trace-redactor.ts';
import { Trace, traceHttp } from '../../../../../main/engine/trace/trace.ts';
import type { Http, HttpRequest } from '../../../../../main/ports.ts';

const canary = 'canary-7d2e5f1a9b';
const message = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { note: canary } })}\n\n`;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A server that sends `pieces`, and closes the stream only if `ends`. */
function watchStream(pieces: readonly string[], ends: boolean): { trace: Trace; open: () => Promise<Response> } {
  let next = 0;
  const http: Http = {
    exchange: () => Promise.reject(new Error('not asked for')),
    resolveHost: () => Promise.reject(new Error('not asked for')),
    async stream() {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces[next++];
          if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece));
          if (ends) controller.close();
          return undefined;
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  };
  const trace = new Trace({ monotonic: () => 0 });
  const request = { purpose: 'mcp', method: 'POST', url: 'https://mcp.example/mcp' } as HttpRequest;
  return { trace, open: () => traceHttp(http, trace).stream(request) };
}

describe('traceHttp', () => {
  it('inspects an event stream once, however many pieces it has', async () => {
    const read = vi.spyOn(TraceRedactor.prototype, 'body');
    const { trace, open } = watchStream([message, ...Array.from({ length: 500 }, () => ':\n\n')], true);
    await (await open()).text();
    const [entry] = trace.entries();
    trace.entries();
    expect(entry?.response?.body.map(({ name }) => name)).toEqual(['jsonrpc', 'method', 'params.note']);
    // Once for the request, once for the response.
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('shows what has arrived so far on an open stream', async () => {
    const { trace, open } = watchStream([message], false);
    const reader = (await open()).body?.getReader();
    await reader?.read();
    expect(trace.entries()[0]?.response?.body).toContainEqual({ name: 'method', value: 'notifications/x' });
    await reader?.cancel();
    expect(trace.entries()[0]?.response?.body).toContainEqual({ name: 'method', value: 'notifications/x' });
  });

  it('hides a value from an open stream when a later request repeats it', async () => {
    const { trace, open } = watchStream([message], false);
    const reader = (await open()).body?.getReader();
    await reader?.read();
    trace.begin({ purpose: 'mcp', method: 'POST', url: `https://mcp.example/${canary}` });
    expect(JSON.stringify(trace.entries())).not.toContain(canary);
    await reader?.cancel();
  });
});
