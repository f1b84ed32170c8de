import { expect, it } from 'vitest';
import { bodyLimit, deadline } from '../../../../../main/limits.ts';
import {
  streamableHttpAddress,
  opensSseTransport,
  readProbeResponse,
} from '../../../../../main/oauth/discovery/probe-response.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const responseOf = (text: string | null, type: string | undefined, status = 200): Response =>
  new Response(text === null ? null : Buffer.from(text), {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
const kindOf = async (response: Response): Promise<string> =>
  (await readProbeResponse(response, createFakeClock())).kind;

const result = '{"jsonrpc":"2.0","id":1,"result":{}}';

it.each([
  ['a JSON response', result, 'application/json', 'mcp'],
  ['a JSON response in a list', `[${result}]`, 'application/json', 'mcp'],
  ['a JSON response as text/plain', result, 'text/plain', 'mcp'],
  ['a malformed response', '{"jsonrpc":"2.0","result":{', 'application/json', 'mcp'],
  ['an echo of our request', '{"jsonrpc":"2.0","id":1,"method":"x"}', 'application/json', 'json'],
  ['an echo of our request, as text', '{"jsonrpc":"2.0","id":1,"method":"x"}', 'text/plain', 'other'],
  ['an unrelated result, as text', '{"result":{}}', 'text/plain', 'other'],
  ['other JSON', '{"hello":"world"}', 'application/json', 'json'],
  ['truncated other JSON', '{"hello":', 'application/json', 'broken-json'],
  ['nothing', '', 'application/json', 'empty'],
  ['white space', ' \r\n', 'text/html', 'empty'],
  ['a page', 'Welcome', 'text/HTML; charset=utf-8', 'web-page'],
  ['a page without a content type', ' <!doctype html>', undefined, 'web-page'],
  ['a page of the wrong type', '<html>', 'text/plain', 'web-page'],
  ['words', 'Not here', 'text/plain', 'other'],
  ['events of the old transport', 'event: endpoint\ndata: /m\n\n', 'text/event-stream', 'old-transport'],
  ['other events', `event: message\ndata: ${result}\n\n`, 'Text/Event-Stream; charset=utf-8', 'mcp'],
  ['no body', null, 'application/json', 'empty'],
])('recognizes %s: %j as %s is %s', async (_, text, type, kind) => {
  expect(await kindOf(responseOf(text, type))).toBe(kind);
});

it('returns the code of an error (JSON-RPC 2.0 section 5.1)', async () => {
  const error = responseOf('{"jsonrpc":"2.0","id":1,"error":{"code":-32600}}', 'application/json', 400);
  expect(await readProbeResponse(error, createFakeClock())).toEqual({ kind: 'mcp', errorCode: -32_600 });
});

/** A body that stays open, and whether it was canceled. */
function open(type: string, ...chunks: readonly string[]) {
  const state = { isCanceled: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
    },
    cancel: () => void (state.isCanceled = true),
  });
  return { state, response: new Response(body, { headers: { 'content-type': type } }) };
}

it('stops reading an event stream at its first event', async () => {
  const { state, response } = open('text/event-stream', 'event: end', 'point\ndata: /m\n\n');
  expect(await kindOf(response)).toBe('old-transport');
  expect(state.isCanceled).toBe(true);
});

it('stops reading a body that has not ended after a second', async () => {
  const clock = createFakeClock();
  const { state, response } = open('application/json', result);
  const reading = readProbeResponse(response, clock);
  clock.advance(deadline.probeBody);
  expect(await reading).toEqual({ kind: 'incomplete' });
  expect(state.isCanceled).toBe(true);
});

it('reads up to the limit, and not a byte more', async () => {
  const full = result.padEnd(bodyLimit.probe);
  expect(await kindOf(responseOf(full, 'application/json'))).toBe('mcp');
  expect(await kindOf(responseOf(`${full} `, 'application/json'))).toBe('incomplete');
});

it.each([
  ['event: endpoint\ndata: /m\n\n', 200, true],
  ['event: endpoint\ndata: /m\n\n', 404, false],
  ['event: message\ndata: {}\n\n', 200, false],
])('recognizes in %j with %i HTTP+SSE: %s (MCP 2024-11-05)', async (text, status, is) => {
  expect(await opensSseTransport(responseOf(text, 'text/event-stream', status), createFakeClock())).toBe(is);
});

it.each([
  ['https://mcp.example/sse', 'https://mcp.example/mcp'],
  ['https://mcp.example/a/sse/', 'https://mcp.example/a/mcp'],
  ['https://mcp.example/mcp', undefined],
  ['https://mcp.example/sse?key=a', undefined],
])('returns for %s the newer address %s', (server, newer) => {
  expect(streamableHttpAddress(asChecked(server))).toBe(newer);
});
