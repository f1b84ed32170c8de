import { expect, it } from 'vitest';
import { createTestDesktop } from '../support/test-desktop.ts';
import { event, inputSchema, sendJson, startWireServer, textResult } from '../support/wire-server.ts';
import type { WireRequest } from '../support/wire-server.ts';

/** What a server asks of whoever runs a model or keeps folders; Postern does neither, and says so. */

const requests = [
  ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['roots/list', {}],
] as const;

it.each(requests)('%s is declined on the wire with sessions, and the call goes on', async (method, params) => {
  let call: WireRequest | undefined;
  const server = await startWireServer('legacy', [{ name: 'ask', inputSchema }], (request) => {
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
  const answer = await desktop.call('integration:callTool', { id, call: 'a', name: 'ask', arguments: {} });
  expect(answer.content).toMatchObject([{ text: 'Done' }]);
  const said = server.came.find(({ message }) => message.id === 'of-server')?.text ?? '';
  expect(JSON.parse(said)).toMatchObject({ error: { code: -32_601 } });
  const offered = server.came.findLast(({ message }) => message.method === 'initialize')?.text ?? '';
  expect(Object.keys((JSON.parse(offered) as { params: { capabilities: object } }).params.capabilities)).toEqual([
    'elicitation',
  ]);
});

it.each(requests)('%s ends a call of the wire without sessions, which has no other answer', async (method, params) => {
  const server = await startWireServer('modern', [{ name: 'ask', inputSchema }], ({ message, response }) => {
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
  expect(await desktop.refuse('integration:callTool', input)).toMatchObject({ code: 'MCP_FAILED' });
  expect(server.methods().filter((name) => name === 'tools/call')).toHaveLength(1);
});
