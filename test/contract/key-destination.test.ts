import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endErrorOf } from '../support/connection-facts.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

const options = { local: true };
const header = { name: 'X-API-Key', value: 'KEY-OF-THE-FIRST' };

interface KeyServer {
  readonly url: string;
  readonly keys: string[];
  /** From now on accepts no other key. */
  readonly takes: (key: string) => void;
}

/** An MCP server without tools; `refuses`: it responds 403 to everything. Records the header. */
async function startKeyServer(refuses = false): Promise<KeyServer> {
  const keys: string[] = [];
  let acceptedKey: string | undefined;
  const server = http.createServer((request, response) => {
    const key = request.headers['x-api-key'];
    if (typeof key === 'string') keys.push(key);
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string };
      if (acceptedKey !== undefined && key !== acceptedKey) return void response.writeHead(401).end();
      if (refuses || request.method !== 'POST') return void response.writeHead(refuses ? 403 : 405).end();
      if (id === undefined) return void response.writeHead(202).end();
      const serverInfo = { name: 'keys', version: '1' };
      const results: Record<string, unknown> = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
        'tools/list': { tools: [] },
      };
      const result = results[method ?? ''];
      const reply = result ? { result } : { error: { code: -32_601, message: 'no' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    keys,
    takes: (key) => (acceptedKey = key),
  };
}

const listOf = (url: string): string =>
  JSON.stringify({ mcpServers: { first: { url, headers: { [header.name]: header.value } } } });

/** A server with a key of its own, connected in the window. */
async function connectKeyServer(desktop: Awaited<ReturnType<typeof createTestDesktop>>, server: { url: string }) {
  const { id } = await desktop.call('connection:discover', { url: server.url, options });
  await desktop.connection(id, ({ state }) => state.name === 'discovered' || state.name === 'failed');
  await desktop.call('connection:start', { id, header });
  const { integrationId = '' } = await desktop.connection(id, ({ state }) => state.name === 'integrated');
  return integrationId;
}

describe('an API key', () => {
  it('is replaced in the window: the server stays the same, and only an accepted key is stored', async () => {
    const [server, desktop] = [await startKeyServer(), await createTestDesktop()];
    const id = await connectKeyServer(desktop, server);
    const before = await desktop.engine.ports.store.read(id);
    server.takes('THE-SECOND-KEY');
    expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ code: 'API_KEY_REFUSED' });

    for (const value of ['THE-WRONG-KEY', 'schlüssel']) {
      const code = value === 'schlüssel' ? 'API_KEY_INVALID' : 'API_KEY_REFUSED';
      expect(await desktop.callFailing('integration:replaceKey', { id, value })).toMatchObject({ code });
    }
    const { events } = await desktop.call('integration:events', { id });
    expect(events.filter(({ kind }) => kind === 'signInFailed').map(({ code }) => code)).toEqual(['API_KEY_REFUSED']);
    expect((await desktop.call('integration:signIns', { id })).signIns.length).toBeGreaterThan(1);
    // The old one stays until another one is accepted.
    server.takes(header.value);
    await desktop.call('integration:tools', { id });
    server.takes('THE-SECOND-KEY');
    await desktop.call('integration:replaceKey', { id, value: ' THE-SECOND-KEY\n' });
    await desktop.call('integration:tools', { id });
    expect(server.keys.at(-1)).toBe('THE-SECOND-KEY');
    expect(await desktop.engine.ports.store.list()).toEqual([{ ...before, keySavedAt: expect.any(Number) }]);
    expect(desktop.messages.join()).not.toMatch(/THE-(?:SECOND|WRONG)-KEY/u);
  });

  it('is entered again in the window after a sign-out, which has deleted it', async () => {
    const [server, desktop] = [await startKeyServer(), await createTestDesktop()];
    const id = await connectKeyServer(desktop, server);
    await desktop.call('integration:signOut', { ids: [id] });
    const { length } = server.keys;
    expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ code: 'API_KEY_MISSING' });
    expect(server.keys).toHaveLength(length);
    await desktop.call('integration:replaceKey', { id, value: header.value });
    await desktop.call('integration:tools', { id });
    expect(await desktop.engine.ports.store.read(id)).toMatchObject({ state: 'integrated' });
  });

  it('is not sent to a server with a sign-in', async () => {
    const [server, desktop] = [await startKeyServer(), await createTestDesktop()];
    const id = await connectKeyServer(desktop, server);
    await desktop.engine.ports.store.update(id, ({ options: { headerName: _none, ...rest }, ...current }) => ({
      ...current,
      options: rest,
    }));
    const { length } = server.keys;
    expect(await desktop.callFailing('integration:replaceKey', { id, value: 'ANOTHER' })).toMatchObject({
      code: 'API_KEY_INVALID',
    });
    expect(server.keys).toHaveLength(length);
  });

  it('typed for a server stays there when the address is changed to another server', async () => {
    const [first, second, desktop] = [await startKeyServer(true), await startKeyServer(), await createTestDesktop()];
    const { id } = await desktop.call('connection:discover', { url: first.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered' || state.name === 'failed');
    await desktop.call('connection:start', { id, header });
    await desktop.connection(
      id,
      (view) => view.state.name === 'failed' && endErrorOf(view)?.code === 'API_KEY_REFUSED',
    );
    expect(first.keys).toContain(header.value);

    await desktop.call('connection:discover', { id, url: second.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'integrated' || state.name === 'failed');
    expect(second.keys).toEqual([]);
  });

  it('from an imported entry stays there when the address is changed to another server', async () => {
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
    'from an imported entry is not used for %s',
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

  it('from an imported entry is sent to its own server', async () => {
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
