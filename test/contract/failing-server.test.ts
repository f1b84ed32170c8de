import { expect, it } from 'vitest';
import { describeStatus } from '../../main/cli/output/describe-integration.ts';
import { followChanges } from '../../main/engine/use/follow-changes.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { Integration } from '../../shared/integration.ts';
import { statusWords } from '../../shared/status-words.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';

/** A server that failed when it was last used, as reported by every process and every later one. */

async function startBreakingServer() {
  let isBroken = false;
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], (request) => {
    if (isBroken) request.response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
    else if (request.message.method === 'tools/call') sendJson(request, textResult('5'));
    else return false;
    return true;
  });
  return { url: server.url, break: (is = true) => void (isBroken = is) };
}

it('is shown as not working by list and show after a command failed on it, without a secret or the keychain, until one succeeds', async () => {
  const server = await startBreakingServer();
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess([...args, '--json'], { home });
  await run('connect', server.url, '--local', '--name', 'Failing');
  const status = async (): Promise<unknown> => {
    const { last } = await run('list');
    return (last['integrations'] as { status: string }[])[0]?.status;
  };
  const ready = statusWords.ready.toLowerCase();
  expect(await status()).toBe(ready);
  server.break();
  expect((await run('tools', 'Failing')).last).toMatchObject({ error: { code: 'MCP_FAILED' } });
  expect(await status()).toBe(statusWords.failing.toLowerCase());
  expect((await run('show', 'Failing')).last).toMatchObject({
    integration: { state: 'integrated', status: statusWords.failing.toLowerCase(), failure: { code: 'MCP_FAILED' } },
  });
  server.break(false);
  expect((await run('call', 'Failing', 'add')).code).toBe(0);
  expect(await status()).toBe(ready);
});

it('is not working in a window that starts later, with the same sentence and step, until another process has used it', async () => {
  const server = await startBreakingServer();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const { id } = integration;
  const store = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const window = async () => {
    const desktop = await createTestDesktop({ store });
    return {
      desktop,
      status: async () =>
        (await desktop.composed.desktop.snapshot('integrations')).find((one) => one.id === id)?.status,
    };
  };
  await store.write(integration);
  const first = await window();
  expect(await first.status()).toMatchObject({ name: 'ready' });
  server.break();
  const refused = await first.desktop.callFailing('integration:tools', { id });
  const { code, message, remedy } = refused;
  const failing = { name: 'failing', error: { code, message, remedy } };
  expect(await first.status()).toMatchObject(failing);
  const later = await window();
  expect(await later.status()).toMatchObject(failing);
  server.break(false);
  await later.desktop.call('integration:tools', { id });
  expect(await later.status()).toEqual({ name: 'ready' });
  expect(await first.status()).toEqual({ name: 'ready' });
});

it('is not working after a call by an app, and works again after one', async () => {
  const server = await startBreakingServer();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  const app = openApp(served.socket, {
    server: integration.id,
    app: await served.allow(integration),
  });
  await shakeHands(app);
  const stored = (): Promise<Integration> => engine.read(integration);
  const statusText = async (): Promise<string> => describeStatus(await stored(), 0);
  server.break();
  await app.request(1, 'tools/call', { name: 'add', arguments: {} });
  await expect.poll(statusText).toBe(statusWords.failing.toLowerCase());
  server.break(false);
  // The gateway notices the list through the profile's folder.
  await served.gateway.reloadSettings();
  await app.request(2, 'tools/call', { name: 'add', arguments: {} });
  await expect.poll(statusText).toBe(statusWords.ready.toLowerCase());
});

it('is unchanged if Postern only listened for its changes', async () => {
  const server = await startBreakingServer();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  server.break();
  const { signal } = new AbortController();
  const follower = { read: async () => {}, onDisconnect: () => {} };
  const following = followChanges(engine.ports, integration, { resource: 'notes://one' }, { signal }, follower);
  await expect(following).rejects.toMatchObject({ code: 'MCP_FAILED' });
  expect(await engine.read(integration)).not.toHaveProperty('failure');
});
