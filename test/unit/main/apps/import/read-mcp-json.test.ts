import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readMcpList } from '../../../../../main/apps/import/read-mcp-json.ts';
import { runs } from '../../../../support/runs.ts';

const read = (value: unknown) => readMcpList(JSON.stringify(value))?.servers;

const space = fc.constantFrom('', ' ', '\n', '/* , ] */', '// }\n', '/**/', '/*/*/', '// "\n');

/** A list with one server, as if edited by hand: comments anywhere and trailing commas. */
const edited = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), fc.array(space, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([other, spaces, endsWithCommas]) => {
    let turn = 0;
    let previous = '';
    const gap = (): string => spaces[turn++ % spaces.length] ?? '';
    const list = { mcpServers: { a: { other, url: 'https://a.example/x,]//y' } } };
    return JSON.stringify(list).replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^[\]{},:"]+/gu, (token) => {
      const isEnd = (token === ']' || token === '}') && previous !== '[' && previous !== '{';
      previous = token;
      return `${endsWithCommas && isEnd ? `,${gap()}` : ''}${token}${gap()}`;
    });
  });

describe('readMcpList', () => {
  it.each(['mcpServers', 'servers', 'context_servers'])('finds the servers of a client that calls them %s', (name) => {
    expect(read({ [name]: { notes: { type: 'http', url: 'https://notes.example/mcp' } } })).toEqual([
      { name: 'notes', kind: 'remote', url: 'https://notes.example/mcp', notes: [] },
    ]);
  });

  it.each([
    [{ disabled: true }, true],
    [{ disabled: 1 }, true],
    [{ disabled: 'Yes' }, true],
    [{ isDisabled: 'on' }, true],
    [{ enabled: 0 }, true],
    [{ enabled: 'no' }, true],
    [{ isActive: 'OFF' }, true],
    [{ disabled: 0 }, false],
    [{ disabled: 'false' }, false],
    [{ enabled: 1 }, false],
    [{ enabled: null }, false],
    [{ enabled: 'auto' }, false],
  ])('detects whether an entry is switched off: %j', (decided, isOff) => {
    const [server] = read({ mcpServers: { a: { url: 'https://a.example', ...decided } } }) ?? [];
    expect(server?.notes.includes('switched-off')).toBe(isOff);
  });

  it('finds servers in VS Code settings, and without a wrapping object', () => {
    expect(read({ mcp: { servers: { a: { url: 'https://a.example' } } } })).toHaveLength(1);
    expect(read({ a: { url: 'https://a.example' }, b: { command: 'b' } })).toHaveLength(2);
  });

  it.each([
    [{ url: 'https://a.example/mcp' }, 'a.example'],
    [{ name: 'notes', type: 'http', url: 'https://a.example/mcp' }, 'notes'],
    [{ name: '__proto__', url: 'https://a.example/mcp' }, '__proto__'],
    [{ command: 'npx', args: ['mcp-remote', 'https://a.example/mcp'] }, 'server'],
  ])('reads the entry %j that was copied without its list', (entry, name) => {
    expect(read(entry)).toMatchObject([{ name, kind: 'remote', url: 'https://a.example/mcp' }]);
  });

  it.each([['url'], ['serverUrl'], ['httpUrl']])('reads the address from %s', (field) => {
    expect(read({ mcpServers: { a: { [field]: 'https://a.example/mcp' } } })?.[0]?.url).toBe('https://a.example/mcp');
  });

  it.each([
    [{ type: 'stdio', url: 'https://a.example/docs' }, 'local'],
    [{ transport: 'STDIO', serverUrl: 'https://a.example/docs' }, 'local'],
    [{ type: 'local', url: 'https://a.example/docs' }, 'local'],
    [{ url: '' }, 'local'],
    [{ url: ' ', httpUrl: '' }, 'local'],
    [{ url: null }, 'local'],
    [{ type: 'http', url: 'https://a.example/mcp' }, 'remote'],
    [{ transport: 'sse', url: 'https://a.example/mcp' }, 'remote'],
    [{ url: '', serverUrl: 'https://a.example/mcp' }, 'remote'],
  ])('chooses the command or the address by the declared transport: %j', (reached, kind) => {
    const servers = read({ mcpServers: { a: { command: 'node', args: ['/x.js'], ...reached } } });
    expect(servers).toMatchObject([
      kind === 'local' ? { kind, command: { words: ['node', '/x.js'] } } : { kind, url: 'https://a.example/mcp' },
    ]);
  });

  it.each([
    [{ mcpServers: {}, servers: { a: { url: 'https://a.example' } } }, ['a']],
    [{ mcpServers: { a: { command: 'a' } }, servers: { b: { command: 'b' } } }, ['a', 'b']],
    [{ servers: { a: { command: 'a' } }, mcp: { servers: { b: { command: 'b' } } } }, ['a', 'b']],
    [{ mcpServers: { a: { command: 'a' } }, mcp: { b: { type: 'local', command: ['b'] } } }, ['a', 'b']],
    [{ mcpServers: { a: { command: 'a' } }, servers: { a: { command: 'b' } } }, ['a', 'a']],
    [{ mcpServers: { a: { command: 'a' } }, mcp: { allowed: ['a'] } }, ['a']],
  ])('reads the servers of every list in the file: %j', (lists, names) => {
    expect(read(lists)?.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [{ apiKey: 'canary' }, ['apiKey']],
    [{ bearerToken: 'canary' }, ['bearerToken']],
    [{ authorization_token: 'canary' }, ['authorization_token']],
    [{ auth: { type: 'bearer', token: 'canary' } }, ['auth.token']],
    [
      { requestOptions: { clientCertificate: { passphrase: 'canary' } } },
      ['requestOptions.clientCertificate.passphrase'],
    ],
    [{ apiKey: '', maxTokens: 4_000, token: false, headers: { 'X-Api-Key': 'canary' } }, []],
    [
      { oauth: { enabled: true, clientId: 'id', clientSecret: 'canary', scopes: ['a'] } },
      ['oauth.clientSecret', 'oauth.scopes'],
    ],
    [{ oauth: { clientId: 'id', scope: 'a b' } }, ['oauth.scope']],
    [{ oauth: { authorizationUrl: 'https://x', tokenUrl: 'https://x' } }, ['oauth.authorizationUrl', 'oauth.tokenUrl']],
    [{ auth: { CLIENT_ID: 'id', CLIENT_SECRET: 'canary', scopes: [] } }, ['auth.CLIENT_SECRET']],
    [{ scopes: ['a'], oauth_resource: 'https://x' }, ['scopes', 'oauth_resource']],
    [{ authProviderType: 'google_credentials' }, ['authProviderType']],
    [{ oauth: { clientId: '${input:id}' } }, ['oauth.clientId']],
    [{ auth: { type: 'oauth', CLIENT_ID: 'id' } }, []],
    [{ oauth: { clientId: 'id', callbackPort: 8_080, scopes: [] }, authProviderType: 'dynamic_discovery' }, []],
    [{ oauth: false, auth: 'oauth', author: 'Ada', oauthClientId: 'id' }, []],
  ])('reports sign-in members that are not imported: %j', (members, unsupported) => {
    const [server] = read({ mcpServers: { a: { url: 'https://a.example', ...members } } }) ?? [];
    expect(server?.settings?.unsupported ?? []).toEqual(unsupported);
    expect(server?.notes.includes('members-unsupported')).toBe(unsupported.length > 0);
    expect(JSON.stringify({ ...server, headers: [] })).not.toContain('canary');
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

  it('reads the header passed to mcp-remote', () => {
    const args = ['mcp-remote', 'https://a.example', '--header', 'X-API-Key: abc 123'];
    expect(read({ mcpServers: { a: { command: 'npx', args } } })?.[0]?.headers).toEqual([
      { name: 'X-API-Key', value: 'abc 123' },
    ]);
  });

  it('lists local commands with their arguments and variables', () => {
    expect(
      read({ mcpServers: { files: { command: 'npx', args: ['server-files', '/home'], env: { KEY: 'canary' } } } }),
    ).toEqual([
      {
        name: 'files',
        kind: 'local',
        command: { words: ['npx', 'server-files', '/home'], variables: [{ name: 'KEY', value: 'canary' }] },
        notes: ['local-command'],
      },
    ]);
  });

  it("skips entries that start Postern's pipe", () => {
    const args = ['--profile-folder', '/p', 'notes', '--app', 'k3f9aaaaaaaaaaaa'];
    expect(read({ mcpServers: { notes: { command: '/opt/postern-pipe', args } } })).toEqual([]);
  });

  it.each([
    ['https://{tenant}.example.com/mcp', undefined, 'url-to-fill-in'],
    ['https://example.com/YOUR_WORKSPACE/mcp', undefined, 'url-to-fill-in'],
    ['https://a.example/', '<your-key>', 'header-to-fill-in'],
    ['https://a.example/', 'Bearer YOUR_API_KEY', 'header-to-fill-in'],
    ['https://a.example/', '{{API_KEY}}', 'header-to-fill-in'],
    ['https://a.example/', 'CHANGE_ME', 'header-to-fill-in'],
    ['https://a.example/', 'INSERT_TOKEN_HERE', 'header-to-fill-in'],
  ])('leaves template placeholders to the user: %s %s', (url, value, note) => {
    const headers = value === undefined ? {} : { Authorization: value };
    expect(read({ mcpServers: { a: { url, headers } } })?.[0]?.notes).toEqual([note]);
  });

  it('leaves variable placeholders to the user', () => {
    const [server] =
      read({ mcpServers: { a: { url: 'https://a.example/', headers: { Authorization: 'Bearer ${TOKEN}' } } } }) ?? [];
    expect(server).toEqual({ name: 'a', kind: 'remote', url: 'https://a.example/', notes: ['header-to-fill-in'] });
  });

  it('reads every header, and the last of those with the same name', () => {
    const headers = { 'X-One': '1', 'X-Two': '2', 'x-one': '3' };
    expect(read({ mcpServers: { a: { url: 'https://a.example/', headers } } })).toEqual([
      {
        name: 'a',
        kind: 'remote',
        url: 'https://a.example/',
        headers: [
          { name: 'x-one', value: '3' },
          { name: 'X-Two', value: '2' },
        ],
        notes: [],
      },
    ]);
  });

  it('tolerates comments and trailing commas, and leaves strings alone', () => {
    fc.assert(
      fc.property(edited, (text) => {
        expect(readMcpList(text)?.servers.map(({ url }) => url)).toEqual(['https://a.example/x,]//y']);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each([
    '{"mcpServers":{"a":{"url":"https://a.example/"}}',
    '{"mcpServers":{"a":{"url":"https://a.example/"}}} x',
    '{"mcpServers":{"a":{"url":"https://a.example/"} "b":{}}}',
    '{"mcpServers":{"a":{"url":"https://a.example/"}}} /* open',
    "{'mcpServers':{'a':{'url':'https://a.example/'}}}",
  ])('tolerates no other syntax error: %j', (text) => {
    expect(readMcpList(text)).toBeUndefined();
  });

  it('reads nothing from a key named `__proto__`', () => {
    const server = '{"url":"https://evil.example/"}';
    expect(readMcpList(`{"__proto__":{"mcpServers":{"a":${server}}}}`)).toBeUndefined();
    expect(readMcpList(`{"mcpServers":{"a":{"__proto__":${server}}}}`)?.servers).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'url')).toBe(false);
  });

  it.each([
    ['an open string', `{${'\\"'.repeat(40_000)}`],
    ['open strings', `{${'"\\'.repeat(40_000)}`],
    ['open comments', `{${'/* '.repeat(40_000)}`],
    ['commas', `{${', '.repeat(40_000)}`],
  ])('inspects each character of %s a bounded number of times', (_, text) => {
    const steps = vi.spyOn(String.prototype, 'charCodeAt');
    const list = readMcpList(text)?.servers;
    const inspections = steps.mock.calls.length;
    vi.restoreAllMocks();
    expect(list).toBeUndefined();
    expect(inspections).toBeGreaterThan(text.length / 4);
    expect(inspections).toBeLessThanOrEqual(8 * text.length);
  });

  it('skips invalid entries, and removes invisible characters from names (IP-01)', () => {
    const servers = read({ mcpServers: { 'a\u202eb\n': { url: 'https://a.example/' }, bad: 3, worse: { url: 7 } } });
    expect(servers?.map(({ name }) => name)).toEqual(['ab']);
  });

  it.each(['', 'no json', '[]', '{}', '"text"', '{"name":"package","version":"1"}', 'https://a.example/'])(
    'is no list of servers: %j',
    (text) => {
      expect(readMcpList(text)).toBeUndefined();
    },
  );

  it('rejects extremely deep nesting', () => {
    const nested = `${'{"mcp":'.repeat(30_000)}{}${'}'.repeat(30_000)}`;
    expect(readMcpList(nested)).toBeUndefined();
    expect(readMcpList(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).toBeUndefined();
  });

  it.each([{ toString: null }, [[]]])('reports an entry with an unsendable header value: %j', (value) => {
    const text = JSON.stringify({ mcpServers: { a: { url: 'https://a.example/', headers: { 'X-Key': value } } } });
    expect(readMcpList(text)).toEqual({ servers: [], more: 0, unreadable: [{ name: 'a', member: 'headers.X-Key' }] });
  });

  it.each([null, 1])('converts a header value that is not a string: %j', (value) => {
    const [server] = read({ mcpServers: { a: { url: 'https://a.example/', headers: { 'X-Key': value } } } }) ?? [];
    expect(server?.headers).toEqual([{ name: 'X-Key', value: typeof value === 'number' ? '1' : '' }]);
  });

  it('searches for placeholders and headers without backtracking', () => {
    const value = '${<'.repeat(300_000);
    const args = ['mcp-remote', 'https://a.example', '--header', `X:${' '.repeat(300_000)}x\nb`];
    const servers = read({
      mcpServers: { a: { url: 'https://a.example/', headers: { 'X-Key': value } }, b: { command: 'npx', args } },
    });
    expect(servers?.map(({ headers }) => headers?.map(({ name }) => name))).toEqual([['X-Key'], ['X']]);
  });
});
