import { describe, expect, it } from 'vitest';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { afterTest } from '../support/after-test.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { anEntry, startRegistry } from '../support/registry-server.ts';
import type { RegistryOptions, RegistryServer } from '../support/registry-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop, TestDesktopOptions } from '../support/test-desktop.ts';

interface Opened {
  readonly desktop: TestDesktop;
  readonly registry: RegistryServer;
  search(words: string): Promise<IpcOutput<'registry:search'>>;
}

/** A window whose user has chosen this registry. */
async function open(options: RegistryOptions & TestDesktopOptions = {}): Promise<Opened> {
  const registry = await startRegistry(options);
  afterTest(() => registry[Symbol.asyncDispose]());
  const desktop = await createTestDesktop(options);
  await desktop.call('settings:update', {
    registry: `${registry.origin}${options.path ?? ''}`,
    searchesRegistry: true,
  });
  return { desktop, registry, search: (words) => desktop.call('registry:search', { call: 'a', words }) };
}

const notes = anEntry('com.example/notes', 'https://mcp.example.com/notes', {
  title: 'Notes',
  description: 'Keeps notes',
});

describe('the search of the MCP registry', () => {
  it('sends nothing until the user has turned it on, and nothing after they turned it off (MR-01)', async () => {
    const { desktop, registry, search } = await open();
    registry.publish(notes);
    await desktop.call('settings:update', { searchesRegistry: false });
    expect(await desktop.callFailing('registry:search', { call: 'a', words: 'notes' })).toMatchObject({
      code: 'REGISTRY_OFF',
    });
    expect(registry.received()).toBe('');
    await desktop.call('settings:update', { searchesRegistry: true });
    await search('notes');
    expect(registry.searches).toHaveLength(1);
  });

  it('forgets its results when a command turns it off (MR-01)', async () => {
    const { desktop, registry, search } = await open({ serves: true });
    registry.publish(notes);
    await search('notes');
    const { folder, ports } = desktop.engine;
    const { updateSettings } = openIntegrationStore({ folder, locks: ports.locks });
    desktop.composed.startWork();
    for (const searchesRegistry of [false, true]) {
      await updateSettings((settings) => ({ ...settings, searchesRegistry }));
      await desktop.waitFor((shown) => shown.desktop?.settings.searchesRegistry === searchesRegistry);
    }
    await search('notes');
    expect(registry.searches).toHaveLength(2);
  });

  it('is off on first launch, and set to the official registry', async () => {
    const desktop = await createTestDesktop();
    const { desktop: view } = await desktop.call('desktop:snapshots', {});
    expect(view.settings).toMatchObject({
      searchesRegistry: false,
      registry: 'https://registry.modelcontextprotocol.io',
    });
    expect(await desktop.callFailing('registry:search', { call: 'a', words: 'notes' })).toMatchObject({
      code: 'REGISTRY_OFF',
    });
    expect(desktop.engine.sent).toEqual([]);
  });

  it('sends the search words and no user data, and shows what can be connected', async () => {
    const { registry, search } = await open({ path: '/company' });
    registry.publish(notes, anEntry('com.example/other', 'https://other.example.com/mcp'));
    expect(await search('notes')).toMatchObject({
      servers: [
        {
          name: 'com.example/notes',
          title: 'Notes',
          does: 'Keeps notes',
          remotes: [
            { url: 'https://mcp.example.com/notes', place: 'mcp.example.com', transport: 'http', isAtOwnDomain: true },
          ],
        },
      ],
      leftOut: 0,
      isPartial: false,
    });
    expect(registry.searches[0]?.target).toBe('/company/v0.1/servers?search=notes&version=latest&limit=100');
    expect(registry.received()).not.toMatch(/cookie|authorization|referer/iu);
  });

  it('follows a few pages, lists each server once, and reports that there are more', async () => {
    const { registry, search } = await open({ pageSize: 2 });
    const servers = Array.from({ length: 9 }, (_, index) =>
      anEntry(`com.example/n${index}`, 'https://example.com/mcp'),
    );
    registry.publish(...servers);
    const found = await search('n');
    expect(found.servers.map(({ name }) => name)).toEqual(
      ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'].map((n) => `com.example/${n}`),
    );
    expect(found).toMatchObject({ isPartial: true });
    expect(registry.searches.map(({ cursor }) => cursor)).toEqual([null, 'com.example/n2:2', 'com.example/n4:4']);
  });

  it('caches a response for an hour, then revalidates it (RFC 9110 13.1.2)', async () => {
    const clock = createFakeClock();
    const { desktop, registry, search } = await open({ clock });
    registry.publish(notes);
    const first = await search('notes');
    clock.advance(3_599_000);
    expect(await search('notes')).toEqual(first);
    expect(registry.searches).toHaveLength(1);
    clock.advance(1_000);
    expect(await search('notes')).toMatchObject({ servers: first.servers, askedAt: clock.now() });
    expect(registry.received()).toContain('if-none-match');
    registry.publish();
    clock.advance(3_600_000);
    expect((await search('notes')).servers).toEqual([]);
    // A user who turns it off leaves nothing behind.
    await desktop.call('settings:update', { searchesRegistry: false });
    await desktop.call('settings:update', { searchesRegistry: true });
    await search('notes');
    expect(registry.searches).toHaveLength(4);
  });

  it('ends when the user leaves it', async () => {
    const { desktop, registry, search } = await open();
    const { promise: came, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    registry.answer = (_request, response) => {
      response.once('close', leave);
      arrive();
    };
    const refused = desktop.callFailing('registry:search', { call: 'slow', words: 'notes' });
    await came;
    await desktop.call('registry:stop', { call: 'slow' });
    expect(await refused).toMatchObject({ code: 'USER_CANCELLED' });
    await gone;
    registry.answer = undefined;
    expect((await search('notes')).servers).toEqual([]);
  });

  it.each([
    [503, 'REGISTRY_BUSY', true],
    [429, 'REGISTRY_BUSY', true],
    [404, 'REGISTRY_UNUSABLE', false],
    [304, 'REGISTRY_UNUSABLE', false],
  ])('explains a response of %i', async (status, code, retryable) => {
    const { desktop, registry } = await open();
    registry.answer = (_request, response) => void response.writeHead(status).end();
    const error = await desktop.callFailing('registry:search', { call: 'a', words: 'notes' });
    expect(error).toMatchObject({ code, retryable });
    expect(error.message).toContain(`127.0.0.1:${registry.port}`);
  });

  it('follows a redirect only within the registry (MR-02)', async () => {
    const { desktop, registry, search } = await open();
    registry.publish(notes);
    await using elsewhere = await serveHttp((_request, response) => void response.end('{"servers":[]}'));
    let target = `${elsewhere.origin}/v0.1/servers`;
    registry.answer = (_request, response) => {
      registry.answer = undefined;
      response.writeHead(307, { location: target }).end();
    };
    expect(await desktop.callFailing('registry:search', { call: 'a', words: 'notes' })).toMatchObject({
      code: 'REDIRECT_REFUSED',
    });
    expect(elsewhere.received()).toBe('');
    target = '/v0.1/servers?search=notes';
    registry.answer = (_request, response) => {
      registry.answer = undefined;
      response.writeHead(307, { location: target }).end();
    };
    expect((await search('notes')).servers).toHaveLength(1);
  });
});

describe('the address of a registry', () => {
  it.each([
    ['http://registry.example.com', 'IPC_SCHEMA'],
    ['https://user:pass@registry.example.com', 'IPC_SCHEMA'],
    ['https://registry.example.com/?key=1', 'IPC_SCHEMA'],
    ['https://169.254.169.254', 'HOST_BLOCKED'],
    ['https://registry.example.com:25', 'URL_PORT'],
  ])('is rejected as %s, whatever a page in the window requests (MR-03)', async (registry, code) => {
    const desktop = await createTestDesktop();
    expect(await desktop.callFailing('settings:update', { registry })).toMatchObject({ code });
    const { desktop: view } = await desktop.call('desktop:snapshots', {});
    expect(view.settings.registry).toBe('https://registry.modelcontextprotocol.io');
  });

  it('may be in the user’s own network, and can be reset to the official one', async () => {
    const desktop = await createTestDesktop();
    const readRegistry = async () => (await desktop.call('desktop:snapshots', {})).desktop.settings.registry;
    await desktop.call('settings:update', { registry: 'https://registry.corp.internal/mcp' });
    expect(await readRegistry()).toBe('https://registry.corp.internal/mcp');
    await desktop.call('settings:update', { registry: null });
    expect(await readRegistry()).toBe('https://registry.modelcontextprotocol.io');
  });
});
