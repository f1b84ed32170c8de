import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { mcpListing } from '../../main/limits.ts';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

it('shows as many of 7,000 tools as it accepts, and reports that there are more', async () => {
  const tools = Array.from({ length: 7_000 }, (_, index) => `{"name":"${index}","inputSchema":{"type":"object"}}`);
  const handshake = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(text) as { id?: unknown; method: string };
      if (id === undefined) return response.writeHead(202).end();
      const results: Record<string, string> = {
        initialize: JSON.stringify(handshake),
        'tools/list': `{"tools":[${tools.join(',')}]}`,
      };
      const reply = results[method] ? `"result":${results[method]}` : '"error":{"code":-32601,"message":"no"}';
      response.setHeader('content-type', 'application/json');
      return response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${reply}}`);
    });
  });
  const { origin } = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const desktop = await createTestDesktop();
  const { id } = await desktop.call('connection:discover', { url: `${origin}/mcp`, options: { local: true } });
  await desktop.connection(id, ({ state }) => state.name === 'discovered');
  await desktop.call('connection:start', { id });
  const { integrationId = '' } = await desktop.connection(id, ({ state }) => state.name === 'integrated');
  const result = await desktop.call('integration:tools', { id: integrationId });
  expect(result.tools).toHaveLength(mcpListing.entries);
  expect(result.isPartial).toBe(true);
});
