import { expect, it } from 'vitest';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import { callOf, namesOf, serveCollection } from '../../support/collection-world.ts';
import { openApp } from '../../support/line-app.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

/** Permissions set for a server or an app also hold in a collection. */

async function start(answer: () => Promise<'no'> = async () => 'no') {
  const engine = createTestEngine();
  const fixture = await startRawServer(
    'session',
    [
      { name: 'look', inputSchema },
      { name: 'write', inputSchema },
    ],
    (request) => {
      if (request.message.method !== 'tools/call') return false;
      sendJson(request, textResult(`called ${request.message.params?.name}`));
      return true;
    },
  );
  const { integration } = await engine.connect(fixture.url, { local: true });
  const alias = (await engine.ports.store.read(integration.id))?.alias ?? '';
  const questions: string[] = [];
  const world = await serveCollection(engine, [integration], {
    askForCall: async ({ tool, integration: { id } }) => {
      questions.push(`${id} ${tool}`);
      return await answer();
    },
  });
  return {
    ...world,
    engine,
    alias,
    questions,
    integration,
    fixture,
    called: () => fixture.received.filter(({ text }) => text.includes('tools/call')).length,
    permit: async (rule: 'allow' | 'ask' | 'deny') => {
      await engine.ports.store.update(integration.id, ({ permissions, ...stored }) => {
        const changed = changePermissions(permissions, { tool: 'write', rule });
        return { ...stored, ...(changed && { permissions: changed }) };
      });
      await world.served.gateway.reloadSettings();
    },
  };
}

