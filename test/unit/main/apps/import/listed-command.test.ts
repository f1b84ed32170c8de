import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../../../main/apps/entry/read-entry.ts';
import { toListedServer } from '../../../../../main/apps/import/listed-server.ts';
import { toListedCommand, unwrapMcpRemote } from '../../../../../main/apps/import/listed-command.ts';
import { readMcpList } from '../../../../../main/apps/import/read-mcp-json.ts';

const wordsOf = (command: string, ...args: string[]) => toListedCommand(readEntry({ command, args }))?.words;
const notesOf = (entry: object) => toListedServer('a', readEntry(entry)).notes;

describe('toListedCommand', () => {
  it.each([
    [
      ['cmd', '/c', 'npx', '-y', 'files'],
      ['npx', '-y', 'files'],
    ],
    [
      ['C:\\Windows\\System32\\cmd.exe', '/D', '/S', '/C', 'npx.cmd', 'files'],
      ['npx.cmd', 'files'],
    ],
    [
      ['cmd', '/c', 'npx -y files'],
      ['npx', '-y', 'files'],
    ],
  ])('unwraps cmd.exe: %j', ([command = '', ...args], words) => {
    expect(wordsOf(command, ...args)).toEqual(words);
  });

  it.each([
    [['cmd', '/c', 'npx files & calc']],
    [['cmd', '/c', 'npx', '%APPDATA%\\files']],
    [['cmd', '/k', 'npx', 'files']],
    [['cmd', 'npx', 'files']],
    [['cmdx', '/c', 'npx']],
    [['sh', '-c', 'npx files']],
  ])('does not unwrap a shell that interprets its arguments: %j', ([command = '', ...args]) => {
    expect(wordsOf(command, ...args)).toEqual([command, ...args]);
  });

  it('resolves the home folder, and leaves other placeholders to the user', () => {
    expect(wordsOf('npx', '${userHome}/x', '${env:HOME}', '--at=${userHome}')).toEqual([
      'npx',
      '~/x',
      '~',
      '--at=${userHome}',
    ]);
    for (const word of [
      '${workspaceFolder}',
      '--key=${input:key}',
      '<your key>',
      '--at=${userHome}',
      'YOUR_KEY',
      '$KEY',
      '--key=$KEY',
      '{file:~/key}',
    ])
      expect(notesOf({ command: 'npx', args: [word] })).toContain('command-to-fill-in');
    expect(notesOf({ command: 'npx', args: ['files', '~/x', '$5'] })).toEqual(['local-command']);
  });

  it.each([
    [{ env: { A: '${A}', B: 'b', C: '$C', D: '${input:d}', E: '${env:E}', F: '${F:-f}' } }, ['A', 'C', 'D', 'E', 'F']],
    [{ env: { B: 'b' }, env_vars: ['A'] }, ['A']],
    [{ envs: { B: 'b' }, env_keys: ['A'] }, ['A']],
    [{ env: { A: '{env:A}', B: '{file:~/key}', C: 'Bearer $C', D: '{{D}}', E: '{}' } }, ['A', 'B', 'C', 'D']],
    [{ env: { A: '$5 and more', B: 'b' } }, []],
  ])('has no value for a variable that the app would fill in: %j', (part, missing) => {
    const variables = toListedCommand(readEntry({ command: 'x', ...part }))?.variables ?? [];
    expect(variables.filter(({ value }) => value === undefined).map(({ name }) => name)).toEqual(missing);
    expect(notesOf({ command: 'x', ...part }).includes('command-to-fill-in')).toBe(missing.length > 0);
  });

  it.each([
    [{ command: 'x', cwd: '${workspaceFolder}/a' }],
    [{ command: 'x', cwd: './a' }],
    [{ command: './x' }],
    [{ command: 'x', envFile: '.env' }],
    [{ command: 'python3', args: ['server.py'] }],
    [{ command: 'C:\\node\\node.exe', args: ['dist\\index.js', '--fast'] }],
    [{ command: 'java', args: ['-jar', 'target/server.jar'] }],
  ])("marks a command that depends on the app's folder: %j", (entry) => {
    expect(notesOf(entry)).toContain('command-to-fill-in');
  });

  it("accepts commands that do not depend on the app's folder", () => {
    for (const args of [
      ['/srv/server.py'],
      ['~/server.py'],
      ['-m', 'server'],
      ['C:\\a\\server.py'],
      ['https://a.example/a.js'],
    ])
      expect(notesOf({ command: 'python3', args })).toEqual(['local-command']);
    expect(notesOf({ command: 'npx', args: ['-y', 'server.js'] })).toEqual(['local-command']);
    expect(notesOf({ command: 'node', args: ['server.js'], cwd: '/srv/a' })).toEqual(['local-command']);
    expect(notesOf({ command: './x', cwd: '/srv/a' })).toEqual(['local-command']);
    expect(toListedCommand(readEntry({ command: { path: 'x', args: ['y'], env: { A: 'a' } } }))).toEqual({
      words: ['x', 'y'],
      variables: [{ name: 'A', value: 'a' }],
    });
  });

  it.each([
    [{ command: 'x', args: Array.from({ length: 101 }, () => 'y') }],
    [{ command: 'x', args: ['y'.repeat(5_000)] }],
    [{ command: 'x', args: ['a\0b'] }],
    [{ command: 'x', env: { 'A=B': 'c' } }],
    [{ command: 'x', env: { A: 'a\0b' } }],
  ])('is undefined for a command that cannot be run', (entry) => {
    expect(toListedCommand(readEntry(entry))).toBeUndefined();
    expect(notesOf(entry)).toEqual(['local-command', 'command-unusable']);
  });
});

