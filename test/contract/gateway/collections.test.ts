import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { createAppBackups } from '../../../main/apps/files/app-backups.ts';
import { signOut } from '../../../main/engine/removal/sign-out.ts';
import { exposedName } from '../../../main/gateway/collection/members.ts';
import { beginCollectionRemoval, undoBatch } from '../../../main/operations/undo.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { startElicitationServer } from '../../support/elicitation-server.ts';
import { callOf, namesOf, serveCollection } from '../../support/collection-world.ts';
import { startPair } from '../../support/demo-pair.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { connectCommand, nodeCommand, sdkServerWords } from '../../support/local-server.ts';
import { startStatelessServer, uri } from '../../support/stateless-server.ts';
import { startCapabilitiesServer } from '../../support/capabilities-server.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import type { TestEngine } from '../../support/test-engine.ts';
import { cursorOf, event, inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

/** Several servers of every kind behind one entry, and apps of every kind that use it. */

const plainTool = { name: 'add', inputSchema };
const digits = '12345678901234567890';

/** Prefix of a server's tool names. */
async function prefixOf(engine: TestEngine, { id }: { readonly id: string }): Promise<string> {
  return `${(await engine.ports.store.read(id))?.alias}_`;
}

it('is one server to the official clients of both revisions, by pipe and by HTTP', async () => {
  const engine = createTestEngine();
  const [offering, newer] = [await startCapabilitiesServer(), await startStatelessServer()];
  const offer = (await engine.connect(offering.url, { local: true })).integration;
  const next = (await engine.connect(newer.url, { local: true })).integration;
  const here = await connectCommand(engine, nodeCommand(sdkServerWords()), { name: 'Here' });
  const world = await serveCollection(engine, [offer, next, here]);
  const [a, b] = [await prefixOf(engine, offer), await prefixOf(engine, next)];
  const requestInit = { headers: world.headers };
  const where = { action: 'accept', content: { city: 'Porto' } } as const;
  const capabilities = { elicitation: {} };
  const older = async (transport: Transport) => {
    const client = new OlderClient({ name: 'older', version: '1' }, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, async () => where);
    await client.connect(transport);
    return client;
  };
  const latest = async (transport: Parameters<Client['connect']>[0]) => {
    const client = new Client({ name: 'newer', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } });
    client.setRequestHandler('elicitation/create', async () => where);
    await client.connect(transport);
    return client as unknown as OlderClient;
  };
  const clients = await Promise.all([
    ...world.pipes.map((pipe) => older(new OlderStdioTransport(pipe))),
    older(new OlderHttpTransport(world.address, { requestInit }) as Transport),
    ...world.pipes.map((pipe) => latest(new StdioClientTransport(pipe))),
    latest(new StreamableHTTPClientTransport(world.address, { requestInit })),
  ]);
  for (const client of clients) onTestFinished(() => client.close());
  await Promise.all(
    clients.map(async (client) => {
      expect(client.getServerVersion()).toMatchObject({ name: 'postern-all', title: 'all' });
      await expect
        .poll(async () => (await client.listTools()).tools.map(({ name }) => name), { timeout: 20_000 })
        .toEqual(expect.arrayContaining([`${a}echo`, `${b}weather`, 'here_where']));
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual([`${a}plan`, `${a}sketch`]);
      const plan = await client.getPrompt({ name: `${a}plan`, arguments: { city: 'Rome' } });
      expect(JSON.stringify(plan.messages)).toContain('Rome');
      const argument = { name: 'city', value: 'P' };
      const completed = await client.complete({ ref: { type: 'ref/prompt', name: `${a}plan` }, argument });
      expect(completed.completion.values).toEqual(['Paris', 'Porto']);
      expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: 'sunny' }]);
      const monday = await client.readResource({ uri: 'notes://2026/monday' });
      expect(monday.contents).toMatchObject([{ text: 'monday of 2026' }]);
      const weather = await client.callTool({ name: `${b}weather`, arguments: {} });
      expect(JSON.stringify(weather.content)).toContain('Porto');
    }),
  );
});

