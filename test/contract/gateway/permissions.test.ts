import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AskForCall, CallDecision, CallToConfirm } from '../../../main/gateway-ports.ts';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import type { PermissionChange } from '../../../shared/tool-permissions.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import type { LineApp } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

/** Which tools apps may call: allowed, asked about, and denied. */

const { secretHash, authorization } = someSecret();
const tool = (name: string, more: object = {}) => ({ name, inputSchema, ...more });
const tools = [
  tool('look', { annotations: { readOnlyHint: true } }),
  tool('write', { annotations: { readOnlyHint: false, destructiveHint: true } }),
  tool('odd', { description: 'no hint', weight: 1.5e300, annotations: { destructiveHint: false } }),
];

async function start(
  changes: readonly PermissionChange[],
  askForCall?: AskForCall,
  respond: Parameters<typeof startRawServer>[2] = () => false,
  protocol: 'session' | 'stateless' = 'session',
) {
  const fixture = await startRawServer(protocol, tools, (request) => {
    if (respond(request)) return true;
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult(`called ${request.message.params?.name}`));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(fixture.url, { local: true });
  const served = await serveGateway(engine, askForCall && { askForCall });
  const change = async (...all: PermissionChange[]): Promise<void> => {
    await engine.ports.store.update(integration.id, ({ permissions, ...stored }) => {
      const changed = all.reduce((before, each) => changePermissions(before, each), permissions);
      return { ...stored, ...(changed && { permissions: changed }) };
    });
    await served.gateway.reloadSettings();
  };
  await change(...changes);
  const app = await served.allow(integration, { secretHash });
  const [{ alias = '' } = {}] = await engine.ports.store.list();
  return {
    fixture,
    served,
    change,
    alias,
    permissions: async () => (await engine.ports.store.list())[0]?.permissions,
    called: () =>
      fixture.received.flatMap(({ message, text }) => (text.includes('tools/call') ? [message.params?.name] : [])),
    open: async () => {
      const opened = openApp(served.socket, { server: integration.id, app });
      await shakeHands(opened);
      return opened;
    },
    async openOther() {
      const other = await served.allow(integration, { app: 'zed', name: 'Zed' });
      const opened = openApp(served.socket, { server: integration.id, app: other });
      await shakeHands(opened);
      return opened;
    },
  };
}

/** Answers the prompts in order. */
function userAnswering(...answers: CallDecision[]) {
  const questions: CallToConfirm[] = [];
  const ask = vi.fn<AskForCall>(async (question) => {
    questions.push(question);
    return answers[questions.length - 1] ?? 'no';
  });
  return { ask, questions };
}

const names = (response: unknown) =>
  (response as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
let id = 100;
const call = async (app: LineApp, name: string) =>
  JSON.stringify(await app.request((id += 1), 'tools/call', { name, arguments: { n: 1 } }));

it('hides and rejects a denied tool, and reports who can change that', async () => {
  const { open, called, served } = await start([{ tool: 'write', rule: 'deny' }]);
  const app = await open();
  expect(names(await app.request(1, 'tools/list'))).toEqual(['look', 'odd']);
  const refused = await call(app, 'write');
  expect(refused).toContain('"isError":true');
  expect(refused).toContain('"code":"TOOL_DENIED"');
  expect(refused).toContain('Cursor');
  expect(await call(app, 'odd')).toContain('called odd');
  expect(called()).toEqual(['odd']);
  expect(served.calls.map(({ outcome }) => outcome)).toContain('TOOL_DENIED');
});

it.each<[string, readonly PermissionChange[], readonly string[]]>([
  ['read only', [{ preset: 'read-only' }], ['look']],
  ['read only but for one', [{ preset: 'read-only' }, { tool: 'odd', rule: 'allow' }], ['look', 'odd']],
  ['only what is allowed', [{ tool: 'odd', rule: 'allow' }, { preset: 'only-allowed' }], ['odd']],
  ['only what is allowed in this app', [{ app: 'cursor', preset: 'only-allowed' }], []],
  ['read only in this app', [{ app: 'cursor', preset: 'read-only' }], ['look']],
  ['read only in another', [{ app: 'zed', preset: 'read-only' }], ['look', 'write', 'odd']],
  [
    'a denial that the app’s own rule cannot lift',
    [
      { tool: 'look', rule: 'deny' },
      { app: 'cursor', tool: 'look', rule: 'allow' },
    ],
    ['write', 'odd'],
  ],
])('PM-01 lists exactly the tools whose calls it allows: %s', async (_what, changes, visible) => {
  const { open, called } = await start(changes);
  const app = await open();
  expect(names(await app.request(1, 'tools/list'))).toEqual(visible);
  for (const { name } of tools) await call(app, name);
  expect(called()).toEqual(visible);
});

const off: PermissionChange = { offer: 'resources', allowed: false };

it.each<[string, PermissionChange, string, object?]>([
  ['an extension', off, 'skills/list'],
  ['pages of an app', off, 'ui/read', { uri: 'ui://page' }],
  ['a method of the server', { tool: 'write', rule: 'deny' }, 'acme/write'],
  ['another spelling', { preset: 'read-only' }, 'Tools/Call', { name: 'write' }],
  ['tasks of other apps', { preset: 'read-only' }, 'tasks/list'],
  ['a completion of something new', off, 'completion/complete', { ref: { type: 'ref/skill' } }],
  ['a name that every object has', off, 'constructor'],
  ['changes of resources', off, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['x:y'] } }],
])('PM-22 rejects a method without a rule where anything is restricted: %s', async (_what, change, method, params) => {
  const { open, fixture } = await start([change]);
  const app = await open();
  expect(await app.request(1, method, params)).toHaveProperty('error.data.code', 'CAPABILITY_DENIED');
  app.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  await app.request(2, 'ping');
  expect(fixture.methods()).not.toContain(method);
});