const url = 'https://a.example/mcp';

/** The server read from an entry that starts mcp-remote. */
function listed(args: readonly string[], env: object = {}) {
  const [server] = readMcpList(JSON.stringify({ mcpServers: { a: { command: 'npx', args, env } } }))?.servers ?? [];
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
  ])('is undefined for other commands: %j', (words) => {
    expect(unwrapMcpRemote(words)).toBeUndefined();
  });

  it('reads every --header, wherever it appears and however it is joined', () => {
    const words = ['mcp-remote', '--header', 'X-One: 1', url, '--header', 'X-Two:2', '--header=X-Three: 3', '--header'];
    expect(unwrapMcpRemote(words)?.headers).toEqual([
      { name: 'X-One', value: '1' },
      { name: 'X-Two', value: '2' },
      { name: 'X-Three', value: '3' },
    ]);
    expect(unwrapMcpRemote(['mcp-remote', url, '--header', 'no header', '--header', ': none'])?.headers).toEqual([]);
  });
});

describe('the sign-in options of mcp-remote', () => {
  const info = '--static-oauth-client-info';
  it.each([
    [[info, '{"client_id":"mine","client_secret":"canary"}'], 'mine', [info]],
    [[info, '{"client_id":"mine"}'], 'mine', []],
    [[`${info}={"client_id":"mine","client_secret":"canary"}`], 'mine', [info]],
    [[info, '@/home/ada/client.json'], undefined, [info]],
    [[info, '{"client_id":"${ID}"}'], undefined, [info]],
    [['--static-oauth-client-metadata', '{"scope":"a b"}'], undefined, ['--static-oauth-client-metadata']],
    [['--resource', 'https://a.example/tenant'], undefined, ['--resource']],
    [['--ignore-tool', 'delete*'], undefined, ['--ignore-tool']],
    [['--transport', 'http-only', '--debug'], undefined, []],
  ])('are reported if they are not imported: %j', (flags, clientId, unsupported) => {
    const server = listed(['npx', '-y', 'mcp-remote', url, '3334', ...flags]);
    expect(server?.clientId).toBe(clientId);
    expect(server?.settings?.unsupported ?? []).toEqual(unsupported);
    expect(server?.notes.includes('members-unsupported')).toBe(unsupported.length > 0);
    expect(JSON.stringify(server)).not.toContain('canary');
  });
});

describe('a header of an entry', () => {
  it.each([
    ['Authorization: Bearer ${AUTH_TOKEN}', { AUTH_TOKEN: 'abc' }, { name: 'Authorization', value: 'Bearer abc' }],
    ['Authorization:${AUTH_HEADER}', { AUTH_HEADER: 'Bearer abc' }, { name: 'Authorization', value: 'Bearer abc' }],
    ['X-Key:${A}-${B}', { A: 'one', B: 'two' }, { name: 'X-Key', value: 'one-two' }],
    ['X-Key:${A}', { A: '${B}x', B: 'never' }, undefined],
    ['X-Key:${input:key}', {}, undefined],
  ])("is filled in from the entry's variables: %s", (line, env, header) => {
    const server = listed(['mcp-remote', url, '--header', line], env);
    expect(server?.headers).toEqual(header && [header]);
    expect(server?.notes.includes('header-to-fill-in')).toBe(header === undefined);
  });

  it("is never filled in from Postern's environment", () => {
    expect(process.env['PATH']).toBeTruthy();
    for (const name of ['PATH', 'env:PATH', 'constructor', '__proto__', 'toString'])
      expect(listed(['mcp-remote', url, '--header', `X-Key:\${${name}}`], {})).toMatchObject({
        notes: expect.arrayContaining(['header-to-fill-in']),
      });
  });

  it('is left to the user if it comes from a file or from a variable of the app', () => {
    expect(listed(['mcp-remote', url, '--header-file', '/home/ada/headers'])?.notes).toContain('header-to-fill-in');
    const codex = { mcp_servers: { a: { url, bearer_token_env_var: 'TOKEN' } } };
    expect(readMcpList(JSON.stringify(codex))?.servers[0]?.notes).toEqual(['header-to-fill-in']);
  });
});

describe('a file of OpenCode', () => {
  it('has each command as an array', () => {
    const mcp = {
      files: { type: 'local', command: ['npx', '-y', 'server-files'], enabled: true },
      notes: { type: 'local', command: ['npx', '-y', 'mcp-remote', url], environment: {} },
      mail: { type: 'remote', url, oauth: false },
      off: { enabled: false },
    };
    expect(readMcpList(JSON.stringify({ $schema: 'https://opencode.ai/config.json', mcp }))?.servers).toEqual([
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
