import { describe, expect, it } from 'vitest';
import { readMcpJson } from '../../../../../main/desktop/lists/read-mcp-json.ts';

const read = (value: unknown) => readMcpJson(JSON.stringify(value));

describe('readMcpJson', () => {
  it.each(['mcpServers', 'servers', 'context_servers'])('finds the servers of a client that calls them %s', (name) => {
    expect(read({ [name]: { notes: { type: 'http', url: 'https://notes.example/mcp' } } })).toEqual([
      { name: 'notes', kind: 'remote', url: 'https://notes.example/mcp', notes: [] },
    ]);
  });

  it('finds them in settings of VS Code, and without any wrapping', () => {
    expect(read({ mcp: { servers: { a: { url: 'https://a.example' } } } })).toHaveLength(1);
    expect(read({ a: { url: 'https://a.example' }, b: { command: 'b' } })).toHaveLength(2);
  });

  it.each([['url'], ['serverUrl'], ['httpUrl']])('takes the address from %s', (field) => {
    expect(read({ mcpServers: { a: { [field]: 'https://a.example/mcp' } } })?.[0]?.url).toBe('https://a.example/mcp');
  });

  it.each([
    ['npx', ['-y', 'mcp-remote', 'https://a.example/sse']],
    ['npx', ['mcp-remote@0.1.2', 'https://a.example/sse', '--transport', 'http-only']],
    ['mcp-remote', ['https://a.example/sse']],
    ['/usr/local/bin/mcp-remote', ['https://a.example/sse', '3334']],
    ['cmd', ['/c', 'npx', 'mcp-remote@latest', 'https://a.example/sse']],
  ])('unwraps %s %j', (command, args) => {
    expect(read({ mcpServers: { a: { command, args } } })).toEqual([
      { name: 'a', kind: 'remote', url: 'https://a.example/sse', notes: ['unwrapped-mcp-remote'] },
    ]);
  });

  it('takes the header that mcp-remote was given', () => {
    const args = ['mcp-remote', 'https://a.example', '--header', 'X-API-Key: abc 123'];
    expect(read({ mcpServers: { a: { command: 'npx', args } } })?.[0]?.header).toEqual({
      name: 'X-API-Key',
      value: 'abc 123',
    });
  });

  it('lists local commands as such, and keeps nothing of what they would run', () => {
    expect(
      read({ mcpServers: { files: { command: 'npx', args: ['server-files', '/home'], env: { KEY: 'canary' } } } }),
    ).toEqual([{ name: 'files', kind: 'local', notes: ['local-command'] }]);
  });

  it('leaves placeholders to the person', () => {
    const [server] =
      read({ mcpServers: { a: { url: 'https://a.example/', headers: { Authorization: 'Bearer ${TOKEN}' } } } }) ?? [];
    expect(server).toEqual({ name: 'a', kind: 'remote', url: 'https://a.example/', notes: ['header-to-fill-in'] });
  });

  it('says that it takes one header only', () => {
    const headers = { 'X-One': '1', 'X-Two': '2' };
    expect(read({ mcpServers: { a: { url: 'https://a.example/', headers } } })?.[0]?.notes).toEqual([
      'further-headers',
    ]);
  });

  it('forgives comments and trailing commas, and leaves them alone inside texts', () => {
    const text = `{
      // my servers
      "mcpServers": { "a": { "url": "https://a.example/x,]//y", /* old */ }, },
    }`;
    expect(readMcpJson(text)?.[0]?.url).toBe('https://a.example/x,]//y');
  });

  it('passes over entries that are none, and shows names without tricks (IP-01)', () => {
    const servers = read({ mcpServers: { 'a\u202eb\n': { url: 'https://a.example/' }, bad: 3, worse: { url: 7 } } });
    expect(servers?.map(({ name }) => name)).toEqual(['ab']);
  });

  it.each(['', 'no json', '[]', '{}', '"text"', '{"name":"package","version":"1"}', 'https://a.example/'])(
    'is no list of servers: %j',
    (text) => {
      expect(readMcpJson(text)).toBeUndefined();
    },
  );

  it('takes what is nested without end for no list', () => {
    const nested = `${'{"mcp":'.repeat(30_000)}{}${'}'.repeat(30_000)}`;
    expect(readMcpJson(nested)).toBeUndefined();
    expect(readMcpJson(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).toBeUndefined();
  });

  it.each([{ toString: null }, [[]], null, 1])(
    'takes a header that is no text (%j) for one without a value',
    (value) => {
      const [server] = read({ mcpServers: { a: { url: 'https://a.example/', headers: { 'X-Key': value } } } }) ?? [];
      expect(server?.header).toEqual({ name: 'X-Key', value: typeof value === 'number' ? '1' : '' });
    },
  );

  it('looks for placeholders and headers without going back', () => {
    const value = '${<'.repeat(300_000);
    const args = ['mcp-remote', 'https://a.example', '--header', `X:${' '.repeat(300_000)}x\nb`];
    const servers = read({
      mcpServers: { a: { url: 'https://a.example/', headers: { 'X-Key': value } }, b: { command: 'npx', args } },
    });
    expect(servers?.map(({ header }) => header?.name)).toEqual(['X-Key', 'X']);
  });
});
