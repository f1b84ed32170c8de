import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it, onTestFinished } from 'vitest';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import type { ApprovalAnswer } from '../../../shared/approval-view.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { startResource } from '../../support/demo-pair.ts';
import { freePort } from '../../support/free-port.ts';
import { someSecret } from '../../support/http-door.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import type { LineProgram } from '../../support/line-program.ts';
import { pipeKinds } from '../../support/pipe-process.ts';
import { createTestDesktop } from '../../support/test-desktop.ts';

const id = '0123456789abcdef';
const { secret, secretHash } = someSecret();
const cursor = { id, program: 'cursor', name: 'Cursor', createdAt: 1 };
const claudeCode = { id: 'fedcba9876543210', program: 'claude-code', name: 'Claude Code', createdAt: 1 };

/** A window that serves one server; `records`: programs that are there. */
async function start(records: readonly ProgramRecord[] = []) {
  const mcp = await startResource(undefined);
  const desktop = await createTestDesktop({ serves: true });
  const { engine, composed } = desktop;
  const { integration } = await engine.connect(mcp.url, { local: true });
  const { programs } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  await programs.change(() => records);
  const gatewayPort = await freePort();
  await engine.ports.store.updateSettings((settings) => ({ ...settings, gatewayPort }));
  composed.startWork();
  const [{ alias = '' } = integration] = await engine.ports.store.list();
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const open = (program?: string) => openProgram(socket, { server: integration.id, ...(program && { program }) });
  const asked = () => desktop.seen(({ approvals }) => approvals?.[0]);
  return {
    mcp,
    desktop,
    integration,
    programs,
    open,
    asked,
    url: `http://127.0.0.1:${gatewayPort}/mcp/${alias}`,
    async answer(answer: ApprovalAnswer) {
      await desktop.call('approval:answer', { id: (await asked()).id, answer });
      await desktop.seen(({ approvals }) => approvals?.length === 0);
    },
  };
}

const handshakeOf = (name: string, title?: string) => ({
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name, title, version: '1' },
});
const introduce = (program: LineProgram, ...names: Parameters<typeof handshakeOf>) =>
  program.ask(0, 'initialize', handshakeOf(...names));
/** The same of an app of 2026-07-28, which shakes no hands. */
const introduceNewer = (program: LineProgram, ...names: Parameters<typeof handshakeOf>) => {
  const { clientInfo, capabilities } = handshakeOf(...names);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return program.ask(0, 'tools/list', { _meta });
};
const code = (answer: unknown) => (answer as { error?: { data?: { code?: string } } }).error?.data?.code;

it('GW-74 lets an entry have what was shown alone, though another app has taken it meanwhile', async () => {
  const { open, asked, answer, programs } = await start();
  const begun = introduce(open(id), 'Zed');
  expect(await asked()).toMatchObject({ program: 'Zed', canLast: true });
  await programs.change((records) => [...records, { ...cursor, integrations: [] }]);
  await answer('always');
  expect(code(await begun)).toBe('PROGRAM_UNKNOWN');
  expect(await programs.list()).toMatchObject([{ program: 'cursor', integrations: [] }]);
});

it.each([
  ['an entry of its own', id, introduce],
  ['no entry', undefined, introduce],
  ['the newer wire', id, introduceNewer],
])(
  'GW-74 shows an app with %s by its title, and never gives it the rights of its name',
  async (_what, entry, begin) => {
    const known = { ...claudeCode, integrations: [] };
    const { desktop, open, asked, answer, programs } = await start([known]);
    const begun = begin(open(entry), 'claude-code', 'Recipe Viewer');
    const question = await asked();
    expect(question).toMatchObject({ program: 'Recipe Viewer', isOwnWord: true, canLast: false });
    await desktop.call('approval:answer', { id: question.id, answer: 'always' });
    expect(await asked()).toMatchObject({ id: question.id });
    await answer('once');
    expect(await begun).toHaveProperty('result');
    expect(await programs.list()).toEqual([known]);
  },
);

it('lets a program in that nobody added once the person allows it, and knows its entry again', async () => {
  const { desktop, open, asked, answer, programs, integration, mcp } = await start();
  const before = mcp.requests.length;
  const first = open(id);
  const begun = introduce(first, 'Cursor\u202e');
  expect(await asked()).toMatchObject({ program: 'Cursor', isOwnWord: true, canLast: true });
  expect(mcp.requests).toHaveLength(before);
  await answer('always');
  expect(await begun).toHaveProperty('result');
  expect(await programs.list()).toMatchObject([
    { ...cursor, createdAt: expect.any(Number), integrations: [integration.id] },
  ]);
  expect(await shakeHands(open(id))).toHaveProperty('result');
  expect(desktop.mirror.approvals).toEqual([]);
});