it('continues when members are signed out, offline or slow to start, and reports that', async () => {
  const engine = createTestEngine();
  const { mcp } = await startPair();
  let isAway = false;
  const fixture = await startRawServer('session', [{ name: 'far', inputSchema }], ({ response }) => {
    if (isAway) response.writeHead(503).end();
    return isAway;
  });
  const away = (await engine.connect(fixture.url, { local: true })).integration;
  const notes = (await engine.connect(mcp.url, { local: true })).integration;
  const there = (await engine.connect((await startCapabilitiesServer()).url, { local: true })).integration;
  await signOut(engine.ports, notes, new AbortController().signal);
  isAway = true;
  const { open, served } = await serveCollection(engine, [away, notes, there]);
  const app = await open();
  const [a, b, c] = [await prefixOf(engine, away), await prefixOf(engine, notes), await prefixOf(engine, there)];
  const names = await namesOf(app, 'list');
  expect(names).toContain(`${c}echo`);
  expect(names.filter((name) => !name.startsWith(c))).toEqual([]);
  expect(await callOf(app, 'b', `${b}whoami`)).toMatch(/asks you to sign in.*Then call the tool again/u);
  expect(await callOf(app, 'a', `${a}far`)).toContain('503');
  expect(await callOf(app, 'c', `${c}echo`, { text: 'still' })).toContain('still');
  isAway = false;
  served.gateway.retryServer(away.id);
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(await namesOf(app, 'again')).toContain(`${a}far`);
});

it('passes on why a member rejects the session, with its message and code', async () => {
  const engine = createTestEngine();
  let isOver = false;
  const fixture = await startRawServer('session', [{ name: 'far', inputSchema }], ({ message, response }) => {
    if (!isOver || message.method !== 'initialize') return false;
    sendJson({ message, response }, { error: { code: -32_050, message: 'Plan limit reached' } });
    return true;
  });
  const member = (await engine.connect(fixture.url, { local: true })).integration;
  const there = (await engine.connect((await startCapabilitiesServer()).url, { local: true })).integration;
  isOver = true;
  const { open } = await serveCollection(engine, [member, there]);
  const app = await open();
  await namesOf(app, 'list');
  expect(await callOf(app, 'a', `${await prefixOf(engine, member)}far`)).toMatch(
    /“Plan limit reached” \(code -32050\)$/u,
  );
});

it('handles requests from two members with the same ID at once, and routes each response back', async () => {
  const engine = createTestEngine();
  const servers = await Promise.all([startElicitationServer(), startElicitationServer()]);
  const connected = [];
  for (const { url } of servers) connected.push((await engine.connect(url, { local: true })).integration);
  const { open } = await serveCollection(engine, connected);
  const app = await open({ elicitation: {} });
  const [a, b] = await Promise.all(connected.map((each) => prefixOf(engine, each)));
  const call = (id: string, name: string): void =>
    app.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }));
  call('a', `${a}form`);
  const isQuestion = ({ method }: Record<string, unknown>): boolean => method === 'elicitation/create';
  const first = JSON.parse(await app.line(isQuestion)) as { id: unknown };
  call('b', `${b}form`);
  const second = JSON.parse(await app.line((message) => isQuestion(message) && message['id'] !== first.id)) as {
    id: unknown;
  };
  for (const [id, action] of [
    [second.id, 'cancel'],
    [first.id, 'decline'],
    [first.id, 'cancel'],
  ])
    app.write(JSON.stringify({ jsonrpc: '2.0', id, result: { action } }));
  expect(await app.response('b')).toContain('cancel');
  expect(await app.response('a')).toContain('decline');
});

