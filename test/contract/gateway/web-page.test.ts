import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { launchBrowser } from '../../renderer/open-renderer.ts';
import { startResource } from '../../support/demo-pair.ts';
import { freePort } from '../../support/free-port.ts';
import { someSecret } from '../../support/http-endpoint.ts';
import { createTestDesktop } from '../../support/test-desktop.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** A window that serves a server over HTTP to an app with a secret. */
async function start() {
  const mcp = await startResource(undefined);
  const desktop = await createTestDesktop({ serves: true });
  const { engine, composed } = desktop;
  const { integration } = await engine.connect(mcp.url, { local: true });
  const { secretHash, authorization } = someSecret();
  const { apps } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const record = { id: '0123456789abcdef', app: 'cursor', name: 'Cursor', createdAt: 1 };
  await apps.change(() => [{ ...record, integrations: [integration.id], secretHash }]);
  const gatewayPort = await freePort();
  await engine.ports.store.updateSettings((settings) => ({ ...settings, gatewayPort }));
  composed.startWork();
  const [{ alias = '' } = integration] = await engine.ports.store.list();
  const url = `http://127.0.0.1:${gatewayPort}/mcp/${alias}`;
  await expect
    .poll(() => fetch(url, { method: 'GET', headers: { authorization } }).then(({ status }) => status, String))
    .toBe(405);
  const allow = (allowedOrigin: string | null) => desktop.call('settings:update', { allowedOrigin });
  return { mcp, url, authorization, allow };
}

/** A page at its own origin, in a real browser. */
async function openPage() {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A tool</title>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    site.closeAllConnections();
    site.close();
  });
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await page.goto(origin);
  /** Begins a session and lists the tools, as an MCP client in a page does; what the page could read. */
  const use = (url: string, authorization: string) =>
    page.evaluate(
      async ([address, secret]) => {
        const post = async (body: object, fields: Record<string, string> = {}) =>
          await fetch(address, {
            method: 'POST',
            headers: {
              authorization: secret,
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              'mcp-protocol-version': '2025-11-25',
              ...fields,
            },
            body: JSON.stringify({ jsonrpc: '2.0', ...body }),
          });
        const clientInfo = { name: 'page', version: '1' };
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
        try {
          const handshake = await post({ id: 1, method: 'initialize', params });
          if (!handshake.ok) return `status ${handshake.status}`;
          await handshake.text();
          const session = handshake.headers.get('mcp-session-id');
          const fields: Record<string, string> = session === null ? {} : { 'mcp-session-id': session };
          await post({ method: 'notifications/initialized' }, fields);
          return await (await post({ id: 2, method: 'tools/list' }, fields)).text();
        } catch (error) {
          return `nothing: ${String(error)}`;
        }
      },
      [url, authorization] as const,
    );
  return { origin, use };
}

it('admits only the page that the user allowed, in a real browser', async () => {
  const { mcp, url, authorization, allow } = await start();
  const [tool, other] = [await openPage(), await openPage()];
  const before = mcp.requests.length;
  expect(await tool.use(url, authorization)).toContain('nothing:');
  expect(mcp.requests).toHaveLength(before);
  await allow(tool.origin);
  expect(await tool.use(url, authorization)).toContain('"tools"');
  // The secret is still required, and the page may read that it was wrong.
  expect(await tool.use(url, 'Bearer wrong')).toBe('status 401');
  const after = mcp.requests.length;
  expect(await other.use(url, authorization)).toContain('nothing:');
  await allow(null);
  expect(await tool.use(url, authorization)).toContain('nothing:');
  expect(mcp.requests).toHaveLength(after);
});
