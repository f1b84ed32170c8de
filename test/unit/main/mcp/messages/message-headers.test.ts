import { expect, it } from 'vitest';
import { messageHeaders } from '../../../../../main/mcp/messages/message-headers.ts';

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

it.for([
  ['tools/call', { name: 'add' }, 'add'],
  ['prompts/get', { name: 'greet' }, 'greet'],
  ['resources/read', { uri: 'test://one' }, 'test://one'],
  ['tasks/get', { taskId: 'task-1' }, 'task-1'],
  ['tasks/update', { taskId: 'task-1' }, 'task-1'],
  ['tasks/cancel', { taskId: 'task-1' }, 'task-1'],
] as const)('repeats the name from %s (MCP 2026-07-28, standard headers; SEP-2663)', ([method, params, name]) => {
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } } as const;
  expect(messageHeaders(message)).toMatchObject({ 'mcp-method': method, 'mcp-name': name });
});

it('sends no name if a method has none, and no headers for an older message', () => {
  expect(messageHeaders({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })).not.toHaveProperty(
    'mcp-name',
  );
  expect(messageHeaders({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } })).toEqual({});
});
