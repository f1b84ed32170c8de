import { describe, expect, it } from 'vitest';
import { describeServer, openRegistry } from '../../main/engine/registry-search.ts';
import { afterTest } from '../support/after-test.ts';
import { anEntry, sendText, startRegistry } from '../support/registry-server.ts';
import type { RegistryEntry } from '../support/registry-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

const honest = anEntry('com.example/honest', 'https://mcp.example.com/mcp');

async function open() {
  const registry = await startRegistry();
  afterTest(() => registry[Symbol.asyncDispose]());
  const desktop = await createTestDesktop();
  await desktop.call('settings:update', { registry: registry.origin, searchesRegistry: true });
  return {
    registry,
    search: () => desktop.call('registry:search', { call: 'a', words: 'x' }),
    refuse: () => desktop.callFailing('registry:search', { call: 'a', words: 'x' }),
  };
}

/** What the window shows of these entries next to an honest one. */
async function shown(...entries: readonly unknown[]) {
  const { registry, search } = await open();
  registry.answer = sendText(JSON.stringify({ servers: [...entries, honest] }));
  const { servers, leftOut } = await search();
  expect(servers.at(-1)?.name).toBe('com.example/honest');
  return { servers: servers.slice(0, -1), leftOut };
}

/** An address with endless placeholders. */
const fillings = (times: number) => `https://${'{a}'.repeat(times)}`;

const withRemote = (remote: RegistryEntry) =>
  anEntry('com.example/x', 'https://unused.example', { remotes: [{ type: 'streamable-http', ...remote }] });

