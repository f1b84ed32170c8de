import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it, onTestFinished } from 'vitest';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import type { ApprovalAnswer } from '../../../shared/approval-view.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { startResource } from '../../support/demo-pair.ts';
import { freePort } from '../../support/free-port.ts';
import { someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import type { LineApp } from '../../support/line-app.ts';
import { pipeKinds } from '../../support/pipe-process.ts';
import { createTestDesktop } from '../../support/test-desktop.ts';

const id = '0123456789abcdef';
const { secret, secretHash } = someSecret();
const cursor = { id, app: 'cursor', name: 'Cursor', createdAt: 1 };
const claudeCode = { id: 'fedcba9876543210', app: 'claude-code', name: 'Claude Code', createdAt: 1 };

/** A window that serves one server; `records`: known apps. */
async function start(records: readonly AppRecord[] = []) {
  const mcp = await startResource(undefined);
  const desktop = await createTestDesktop({ serves: true });
  const { engine, composed } = desktop;
  const { integration } = await engine.connect(mcp.url, { local: true });
  const { apps } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  await apps.change(() => records);
  const gatewayPort = await freePort();
  await engine.ports.store.updateSettings((settings) => ({ ...settings, gatewayPort }));
  composed.startWork();
  const [{ alias = '' } = integration] = await engine.ports.store.list();
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const open = (app?: string) => openApp(socket, { server: integration.id, ...(app && { app }) });
  const nextApproval = () => desktop.waitFor(({ approvals }) => approvals?.[0]);
  return {
    mcp,
    desktop,
    integration,
    apps,
    open,
    nextApproval,
    url: `http://127.0.0.1:${gatewayPort}/mcp/${alias}`,
    async answer(answer: ApprovalAnswer) {
      await desktop.call('approval:answer', { id: (await nextApproval()).id, answer });
      await desktop.waitFor(({ approvals }) => approvals?.length === 0);
    },
  };
}

const handshakeOf = (name: string, title?: string) => ({
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name, title, version: '1' },
});
const introduce = (app: LineApp, ...names: Parameters<typeof handshakeOf>) =>
  app.request(0, 'initialize', handshakeOf(...names));
/** The same for an app of 2026-07-28, without a handshake. */
const introduceStateless = (app: LineApp, ...names: Parameters<typeof handshakeOf>) => {
  const { clientInfo, capabilities } = handshakeOf(...names);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return app.request(0, 'tools/list', { _meta });
};
const code = (response: unknown) => (response as { error?: { data?: { code?: string } } }).error?.data?.code;

it('GW-74 grants an entry only what was shown, even if another app has taken it meanwhile', async () => {
  const { open, nextApproval, answer, apps } = await start();
  const pending = introduce(open(id), 'Zed');
  expect(await nextApproval()).toMatchObject({ app: 'Zed', canLast: true });
  await apps.change((records) => [...records, { ...cursor, integrations: [] }]);
  await answer('always');
  expect(code(await pending)).toBe('APP_UNKNOWN');
  expect(await apps.list()).toMatchObject([{ app: 'cursor', integrations: [] }]);
});

it.each([
  ['an entry of its own', id, introduce],
  ['no entry', undefined, introduce],
  ['MCP 2026-07-28', id, introduceStateless],
])(
  'GW-74 shows an app with %s by its title, and never grants it the rights of its name',
  async (_what, entry, begin) => {
    const known = { ...claudeCode, integrations: [] };
    const { desktop, open, nextApproval, answer, apps } = await start([known]);
    const pending = begin(open(entry), 'claude-code', 'Recipe Viewer');
    const question = await nextApproval();
    expect(question).toMatchObject({ app: 'Recipe Viewer', isSelfReported: true, canLast: false });
    await desktop.call('approval:answer', { id: question.id, answer: 'always' });
    expect(await nextApproval()).toMatchObject({ id: question.id });
    await answer('once');
    expect(await pending).toHaveProperty('result');
    expect(await apps.list()).toEqual([known]);
  },
);

it('admits an unknown app once the user allows it, and recognizes its entry again', async () => {
  const { desktop, open, nextApproval, answer, apps, integration, mcp } = await start();
  const before = mcp.requests.length;
  const first = open(id);
  const pending = introduce(first, 'Cursor\u202e');
  expect(await nextApproval()).toMatchObject({ app: 'Cursor', isSelfReported: true, canLast: true });
  expect(mcp.requests).toHaveLength(before);
  await answer('always');
  expect(await pending).toHaveProperty('result');
  expect(await apps.list()).toMatchObject([
    { ...cursor, createdAt: expect.any(Number), integrations: [integration.id] },
  ]);
  expect(await shakeHands(open(id))).toHaveProperty('result');
  expect(desktop.mirror.approvals).toEqual([]);
});

