import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openActivityStore } from '../../main/storage/profile/activity-store.ts';
import { hasFailed } from '../../shared/status-words.ts';
import { aCall } from '../support/activity-calls.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';

const canary = 'canary-of-a-call';

it('shows in a window what apps called, and no content', async () => {
  const server = await startRawServer('session', [{ name: 'read', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult(canary));
    return true;
  });
  const desktop = await createTestDesktop();
  const { engine, call } = desktop;
  await engine.connect(server.url, { local: true });
  const [integration] = await engine.ports.store.list();
  if (!integration) throw new Error('not connected');
  const served = await serveGateway(engine);
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  await app.request(1, 'tools/call', { name: 'read', arguments: { text: canary } });
  await expect.poll(async () => (await call('activity:read', { after: 0 })).last).toBe(2);
  const { calls, first } = await call('activity:read', { after: 1 });
  expect(first).toBe(1);
  expect(calls).toMatchObject([
    { app: 'cursor', appName: 'Cursor', integration: integration.id, tool: 'read', outcome: 'ok' },
  ]);
  expect(JSON.stringify([calls, desktop.messages])).not.toContain(canary);
});

it('distinguishes a failure from a call that the user denied', async () => {
  const { engine, call } = await createTestDesktop();
  const store = openActivityStore({ profileFolder: engine.folder, isEnabled: async () => true });
  for (const outcome of ['APPROVAL_REFUSED', 'TOOL_DENIED', 'APPROVAL_TIMEOUT', 'SIGN_IN_REQUIRED'] as const)
    store.add(aCall({ outcome }));
  await store.flush();
  const { calls } = await call('activity:read', { after: 0 });
  expect(calls.map(({ failure }) => failure?.decision)).toEqual(['no', 'no', 'none', undefined]);
  expect(calls.map(hasFailed)).toEqual([false, false, false, true]);
});

it('forgets deleted calls, and reads later ones', async () => {
  const { engine, call } = await createTestDesktop();
  const store = openActivityStore({ profileFolder: engine.folder, isEnabled: async () => true });
  store.add(aCall());
  await store.flush();
  expect(await call('activity:read', { after: 0 })).toMatchObject({ first: 1, last: 1 });
  rmSync(path.join(engine.folder, 'activity'), { recursive: true });
  expect(await call('activity:read', { after: 1 })).toEqual({ first: 2, last: 1, calls: [] });
});

it('saves the filtered calls where the user chooses', async () => {
  const { engine, call, saved } = await createTestDesktop();
  const store = openActivityStore({ profileFolder: engine.folder, isEnabled: async () => true });
  for (const tool of ['first', 'second', 'third']) store.add(aCall({ tool }));
  await store.flush();
  expect(await call('activity:export', { calls: [3, 1, 99] })).toEqual({ saved: true });
  const [, third, first, end] = saved[0]?.content.toString('utf8').split('\r\n') ?? [];
  expect(third).toContain(',third,');
  expect(first).toContain(',first,');
  expect(end).toBe('');
});

it('is notified that calls are no longer logged', async () => {
  const { call } = await createTestDesktop();
  await call('settings:update', { activity: 'off' });
  expect((await call('desktop:snapshots', {})).desktop.settings.activity).toBe('off');
});
