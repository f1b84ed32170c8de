import { expect, it } from 'vitest';
import { createTestDesktop } from '../support/test-desktop.ts';
import { event, inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

/** Server requests for sampling or roots: Postern supports neither, and says so. */

const requests = [
  ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['roots/list', {}],
] as const;

it.each(requests)('%s is declined with sessions, and the call continues', async (method, params) => {
  let call: RawRequest | undefined;
  const server = await startRawServer('session', [{ name: 'ask', inputSchema }], (request) => {
    const { message, response } = request;
    if (message.method === 'tools/call') {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(event({ id: 'of-server', method, params }));
      call = request;
      return true;
    }
    if (message.id === 'of-server') call?.response.end(event({ id: call.message.id, ...textResult('Done') }));
    return false;
  });
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(server.url);
  const { id } = integration;
  const result = await desktop.call('integration:callTool', { id, call: 'a', name: 'ask', arguments: {} });
  expect(result.content).toMatchObject([{ text: 'Done' }]);
  const declined = server.received.find(({ message }) => message.id === 'of-server')?.text ?? '';
  expect(JSON.parse(declined)).toMatchObject({ error: { code: -32_601 } });
  const initialize = server.received.findLast(({ message }) => message.method === 'initialize')?.text ?? '';
  expect(Object.keys((JSON.parse(initialize) as { params: { capabilities: object } }).params.capabilities)).toEqual([
    'elicitation',
  ]);
});

it.each(requests)('%s ends a stateless call, which has no other response', async (method, params) => {
  const server = await startRawServer('stateless', [{ name: 'ask', inputSchema }], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    sendJson(
      { message, response },
      { result: { resultType: 'input_required', inputRequests: { a: { method, params } } } },
    );
    return true;
  });
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(server.url);
  const input = { id: integration.id, call: 'a', name: 'ask', arguments: {} };
  expect(await desktop.callFailing('integration:callTool', input)).toMatchObject({ code: 'MCP_FAILED' });
  expect(server.methods().filter((name) => name === 'tools/call')).toHaveLength(1);
});
