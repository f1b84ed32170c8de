import { describe, expect, it } from 'vitest';
import { endOf } from '../support/connection-facts.ts';
import { runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** What people copy from the instructions of a server, in the place of its address. */

const url = 'https://mcp.example/mcp';

describe('a pasted command or configuration', () => {
  it.each([
    ['local', ['connect', 'npx', '-y', '@modelcontextprotocol/server-everything'], 'on this computer'],
    ['local', ['discover', 'docker', 'run', '-i', '--rm', 'mcp/fetch'], 'on this computer'],
    ['bridge', ['connect', 'npx', '-y', 'mcp-remote', url, '--header', 'X: y'], url],
    ['configuration', ['connect', `{"mcpServers":{"notes":{"url":"${url}"}}}`], url],
  ] as const)('is told on the command line as what it is: %s %j', async (_, words, named) => {
    const { code, last } = await runPostern([...words, '--json'], { home: temporaryFolder() });
    const error = last['error'] as Record<string, unknown>;
    expect(code).toBe(1);
    expect(error).toMatchObject({ code: 'URL_COMMAND', stage: 'address' });
    expect(error['message']).toContain(named);
    if (named === url) expect(error['nextStep']).toContain(`postern connect ${url}`);
  });

  it('keeps the --local that was given', async () => {
    const words = ['connect', `{"url":"http://127.0.0.1:4711/mcp"}`, '--local', '--json'];
    const { last } = await runPostern(words, { home: temporaryFolder() });
    expect(last['error']).toMatchObject({
      code: 'URL_COMMAND',
      nextStep: expect.stringContaining('`postern connect http://127.0.0.1:4711/mcp --local`'),
    });
  });

  it.each(['npx -y @modelcontextprotocol/server-everything', `npx mcp-remote ${url}`, `{"url":"${url}"}`])(
    'is told in the address field: %s',
    async (text) => {
      const desktop = await createTestDesktop();
      const { id } = await desktop.call('connection:discover', { url: text, options: {} });
      const error = endOf(await desktop.connection(id, ({ state }) => state.name === 'failed'));
      expect(error).toMatchObject({ code: 'URL_COMMAND', stage: 'address' });
      expect(desktop.engine.sent).toEqual([]);
    },
  );
});
