import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { startPair } from '../support/demo-pair.ts';
import { oddText, startOfferingServer } from '../support/offering-server.ts';
import { runPostern, startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What runs without a person: one command on a connection that is not kept, and the service that renews. */

let demo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-watch-'));

beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true });
});

it('postern with runs one command on a connection and leaves neither a server nor a secret', async () => {
  const server = await startOfferingServer();
  const home = temporaryFolder();
  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  const run = (...args: string[]) => runPostern(args, { home, env });
  expect(await run('with', server.url, '--local', '--', 'call', 'odd')).toMatchObject({ code: 0, stdout: oddText });
  const { code, last } = await run('with', demo.url, '--local', '--json', '--', 'tools', '--json');
  expect(code).toBe(0);
  expect((last['tools'] as unknown[]).length).toBeGreaterThan(2);
  expect(await run('with', server.url, '--', 'remove')).toMatchObject({ code: 2 });
  expect((await run('list', '--json')).last).toMatchObject({ integrations: [] });
  expect(readdirSync(home)).not.toContain('vault');
});

it.each([
  ['beside a server that was connected before', (url: string) => [url, '--local', '--', 'call', 'echo', 'text=x']],
  ['without --', (url: string) => ['--local', url, 'call', 'echo', 'text=x']],
  ['with options first', (url: string) => ['--local', '--json', '--', url, 'call', 'echo', '{"text":"x"}']],
])('postern with runs on the server that it names, %s', async (_form, words) => {
  const [kept, named] = [await startOfferingServer(), await startOfferingServer()];
  const home = temporaryFolder();
  const run = (...args: string[]) => runPostern(args, { home });
  // One has the host of the other for its name, so that nothing but the connection itself tells them apart.
  const { hostname } = new URL(named.url);
  expect(await run('connect', kept.url, '--local', '--name', hostname)).toMatchObject({ code: 0 });
  expect(await run('connect', kept.url, '--local', '--name', named.url)).toMatchObject({ code: 0 });
  expect(await run('with', ...words(named.url))).toMatchObject({ code: 0 });
  expect(kept.calls).toEqual([]);
  // Every other command takes an address for what has it, whatever is called so.
  expect(await run('connect', named.url, '--local', '--name', 'Other')).toMatchObject({ code: 0 });
  expect(await run('show', named.url, '--json')).toMatchObject({ last: { integration: { name: 'Other' } } });
  expect(named.calls).toHaveLength(1);
  // One that is connected already is asked without what the profile has of it, and stays as it was.
  const before = (await run('list', '--json')).last;
  expect(await run('with', ...words(kept.url))).toMatchObject({ code: 0 });
  expect(kept.calls).toHaveLength(1);
  expect((await run('list', '--json')).last).toEqual(before);
});

it('postern with takes one address', async () => {
  const server = await startOfferingServer();
  const two = await runPostern(['with', server.url, server.url, '--local', '--', 'call', 'echo', 'text=x'], {
    home: temporaryFolder(),
  });
  expect(two).toMatchObject({ code: 2 });
  expect(server.calls).toEqual([]);
});

it('postern watch renews access before it ends, tells so, and ends politely', async () => {
  const { mcp } = await startPair({ accessTokenSeconds: 20 });
  const home = temporaryFolder();
  expect((await runPostern(['connect', mcp.url, '--local', '--name', 'Demo', '--json'], { home })).code).toBe(0);
  const expiry = async () =>
    ((await runPostern(['list', '--json'], { home })).last['integrations'] as { expiresAt: number }[])[0]?.expiresAt ??
    0;
  const before = await expiry();
  const watching = startPostern(['watch', '--json'], { home });
  await watching.waitFor(/"event":"watching"/u);
  await expect.poll(expiry, { timeout: 30_000 }).toBeGreaterThan(before);
  watching.kill('SIGTERM');
  expect(await watching.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
});