describe('a registry', () => {
  it('MR-04 that sends more than a page, or without end, is rejected', async () => {
    const { registry, refuse } = await open();
    registry.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = `"${'x'.repeat(65_536)}",`;
      response.write('{"servers":[');
      const more = (): void => void (response.destroyed || response.write(piece, more));
      more();
    };
    expect(await refuse()).toMatchObject({ code: 'BODY_TOO_LARGE' });
    registry.answer = sendText(JSON.stringify({ servers: [honest], more: 'x'.repeat(2_097_152) }));
    expect(await refuse()).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  it('MR-05 whose cursors form a cycle, or never end, is queried a few times at most', async () => {
    const { registry, search } = await open();
    const page = (nextCursor: string) => JSON.stringify({ servers: [honest], metadata: { nextCursor } });
    registry.answer = sendText(page('again'));
    expect(await search()).toMatchObject({ isPartial: false, servers: [{ name: 'com.example/honest' }] });
    expect(registry.searches).toHaveLength(2);
    let next = 0;
    registry.answer = (request, response) => sendText(page(`${(next += 1)}`))(request, response);
    const before = registry.searches.length;
    await openSearch(registry.origin);
    expect(registry.searches.length - before).toBe(3);
  });

  it.each([
    ['nothing', ''],
    ['a page of the web', '<!doctype html><title>Sign in</title>'],
    ['a list', '[]'],
    ['a number', '5'],
    ['servers that are none', '{"servers":{"0":{}}}'],
    ['half an answer', '{"servers":[{"server"'],
    ['levels without end', '['.repeat(500_000)],
    ['bytes that are no text', '\u0000'],
  ])('MR-06 that responds with %s is distinguished from one that found nothing', async (_what, text) => {
    const { registry, refuse } = await open();
    registry.answer = sendText(text);
    expect(await refuse()).toMatchObject({ code: 'REGISTRY_UNUSABLE' });
  });

  async function openSearch(origin: string): Promise<void> {
    const desktop = await createTestDesktop();
    await desktop.call('settings:update', { registry: origin, searchesRegistry: true });
    await desktop.call('registry:search', { call: 'b', words: 'x' });
  }
});

describe('a registry entry', () => {
  it.each([
    ['null', null],
    ['text', 'x'],
    ['no name', { server: { remotes: [] } }],
    ['a name of another form', anEntry('Notion', 'https://mcp.example.com/mcp')],
    ['a name with other letters', anEntry('com.nоtion/mcp', 'https://mcp.example.com/mcp')],
    ['a name without end', anEntry(`com.example/${'x'.repeat(10_000)}`, 'https://mcp.example.com/mcp')],
    ['remotes of another kind', anEntry('com.example/x', '', { remotes: 'https://mcp.example.com' })],
    ['a remote that is text', anEntry('com.example/x', '', { remotes: ['https://mcp.example.com', 5, null] })],
    ['an address that is a number', withRemote({ url: 5 })],
    ['a value without end', withRemote({ url: fillings(680), variables: { a: { value: 'x'.repeat(900_000) } } })],
    ['an address without end', withRemote({ url: fillings(300_000), variables: { a: { value: 'x'.repeat(2_000) } } })],
    ['what was deleted', anEntry('com.example/x', 'https://mcp.example.com/mcp', {}, { status: 'deleted' })],
    ['an earlier version', anEntry('com.example/x', 'https://mcp.example.com/mcp', {}, { isLatest: false })],
  ])('MR-07 with %s is omitted, and the others stay', async (_what, entry) => {
    expect((await shown(entry)).servers).toEqual([]);
  });

  it('MR-07 spoils no other one by endless nesting or a prototype of its own', async () => {
    const { registry, search } = await open();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const evil = `{"server":{"name":"com.example/evil","__proto__":{"title":"x"},"x":${deep}},"_meta":{"x":${deep}}}`;
    registry.answer = sendText(`{"servers":[${evil},${JSON.stringify(honest)}]}`);
    expect((await search()).servers.map(({ name }) => name)).toEqual(['com.example/honest']);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com/mcp',
    'http://mcp.example.com/mcp',
    'https://user:pass@mcp.example.com/mcp',
    'https://mcp.example.com/mcp#x',
    'https://169.254.169.254/mcp',
    'https:/mcp.example.com',
    'https://mcp.example.com\\@evil.example/',
    'https://mcp.example.com:25/mcp',
    '{scheme}://mcp.example.com/mcp',
    'https://mcp.notion.com{x}/mcp',
    'https://mcp.notion.com{x}.com/mcp',
    'https://{x}@evil.example/mcp',
    'https://mcp.linear.app.evil.example#{x}.linear.app',
    'https://mcp.linear.app.evil.example\\{x}.linear.app',
    'https://{x}.linear.app@evil.example/mcp',
    'https://{x}.%65vil.example/mcp',
    'https://{x}.linear.app:443@evil.example',
    'https://mcp.exаmple.com/{x}',
    ' https://mcp.example.com/mcp',
  ])('MR-08 with the address %s has none to connect to', async (url) => {
    expect(await shown(withRemote({ url }))).toEqual({ servers: [], leftOut: 1 });
  });

  it.each([
    'https://mcp.linear.app.evil.example?{x}.linear.app',
    'https://mcp.linear.app.evil.example:443?{x}.linear.app',
  ])('MR-08 with the address %s shows the host that it leads to', async (url) => {
    const { servers } = await shown(withRemote({ url }));
    expect(servers[0]?.remotes).toMatchObject([{ place: 'mcp.linear.app.evil.example', isAtOwnDomain: false }]);
  });

  it.each([
    ['a variable', { url: 'https://{x}/mcp', variables: { x: { value: 'user@evil.example' } } }],
    ['a script', { url: '{x}', variables: { x: { value: 'javascript:alert(1)' } } }],
    ['stdio', { type: 'stdio', url: 'https://mcp.example.com/mcp' }],
    ['__proto__', { type: '__proto__', url: 'https://mcp.example.com/mcp' }],
  ])('MR-08 with an address by %s has none to connect to', async (_what, remote) => {
    expect((await shown(withRemote(remote))).servers).toEqual([]);
  });

  it('MR-09 names no host of the user’s own network, except in a registry that they named', () => {
    const hosts = ['127.0.0.1:8080', 'localhost', '10.0.0.5', 'printer', 'mcp.corp.internal', '[::1]'];
    const entry = (host: string) => ({
      name: 'com.example/x',
      remotes: [{ type: 'streamable-http', url: `https://${host}/mcp` }],
    });
    const official = openRegistry('https://registry.modelcontextprotocol.io');
    const own = openRegistry('https://registry.corp.internal');
    for (const host of hosts) {
      expect(describeServer(entry(host), official), host).toBeUndefined();
      expect(describeServer(entry(host), own), host).toBeDefined();
    }
  });

  it('MR-10 shows no control characters, reversed text or lookalike letters', async () => {
    const bidi = '\u202eexe.lanrete\u0000\u001b[2J\u200b';
    const { servers } = await shown(
      anEntry('com.example/a', 'https://mcp.example.com/mcp', { title: `Safe${bidi}`, description: `${bidi}\n\nx` }),
      anEntry('com.example/b', 'https://mcp.example.com/mcp', { title: 'Nоtion', description: 'x'.repeat(5_000) }),
      anEntry('com.example/c', 'https://mcp.example.com/mcp', {
        title: '笔记',
        icons: [{ src: 'https://evil.example/i' }],
      }),
      anEntry('com.example/d', 'https://xn--ntion-q3e.com/mcp', { title: 5 }),
    );
    expect(JSON.stringify(servers)).not.toMatch(/\\u|[\p{Cc}\u202e\u200b]|evil\.example/u);
    expect(servers.map(({ title }) => title)).toEqual(['Safeexe.lanrete[2J', undefined, '笔记', undefined]);
    expect(servers[1]?.does?.length).toBeLessThanOrEqual(240);
    expect(servers[3]?.remotes[0]?.place).toBe('xn--ntion-q3e.com');
  });

  it('MR-11 does not count as a domain’s because its name mentions it', async () => {
    const { servers } = await shown(
      anEntry('com.notion/mcp', 'https://mcp.notion.com.evil.example/mcp'),
      anEntry('io.github.someone/notion', 'https://someone.github.io/mcp'),
      anEntry('com.example/eu', 'https://eu.mcp.example.com/mcp'),
      anEntry('com.example/filled', 'https://{tenant}.example.com/mcp'),
      anEntry('com.example/any', 'https://{host}/mcp'),
    );
    expect(servers.map(({ remotes }) => remotes[0]?.isAtOwnDomain)).toEqual([false, true, true, true, false]);
  });

  it('MR-12 asks for its inputs, within limits', async () => {
    const choices = Array.from({ length: 500 }, (_, index) => `c${index}`);
    const headers = Array.from({ length: 500 }, (_, index) => ({
      name: `X-${index}`,
      isRequired: true,
      isSecret: true,
    }));
    const { servers } = await shown(
      withRemote({
        url: 'https://{tenant}.example.com/{edition}/mcp',
        variables: { tenant: { description: 'Your\u202e tenant', choices }, edition: { value: 'v2' } },
        headers: [
          { name: 'X-API-Key', description: 'Key', isRequired: true },
          { name: 'X-Free' },
          { name: 'a b', isRequired: true },
        ],
      }),
      {
        ...withRemote({ url: 'https://mcp.example.com/mcp', headers }),
        server: {
          name: 'com.example/y',
          remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp', headers }],
        },
      },
    );
    expect(servers[0]?.remotes).toMatchObject([
      {
        url: 'https://{tenant}.example.com/v2/mcp',
        place: '{tenant}.example.com',
        blanks: [{ name: 'tenant', what: 'Your tenant', isSecret: false }],
        headers: [{ name: 'X-API-Key', what: 'Key' }],
      },
    ]);
    expect(servers[0]?.remotes[0]?.blanks[0]?.choices?.length).toBeLessThanOrEqual(40);
    expect(servers[1]?.remotes[0]?.headers.length).toBeLessThanOrEqual(8);
  });
});