it('passes every method through when nothing is restricted', async () => {
  const { open, fixture } = await start([]);
  const app = await open();
  expect(await app.request(1, 'skills/list')).toHaveProperty('error.code', -32_601);
  expect(fixture.methods()).toContain('skills/list');
});

it('PM-22 allows methods with a rule that are not off', async () => {
  const { open, fixture } = await start([off]);
  const app = await open();
  for (const method of ['prompts/get', 'logging/setLevel', 'tasks/result', 'ping']) {
    await app.request(method, method, { name: 'x' });
    expect(fixture.methods()).toContain(method);
  }
});

it('PM-02 passes every other byte of a list through unchanged', async () => {
  const { open, fixture, change } = await start([]);
  const app = await open();
  await app.request(1, 'tools/list');
  const whole = await app.response(1);
  await change({ tool: 'look', rule: 'deny' });
  await app.request(2, 'tools/list');
  const gone = `${JSON.stringify(tools[0])},`;
  expect(whole).toContain(gone);
  expect(await app.response(2)).toBe(whole.replace(gone, '').replace('"id":1', '"id":2'));
  expect(fixture.methods().filter((method) => method === 'tools/list').length).toBeGreaterThan(1);
});

it.each([
  ['a duplicate member', '{"name":"look","name":"write"}'],
  ['another member first', '{"name":"write","name":"look"}'],
  ['capitals', '{"name":"look","Name":"write"}'],
  ['a letter that folds to another', '{"name":"look"},"paramſ":{"name":"write"}'],
  ['arguments that are not shown', '{"name":"look","Arguments":{"n":2}}'],
  ['another spelling', '{"name":"WRITE"}'],
  ['a space', '{"name":"write "}'],
  ['a zero-width space', '{"name":"wr\u200bite"}'],
  ['full width', '{"name":"ｗrite"}'],
  ['a list', '{"name":["write"]}'],
])('PM-03 blocks a denied call in any other spelling: %s', async (_what, params) => {
  const { open, fixture } = await start([{ tool: 'write', rule: 'deny' }]);
  const app = await open();
  app.write(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":${params}}`);
  expect(await app.response(5)).not.toContain('called');
  expect(fixture.received.filter(({ text }) => text.includes('tools/call'))).toEqual([]);
});

it('PM-04 blocks a call without an ID, or with a method in capitals', async () => {
  const { open, fixture } = await start([{ tool: 'write', rule: 'deny' }]);
  const app = await open();
  app.write('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write"}}');
  app.write('{"jsonrpc":"2.0","id":5,"method":"ping","Method":"tools/call","params":{"name":"write"}}');
  app.write('{"jsonrpc":"2.0","id":6,"method":"tools/call","method":"ping","params":{"name":"write"}}');
  expect(await app.response(5)).toContain('-32600');
  expect(await app.response(6)).toContain('-32600');
  expect(await call(app, 'look')).toContain('called look');
  expect(fixture.received.filter(({ text }) => text.includes('"write"'))).toEqual([]);
});

it('PM-05 counts unlisted tools and tools without a hint as tools that change something', async () => {
  const { open, called } = await start([{ preset: 'read-only' }]);
  const app = await open();
  expect(await call(app, 'odd')).toContain('TOOL_DENIED');
  expect(await call(app, 'not listed')).toContain('TOOL_DENIED');
  expect(names(await app.request(1, 'tools/list'))).toEqual(['look']);
  expect(await call(app, 'look')).toContain('called look');
  expect(await call(app, 'odd')).toContain('TOOL_DENIED');
  expect(called()).toEqual(['look']);
});

it('asks before a call is sent, with its content, and asks again after “once”', async () => {
  const { ask, questions } = userAnswering('once', 'no');
  const { open, called } = await start([{ preset: 'ask-changes' }], ask);
  const app = await open();
  expect(names(await app.request(1, 'tools/list'))).toEqual(['look', 'write', 'odd']);
  expect(await call(app, 'look')).toContain('called look');
  expect(questions).toEqual([]);
  expect(await call(app, 'write')).toContain('called write');
  expect(questions[0]).toMatchObject({ tool: 'write', input: { n: 1 }, readOnly: false, canLast: true });
  expect(await call(app, 'write')).toContain('APPROVAL_REFUSED');
  expect(called()).toEqual(['look', 'write']);
});

it('asks only once in a session that allowed it, and again in the next', async () => {
  const { ask, questions } = userAnswering('session', 'no');
  const { open, permissions } = await start([{ tool: 'write', rule: 'ask' }], ask);
  const app = await open();
  expect(await call(app, 'write')).toContain('called');
  expect(await call(app, 'write')).toContain('called');
  expect(questions).toHaveLength(1);
  expect(await call(await open(), 'write')).toContain('APPROVAL_REFUSED');
  expect(await permissions()).toEqual({ rules: [{ tool: 'write', rule: 'ask' }] });
});

it('saves “always” only for this app, and lifts no denial by it', async () => {
  const { ask, questions } = userAnswering('always', 'no');
  const { open, openOther, change, permissions } = await start([{ preset: 'ask-changes' }], ask);
  const app = await open();
  expect(await call(app, 'write')).toContain('called');
  expect(await call(await open(), 'write')).toContain('called');
  expect(await permissions()).toEqual({
    preset: 'ask-changes',
    apps: [{ app: 'cursor', rules: [{ tool: 'write', rule: 'allow' }] }],
  });
  expect(await call(await openOther(), 'write')).toContain('APPROVAL_REFUSED');
  expect(questions).toHaveLength(2);
  await change({ tool: 'write', rule: 'deny' });
  expect(await call(app, 'write')).toContain('TOOL_DENIED');
});

it('PM-06 ignores an answer for a call that was denied, allowed or cancelled meanwhile', async () => {
  const signals: AbortSignal[] = [];
  const decision = Promise.withResolvers<CallDecision>();
  const ask: AskForCall = async ({ signal }) => {
    signals.push(signal);
    const over = new Promise<CallDecision>((resolve) => {
      signal.addEventListener('abort', () => resolve('no'));
    });
    return await Promise.race([over, decision.promise]);
  };
  const { open, change, called } = await start([{ tool: 'write', rule: 'ask' }], ask);
  const app = await open();
  const denied = call(app, 'write');
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  await change({ tool: 'write', rule: 'deny' });
  expect(await denied).toContain('TOOL_DENIED');
  expect(signals[0]?.aborted).toBe(true);
  await change({ tool: 'write', rule: 'ask' });
  app.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write"}}');
  await vi.waitFor(() => expect(signals).toHaveLength(2));
  app.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
  await vi.waitFor(() => expect(signals[1]?.aborted).toBe(true));
  decision.resolve('always');
  expect(await call(app, 'look')).toContain('called look');
  expect(called()).toEqual(['look']);
});

it('reports at once when no user can be asked', async () => {
  const { open, called } = await start([{ tool: 'write', rule: 'ask' }]);
  expect(await call(await open(), 'write')).toContain('APPROVAL_IMPOSSIBLE');
  expect(called()).toEqual([]);
});

it('notifies an open session of a change, which applies at once', async () => {
  const { open, change, called } = await start([]);
  const app = await open();
  await app.request(1, 'tools/list');
  await change({ app: 'cursor', preset: 'read-only' });
  await app.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(names(await app.request(2, 'tools/list'))).toEqual(['look']);
  expect(await call(app, 'write')).toContain('TOOL_DENIED');
  expect(called()).toEqual([]);
});

it('PM-07 applies the same to an HTTP app', async () => {
  const { ask } = userAnswering('once', 'missed');
  const { served, alias, change, called, fixture } = await start(
    [
      { tool: 'odd', rule: 'deny' },
      { tool: 'write', rule: 'ask' },
    ],
    ask,
  );
  const { port } = await openHttpEndpoint(served);
  const client = new Client({ name: 'an app', version: '1' });
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
  onTestFinished(() => client.close());
  const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
  const callOne = async (name: string) => JSON.stringify(await client.callTool({ name, arguments: {} }));
  expect(await listed()).toEqual(['look', 'write']);
  expect(await callOne('odd')).toContain('TOOL_DENIED');
  expect(await callOne('write')).toContain('called write');
  expect(await callOne('write')).toContain('APPROVAL_TIMEOUT');
  await change({ preset: 'read-only' });
  expect(await listed()).toEqual(['look']);
  expect(await callOne('write')).toContain('TOOL_DENIED');
  const post = async (body: string, type = 'application/json') => {
    const headers = { authorization, 'content-type': type, accept: 'application/json, text/event-stream' };
    return await (await fetch(url, { method: 'POST', headers, body })).text();
  };
  const twice = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","name":"write"}}';
  expect(await post(twice)).toContain('-32600');
  // A call for parsers that ignore case, a response for all others.
  await post('{"jsonrpc":"2.0","id":2,"result":{},"Method":"tools/call","Params":{"name":"write"}}');
  expect(called()).toEqual(['write']);
  await post('{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"+ACI-"}}', 'application/json; charset=utf-7');
  const { headers: sent } = fixture.received.find(({ text }) => text.includes('+ACI-')) ?? {};
  expect(sent?.['content-type']).toBe('application/json');
});

it('PM-16 returns no resources and prompts, however they are requested, when those are off', async () => {
  const listings = {
    'resources/list': 'resources',
    'resources/templates/list': 'resourceTemplates',
    'prompts/list': 'prompts',
  };
  const methods = ['resources/read', 'resources/subscribe', 'prompts/get', 'completion/complete'];
  const { open, fixture, change } = await start([], undefined, ({ message: { id: of, method = '' }, response }) => {
    const list = listings[method as keyof typeof listings];
    const result = list === undefined ? { given: true } : { [list]: [{ name: 'a', uri: 'a:b' }], nextCursor: 'more' };
    if (list === undefined && !methods.includes(method)) return false;
    sendJson({ message: { id: of ?? 0 }, response }, { result });
    return true;
  });
  const app = await open();
  const ask = async (method: string, params: object = {}) =>
    JSON.stringify(await app.request((id += 1), method, params));
  expect(await ask('resources/list')).toContain('a:b');
  await change({ offer: 'resources', allowed: false }, { app: 'cursor', offer: 'prompts', allowed: false });
  for (const method of Object.keys(listings)) {
    const response = await ask(method);
    expect(response).toContain('[]');
    expect(response).not.toContain('more');
  }
  const before = fixture.received.length;
  for (const method of methods) expect(await ask(method, { uri: 'a:b', name: 'a' })).toContain('CAPABILITY_DENIED');
  expect(await ask('completion/complete', { ref: { type: 'ref/prompt', name: 'a' } })).toContain('CAPABILITY_DENIED');
  expect(fixture.received).toHaveLength(before);
  await change({ offer: 'resources', allowed: true });
  expect(await ask('resources/read', { uri: 'a:b' })).toContain('given');
  expect(await ask('prompts/get', { name: 'a' })).toContain('CAPABILITY_DENIED');
  expect(await call(app, 'look')).toContain('called look');
});

it('PM-17 blocks an HTTP request whose header fields name another call than its body', async () => {
  const { served, alias, called } = await start([{ tool: 'write', rule: 'deny' }]);
  const { port } = await openHttpEndpoint(served);
  const post = async (fields: Record<string, string>) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}';
    const url = `http://127.0.0.1:${port}/mcp/${alias}`;
    return await (await fetch(url, { method: 'POST', headers: { ...headers, ...fields }, body })).text();
  };
  for (const fields of [{ 'mcp-name': 'write' }, { 'mcp-method': 'ping' }, { 'mcp-name': '=?base64?d3JpdGU=?=' }])
    expect(await post(fields)).toContain('-32600');
  expect(called()).toEqual([]);
  expect(await post({ 'mcp-name': 'look', 'mcp-method': 'tools/call' })).toContain('called look');
});

