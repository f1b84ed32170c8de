import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { endErrorOf } from '../support/connection-facts.ts';
import { startResource } from '../support/demo-pair.ts';
import { sdkServerWords } from '../support/local-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** Commands and configurations that users paste from a server's instructions instead of its address. */

const url = 'https://mcp.example/mcp';

describe('a pasted command or configuration', () => {
  it.each([
    ['local', ['connect', 'npx', '-y', '@modelcontextprotocol/server-everything'], 'on this computer'],
    ['local', ['discover', 'docker', 'run', '-i', '--rm', 'mcp/fetch'], 'on this computer'],
    ['bridge', ['connect', 'npx', '-y', 'mcp-remote', url, '--header', 'X: y'], url],
    ['configuration', ['discover', `{"mcpServers":{"notes":{"url":"${url}"}}}`], url],
  ] as const)('is recognized on the command line: %s %j', async (_, words, named) => {
    const { code, last } = await runInProcess([...words, '--json'], { home: temporaryFolder() });
    const error = last['error'] as Record<string, unknown>;
    expect(code).toBe(1);
    expect(error).toMatchObject({ code: 'URL_COMMAND', stage: 'address' });
    expect(error['message']).toContain(named);
    if (named === url) expect(error['nextStep']).toContain(`postern connect ${url}`);
  });

  const openAt = async (wanted?: string) =>
    await startResource(undefined, {
      intercept: (request, response) => {
        if (wanted === undefined || request.url !== '/mcp' || request.headers['authorization'] === wanted) return false;
        response.writeHead(401).end();
        return true;
      },
    });
  const list = async (home: string) =>
    (await runInProcess(['list', '--json'], { home })).last['integrations'] as {
      name: string;
      url: string;
      header?: string;
      command?: object;
    }[];

  it.each<[string, (at: string) => string, string]>([
    ['of Claude Code', (at) => `claude mcp add --transport http notes ${at}`, 'notes'],
    ['of Claude Code in lines', (at) => `claude mcp add-json notes \\\n  '{"type":"http","url":"${at}"}'`, 'notes'],
    ['of Codex', (at) => `$ codex mcp add notes --url ${at}`, 'notes'],
    ['of Gemini CLI', (at) => `gemini mcp add -t http notes ${at}`, 'notes'],
    ['of VS Code', (at) => `code --add-mcp '{"name":"notes","type":"http","url":"${at}"}'`, 'notes'],
    [
      'a link of Cursor',
      (at) => `cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=${btoa(`{"url":"${at}"}`)}`,
      'notes',
    ],
    [
      'a link of VS Code',
      (at) => `vscode:mcp/install?${encodeURIComponent(`{"name":"notes","url":"${at}"}`)}`,
      'notes',
    ],
    ['of mcp-remote', (at) => `npx -y mcp-remote ${at}`, '127.0.0.1'],
    ['JSON', (at) => `{"mcpServers":{"notes":{"url":"${at}"}}}`, 'notes'],
    ['a JSON fragment', (at) => `"notes": {"serverUrl": "${at}"},`, 'notes'],
    [
      'a name that is too long for one',
      (at) => `{"mcpServers":{"${'n'.repeat(90)}":{"url":"${at}"}}}`,
      `${'n'.repeat(79)}…`,
    ],
  ])('is connected on the command line: %s', async (_, textOf, named) => {
    const [home, { url: at }] = [temporaryFolder(), await openAt()];
    const done = await runInProcess(['connect', textOf(at), '--local', '--json'], { home });
    expect(done).toMatchObject({ code: 0, last: { integration: { name: named, url: at } } });
    expect(await list(home)).toMatchObject([{ name: named, url: at }]);
  });

  it('is connected with the key in it, and takes another name', async () => {
    const [home, { url: at }] = [temporaryFolder(), await openAt('Bearer canary-7')];
    const text = `claude mcp add -t http notes ${at} --header "Authorization: Bearer canary-7"`;
    const done = await runInProcess(['connect', text, '--name', 'Mine', '--local', '--json'], { home });
    expect(done).toMatchObject({ code: 0, last: { imports: [{ outcome: 'imported' }] } });
    expect(done.stdout + done.stderr).not.toContain('canary');
    expect(await list(home)).toMatchObject([{ name: 'Mine', header: 'Authorization' }]);
  });

  it.each([
    (words: string) => `claude mcp add notes -e SHOWN=canary -- ${words}`,
    (words: string) => `codex mcp add notes --env SHOWN=canary -- ${words}`,
    (words: string) => `SHOWN=canary ${words}`,
  ])('is shown if it is a command, and run only after consent: %s', async (textOf) => {
    const home = temporaryFolder();
    const text = textOf([process.execPath, ...sdkServerWords()].map((word) => `'${word}'`).join(' '));
    const connected = await runInProcess(['connect', text, '--name', 'Mine'], { home });
    expect(connected).toMatchObject({ code: 2, stderr: expect.stringContaining(sdkServerWords()[0] ?? '') });
    expect(await list(home)).toEqual([]);
    const done = await runInProcess(['connect', text, '--name', 'Mine', '--yes', '--json'], { home });
    expect(done).toMatchObject({ code: 0, last: { integration: { name: 'Mine', kind: 'local' } } });
    expect(await list(home)).toMatchObject([{ name: 'Mine', command: { variables: ['SHOWN'] } }]);
  });

  it('is imported if it has several servers, and no name applies to all of them', async () => {
    const [home, { url: at }] = [temporaryFolder(), await openAt()];
    const text = JSON.stringify({ servers: { one: { url: at }, two: { command: 'env' } } });
    const refused = await runInProcess(['connect', text, '--name', 'Mine', '--local', '--json'], { home });
    expect(refused).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
    const done = await runInProcess(['connect', text, '--local', '--json'], { home });
    expect(done.code).toBe(0);
    expect((await list(home)).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it.each(['no server at all', '{"some": "thing"}', 'claude mcp list'])('is rejected as %j', async (text) => {
    const home = temporaryFolder();
    const { code, last } = await runInProcess(['connect', text, '--json'], { home });
    expect(code).toBeGreaterThan(0);
    expect(last).toMatchObject({ result: 'error', error: { retryable: false } });
    expect(await list(home)).toEqual([]);
  });

  it('keeps the --local that was given', async () => {
    const words = ['discover', `{"url":"http://127.0.0.1:4711/mcp"}`, '--local', '--json'];
    const { last } = await runInProcess(words, { home: temporaryFolder() });
    expect(last['error']).toMatchObject({
      code: 'URL_COMMAND',
      nextStep: expect.stringContaining('`postern connect http://127.0.0.1:4711/mcp --local`'),
    });
  });

  it.each(['npx -y @modelcontextprotocol/server-everything', `npx mcp-remote ${url}`, `{"url":"${url}"}`])(
    'is recognized in the address field: %s',
    async (text) => {
      const desktop = await createTestDesktop();
      const { id } = await desktop.call('connection:discover', { url: text, options: {} });
      const error = endErrorOf(await desktop.connection(id, ({ state }) => state.name === 'failed'));
      expect(error).toMatchObject({ code: 'URL_COMMAND', stage: 'address' });
      expect(desktop.engine.sent).toEqual([]);
    },
  );
});