it('follows the pages of its members, and routes progress, log levels and cancellations', async () => {
  const engine = createTestEngine();
  const pages = { '': ['one', 'next'], next: ['two', undefined] } as const;
  const start = () =>
    startRawServer('session', [], (request) => {
      const { message, response, text } = request;
      const params = message.params as { cursor?: '' | 'next'; name?: string; _meta?: { progressToken?: unknown } };
      if (message.method === 'tools/list') {
        const [name, nextCursor] = pages[params?.cursor ?? ''];
        sendJson(request, { result: { tools: [{ name, inputSchema, weight: 'W' }], nextCursor } });
        return true;
      }
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const progressToken = params._meta?.progressToken;
      response.write(event({ method: 'notifications/progress', params: { progressToken, progress: 1 } }));
      if (params.name === 'one')
        response.end(event({ id: message.id, ...textResult(/"n":([^,}]*)/u.exec(text)?.[1] ?? '') }));
      return true;
    });
  const [first, second] = [await start(), await start()];
  const a = (await engine.connect(first.url, { local: true })).integration;
  const b = (await engine.connect(second.url, { local: true })).integration;
  const { open } = await serveCollection(engine, [a, b]);
  const app = await open();
  const [p, q] = [await prefixOf(engine, a), await prefixOf(engine, b)];
  interface Listed {
    readonly result: { readonly tools: readonly { name: string }[]; readonly nextCursor?: string };
  }
  const { result } = (await app.request('list', 'tools/list')) as unknown as Listed;
  expect(result.tools.map(({ name }) => name)).toEqual([`${p}one`, `${q}one`]);
  const { nextCursor: cursor } = result;
  const last = (await app.request('more', 'tools/list', { cursor })) as unknown as Listed;
  expect(last.result.tools.map(({ name }) => name)).toEqual([`${p}two`, `${q}two`]);
  expect(last.result).not.toHaveProperty('nextCursor');
  expect(await app.request('odd', 'tools/list', { cursor: 'next' })).toHaveProperty('error.code', -32_602);
  await app.request('level', 'logging/setLevel', { level: 'error' });
  await expect.poll(() => [first, second].every((server) => server.methods().includes('logging/setLevel'))).toBe(true);
  const call = (id: string, name: string): void =>
    app.write(
      `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${name}","arguments":{"n":${digits}},"_meta":{"progressToken":"${id}"}}}`,
    );
  call('slow', `${p}two`);
  call('quick', `${q}one`);
  expect(await app.response('quick')).toContain(digits);
  for (const id of ['slow', 'quick']) await app.line((_message, text) => text.includes(`"progressToken":"${id}"`));
  app.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}');
  await expect.poll(() => first.methods()).toContain('notifications/cancelled');
  expect(second.methods()).not.toContain('notifications/cancelled');
});

it('requests a later page from a slow member once, however often an app asks, and returns it when ready', async () => {
  const engine = createTestEngine();
  const heldRequests: RawRequest[] = [];
  let isSlow = false;
  const fixture = await startRawServer('session', [], (request) => {
    if (request.message.method !== 'tools/list') return false;
    if (cursorOf(request) === undefined)
      sendJson(request, { result: { tools: [{ name: 'one', inputSchema }], nextCursor: 'next' } });
    else if (isSlow) heldRequests.push(request);
    else sendJson(request, { result: { tools: [] } });
    return true;
  });
  const { integration } = await engine.connect(fixture.url, { local: true });
  isSlow = true;
  const { open } = await serveCollection(engine, [integration]);
  const app = await open();
  interface Listed {
    readonly result: { readonly tools: readonly { name: string }[]; readonly nextCursor?: string };
  }
  const { result } = (await app.request('first', 'tools/list')) as unknown as Listed;
  const { nextCursor: cursor } = result;
  for (const id of ['a', 'b', 'c']) {
    const late = (await app.request(id, 'tools/list', { cursor })) as unknown as Listed;
    expect(late.result).toMatchObject({ tools: [], nextCursor: cursor });
  }
  expect(heldRequests).toHaveLength(1);
  for (const request of heldRequests) sendJson(request, { error: { code: -32_603, message: 'too late' } });
  const last = (await app.request('last', 'tools/list', { cursor })) as unknown as Listed;
  expect(last.result).toMatchObject({ tools: [] });
  expect(last.result).not.toHaveProperty('nextCursor');
});

it('shortens names that are too long, resolves them, and omits the later of two equal ones', async () => {
  const engine = createTestEngine();
  const called: unknown[] = [];
  const tools: { name: string; inputSchema: object }[] = [];
  const fixture = await startRawServer('session', tools, (request) => {
    if (request.message.method !== 'tools/call') return false;
    called.push(request.message.params?.name);
    sendJson(request, textResult('done'));
    return true;
  });
  const { integration } = await engine.connect(fixture.url, { local: true });
  const alias = (await prefixOf(engine, integration)).slice(0, -1);
  const [first, second] = namesThatCollide(alias);
  for (const name of [first, second, 'short', 'short']) tools.push({ name, inputSchema });
  const { open } = await serveCollection(engine, [integration]);
  const offered = exposedName(alias, first);
  const before = await open();
  expect(await callOf(before, 'early', offered)).toBe('done');
  const { result } = (await before.request('list', 'tools/list')) as {
    result: { tools: { name: string }[]; _meta: object };
  };
  expect(result.tools.map(({ name }) => name)).toEqual([offered, `${alias}_short`]);
  expect(result._meta).toEqual({ 'dev.postern/left-out': [`${alias}: ${second}`, `${alias}: short`] });
  await callOf(before, 'late', offered);
  expect(called).toEqual([first, first]);
});

