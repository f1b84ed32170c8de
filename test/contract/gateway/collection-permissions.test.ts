import { expect, it } from 'vitest';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import { callOf, namesOf, serveCollection } from '../../support/collection-world.ts';
import { openProgram } from '../../support/line-program.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startWireServer, textResult } from '../../support/wire-server.ts';

/** What a person has said of a server holds in a collection too, and of a program. */

async function start(answer: () => Promise<'no'> = async () => 'no') {
  const engine = createTestEngine();
  const wire = await startWireServer(
    'legacy',
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
  const { integration } = await engine.connect(wire.url, { local: true });
  const alias = (await engine.ports.store.read(integration.id))?.alias ?? '';
  const asked: string[] = [];
  const world = await serveCollection(engine, [integration], {
    askForCall: async ({ tool, integration: { id } }) => {
      asked.push(`${id} ${tool}`);
      return await answer();
    },
  });
  return {
    ...world,
    engine,
    alias,
    asked,
    integration,
    wire,
    called: () => wire.came.filter(({ text }) => text.includes('tools/call')).length,
    permit: async (rule: 'allow' | 'ask' | 'deny') => {
      await engine.ports.store.update(integration.id, ({ permissions, ...kept }) => {
        const changed = changePermissions(permissions, { tool: 'write', rule });
        return { ...kept, ...(changed && { permissions: changed }) };
      });
      await world.served.gateway.changed();
    },
  };
}

it('PM-20: lists no tool that is denied, refuses it by every name and way, and asks where it is to be asked', async () => {
  const { open, ask, permit, alias, asked, integration, called, served } = await start();
  const program = await open();
  expect(await namesOf(program, 'a')).toEqual([`${alias}_look`, `${alias}_write`]);
  await permit('deny');
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(await namesOf(program, 'b')).toEqual([`${alias}_look`]);
  expect(await callOf(program, 'c', `${alias}_write`)).toMatch(/turned off the tool/u);
  const twice = `{"name":"${alias}_look","name":"${alias}_write","Name":"${alias}_look"}`;
  program.write(`{"jsonrpc":"2.0","id":"d","method":"tools/call","params":${twice}}`);
  await program.answer('d');
  program.write(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"${alias}_write"}}`);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: `${alias}_write`, arguments: {}, _meta };
  const byHttp = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(byHttp.text).toMatch(/turned off the tool/u);
  const other = { 'mcp-method': 'tools/call', 'mcp-name': `${alias}_look` };
  expect((await ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, other)).status).toBe(400);
  await permit('ask');
  expect(await callOf(program, 'e', `${alias}_write`)).toMatch(/denied this call/u);
  expect(asked).toEqual([`${integration.id} write`]);
  expect(called()).toBe(0);
  expect(await callOf(program, 'f', `${alias}_look`)).toBe('called look');
  const noted = served.calls.filter(({ method }) => method === 'tools/call');
  expect(new Set(noted.map(({ integration: id }) => id))).toEqual(new Set([integration.id]));
  expect(noted.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual(
    expect.arrayContaining(['write TOOL_DENIED', 'write APPROVAL_REFUSED', 'look ok']),
  );
});

it('names a tool that no member has, and calls a prompt a prompt', async () => {
  const { open } = await start();
  const program = await open();
  expect(await callOf(program, 'tool', 'nobody_has\u001b[1m')).toMatch(/no tool ["“]nobody_has/u);
  expect(await program.ask('prompt', 'prompts/get', { name: 'nobody_has' })).toMatchObject({
    error: { message: expect.stringMatching(/no prompt of that name/u) },
  });
});

it('PM-21: gives a program a collection or a server, as it was allowed, and ends both when that is over', async () => {
  const { open, served, program, alias, integration, ask } = await start();
  const own = await served.allow(integration, { program: 'zed', name: 'Zed' });
  const first = async (server: string, id: string) => {
    const line = openProgram(served.socket, { server, program: id });
    const answer = await line.ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    return JSON.stringify(answer);
  };
  expect(await first('+all', own)).toContain('PROGRAM_UNKNOWN');
  expect(await first(alias, program)).toContain('PROGRAM_UNKNOWN');
  expect(await first('+none', program)).toContain('NOT_FOUND');
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await ask(ping, {}, `/mcp/${alias}`)).status).toBe(404);
  expect((await ask(ping, {}, '/mcp/+none')).status).toBe(404);
  const used = await open();
  await namesOf(used, 'a');
  // Of one that has asked for nothing no member has been needed yet.
  const silent = openProgram(served.socket, { server: '+all', program });
  const isOpen = () => served.events.filter(({ state, integration: of }) => state === 'open' && of === '+all');
  await expect.poll(isOpen).toHaveLength(2);
  await served.changeRecords((records) => records.map((record) => ({ ...record, integrations: [] })));
  await Promise.all([used.closed, silent.closed]);
  expect(await first('+all', program)).toContain('PROGRAM_UNKNOWN');
});

it('gives back what has not left for a member when another one is to serve, as the program sent it', async () => {
  const { open, served, permit, alias, asked, called } = await start(() => new Promise(() => {}));
  const program = await open();
  await permit('ask');
  const call = (id: string, tool: string): string =>
    `{ "jsonrpc":"2.0", "id":"${id}", "method":"tools/call", "params":{"name":"${alias}_${tool}","arguments":{"n":1.0}} }`;
  const [held, late] = [call('held', 'write'), call('late', 'look')];
  program.write(held);
  await expect.poll(() => asked.length).toBe(1);
  served.stopAccepting();
  program.write(late);
  await expect.poll(() => program.givenBack.toSorted()).toEqual([held, late]);
  expect(called()).toBe(0);
});

it('refuses the calls of a program that is paused, and goes on afterwards', async () => {
  const { open, engine, served, alias } = await start();
  const program = await open();
  expect(await callOf(program, 'a', `${alias}_look`)).toBe('called look');
  const pause = async (programsPaused: boolean): Promise<void> => {
    await engine.ports.store.updateSettings((settings) => ({ ...settings, programsPaused }));
    await served.gateway.changed();
  };
  await pause(true);
  expect(await callOf(program, 'b', `${alias}_look`)).toContain('Ask the person to let programs go on');
  await pause(false);
  expect(await callOf(program, 'c', `${alias}_look`)).toBe('called look');
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends texts to a collection by one way, and then a ping, whose answer says that all before it have been read. */
async function sender(world: Awaited<ReturnType<typeof start>>, way: (typeof ways)[number]) {
  const { open, openNewer, ask } = world;
  const more = way.endsWith('stateless') ? { _meta } : {};
  if (way.startsWith('pipe')) {
    const program = way.endsWith('session') ? await open() : openNewer();
    await program.ask('t', 'tools/list', more);
    let count = 0;
    return async (text: string) => {
      program.write(text);
      await program.ask(`f${(count += 1)}`, 'ping', more);
      return program.lines.join('\n');
    };
  }
  const fields: Record<string, string> = way.endsWith('stateless') ? { 'mcp-protocol-version': '2026-07-28' } : {};
  if (way.endsWith('session')) {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const begun = await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    fields['mcp-session-id'] = String(begun.headers['mcp-session-id']);
  }
  await ask({ jsonrpc: '2.0', id: 't', method: 'tools/list', params: more }, { ...fields, 'mcp-method': 'tools/list' });
  return async (text: string) => {
    const message = JSON.parse(text) as { method?: string; params?: { name?: string } };
    const named = way.endsWith('stateless') && {
      'mcp-method': message.method ?? 'tools/call',
      ...(message.params?.name && { 'mcp-name': message.params.name }),
    };
    return (await ask(message, { ...fields, ...named })).text;
  };
}

const ways = ['pipe, session', 'pipe, stateless', 'HTTP, session', 'HTTP, stateless'] as const;

it.each(ways)(
  'GW-73: passes nothing of a paused app on to a member, with an id, without one or in a batch: %s',
  async (way) => {
    const world = await start();
    const { engine, served, wire, alias } = world;
    const send = await sender(world, way);
    const more = way.endsWith('stateless') ? { _meta } : {};
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: `${alias}_look`, ...more } };
    await engine.ports.store.updateSettings((settings) => ({ ...settings, pausedPrograms: ['cursor'] }));
    await served.gateway.changed();
    const before = wire.came.length;
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
    expect(wire.came.slice(before).map(({ text }) => text)).toEqual([]);
  },
);

it.each(ways)('PM-22: refuses a method that no rule names where resources of the member are off: %s', async (way) => {
  const world = await start();
  const { engine, served, wire, integration } = world;
  await engine.ports.store.update(integration.id, ({ permissions, ...kept }) => {
    const changed = changePermissions(permissions, { offer: 'resources', allowed: false });
    return { ...kept, ...(changed && { permissions: changed }) };
  });
  await served.gateway.changed();
  const send = await sender(world, way);
  const more = way.endsWith('stateless') ? { _meta } : {};
  const odd = ['skills/list', 'Resources/Read', 'acme/read', 'resources/read', 'ui/read'];
  for (const method of odd) {
    const message = { jsonrpc: '2.0', method, params: { uri: 'x:y', ...more } };
    await send(JSON.stringify(message));
    expect(await send(JSON.stringify({ ...message, id: method }))).toContain('"error"');
  }
  expect(wire.methods().filter((method) => odd.includes(method ?? ''))).toEqual([]);
});
