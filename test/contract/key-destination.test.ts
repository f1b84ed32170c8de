import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDesktop } from '../support/test-desktop.ts';

const options = { local: true };
const header = { name: 'X-API-Key', value: 'KEY-OF-THE-FIRST' };

/** An MCP server without tools; `refuses`: it answers 403 whatever comes. Keeps what came in the header. */
async function startKeyServer(refuses = false): Promise<{ url: string; keys: string[] }> {
  const keys: string[] = [];
  const server = http.createServer((request, response) => {
    const key = request.headers['x-api-key'];
    if (typeof key === 'string') keys.push(key);
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string };
      if (refuses || request.method !== 'POST') return void response.writeHead(refuses ? 403 : 405).end();
      if (id === undefined) return void response.writeHead(202).end();
      const serverInfo = { name: 'keys', version: '1' };
      const results: Record<string, unknown> = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
        'tools/list': { tools: [] },
      };
      const result = results[method ?? ''];
      const answer = result ? { result } : { error: { code: -32_601, message: 'no' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, keys };
}

const listOf = (url: string): string =>
  JSON.stringify({ mcpServers: { first: { url, headers: { [header.name]: header.value } } } });

describe('an API key', () => {
  it('that was typed for a server stays there when the address is changed to another one', async () => {
    const [first, second, desktop] = [await startKeyServer(true), await startKeyServer(), await createTestDesktop()];
    const { id } = await desktop.call('connection:discover', { url: first.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered' || state.name === 'failed');
    await desktop.call('connection:start', { id, header });
    await desktop.connection(id, ({ state, error }) => state.name === 'failed' && error?.code === 'API_KEY_REFUSED');
    expect(first.keys).toContain(header.value);

    await desktop.call('connection:discover', { id, url: second.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'integrated' || state.name === 'failed');
    expect(second.keys).toEqual([]);
  });

  it('that came with an imported entry stays there when the address is changed to another one', async () => {
    const [first, second, desktop] = [await startKeyServer(), await startKeyServer(), await createTestDesktop()];
    const { entries } = await desktop.call('import:read', { text: listOf(first.url) });
    const importEntry = entries[0]?.id ?? '';
    const { id } = await desktop.call('connection:discover', { url: first.url, options, importEntry });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:discover', { id, url: second.url, options });
    await desktop.connection(id, ({ state, url }) => state.name === 'discovered' && url === second.url);
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'integrated' || state.name === 'failed');
    expect(second.keys).toEqual([]);
  });

  it.each(['another server', 'another path of the server'])(
    'that came with an imported entry is not taken for %s',
    async (other) => {
      const [first, second, desktop] = [await startKeyServer(), await startKeyServer(), await createTestDesktop()];
      const { entries } = await desktop.call('import:read', { text: listOf(first.url) });
      const url = other === 'another server' ? second.url : `${first.url}/elsewhere`;
      const importEntry = entries[0]?.id ?? '';
      const { id } = await desktop.call('connection:discover', { url, options, importEntry });
      await desktop.connection(id, ({ state }) => state.name === 'discovered');
      await desktop.call('connection:start', { id });
      await desktop.connection(id, ({ state }) => state.name === 'integrated' || state.name === 'failed');
      expect([...first.keys, ...second.keys]).toEqual([]);
    },
  );

  it('that came with an imported entry goes to its own server', async () => {
    const [first, desktop] = [await startKeyServer(), await createTestDesktop()];
    const { entries } = await desktop.call('import:read', { text: listOf(first.url) });
    const importEntry = entries[0]?.id ?? '';
    const { id } = await desktop.call('connection:discover', { url: first.url, options, importEntry });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'integrated');
    expect(new Set(first.keys)).toEqual(new Set([header.value]));
  });
});