/** Two tools of one server whose shortened names collide. */
function namesThatCollide(alias: string): readonly [string, string] {
  const known = new Map<string, string>();
  for (let count = 0; ; count += 1) {
    const name = `${'x'.repeat(60)}${count}`;
    const other = known.get(exposedName(alias, name));
    if (other !== undefined) return [other, name];
    known.set(exposedName(alias, name), name);
  }
}

it('notifies apps of changed members and of changes in members; stateless apps by subscription', async () => {
  const engine = createTestEngine();
  const newer = await startStatelessServer();
  const next = (await engine.connect(newer.url, { local: true })).integration;
  const other = (await engine.connect((await startCapabilitiesServer()).url, { local: true })).integration;
  const { openNewer, set } = await serveCollection(engine, [next]);
  const app = openNewer();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const discovered = await app.request('d', 'server/discover', { _meta });
  expect(discovered).toHaveProperty('result.supportedVersions', expect.arrayContaining(['2026-07-28', '2025-11-25']));
  const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
  app.write(
    JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params: { notifications, _meta } }),
  );
  const notified = (method: string) =>
    app.line((message, text) => message['method'] === method && text.includes('"l"'));
  expect(JSON.parse(await notified('notifications/subscriptions/acknowledged'))).toHaveProperty(
    'params.notifications',
    notifications,
  );
  newer.changeNote();
  await notified('notifications/resources/updated');
  await set([next.id, other.id]);
  await notified('notifications/tools/list_changed');
  const listed = JSON.stringify(await app.request('t', 'tools/list', { _meta }));
  expect(listed).toContain(`"${await prefixOf(engine, other)}echo"`);
  expect(listed).toContain('"ttlMs":0');
  await set([next.id]);
  const gone = await app.request('g', 'tools/call', {
    name: `${await prefixOf(engine, other)}echo`,
    arguments: {},
    _meta,
  });
  expect(JSON.stringify(gone)).toContain('is no longer part of this collection');
});

it('passes extensions between members and the AI app in any protocol revision', async () => {
  const engine = createTestEngine();
  const ui = { mimeTypes: ['text/html;profile=mcp-app'] };
  const extension = 'io.modelcontextprotocol/ui';
  const tasks = { 'io.modelcontextprotocol/tasks': {} };
  const serverInfo = { name: 'scripted', version: '1' };
  const older = await startRawServer('session', [], (request) => {
    const capabilities = { tools: {}, extensions: { [extension]: {}, 'x/skills': {} }, experimental: { odd: {} } };
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo },
      'skills/list': { skills: ['one'] },
    };
    const result = results[request.message.method ?? ''];
    if (result) sendJson(request, { result });
    return result !== undefined;
  });
  const newer = await startRawServer('stateless', [{ name: 'next', inputSchema }], (request) => {
    if (request.message.method !== 'server/discover') return false;
    const capabilities = { tools: {}, extensions: { [extension]: {}, 'x/new': {}, ...tasks } };
    const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    sendJson(request, { result: { ...common, supportedVersions: ['2026-07-28'], capabilities } });
    return true;
  });
  const connected = [];
  for (const { url } of [older, newer]) connected.push((await engine.connect(url, { local: true })).integration);
  const { open, openNewer } = await serveCollection(engine, connected);
  const capabilities = {
    extensions: { [extension]: ui, ...tasks },
    experimental: { own: {} },
    roots: { listChanged: true },
    tasks: {},
  };
  const app = await open(capabilities);
  const begun = JSON.parse(await app.response(0)) as { result: { capabilities: object } };
  const all = { [extension]: {}, 'x/skills': {}, 'x/new': {} };
  expect(begun.result.capabilities).toMatchObject({ extensions: all, experimental: { odd: {} } });
  expect(begun.result.capabilities).not.toHaveProperty(['extensions', 'io.modelcontextprotocol/tasks']);
  expect(await app.request('s', 'skills/list')).toHaveProperty('result.skills', ['one']);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const stateless = openNewer();
  expect(await stateless.request('d', 'server/discover', { _meta })).toHaveProperty(
    'result.capabilities.extensions',
    all,
  );
  expect(await stateless.request('s', 'skills/list', { _meta })).toHaveProperty('result.skills', ['one']);
  for (const each of [app, stateless]) await each.request('l', 'tools/list', { _meta });
  const begins = older.received.filter(({ text }) => text.includes('"initialize"')).slice(-2);
  for (const { text } of begins)
    expect((JSON.parse(text) as { params: object }).params).toHaveProperty('capabilities', {
      extensions: { [extension]: ui },
      experimental: { own: {} },
      roots: { listChanged: true },
    });
  const listRequests = newer.received.filter(({ message: { method } }) => method === 'tools/list').slice(-2);
  expect(listRequests).toHaveLength(2);
  for (const { text } of listRequests)
    expect((JSON.parse(text) as { params: { _meta: object } }).params._meta).toHaveProperty(
      ['io.modelcontextprotocol/clientCapabilities', 'extensions'],
      { [extension]: ui },
    );
});

