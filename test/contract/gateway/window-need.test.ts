import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { windowWords } from '../../../main/window-words.ts';
import { completeSignIn } from '../../support/scripted-browser.ts';
import { hasTicket, ticketOf } from '../../support/connection-facts.ts';
import { startPair } from '../../support/demo-pair.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { createTestDesktop } from '../../support/test-desktop.ts';

const app = '0123456789abcdef';
const call = { name: 'whoami', arguments: {} };

/** A window that serves one server, which Cursor may use. */
async function start() {
  const { mcp } = await startPair();
  const desktop = await createTestDesktop({
    serves: true,
    onPage: (url) => void completeSignIn(url).catch(() => {}),
  });
  const { engine, composed } = desktop;
  const { integration } = await engine.connect(mcp.url, { local: true });
  const { apps } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  await apps.change(() => [{ id: app, app: 'cursor', name: 'Cursor', integrations: [integration.id], createdAt: 1 }]);
  composed.startWork();
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const line = openApp(socket, { server: integration.id, app });
  await shakeHands(line);
  await line.request(1, 'tools/list');
  const view = () => desktop.mirror.integrations?.find(({ id }) => id === integration.id);
  return { mcp, desktop, integration, line, view };
}

it('shows one card on the integration and one notice, until the user has signed in', async () => {
  const { mcp, desktop, integration, line, view } = await start();
  const { id, name } = integration;
  await desktop.call('integration:signOut', { ids: [id] });
  await desktop.waitFor(() => view()?.state === 'signedOut');
  const refused = JSON.stringify(await line.request(2, 'tools/call', call));
  expect(refused).toContain('SIGN_IN_REQUIRED');
  await desktop.waitFor(() => view()?.wantedBy === 'Cursor');
  expect(view()).toMatchObject({ status: { name: 'signIn' } });
  await line.request(3, 'tools/call', call);
  expect(desktop.notices).toEqual([
    { title: name, body: windowWords.appNeeds['sign-in']('Cursor'), integrationId: id },
  ]);
  // Nothing opens on its own, and only the app retries what was rejected.
  expect(desktop.popups).toEqual([]);
  const before = mcp.requests.length;
  const { connectionId } = await desktop.call('integration:signInAgain', { id });
  const ticketId = ticketOf(await desktop.connection(connectionId, hasTicket)) ?? '';
  await desktop.call('connection:install', { ticketId });
  await line.line(({ method }) => method === 'notifications/tools/list_changed');
  await desktop.waitFor(() => view()?.status.name === 'ready' && view()?.wantedBy === undefined);
  expect(mcp.requests.slice(before).map(({ rpcMethod }) => rpcMethod)).not.toContain('tools/call');
  expect(JSON.stringify(await line.request(4, 'tools/call', call))).toContain('You are ');
});

it('asks for the permission that a tool lacks, as the server demanded', async () => {
  const { desktop, integration, line, view } = await start();
  const refused = await line.request(2, 'tools/call', { name: 'delete_notes', arguments: {} });
  expect(JSON.stringify(refused)).toContain('SCOPE_REQUIRED');
  await desktop.waitFor(() => view()?.wantedBy === 'Cursor' && view()?.status.name === 'needsAccess');
  expect(desktop.notices.map(({ body }) => body)).toEqual([windowWords.appNeeds.permissions('Cursor')]);
  await desktop.call('integration:signInAgain', { id: integration.id });
  const { url } = await desktop.waitFor(() => desktop.popups.at(-1));
  expect(new URL(url).searchParams.get('scope')).toContain('notes:admin');
});
