import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { callConfirmations } from '../../../main/limits.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { shownInput } from '../../../shared/approval-view.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { createTestDesktop } from '../../support/test-desktop.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

/** The window asks about individual tool calls. */

async function start() {
  const fixture = await startRawServer('session', [{ name: 'write', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult('done'));
    return true;
  });
  const desktop = await createTestDesktop({ serves: true });
  const { engine, composed } = desktop;
  const { integration } = await engine.connect(fixture.url, { local: true });
  const { apps } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const id = '0123456789abcdef';
  await apps.change(() => [{ id, app: 'cursor', name: 'Cursor\u202e', createdAt: 1, integrations: [integration.id] }]);
  composed.startWork();
  await desktop.call('permission:set', { id: integration.id, preset: 'ask-changes' });
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const app = openApp(socket, { server: integration.id, app: id });
  await shakeHands(app);
  return {
    fixture,
    desktop,
    integration,
    app,
    held: (count = 1) =>
      desktop.waitFor(({ heldCalls = [] }) => (heldCalls.length === count ? { first: heldCalls[0] } : undefined)),
    called: () => fixture.methods().filter((method) => method === 'tools/call').length,
  };
}

const call = (id: number, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'write', ...params } });

it('PM-08 shows everything that is called, hides nothing, and allows it only by a click', async () => {
  const { desktop, integration, app, held, called } = await start();
  app.write(call(1, { arguments: { text: 'a\u202eb\u200bc\u001b[2Jd\u2028e', long: 'x'.repeat(2 * shownInput) } }));
  const { first } = await held();
  expect(first).toMatchObject({ app: 'Cursor', tool: 'write', integrationId: integration.id, isCut: true });
  expect(first?.input).toContain(String.raw`a\u{202e}b\u{200b}c\u001b[2Jd\u{2028}e`);
  expect(first?.input).toHaveLength(shownInput);
  expect(called()).toBe(0);
  await desktop.call('permission:answer', { id: first?.id ?? '', answer: 'once' });
  expect(await app.response(1)).toContain('done');
  await held(0);
  // Applies only to that call.
  app.write(call(2));
  const second = await held();
  await desktop.call('permission:answer', { id: second.first?.id ?? '', answer: 'no' });
  expect(await app.response(2)).toContain('APPROVAL_REFUSED');
  expect(called()).toBe(1);
});

it('answers all waiting calls of a tool by one answer for the session, and limits open prompts', async () => {
  const { desktop, app, held, called } = await start();
  for (let id = 1; id <= callConfirmations.count + 1; id += 1) app.write(call(id));
  expect(await app.response(callConfirmations.count + 1)).toContain('APPROVAL_TIMEOUT');
  const { first } = await held(callConfirmations.count);
  expect(desktop.notices).toHaveLength(1);
  await desktop.call('permission:answer', { id: first?.id ?? '', answer: 'session' });
  for (let id = 1; id <= callConfirmations.count; id += 1) expect(await app.response(id)).toContain('done');
  await held(0);
  expect(called()).toBe(callConfirmations.count);
});

it('closes the prompt when the app disconnects', async () => {
  const { app, held, called } = await start();
  app.write(call(1));
  await held();
  app.end();
  await held(0);
  expect(called()).toBe(0);
});