it('requests roots once the AI app is waiting for the server that asks, even if it asked immediately', async () => {
  const engine = createTestEngine();
  const responses: unknown[] = [];
  const fixture = await startRawServer(
    'session',
    [{ name: 'use', inputSchema }],
    ({ method, message, response, text }) => {
      if (method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (method === 'GET') response.write(event({ id: 'first', method: 'roots/list' }));
      if (message.method === undefined && message.id === 'first') {
        responses.push((JSON.parse(text) as { result?: unknown }).result);
        response.writeHead(202).end();
      }
      return method === 'GET' || message.id === 'first';
    },
  );
  const { integration } = await engine.connect(fixture.url, { local: true });
  const { open } = await serveCollection(engine, [integration]);
  const app = await open({ roots: {} });
  await expect.poll(() => fixture.received.some(({ method }) => method === 'GET')).toBe(true);
  app.write('{"jsonrpc":"2.0","id":"list","method":"tools/list"}');
  const { id } = JSON.parse(await app.line(({ method }) => method === 'roots/list')) as { id: unknown };
  const result = { roots: [{ uri: 'file:///work' }] };
  app.write(JSON.stringify({ jsonrpc: '2.0', id, result }));
  await expect.poll(() => responses).toContainEqual(result);
});

it('does not serve a removed collection, until the removal is undone', async () => {
  const engine = createTestEngine();
  const offering = await startCapabilitiesServer();
  const { integration } = await engine.connect(offering.url, { local: true });
  const { ports, folder } = engine;
  const world = await serveCollection(engine, [integration]);
  const { collections, apps: records } = openIntegrationStore({ folder, locks: ports.locks });
  const scope = { ports, collections, apps: { records, backups: createAppBackups(folder) } };
  const handshake = async (): Promise<unknown> =>
    await shakeHands(openApp(world.served.socket, { server: '+all', app: world.app }));
  expect(await handshake()).toMatchObject({ result: { serverInfo: { name: 'postern-all' } } });
  const id = await beginCollectionRemoval(scope, { name: 'all', members: [] }, []);
  await world.served.gateway.reloadSettings();
  expect(await handshake()).not.toHaveProperty('result');
  const openApps = () => Promise.reject(new Error('No entry comes back.'));
  expect(await undoBatch({ ...scope, openApps }, id)).toMatchObject({ restored: [expect.any(String)] });
  await world.served.gateway.reloadSettings();
  expect(await handshake()).toMatchObject({ result: { serverInfo: { name: 'postern-all' } } });
});

it('gives a new session of an app that already uses HTTP the current members', async () => {
  const engine = createTestEngine();
  const [first, second] = [await startRawServer('session', [plainTool]), await startRawServer('session', [plainTool])];
  const one = (await engine.connect(first.url, { local: true })).integration;
  const other = (await engine.connect(second.url, { local: true })).integration;
  const { address, headers, set } = await serveCollection(engine, [one, other]);
  const listed = async () => {
    const client = new Client({ name: 'an app', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    onTestFinished(() => client.close());
    return (await client.listTools()).tools.length;
  };
  expect(await listed()).toBe(2);
  await set([one.id]);
  expect(await listed()).toBe(1);
});

it('counts each request once, so that long ones fit as they do for a server alone', async () => {
  const held: RawRequest[] = [];
  const both = Promise.withResolvers<void>();
  const server = await startRawServer('session', [plainTool], (request) => {
    if (request.message.method !== 'tools/call') return false;
    if (held.push(request) === 2) both.resolve();
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const { open } = await serveCollection(engine, [integration]);
  const app = await open();
  const name = `${await prefixOf(engine, integration)}add`;
  const params = { name, arguments: { text: 'x'.repeat(10 * 1_024 * 1_024) } };
  const responses = ['a', 'b'].map((id) => app.request(id, 'tools/call', params));
  await Promise.race([both.promise, Promise.all(responses)]);
  for (const request of held) sendJson(request, textResult('done'));
  for (const response of await Promise.all(responses)) expect(response).toHaveProperty('result.content.0.text', 'done');
});