it('PM-20: hides a denied tool, rejects it by every name and path, and asks where asking is set', async () => {
  const { open, post, permit, alias, questions, integration, called, served } = await start();
  const app = await open();
  expect(await namesOf(app, 'a')).toEqual([`${alias}_look`, `${alias}_write`]);
  await permit('deny');
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(await namesOf(app, 'b')).toEqual([`${alias}_look`]);
  expect(await callOf(app, 'c', `${alias}_write`)).toMatch(/turned off the tool/u);
  const twice = `{"name":"${alias}_look","name":"${alias}_write","Name":"${alias}_look"}`;
  app.write(`{"jsonrpc":"2.0","id":"d","method":"tools/call","params":${twice}}`);
  await app.response('d');
  app.write(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"${alias}_write"}}`);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: `${alias}_write`, arguments: {}, _meta };
  const byHttp = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(byHttp.text).toMatch(/turned off the tool/u);
  const other = { 'mcp-method': 'tools/call', 'mcp-name': `${alias}_look` };
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, other)).status).toBe(400);
  await permit('ask');
  expect(await callOf(app, 'e', `${alias}_write`)).toMatch(/denied this call/u);
  expect(questions).toEqual([`${integration.id} write`]);
  expect(called()).toBe(0);
  expect(await callOf(app, 'f', `${alias}_look`)).toBe('called look');
  const noted = served.calls.filter(({ method }) => method === 'tools/call');
  expect(new Set(noted.map(({ integration: id }) => id))).toEqual(new Set([integration.id]));
  expect(noted.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual(
    expect.arrayContaining(['write TOOL_DENIED', 'write APPROVAL_REFUSED', 'look ok']),
  );
});

it('reports a tool that no member has, and calls a prompt a prompt', async () => {
  const { open } = await start();
  const app = await open();
  expect(await callOf(app, 'tool', 'nobody_has\u001b[1m')).toMatch(/no tool ["“]nobody_has/u);
  expect(await app.request('prompt', 'prompts/get', { name: 'nobody_has' })).toMatchObject({
    error: { message: expect.stringMatching(/no prompt with this name/u) },
  });
});

it('PM-21: exposes a collection or a single server as allowed, and ends both on revocation', async () => {
  const { open, served, app, alias, integration, post } = await start();
  const own = await served.allow(integration, { app: 'zed', name: 'Zed' });
  const first = async (server: string, id: string) => {
    const line = openApp(served.socket, { server, app: id });
    const response = await line.request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    return JSON.stringify(response);
  };
  expect(await first('+all', own)).toContain('APP_UNKNOWN');
  expect(await first(alias, app)).toContain('APP_UNKNOWN');
  expect(await first('+none', app)).toContain('NOT_FOUND');
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await post(ping, {}, `/mcp/${alias}`)).status).toBe(404);
  expect((await post(ping, {}, '/mcp/+none')).status).toBe(404);
  const used = await open();
  await namesOf(used, 'a');
  // A session without requests has not connected to any member yet.
  const silent = openApp(served.socket, { server: '+all', app });
  const isOpen = () => served.events.filter(({ state, integration: of }) => state === 'open' && of === '+all');
  await expect.poll(isOpen).toHaveLength(2);
  await served.changeRecords((records) => records.map((record) => ({ ...record, integrations: [] })));
  await Promise.all([used.closed, silent.closed]);
  expect(await first('+all', app)).toContain('APP_UNKNOWN');
});

it('requeues what has not been sent to a member, unchanged, when another process takes over', async () => {
  const { open, served, permit, alias, questions, called } = await start(() => new Promise(() => {}));
  const app = await open();
  await permit('ask');
  const call = (id: string, tool: string): string =>
    `{ "jsonrpc":"2.0", "id":"${id}", "method":"tools/call", "params":{"name":"${alias}_${tool}","arguments":{"n":1.0}} }`;
  const [held, late] = [call('held', 'write'), call('late', 'look')];
  app.write(held);
  await expect.poll(() => questions.length).toBe(1);
  served.stopAccepting();
  app.write(late);
  await expect.poll(() => app.returned.toSorted()).toEqual([held, late]);
  expect(called()).toBe(0);
});

it('rejects the calls of a paused app, and continues afterwards', async () => {
  const { open, engine, served, alias } = await start();
  const app = await open();
  expect(await callOf(app, 'a', `${alias}_look`)).toBe('called look');
  const pause = async (appsPaused: boolean): Promise<void> => {
    await engine.ports.store.updateSettings((settings) => ({ ...settings, appsPaused }));
    await served.gateway.reloadSettings();
  };
  await pause(true);
  expect(await callOf(app, 'b', `${alias}_look`)).toContain('Ask the user to resume AI apps');
  await pause(false);
  expect(await callOf(app, 'c', `${alias}_look`)).toBe('called look');
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends texts to a collection, then a ping: its response proves that everything before it was read. */
async function sender(world: Awaited<ReturnType<typeof start>>, way: (typeof ways)[number]) {
  const { open, openNewer, post } = world;
  const more = way.endsWith('stateless') ? { _meta } : {};
  if (way.startsWith('pipe')) {
    const app = way.endsWith('session') ? await open() : openNewer();
    await app.request('t', 'tools/list', more);
    let count = 0;
    return async (text: string) => {
      app.write(text);
      await app.request(`f${(count += 1)}`, 'ping', more);
      return app.lines.join('\n');
    };
  }
  const fields: Record<string, string> = way.endsWith('stateless') ? { 'mcp-protocol-version': '2026-07-28' } : {};
  if (way.endsWith('session')) {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const handshake = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    fields['mcp-session-id'] = String(handshake.headers['mcp-session-id']);
  }
  await post(
    { jsonrpc: '2.0', id: 't', method: 'tools/list', params: more },
    { ...fields, 'mcp-method': 'tools/list' },
  );
  return async (text: string) => {
    const message = JSON.parse(text) as { method?: string; params?: { name?: string } };
    const named = way.endsWith('stateless') && {
      'mcp-method': message.method ?? 'tools/call',
      ...(message.params?.name && { 'mcp-name': message.params.name }),
    };
    return (await post(message, { ...fields, ...named })).text;
  };
}

const ways = ['pipe, session', 'pipe, stateless', 'HTTP, session', 'HTTP, stateless'] as const;

it.each(ways)(
  'GW-73: passes nothing from a paused app to a member, with an ID, without one or in a batch: %s',
  async (way) => {
    const world = await start();
    const { engine, served, fixture, alias } = world;
    const send = await sender(world, way);
    const more = way.endsWith('stateless') ? { _meta } : {};
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: `${alias}_look`, ...more } };
    await engine.ports.store.updateSettings((settings) => ({ ...settings, pausedApps: ['cursor'] }));
    await served.gateway.reloadSettings();
    const before = fixture.received.length;
    const others = [
      'acme/fire',
      'skills/list',
      'notifications/roots/list_changed',
      'notifications/progress',
      'logging/setLevel',
    ];
    const texts = [
      call,
      { ...call, id: null },
      { ...call, id: 'c' },
      [call, { ...call, id: 'b' }],
      ...others.map((method) => ({ jsonrpc: '2.0', method, params: { level: 'debug', ...more } })),
      ...others.map((method) => ({ jsonrpc: '2.0', id: method, method, params: { level: 'debug', ...more } })),
    ].map((message) => JSON.stringify(message));
    for (const text of texts) expect(await send(text)).not.toContain('called look');
    expect(fixture.received.slice(before).map(({ text }) => text)).toEqual([]);
  },
);

it.each(ways)('PM-22: rejects a method without a rule when the member’s resources are off: %s', async (way) => {
  const world = await start();
  const { engine, served, fixture, integration } = world;
  await engine.ports.store.update(integration.id, ({ permissions, ...stored }) => {
    const changed = changePermissions(permissions, { offer: 'resources', allowed: false });
    return { ...stored, ...(changed && { permissions: changed }) };
  });
  await served.gateway.reloadSettings();
  const send = await sender(world, way);
  const more = way.endsWith('stateless') ? { _meta } : {};
  const odd = ['skills/list', 'Resources/Read', 'acme/read', 'resources/read', 'ui/read'];
  for (const method of odd) {
    const message = { jsonrpc: '2.0', method, params: { uri: 'x:y', ...more } };
    await send(JSON.stringify(message));
    expect(await send(JSON.stringify({ ...message, id: method }))).toContain('"error"');
  }
  expect(fixture.methods().filter((method) => odd.includes(method ?? ''))).toEqual([]);
});