it('lets a program in for one session alone, which a change of the list does not end', async () => {
  const { desktop, open, answer, programs, asked } = await start([{ ...cursor, integrations: ['another'] }]);
  const first = open(id);
  const begun = introduce(first, 'anything');
  expect(await asked()).toMatchObject({ program: 'Cursor', isOwnWord: false });
  await answer('once');
  expect(await begun).toHaveProperty('result');
  await programs.change((records) => records.map((record) => ({ ...record, lastUsedAt: 2 })));
  expect(await first.ask(1, 'tools/list')).toHaveProperty('result.tools');
  void introduce(open(id), 'anything');
  await desktop.seen(({ approvals }) => approvals?.length === 1);
  await programs.change((records) => records.map((record) => ({ ...record, revokedAt: 3 })));
  await first.closed;
});

it('refuses a program after a no, keeps nobody waiting meanwhile, and asks no second time', async () => {
  const { desktop, open, answer, asked, integration, programs } = await start();
  const allowed = 'fedcba9876543210';
  await programs.change(() => [{ ...cursor, id: allowed, integrations: [integration.id] }]);
  const stranger = open();
  const begun = introduce(stranger, 'Stranger');
  await asked();
  expect(await shakeHands(open(allowed))).toHaveProperty('result');
  await answer('no');
  expect(code(await begun)).toBe('PROGRAM_UNKNOWN');
  expect(code(await introduce(open(), 'Stranger'))).toBe('PROGRAM_UNKNOWN');
  expect(desktop.mirror.approvals).toEqual([]);
  expect(desktop.notices).toHaveLength(1);
});

it.skipIf(process.platform === 'win32').for(pipeKinds.filter(({ missing }) => !missing))(
  'asks for a program that comes by the $name pipe, with the name of the client',
  async ({ command: [command = '', ...args] }) => {
    const { desktop, integration, asked, answer } = await start();
    const client = new Client({ name: 'Zed', version: '1' });
    onTestFinished(() => client.close());
    const own = ['--profile-folder', desktop.engine.folder, integration.id, '--program', id];
    const begun = client.connect(new StdioClientTransport({ command, args: [...args, ...own], stderr: 'ignore' }));
    expect(await asked()).toMatchObject({
      program: 'Zed',
      isOwnWord: true,
      canLast: true,
      startedBy: expect.any(String),
    });
    await answer('once');
    await begun;
    expect(JSON.stringify(await client.callTool({ name: 'whoami' }))).toContain('You are ');
  },
);

it('asks nobody for a program that was revoked', async () => {
  const { desktop, open } = await start([{ ...cursor, integrations: [], revokedAt: 2 }]);
  expect(code(await introduce(open(id), 'Cursor'))).toBe('PROGRAM_REVOKED');
  expect(desktop.mirror.approvals ?? []).toEqual([]);
});

/** Begins sessions over HTTP; the status of each. */
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

it('asks for a known program over HTTP, and for nobody who shows a wrong secret', async () => {
  const { url, asked, answer, desktop } = await start([{ ...cursor, integrations: ['another'], secretHash }]);
  const ask = overHttp(url, 'test');
  await expect.poll(() => ask('wrong').catch(() => 0)).toBe(401);
  const begun = ask(secret);
  expect(await asked()).toMatchObject({ program: 'Cursor', isOwnWord: false, canLast: true });
  await answer('once');
  expect(await begun).toBe(200);
  expect(await ask(secret)).toBe(200);
  expect(desktop.mirror.approvals).toEqual([]);
});

it('GW-74 shows and allows an app over HTTP as the one whose secret it has, whatever it calls itself', async () => {
  const own = { ...cursor, integrations: ['another'], secretHash };
  const other = { ...claudeCode, integrations: [] };
  const { url, asked, answer, programs, integration } = await start([own, other]);
  const ask = overHttp(url, 'claude-code', 'Recipe Viewer');
  await expect.poll(() => ask('wrong').catch(() => 0)).toBe(401);
  const begun = ask(secret);
  expect(await asked()).toMatchObject({ program: 'Cursor', isOwnWord: false, canLast: true });
  await answer('always');
  expect(await begun).toBe(200);
  const integrations = expect.arrayContaining(['another', integration.id]) as string[];
  expect(await programs.list()).toMatchObject([{ ...own, integrations }, other]);
});
