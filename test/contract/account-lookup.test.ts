import { describe, expect, it } from 'vitest';
import { loadHeaderValue, saveHeaderValue } from '../../main/engine/records/stored-secrets.ts';
import { Secret } from '../../main/secret.ts';
import { anIntegration } from '../support/an-integration.ts';
import { localOptions } from '../support/local-options.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';

const readOnlyHint = true;

/** Asks a server with these tools, each of which responds with this. */
async function askAccount(tools: readonly object[], text: string) {
  const server = await startRawServer('session', tools, (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult(text));
    return true;
  });
  const desktop = await createTestDesktop();
  const entry = anIntegration({ url: server.url, method: 'NoAuth', options: localOptions, protocol: 'session' });
  await desktop.engine.ports.store.write(entry);
  const result = await desktop.call('integration:identifyAccount', { id: entry.id });
  const called = server.received.flatMap(({ message }) =>
    message.method === 'tools/call' ? (message.params?.name ?? []) : [],
  );
  return { result, called, stored: await desktop.engine.ports.store.read(entry.id) };
}

describe('asking a server who is signed in', () => {
  it('calls the matching tool and stores the account name', async () => {
    const tools = [
      { name: 'delete_all', inputSchema },
      { name: 'whoami', inputSchema, annotations: { readOnlyHint } },
    ];
    const { result, called, stored } = await askAccount(tools, '{"name":"Ada","email":"ada@example.com"}');
    expect(result).toEqual({ isKnown: true });
    expect(called).toEqual(['whoami']);
    expect(stored?.user).toEqual({ name: 'Ada', email: 'ada@example.com' });
  });

  it.each([
    ['no such tool', [{ name: 'search', inputSchema, annotations: { readOnlyHint } }]],
    ['one that may change something', [{ name: 'whoami', inputSchema }]],
    ['one that destroys', [{ name: 'whoami', inputSchema, annotations: { destructiveHint: true } }]],
    [
      'one that wants arguments',
      [{ name: 'whoami', inputSchema: { ...inputSchema, required: ['id'] }, annotations: { readOnlyHint } }],
    ],
    ['one of another service', [{ name: 'get_user', inputSchema, annotations: { readOnlyHint } }]],
  ])('calls nothing if there is %s', async (_what, tools) => {
    const { result, called, stored } = await askAccount(tools, '{"name":"Ada"}');
    expect(result).toEqual({ isKnown: false });
    expect(called).toEqual([]);
    expect(stored).not.toHaveProperty('user');
  });

  it('stores nothing if the tool names no account', async () => {
    const { result, stored } = await askAccount(
      [{ name: 'whoami', inputSchema, annotations: { readOnlyHint } }],
      'Hello.',
    );
    expect(result).toEqual({ isKnown: false });
    expect(stored).not.toHaveProperty('user');
  });

  it('discards the result for a key that was replaced in the meantime', async () => {
    const replaced = Promise.withResolvers<void>();
    const tools = [{ name: 'whoami', inputSchema, annotations: { readOnlyHint } }];
    const server = await startRawServer('session', tools, (request) => {
      if (request.message.method !== 'tools/call') return false;
      void desktop
        .call('integration:replaceKey', { id: 'one', value: 'key-of-grace' })
        .then(() => sendJson(request, textResult('{"name":"Ada"}')))
        .then(replaced.resolve, replaced.reject);
      return true;
    });
    const desktop = await createTestDesktop();
    const { url } = server;
    const options = { ...localOptions, headerName: 'X-Api-Key' };
    const { store } = desktop.engine.ports;
    await store.write(anIntegration({ url, method: 'NoAuth', options, protocol: 'session', issuerKey: undefined }));
    await saveHeaderValue(desktop.engine.vault, { id: 'one', url }, { value: new Secret('key-of-ada'), further: [] });
    await desktop.call('integration:identifyAccount', { id: 'one' });
    await replaced.promise;
    expect(await store.read('one')).not.toHaveProperty('user');
    expect((await loadHeaderValue(desktop.engine.vault, 'one', url))?.value.reveal()).toBe('key-of-grace');
  });
});
