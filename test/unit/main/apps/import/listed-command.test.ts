import { describe, expect, it } from 'vitest';
import { readMcpJson } from '../../../../../main/apps/import/read-mcp-json.ts';
import { unwrapMcpRemote } from '../../../../../main/programs/import/unwrap-mcp-remote.ts';

const url = 'https://a.example/mcp';

/** What becomes of an entry that starts mcp-remote. */
function listed(args: readonly string[], env: object = {}) {
  const [server] = readMcpJson(JSON.stringify({ mcpServers: { a: { command: 'npx', args, env } } })) ?? [];
  return server;
}

describe('unwrapMcpRemote', () => {
  it.each([
    [['npx', '-y', 'mcp-remote', url]],
    [['npx', '-y', 'mcp-remote@latest', url]],
    [['npx', 'mcp-remote@^0.1.15', url, '3334']],
    [['npx', '-p', 'mcp-remote@latest', 'mcp-remote', url]],
    [['npx', '--package=mcp-remote@latest', 'mcp-remote', url]],
    [['bunx', 'mcp-remote', url, '--transport', 'http-only']],
    [['bun', 'x', 'mcp-remote', url]],
    [['pnpm', 'dlx', 'mcp-remote@0.15.1', url, '--allow-http']],
    [['yarn', 'dlx', 'mcp-remote', url]],
    [['cmd', '/c', 'npx', '-y', 'mcp-remote', url]],
    [['cmd', '/c', `npx -y mcp-remote ${url}`]],
    [['sh', '-c', `exec npx -y "mcp-remote" '${url}'`]],
    [['node', '/home/ada/node_modules/mcp-remote/dist/proxy.js', url]],
    [['C:\\nodejs\\node.exe', 'C:\\npm\\node_modules\\mcp-remote\\dist\\proxy.js', url]],
    [['C:\\npm\\mcp-remote.cmd', url]],
    [['mcp-remote', url, '--host', '127.0.0.1', '--debug', '--resource', 'https://tenant.example/']],
    [['mcp-remote', '--header', 'X-Key: https://other.example/', url]],
    [['mcp-remote', '--resource', 'https://tenant.example/', url]],
  ])('finds the address in %j', (words) => {
    expect(unwrapMcpRemote(words)?.url).toBe(url);
  });

  it.each([
    [['npx', '-y', 'mcp-remote-else', url]],
    [['npx', 'server-files', '/home/mcp-remote/notes']],
    [['npx', 'mcp-remote', '--help']],
    [['curl', url]],
    [[]],
  ])('takes nothing else for it: %j', (words) => {
    expect(unwrapMcpRemote(words)).toBeUndefined();
  });

  it('takes every --header, wherever it stands and however it is joined', () => {
    const words = ['mcp-remote', '--header', 'X-One: 1', url, '--header', 'X-Two:2', '--header=X-Three: 3', '--header'];
    expect(unwrapMcpRemote(words)?.headers).toEqual([
      { name: 'X-One', value: '1' },
      { name: 'X-Two', value: '2' },
      { name: 'X-Three', value: '3' },
    ]);
    expect(unwrapMcpRemote(['mcp-remote', url, '--header', 'no header', '--header', ': none'])?.headers).toEqual([]);
  });
});

describe('a header of an entry', () => {
  it.each([
    ['Authorization: Bearer ${AUTH_TOKEN}', { AUTH_TOKEN: 'abc' }, { name: 'Authorization', value: 'Bearer abc' }],
    ['Authorization:${AUTH_HEADER}', { AUTH_HEADER: 'Bearer abc' }, { name: 'Authorization', value: 'Bearer abc' }],
    ['X-Key:${A}-${B}', { A: 'one', B: 'two' }, { name: 'X-Key', value: 'one-two' }],
    ['X-Key:${A}', { A: '${B}x', B: 'never' }, undefined],
    ['X-Key:${input:key}', {}, undefined],
  ])('is filled in from the variables of the entry: %s', (line, env, header) => {
    const server = listed(['mcp-remote', url, '--header', line], env);
    expect(server?.headers).toEqual(header && [header]);
    expect(server?.notes.includes('header-to-fill-in')).toBe(header === undefined);
  });

  it('is never filled in from the environment of Postern', () => {
    expect(process.env['PATH']).toBeTruthy();
    for (const name of ['PATH', 'env:PATH', 'constructor', '__proto__', 'toString'])
      expect(listed(['mcp-remote', url, '--header', `X-Key:\${${name}}`], {})).toMatchObject({
        notes: expect.arrayContaining(['header-to-fill-in']),
      });
  });

  it('is for the person where it stands in a file or in a variable of the program', () => {
    expect(listed(['mcp-remote', url, '--header-file', '/home/ada/headers'])?.notes).toContain('header-to-fill-in');
    const codex = { mcp_servers: { a: { url, bearer_token_env_var: 'TOKEN' } } };
    expect(readMcpJson(JSON.stringify(codex))?.[0]?.notes).toEqual(['header-to-fill-in']);
  });
});

describe('a file of OpenCode', () => {
  it('has its commands in a list', () => {
    const mcp = {
      files: { type: 'local', command: ['npx', '-y', 'server-files'], enabled: true },
      notes: { type: 'local', command: ['npx', '-y', 'mcp-remote', url], environment: {} },
      mail: { type: 'remote', url, oauth: false },
      off: { enabled: false },
    };
    expect(readMcpJson(JSON.stringify({ $schema: 'https://opencode.ai/config.json', mcp }))).toEqual([
      {
        name: 'files',
        kind: 'local',
        command: { words: ['npx', '-y', 'server-files'], variables: [] },
        notes: ['local-command'],
      },
      { name: 'notes', kind: 'remote', url, notes: ['unwrapped-mcp-remote'] },
      { name: 'mail', kind: 'remote', url, notes: [] },
    ]);
  });
});
