import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandsOnConnection } from '../../main/cli/options/command-spec.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { oddText, startCapabilitiesServer } from '../support/capabilities-server.ts';
import { runPostern, startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What runs without a user: one command on a temporary connection, and the service that refreshes. */

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
  const server = await startCapabilitiesServer();
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
  ['next to a server that was connected before', (url: string) => [url, '--local', '--', 'call', 'echo', 'text=x']],
  ['without --', (url: string) => ['--local', url, 'call', 'echo', 'text=x']],
  ['with options first', (url: string) => ['--local', '--json', '--', url, 'call', 'echo', '{"text":"x"}']],
])('postern with runs on the server that it names, %s', async (_form, words) => {
  const [connected, named] = [await startCapabilitiesServer(), await startCapabilitiesServer()];
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess(args, { home });
  // One has the host of the other for its name, so that only the connection itself distinguishes them.
  const { hostname } = new URL(named.url);
  expect(await run('connect', connected.url, '--local', '--name', hostname)).toMatchObject({ code: 0 });
  expect(await run('connect', connected.url, '--local', '--name', named.url)).toMatchObject({ code: 0 });
  expect(await run('with', ...words(named.url))).toMatchObject({ code: 0 });
  expect(connected.calls).toEqual([]);
  // Every other command resolves an address to the server that has it, whatever else has that name.
  expect(await run('connect', named.url, '--local', '--name', 'Other')).toMatchObject({ code: 0 });
  expect(await run('show', named.url, '--json')).toMatchObject({ last: { integration: { name: 'Other' } } });
  expect(named.calls).toHaveLength(1);
  // One that is connected already is contacted without what the profile stores for it, and does not change.
  const before = (await run('list', '--json')).last;
  expect(await run('with', ...words(connected.url))).toMatchObject({ code: 0 });
  expect(connected.calls).toHaveLength(1);
  expect((await run('list', '--json')).last).toEqual(before);
});

it.each([
  ['as --', (url: string) => [url, '--local', '--', 'call', 'odd', '--json']],
  ['after an address that follows --', (url: string) => ['--local', '--', url, 'call', 'odd', '--json']],
  ['after a second --', (url: string) => ['--local', '--', url, '--', 'call', 'odd', '--json']],
])('postern with prints JSON if its command says so, %s', async (_form, words) => {
  const server = await startCapabilitiesServer();
  const ran = await runInProcess(['with', ...words(server.url)], { home: temporaryFolder() });
  expect(ran).toMatchObject({
    code: 0,
    stderr: '',
    last: { result: 'ok', content: [{ type: 'text', text: oddText }] },
  });
});

it('postern with passes every option that the command accepts', async () => {
  const server = await startCapabilitiesServer();
  const home = temporaryFolder();
  const key = path.join(temporaryFolder(), 'key');
  const run = (...args: string[]) => runInProcess(['with', server.url, '--local', '--', ...args], { home });
  for (const name of commandsOnConnection(commandTable)) {
    const help = await run(name, '--help');
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining(`Usage: postern ${name} ID`)]);
    for (const option of commandTable.specs[name].options) expect(help.stdout).toContain(`--${option}`);
  }
  expect(server.log).toEqual([]);
  const file = path.join(temporaryFolder(), 'answer.txt');
  const options = ['--output', file, '--timeout', '3600', '--log-level', 'debug', '--sign-in', 'print', '--any-field'];
  const called = await run('call', 'echo', 'text=x', 'more=y', ...options, '--vault', 'file', '--key-file', key);
  expect(called).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe('{"text":"x"}');
  expect(await run('call', 'fail')).toMatchObject({ code: 1 });
  expect(await run('call', 'fail', '--allow-tool-error')).toMatchObject({ code: 0 });
  // Nothing is sealed if nothing is stored, whichever option says how.
  const sides = ['--memory', '--vault', 'passphrase', '--key-file', key, '--', 'tools'];
  expect(await runInProcess(['with', server.url, '--local', ...sides], { home })).toMatchObject({ code: 0 });
  expect([existsSync(key), existsSync(path.join(home, 'keyring'))]).toEqual([false, false]);
  expect(await run('call', 'odd', '--min-ttl', '5')).toMatchObject({ code: 2 });
});

it('postern with shows the arguments of a tool instead of calling it', async () => {
  const server = await startCapabilitiesServer();
  const shown = await runInProcess(['with', server.url, '--local', '--', 'call', 'echo', '--help'], {
    home: temporaryFolder(),
  });
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(`Usage: postern with ${server.url} -- call echo text=… [options]`);
  expect(server.calls).toEqual([]);
});

it('postern with signs in with the method of its command', async () => {
  const signingIn = startPostern(['with', demo.url, '--local', '--', 'tools', '--sign-in', 'print', '--json'], {
    home: temporaryFolder(),
  });
  const [, address = ''] = await signingIn.waitFor(/"event":"authorization","url":"([^"]+)"/u);
  expect(new URL(address).searchParams.get('response_type')).toBe('code');
  signingIn.kill('SIGINT');
  expect(await signingIn.ended).toMatchObject({ code: 130, last: { result: 'error' } });
});

it('postern with accepts one address', async () => {
  const server = await startCapabilitiesServer();
  const two = await runInProcess(['with', server.url, server.url, '--local', '--', 'call', 'echo', 'text=x'], {
    home: temporaryFolder(),
  });
  expect(two).toMatchObject({ code: 2 });
  expect(server.calls).toEqual([]);
});

it('postern watch refreshes tokens before they expire, reports it, and exits gracefully', async () => {
  const { mcp } = await startPair({ accessTokenSeconds: 20 });
  const home = temporaryFolder();
  expect((await runInProcess(['connect', mcp.url, '--local', '--name', 'Demo', '--json'], { home })).code).toBe(0);
  const expiry = async () =>
    ((await runInProcess(['list', '--json'], { home })).last['integrations'] as { expiresAt: number }[])[0]
      ?.expiresAt ?? 0;
  const before = await expiry();
  const watching = startPostern(['watch', '--json'], { home });
  await watching.waitFor(/"event":"watching"/u);
  await expect.poll(expiry, { timeout: 30_000 }).toBeGreaterThan(before);
  watching.kill('SIGTERM');
  expect(await watching.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
});