it('admits an app for one session, which a change of the list does not end', async () => {
  const { desktop, open, answer, apps, nextApproval } = await start([{ ...cursor, integrations: ['another'] }]);
  const first = open(id);
  const pending = introduce(first, 'anything');
  expect(await nextApproval()).toMatchObject({ app: 'Cursor', isSelfReported: false });
  await answer('once');
  expect(await pending).toHaveProperty('result');
  await apps.change((records) => records.map((record) => ({ ...record, lastUsedAt: 2 })));
  expect(await first.request(1, 'tools/list')).toHaveProperty('result.tools');
  void introduce(open(id), 'anything');
  await desktop.waitFor(({ approvals }) => approvals?.length === 1);
  await apps.change((records) => records.map((record) => ({ ...record, revokedAt: 3 })));
  await first.closed;
});

it('rejects an app after a denial, blocks no one meanwhile, and does not ask again', async () => {
  const { desktop, open, answer, nextApproval, integration, apps } = await start();
  const allowed = 'fedcba9876543210';
  await apps.change(() => [{ ...cursor, id: allowed, integrations: [integration.id] }]);
  const stranger = open();
  const pending = introduce(stranger, 'Stranger');
  await nextApproval();
  expect(await shakeHands(open(allowed))).toHaveProperty('result');
  await answer('no');
  expect(code(await pending)).toBe('APP_UNKNOWN');
  expect(code(await introduce(open(), 'Stranger'))).toBe('APP_UNKNOWN');
  expect(desktop.mirror.approvals).toEqual([]);
  expect(desktop.notices).toHaveLength(1);
});

it.skipIf(process.platform === 'win32').for(pipeKinds.filter(({ missing }) => !missing))(
  'asks for an app that connects by the $name pipe, with the client’s name',
  async ({ command: [command = '', ...args] }) => {
    const { desktop, integration, nextApproval, answer } = await start();
    const client = new Client({ name: 'Zed', version: '1' });
    onTestFinished(() => client.close());
    const own = ['--profile-folder', desktop.engine.folder, integration.id, '--app', id];
    const pending = client.connect(new StdioClientTransport({ command, args: [...args, ...own], stderr: 'ignore' }));
    expect(await nextApproval()).toMatchObject({
      app: 'Zed',
      isSelfReported: true,
      canLast: true,
      startedBy: expect.any(String),
    });
    await answer('once');
    await pending;
    expect(JSON.stringify(await client.callTool({ name: 'whoami' }))).toContain('You are ');
  },
);

it('does not ask for a revoked app', async () => {
  const { desktop, open } = await start([{ ...cursor, integrations: [], revokedAt: 2 }]);
  expect(code(await introduce(open(id), 'Cursor'))).toBe('APP_REVOKED');
  expect(desktop.mirror.approvals ?? []).toEqual([]);
});

/** Opens sessions over HTTP; the status of each. */
const overHttp =
  (url: string, ...names: Parameters<typeof handshakeOf>) =>
  async (shown: string): Promise<number> => {
    const headers = {
      authorization: `Bearer ${shown}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: handshakeOf(...names) });
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };

it('asks for a known app over HTTP, and not when the secret is wrong', async () => {
  const { url, nextApproval, answer, desktop } = await start([{ ...cursor, integrations: ['another'], secretHash }]);
  const ask = overHttp(url, 'test');
  await expect.poll(() => ask('wrong').catch(() => 0)).toBe(401);
  const pending = ask(secret);
  expect(await nextApproval()).toMatchObject({ app: 'Cursor', isSelfReported: false, canLast: true });
  await answer('once');
  expect(await pending).toBe(200);
  expect(await ask(secret)).toBe(200);
  expect(desktop.mirror.approvals).toEqual([]);
});

it('GW-74 shows and allows an HTTP app as the owner of its secret, whatever name it claims', async () => {
  const own = { ...cursor, integrations: ['another'], secretHash };
  const other = { ...claudeCode, integrations: [] };
  const { url, nextApproval, answer, apps, integration } = await start([own, other]);
  const ask = overHttp(url, 'claude-code', 'Recipe Viewer');
  await expect.poll(() => ask('wrong').catch(() => 0)).toBe(401);
  const pending = ask(secret);
  expect(await nextApproval()).toMatchObject({ app: 'Cursor', isSelfReported: false, canLast: true });
  await answer('always');
  expect(await pending).toBe(200);
  const integrations = expect.arrayContaining(['another', integration.id]) as string[];
  expect(await apps.list()).toMatchObject([{ ...own, integrations }, other]);
});
