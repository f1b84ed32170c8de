import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { acceptTools } from '../../../main/engine/records/tool-pins.ts';
import { toolChanges } from '../../../main/operations/permissions.ts';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import type { ChangedToolRule } from '../../../shared/tool-permissions.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import type { LineApp } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

/** Tool definitions that changed after the user reviewed them, and what happens to such tools. */

const { secretHash, authorization } = someSecret();
const tool = (name: string, more: object = {}) => ({ name, description: `It can ${name}.`, inputSchema, ...more });
const readsOnly = { annotations: { readOnlyHint: true } };

async function start(rule: ChangedToolRule | null, first: object[] = [tool('look', readsOnly), tool('write')]) {
  const tools = [...first];
  /** Replaces the list, as text. */
  const list: { text?: string } = {};
  const fixture = await startRawServer('session', tools, (request) => {
    const { id, method, params } = request.message;
    if (method === 'tools/list' && list.text !== undefined) {
      request.response.writeHead(200, { 'content-type': 'application/json' });
      request.response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${list.text}}}`);
      return true;
    }
    if (method !== 'tools/call') return false;
    sendJson(request, textResult(`called ${params?.name}`));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(fixture.url, { local: true });
  const { ports } = engine;
  const choose = async (changedTools: ChangedToolRule | null): Promise<void> =>
    void (await ports.store.update(integration.id, ({ permissions, ...stored }) => {
      const changed = changePermissions(permissions, { changedTools });
      return { ...stored, ...(changed && { permissions: changed }) };
    }));
  await choose(rule);
  const served = await serveGateway(engine);
  const app = await served.allow(integration, { secretHash });
  const read = async () => await engine.read(integration);
  return {
    engine,
    served,
    read,
    choose,
    forAll: async (changedTools: ChangedToolRule) =>
      void (await ports.store.updateSettings((settings) => ({ ...settings, changedTools }))),
    list,
    file: path.join(engine.folder, 'pins', `${integration.id}.json`),
    called: () =>
      fixture.received.flatMap(({ message, text }) => (text.includes('tools/call') ? [message.params?.name] : [])),
    turn: (...now: object[]) => void tools.splice(0, tools.length, ...now),
    changes: async () => {
      const pins = await ports.pins.read(integration.id);
      return pins ? toolChanges(pins) : [];
    },
    accept: async () => {
      const { changed = [] } = (await ports.pins.read(integration.id)) ?? {};
      await acceptTools(ports, await read(), changed);
      await served.gateway.reloadSettings();
    },
    open: async () => {
      const opened = openApp(served.socket, { server: integration.id, app });
      await shakeHands(opened);
      return opened;
    },
  };
}

let id = 100;
const listed = async (app: LineApp) => {
  const response = await app.request((id += 1), 'tools/list');
  return (response as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
};
const call = async (app: LineApp, name: string) =>
  JSON.stringify(await app.request((id += 1), 'tools/call', { name, arguments: {} }));

it('reports changes and passes them on when changed tools are not blocked', async () => {
  const { open, turn, changes, read, accept, called } = await start('show');
  const app = await open();
  expect(await listed(app)).toEqual(['look', 'write']);
  expect(await changes()).toEqual([]);
  expect((await read()).toolReview).toBeUndefined();
  turn(tool('look'), tool('write'), tool('erase'));
  expect(await listed(app)).toEqual(['look', 'write', 'erase']);
  expect(await call(app, 'erase')).toContain('called erase');
  expect((await changes()).map(({ tool: name, kind }) => [name, kind])).toEqual([
    ['look', 'changed'],
    ['erase', 'new'],
  ]);
  expect((await read()).toolReview?.changedAt).toBeGreaterThan(0);
  await accept();
  expect(await changes()).toEqual([]);
  expect((await read()).toolReview?.changedAt).toBeUndefined();
  expect(await listed(app)).toHaveLength(3);
  expect(await changes()).toEqual([]);
  expect(called()).toEqual(['erase']);
});

it('PM-18 blocks changed tools of all servers, at once in open sessions, except where a server has its own setting', async () => {
  const { open, turn, served, called, choose, forAll } = await start(null);
  const app = await open();
  expect(await listed(app)).toEqual(['look', 'write']);
  turn(tool('look'), tool('write'));
  expect(await listed(app)).toEqual(['look', 'write']);
  await forAll('hold');
  await served.gateway.reloadSettings();
  expect(await listed(app)).toEqual(['write']);
  expect(await call(app, 'look')).toContain('TOOL_CHANGED');
  expect(called()).toEqual([]);
  await choose('show');
  await served.gateway.reloadSettings();
  expect(await listed(app)).toEqual(['look', 'write']);
  await choose(null);
  await served.gateway.reloadSettings();
  expect(await call(app, 'look')).toContain('TOOL_CHANGED');
});

it.each([
  ['a description', tool('look', { ...readsOnly, description: 'It can look, and tells me what it has seen.' })],
  ['a schema', tool('look', { ...readsOnly, inputSchema: { type: 'object', properties: { password: {} } } })],
  ['a hint that turns', tool('look', { annotations: { readOnlyHint: false, destructiveHint: true } })],
  ['a title', tool('look', { ...readsOnly, title: 'Write' })],
])('PM-11 hides and rejects a tool with another %s until the user reviews it', async (_what, other) => {
  const { open, turn, accept, called } = await start('hold');
  const app = await open();
  expect(await listed(app)).toEqual(['look', 'write']);
  turn(other, tool('write'));
  expect(await listed(app)).toEqual(['write']);
  const refused = await call(app, 'look');
  expect(refused).toContain('"code":"TOOL_CHANGED"');
  expect(refused).toMatch(/postern permit \S+ --review/u);
  expect(await call(app, 'write')).toContain('called write');
  await accept();
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(await listed(app)).toEqual(['look', 'write']);
  expect(await call(app, 'look')).toContain('called look');
  expect(called()).toEqual(['write', 'look']);
});

it('PM-12 hides and rejects new tools, a second tool with a known name, and unlisted tools', async () => {
  const { open, turn, called } = await start('hold');
  const app = await open();
  turn(tool('look', readsOnly), tool('write'), tool('erase'));
  expect(await listed(app)).toEqual(['look', 'write']);
  for (const name of ['erase', 'never listed']) expect(await call(app, name)).toContain('TOOL_CHANGED');
  turn(tool('look', readsOnly), tool('write'), tool('write', { description: 'It can erase.' }));
  expect(await listed(app)).toEqual(['look', 'write']);
  expect(await call(app, 'write')).toContain('TOOL_CHANGED');
  expect(called()).toEqual([]);
});

it('PM-13 reports no change for an equivalent list, but does where parsers would differ', async () => {
  const { open, list, changes } = await start('hold');
  const app = await open();
  list.text = `[ {"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"},"description":"It can l\\u006fok.",
    "name":"look"}, ${JSON.stringify(tool('write'))} ]`;
  expect(await listed(app)).toEqual(['look', 'write']);
  expect(await changes()).toEqual([]);
  list.text = JSON.stringify([tool('look', readsOnly), tool('write')]).replace('{', '{"description":"Erase all.",');
  expect(await listed(app)).toEqual(['write']);
  expect((await changes()).map(({ tool: name }) => name)).toEqual(['look']);
});

it('PM-14 saves and reports a tool that keeps changing once, and blocks it each time', async () => {
  const { open, turn, read, file } = await start('hold');
  const app = await open();
  turn(tool('look', readsOnly), tool('write', { description: 'It is 0 o’clock.' }));
  expect(await listed(app)).toEqual(['look']);
  const [written, review] = [readFileSync(file, 'utf8'), (await read()).toolReview];
  for (let hour = 1; hour < 20; hour += 1) {
    turn(tool('look', readsOnly), tool('write', { description: `It is ${hour} o’clock.` }));
    expect(await listed(app)).toEqual(['look']);
  }
  expect(readFileSync(file, 'utf8')).toBe(written);
  expect((await read()).toolReview).toEqual(review);
});

it('PM-14 lists thousands of tools with megabytes of text, but passes on and stores a bounded part', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => tool(`t${index}`, { description: 'x'.repeat(500) }));
  const { open, file, turn, changes } = await start('show', many);
  const app = await open();
  expect(await listed(app)).toHaveLength(5_000);
  turn(...many.map((each, index) => ({ ...each, description: `${index}` })));
  expect(await listed(app)).toHaveLength(5_000);
  expect(readFileSync(file).byteLength).toBeLessThan(8_000_000);
  expect((await changes()).length).toBeLessThanOrEqual(200);
});

it('PM-15 treats no tool as reviewed when its stored definition is damaged or missing', async () => {
  const { open, accept, turn, file, served } = await start('hold');
  const app = await open();
  turn(tool('look', readsOnly), tool('write', { title: 'Write' }));
  await listed(app);
  await accept();
  expect(await listed(app)).toEqual(['look', 'write']);
  for (const spoil of [() => writeFileSync(file, '{'), () => rmSync(file)]) {
    spoil();
    await served.gateway.reloadSettings();
    expect(await listed(app)).toEqual([]);
    expect(await call(app, 'look')).toContain('TOOL_CHANGED');
    await accept();
    expect(await listed(app)).toEqual(['look', 'write']);
  }
});

it('PM-11 applies to HTTP apps and to Postern’s own calls too', async () => {
  const { served, turn, engine, read, called } = await start('hold');
  const { port } = await openHttpEndpoint(served);
  const [{ alias = '' } = {}] = await engine.ports.store.list();
  const client = new Client({ name: 'an app', version: '1' });
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
  onTestFinished(() => client.close());
  turn(tool('look', { description: 'It can erase.' }), tool('write'));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['write']);
  expect(JSON.stringify(await client.callTool({ name: 'look', arguments: {} }))).toContain('TOOL_CHANGED');
  await expect(engine.call(await read(), 'look')).rejects.toMatchObject({ code: 'TOOL_CHANGED' });
  expect(await engine.call(await read(), 'write')).toBe('called write');
  expect(called()).toEqual(['write']);
});