it('PM-06 rechecks a call that was allowed before permissions changed', async () => {
  const connecting = Promise.withResolvers<void>();
  let isForgotten = false;
  const { open, change, called, fixture } = await start([{ tool: 'odd', rule: 'deny' }], undefined, (request) => {
    const { method } = request.message;
    if (isForgotten && method === 'tools/call' && request.headers['mcp-session-id'] === 'first') {
      request.response.writeHead(404).end();
      return true;
    }
    if (method !== 'initialize') return false;
    void (isForgotten ? connecting.promise : Promise.resolve()).then(() => {
      request.response.setHeader('mcp-session-id', isForgotten ? 'second' : 'first');
      const serverInfo = { name: 'scripted', version: '1' };
      sendJson(request, { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
    });
    return true;
  });
  const app = await open();
  isForgotten = true;
  // It waits for another server session, which has not executed it.
  const handshakeCount = fixture.methods().filter((method) => method === 'initialize').length;
  const calling = call(app, 'write');
  await vi.waitFor(() =>
    expect(fixture.methods().filter((method) => method === 'initialize').length).toBeGreaterThan(handshakeCount),
  );
  await change({ tool: 'write', rule: 'deny' });
  connecting.resolve();
  expect(await calling).toContain('TOOL_DENIED');
  expect(called().filter((name) => name === 'write').length).toBeLessThanOrEqual(1);
});

it('applies changed permissions to a new session of an app that already uses HTTP', async () => {
  const { served, alias, change, called } = await start([]);
  const { port } = await openHttpEndpoint(served);
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  const connect = async () => {
    const client = new Client({ name: 'an app', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
    onTestFinished(() => client.close());
    return client;
  };
  await connect();
  await change({ tool: 'write', rule: 'deny' });
  const next = await connect();
  expect((await next.listTools()).tools.map(({ name }) => name)).toEqual(['look', 'odd']);
  expect(JSON.stringify(await next.callTool({ name: 'write', arguments: {} }))).toContain('TOOL_DENIED');
  expect(called()).toEqual([]);
});

describe('a tool that the app calls without listing tools', () => {
  const doors = [
    ['an app at the socket', 'session', 'socket'],
    ['an app at the socket, at a stateless server', 'stateless', 'socket'],
    ['an app over HTTP', 'session', 'http'],
    ['an app over HTTP, at a stateless server', 'stateless', 'http'],
  ] as const;

  const listings = ({ fixture }: Awaited<ReturnType<typeof start>>) =>
    fixture.methods().filter((method) => method === 'tools/list').length;

  async function connect({ open, served, alias }: Awaited<ReturnType<typeof start>>, door: 'socket' | 'http') {
    if (door === 'socket') {
      const app = await open();
      return async (name: string) => await call(app, name);
    }
    const { port } = await openHttpEndpoint(served);
    const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
    const client = new Client({ name: 'an app', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
    onTestFinished(() => client.close());
    return async (name: string) => JSON.stringify(await client.callTool({ name, arguments: {} }));
  }

  it.each(doors)('is called without a question if it only reads: %s', async (_who, protocol, door) => {
    const { ask, questions } = userAnswering('no', 'no', 'no');
    const started = await start([{ preset: 'ask-changes' }], ask, undefined, protocol);
    const before = listings(started);
    const callOne = await connect(started, door);
    expect(await callOne('look')).toContain('called look');
    expect(questions).toEqual([]);
    expect(await callOne('write')).toContain('APPROVAL_REFUSED');
    // Names that do not exist cost the server no further list.
    for (const name of ['nothing', 'nowhere']) expect(await callOne(name)).toContain('APPROVAL_REFUSED');
    expect(questions.map(({ tool: asked, readOnly }) => [asked, readOnly])).toEqual([
      ['write', false],
      ['nothing', false],
      ['nowhere', false],
    ]);
    expect(listings(started) - before).toBe(1);
    expect(started.called()).toEqual(['look']);
  });

  it('is allowed by a rule for tools that only read, as if it had been listed', async () => {
    const { open, called } = await start([{ preset: 'read-only' }, { tool: 'odd', rule: 'deny' }]);
    const app = await open();
    expect(await call(app, 'look')).toContain('called look');
    for (const name of ['write', 'odd', 'nothing']) expect(await call(app, name)).toContain('TOOL_DENIED');
    expect(called()).toEqual(['look']);
  });

  it('is asked about if the server refuses the list', async () => {
    const { ask, questions } = userAnswering('once');
    let isConnected = false;
    const { open, called } = await start([{ preset: 'ask-changes' }], ask, (request) => {
      if (!isConnected || request.message.method !== 'tools/list') return false;
      sendJson(request, { error: { code: -32_000, message: 'no' } });
      return true;
    });
    isConnected = true;
    expect(await call(await open(), 'look')).toContain('called look');
    expect(questions).toHaveLength(1);
    expect(called()).toEqual(['look']);
  });

  it('costs no list if the decision does not depend on it', async () => {
    const { ask } = userAnswering('once');
    const started = await start([{ tool: 'write', rule: 'ask' }], ask);
    const before = listings(started);
    const app = await started.open();
    for (const name of ['write', 'look']) expect(await call(app, name)).toContain(`called ${name}`);
    expect(listings(started)).toBe(before);
  });
});
