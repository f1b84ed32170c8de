import { expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inputSchema, startRawServer } from '../support/raw-mcp-server.ts';

/** Most tests of commands run them in process; this one shows that the result is the same. */

const list = JSON.stringify({ mcpServers: { broken: { url: 'ftp://x.example' }, 'no address': {} } });

it.each<[string[], string?]>([
  [['--help']],
  [['connect']],
  [['list']],
  [['list', '--json']],
  [['show', 'nobody']],
  [['tools', 'x']],
  [['tools', 'x', '--json']],
  [['call', 'x', 'gone', '--json']],
  [['call', 'x', 'wait', '{"a":']],
  [['settings', '--json']],
  [['settings', 'callbackHost', 'nowhere.example']],
  [['import', '-', '--json'], list],
])('a command in process prints and returns what the built command does: %j', async (words, stdin = '') => {
  const server = await startRawServer('stateless', [{ name: 'wait', inputSchema }]);
  const home = temporaryFolder();
  await runPostern(['connect', server.url, '--local', '--name', 'x'], { home });
  const built = await runPostern(words, { home, stdin });
  expect(await runInProcess(words, { home, stdin })).toEqual(built);
});
