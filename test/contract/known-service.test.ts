import { expect, it, vi } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Any server counts as the one of a service that takes only `localhost`. */
vi.mock('../../shared/known-servers.ts', async (original) => ({
  ...(await original<object>()),
  findKnownServer: () => ({ options: { callbackHost: 'localhost' } }),
}));

it.each([
  ['with what it is known to need', [], 'localhost'],
  ['as the user chose instead', ['--callback-host', '127.0.0.1'], '127.0.0.1'],
])('a known service is connected by a command %s', async (_, chosen, host) => {
  const { mcp } = await startPair();
  const words = ['connect', mcp.url, '--local', ...chosen, '--json'];
  const { code, lines } = await runInProcess(words, { home: temporaryFolder() });
  expect(code).toBe(0);
  const page = lines.find(({ event }) => event === 'authorization')?.['url'];
  const callback = new URL(String(page)).searchParams.get('redirect_uri');
  expect(new URL(callback ?? '').hostname).toBe(host);
});

it('a known service that comes by a list keeps what it is known to need', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  const stdin = JSON.stringify({ mcpServers: { Known: { url: mcp.url } } });
  await runInProcess(['import', '-', '--local', '--yes', '--json'], { home, stdin });
  const { last } = await runInProcess(['show', 'Known', '--json'], { home });
  expect(last).toMatchObject({ integration: { options: { callbackHost: 'localhost' } } });
});
