import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pid, platform } from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { startPair, startResource } from '../../support/demo-pair.ts';
import { freePort } from '../../support/free-port.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { runPostern, startPostern } from '../../support/postern-process.ts';
import type { PosternProcess } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function serve(home: string, ...options: string[]): Promise<{ process: PosternProcess; socket: string }> {
  const process = startPostern(['serve', '--json', ...options], { home });
  const [, socket = ''] = await process.waitFor(/"socket":"([^"]+)"/u);
  return { process, socket };
}

/** Lets Codex use Notes over HTTP: its header, and the URL when the endpoint is at `base`. */
async function allowCodex(home: string) {
  const { last } = await runInProcess(['show', 'Notes', '--json'], { home });
  const { id, alias } = last['integration'] as { id: string; alias: string };
  const record = { id: '0123456789abcdef', app: 'codex', name: 'Codex', integrations: [id], createdAt: 1 };
  const { apps } = openIntegrationStore({ folder: home, locks: createLocks(home) });
  await apps.change(() => [record]);
  const { stdout } = await runInProcess(['headers', 'codex'], { home });
  return { stdout, headers: JSON.parse(stdout) as Record<string, string>, http: (base: string) => `${base}/${alias}` };
}

/** A server that holds the request after `hold` until `answer`. */
async function startHolding() {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHolding = false;
  const { url } = await startResource(undefined, {
    intercept: async (request) => {
      if (request.method !== 'POST' || !isHolding) return false;
      arrived.resolve();
      await released.promise;
      return false;
    },
  });
  return { url, hold: () => void (isHolding = true), arrived: arrived.promise, answer: () => released.resolve() };
}

it('serves connected servers to apps, for its user only, until it is ended', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  const connected = await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes', '--json'], { home });
  expect(connected.code).toBe(0);
  const { process, socket } = await serve(home, '--allow-unknown');
  expect(statSync(socket).mode & 0o077).toBe(0);
  expect(statSync(path.dirname(socket)).mode & 0o077).toBe(0);
  const app = openApp(socket, { server: 'Notes' });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  expect(JSON.stringify(await app.request(2, 'tools/call', { name: 'whoami', arguments: {} }))).toContain('You are ');
  process.kill('SIGTERM');
  const { code, lines } = await process.ended;
  expect(code).toBe(0);
  expect(lines.filter(({ event }) => event === 'session').map(({ state }) => state)).toEqual(['open', 'closed']);
  const catalog = path.join(home, 'catalog');
  expect(readdirSync(catalog).map((name) => statSync(path.join(catalog, name)).mode & 0o077)).toEqual([0]);
});

it('notices a sign-in by another command in an open session', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const { socket } = await serve(home, '--allow-unknown');
  const app = openApp(socket, { server: 'Notes' });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  await runInProcess(['sign-out', 'Notes'], { home });
  const whoami = (id: number) => app.request(id, 'tools/call', { name: 'whoami', arguments: {} });
  let id = 2;
  await expect.poll(async () => JSON.stringify(await whoami((id += 1)))).toContain('SIGN_IN_REQUIRED');
  await runInProcess(['refresh', 'Notes', '--sign-in', 'browser'], { home });
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await whoami(1_000))).toContain('You are ');
});

it('runs once per profile', async () => {
  const home = temporaryFolder();
  await serve(home);
  const second = await runPostern(['serve', '--json'], { home });
  expect(second.last).toMatchObject({ error: { code: 'GATEWAY_HELD' } });
});

it('answers requests in flight before it ends', async () => {
  const mcp = await startHolding();
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const { process, socket } = await serve(home, '--allow-unknown');
  const app = openApp(socket, { server: 'Notes' });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  mcp.hold();
  const called = app.request(2, 'tools/call', { name: 'whoami', arguments: {} });
  await mcp.arrived;
  process.kill('SIGTERM');
  mcp.answer();
  expect(JSON.stringify(await called)).toContain('You are ');
  expect((await process.ended).code).toBe(0);
});

it('answers HTTP requests in flight before it ends', async () => {
  const mcp = await startHolding();
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const { http, headers } = await allowCodex(home);
  const process = startPostern(['serve', '--http', '--json'], { home });
  const [, address = ''] = await process.waitFor(/"http":"([^"]+)"/u);
  const transport = new StreamableHTTPClientTransport(new URL(http(address)), { requestInit: { headers } });
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  // From here on it is known which arguments go into header fields.
  await client.listTools();
  mcp.hold();
  const called = client.callTool({ name: 'whoami', arguments: {} });
  await mcp.arrived;
  process.kill('SIGTERM');
  mcp.answer();
  expect(JSON.stringify(await called)).toContain('You are ');
  expect(await process.ended).toMatchObject({ code: 0 });
});

it('exits when nothing uses it', async () => {
  const { process } = await serve(temporaryFolder(), '--idle-exit', '1');
  expect((await process.ended).code).toBe(0);
});

it('does not end while an app uses it over HTTP', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const { http, headers } = await allowCodex(home);
  const process = startPostern(['serve', '--http', '--json', '--idle-exit', '3'], { home });
  const [, address = ''] = await process.waitFor(/"http":"([^"]+)"/u);
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(http(address)), { requestInit: { headers } }));
  // A second, unused service with the same limit shows when that time is over. Calls continue meanwhile: starting it
  // may take longer.
  const over = startPostern(['serve', '--json', '--idle-exit', '3'], { home: temporaryFolder() }).ended.then(
    () => true,
  );
  const call = async (): Promise<boolean> => (await client.callTool({ name: 'whoami', arguments: {} }), false);
  while (!(await Promise.race([over, call()])));
  expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
  await client.close();
  expect((await process.ended).code).toBe(0);
});

it('serves an app over HTTP with the header that a command prints, on a fixed port', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const { stdout, headers, http: addressOf } = await allowCodex(home);
  const first = startPostern(['serve', '--http', '--json'], { home });
  const [, http = ''] = await first.waitFor(/"http":"([^"]+)"/u);
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(addressOf(http)), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
  first.kill('SIGTERM');
  await first.ended;
  const again = startPostern(['serve', '--http', '--json'], { home });
  expect((await again.waitFor(/"http":"([^"]+)"/u))[1]).toBe(http);
  expect((await runInProcess(['headers', 'codex'], { home })).stdout).toBe(stdout);
  const port = new URL(http).port;
  const other = await runInProcess(['serve', '--http', '--port', port, '--json'], { home: temporaryFolder() });
  expect(other.last).toMatchObject({ error: { code: 'GATEWAY_PORT' } });
});

it('reports that another program has its port, and takes it when that ends', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  await allowCodex(home);
  const port = await freePort();
  await runInProcess(['settings', 'gatewayPort', String(port), '--json'], { home });
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const { process } = await serve(home);
  const [, errorText = ''] = await process.waitFor(/("code":"GATEWAY_PORT".*)/u);
  expect(errorText).toContain(`Port ${port} is in use by`);
  if (platform === 'linux') expect(errorText).toContain(`(process ${pid})`);
  await new Promise((resolve) => other.close(resolve));
  expect((await process.waitFor(/"event":"http","http":"([^"]+)"/u))[1]).toBe(`http://127.0.0.1:${port}/mcp`);
});
