import { expect, it, vi } from 'vitest';
import { openCatalogStore } from '../../../main/storage/profile/server-files.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import {
  answerForms,
  cursorOf,
  event,
  inputSchema,
  sendInForm,
  sendJson,
  sessionEnds,
  startRawServer,
  textResult,
  mediaTypeOf,
} from '../../support/raw-mcp-server.ts';
import type { RawServer } from '../../support/raw-mcp-server.ts';

/** A server with sessions that a test can make it forget. */
async function startSessions(forgets: 'once' | 'always', [, status, body] = sessionEnds[0]!) {
  const known = new Set<string>();
  let began = 0;
  let forgetting = false;
  const server: RawServer = await startRawServer('session', [], ({ method, headers, message, response }) => {
    const session = headers['mcp-session-id'];
    if (message.method === 'initialize') {
      const id = `session-${(began += 1)}`;
      if (!forgetting || forgets === 'once') known.add(id);
      response.setHeader('mcp-session-id', id);
      return false;
    }
    const isForgotten = forgets === 'once' || message.method === 'tools/call';
    if (typeof session === 'string' && !known.has(session) && isForgotten) {
      response.writeHead(status, { 'content-type': mediaTypeOf(body('1')) });
      response.end(body(JSON.stringify(message.id ?? null)));
      return true;
    }
    if (method === 'DELETE') {
      known.delete(String(session));
      response.writeHead(200).end();
      return true;
    }
    if (message.method !== 'tools/call') return false;
    sendJson({ message, response }, textResult(String(session)));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  await app.request('first', 'tools/call', { name: 'add' });
  const before = began;
  return {
    server,
    app,
    began: () => began - before,
    calls: () => server.received.filter(({ message }) => message.method === 'tools/call').length - 1,
    forget: () => {
      forgetting = true;
      known.clear();
    },
  };
}

/** Its lists have two pages, and the cursor to the second belongs to one session. */
async function startPages() {
  let session = 0;
  let isForgotten = false;
  const cursors: unknown[] = [];
  const server = await startRawServer('session', [], (request) => {
    const { headers, message, response } = request;
    if (message.method === 'initialize') {
      isForgotten = false;
      response.setHeader('mcp-session-id', `session-${(session += 1)}`);
      return false;
    }
    if (isForgotten && headers['mcp-session-id'] === `session-${session}`) {
      response.writeHead(404).end();
      return true;
    }
    if (message.method === 'tools/call') sendJson(request, textResult('done'));
    else if (message.method === 'tools/list') {
      const cursor = cursorOf(request);
      cursors.push(cursor);
      const tool = (name: string) => ({ name, inputSchema });
      if (cursor === undefined) sendJson(request, { result: { tools: [tool('one')], nextCursor: `more-${session}` } });
      else if (cursor === `more-${session}`) sendJson(request, { result: { tools: [tool('two')] } });
      else sendJson(request, { error: { code: -32_602, message: 'Invalid cursor' } });
    } else return false;
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  cursors.length = 0;
  return { app, cursors, forget: () => (isForgotten = true) };
}

it('receives notifications in the session after a forgotten one', async () => {
  const { server, app, forget } = await startSessions('once');
  forget();
  expect(await app.request('again', 'tools/call', { name: 'add' })).toHaveProperty('result.content');
  const lastHandler = () =>
    server.received.filter(({ method }) => method === 'GET').map(({ headers }) => headers['mcp-session-id']);
  await expect.poll(() => lastHandler().at(-1)).toBe('session-3');
});

it.each(['by the page itself', 'by a call before it'])(
  'reloads an app’s list whose server forgot the session between two pages, noticed %s',
  async (how) => {
    const { app, cursors, forget } = await startPages();
    const { result } = (await app.request(1, 'tools/list')) as { result: { nextCursor: string } };
    const params = { cursor: result.nextCursor };
    forget();
    if (how === 'by a call before it')
      expect(await app.request(2, 'tools/call', { name: 'one' })).toHaveProperty('result.content');
    const page = await app.request(3, 'tools/list', params);
    expect(page).toMatchObject({ result: { tools: [], _meta: { 'dev.postern/left-out': { rest: true } } } });
    await app.line(({ method }) => method === 'notifications/tools/list_changed');
    const again = (await app.request(4, 'tools/list')) as { result: { nextCursor: string } };
    expect(again).toMatchObject({ result: { tools: [{ name: 'one' }] } });
    const last = await app.request(5, 'tools/list', { cursor: again.result.nextCursor });
    expect(last).toMatchObject({ result: { tools: [{ name: 'two' }] } });
    // A cursor is only ever sent in its own session.
    expect(cursors).toEqual([undefined, undefined, again.result.nextCursor]);
  },
);

it('opens one new session for ten calls when a server has forgotten the old one, and sends each at most twice', async () => {
  const { app, began, forget, calls } = await startSessions('once');
  forget();
  const responses = Array.from({ length: 10 }, (_, id) => app.request(id + 1, 'tools/call', { name: 'add' }));
  for (const response of await Promise.all(responses)) expect(response).toHaveProperty('result.content');
  expect(began()).toBe(1);
  expect(calls()).toBeLessThanOrEqual(20);
  // The response to the repeated handshake goes to no app.
  expect(app.lines.filter((line) => line.includes('serverInfo'))).toHaveLength(1);
});

it.each(sessionEnds)('continues in a new session when the server has forgotten the old one: %s', async (...end) => {
  const { app, began, forget, calls } = await startSessions('once', end);
  forget();
  expect(await app.request(1, 'tools/call', { name: 'add' })).toHaveProperty('result.content');
  expect([began(), calls()]).toEqual([1, 2]);
});

/** A server with sessions that answers every call like this. */
async function startAnswering(status: number, answered: object) {
  let began = 0;
  const server = await startRawServer('session', [], ({ message, response }) => {
    if (message.method === 'initialize') response.setHeader('mcp-session-id', `s-${(began += 1)}`);
    if (message.method !== 'tools/call') return false;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answered }));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  return { app, calls: () => server.methods().filter((method) => method === 'tools/call').length };
}

const rpcError = (message: string) => ({ error: { code: -32_000, message } });

it.each([
  ['an error about something else', 200, {}, rpcError('Browser session not found')],
  ['a call that names a session', 200, { sessionId: 'x' }, rpcError('Session not found')],
  ['a broken call that names a session', 500, { session: 'x' }, rpcError('Session x not found')],
  ['a result of a tool', 200, {}, { result: { isError: true, content: [{ type: 'text', text: 'Session expired' }] } }],
  ['a broken call', 500, {}, rpcError('The session of the upstream has expired, 3 rows were written')],
])('passes on the response to a call, whatever it says about a session: %s', async (_what, status, input, answered) => {
  const { app, calls } = await startAnswering(status, answered);
  expect(await app.request(1, 'tools/call', { name: 'add', arguments: input })).toMatchObject(answered);
  expect(calls()).toBe(1);
});

it('trusts a text once that a tool could have written, and passes it on from then on', async () => {
  const { app, calls } = await startAnswering(200, rpcError('Session not found'));
  for (const id of [1, 2])
    expect(await app.request(id, 'tools/call', { name: 'add' })).toMatchObject(rpcError('Session not found'));
  expect(calls()).toBe(3);
});

it('treats a 401 in the new session too as a demand to sign in', async () => {
  const { app, calls } = await startAnswering(401, rpcError('Session expired'));
  const response = await app.request(1, 'tools/call', { name: 'add' });
  expect(response).toMatchObject({ result: { _meta: { 'dev.postern/error': { code: 'SIGN_IN_REQUIRED' } } } });
  expect(calls()).toBe(2);
});

it('reports a lost connection when the new session is forgotten too', async () => {
  const { app, forget, calls } = await startSessions('always');
  forget();
  const response = await app.request(1, 'tools/call', { name: 'add' });
  expect(response).toMatchObject({
    result: { isError: true, _meta: { 'dev.postern/error': { code: 'SESSION_LOST' } } },
  });
  expect(calls()).toBe(2);
});

it('ends the session at the server when the app ends', async () => {
  const { app, server } = await startSessions('once');
  app.end();
  await app.closed;
  const session = server.received.findLast(({ message }) => message.method === 'tools/call')?.headers['mcp-session-id'];
  const ends = () =>
    server.received.filter(({ method, headers }) => method === 'DELETE' && headers['mcp-session-id'] === session);
  await expect.poll(ends).toHaveLength(1);
});

it('logs an invalid message once and ignores it', async () => {
  const server = await startRawServer('session', [], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const id of ['nobody', 'nobody']) response.write(event({ id, result: {} }));
    response.end(event({ id: message.id, result: { content: [] } }));
    return true;
  });
  const engine = createTestEngine();
  const written: unknown[] = [];
  const log = { write: (name: string, fields?: object) => void written.push({ name, ...fields }) };
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway({ ...engine, ports: { ...engine.ports, log } }, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  for (const id of [7, 8]) app.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  for (const id of [1, 2]) {
    expect(await app.request(id, 'tools/call', { name: 'add' })).toEqual({
      jsonrpc: '2.0',
      id,
      result: { content: [] },
    });
  }
  const misfit = (type: string) => ({ name: 'session-event-ignored', integration: integration.id, type });
  expect(written).toEqual([misfit('app-answer'), misfit('server-answer')]);
  expect(app.lines.join('')).not.toContain('nobody');
});

it.each(answerForms)('passes on a response that comes as %s', async (...form) => {
  const result = { content: [{ type: 'text', text: 'done' }] };
  const server = await startRawServer('session', [], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendInForm(request, form, { result });
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  const content = [{ type: 'text', text: 'done' }];
  expect(await app.request(1, 'tools/call', { name: 'add' })).toMatchObject({ result: { content } });
});

it.each([200, 400])(
  'passes on why a server rejects the session that a call needs (%i), with its message and code',
  async (status) => {
    let began = 0;
    let isOver = false;
    const server: RawServer = await startRawServer('session', [], ({ headers, message, response }) => {
      if (message.method === 'initialize') {
        if (isOver) {
          const error = { code: -32_050, message: 'Plan limit reached”: 5 of 5 sessions today' };
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
          return true;
        }
        response.setHeader('mcp-session-id', `s-${(began += 1)}`);
        return false;
      }
      if (!isOver || headers['mcp-session-id'] === undefined) return false;
      response.writeHead(404).end();
      return true;
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const served = await serveGateway(engine, { allowUnknown: true });
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    isOver = true;
    const serverWords = { code: -32_050, message: 'Plan limit reached”: 5 of 5 sessions today' };
    const said = expect.stringMatching(/“Plan limit reached’: 5 of 5 sessions today” \(code -32050\)$/u);
    expect(await app.request(1, 'tools/call', { name: 'add' })).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.not.stringContaining('Plan limit') }, { text: said }],
        _meta: { 'dev.postern/error': { code: 'SERVER_ERROR', serverWords } },
      },
    });
    expect(await app.request(2, 'resources/read', { uri: 'a://b' })).toMatchObject({
      error: { message: said, data: { code: 'SERVER_ERROR', serverWords } },
    });
  },
);

it('reports a page received instead of a response as the network’s sign-in page', async () => {
  const server = await startRawServer('session', [], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Guest Wi-Fi</title>');
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  const text = JSON.stringify(await app.request(1, 'tools/call', { name: 'add' }));
  expect(text).toMatch(/web page.*network has a sign-in page/u);
});

it('forgets a removed server once no session uses it', async () => {
  const server = await startRawServer('session', [{ name: 'add', inputSchema }]);
  const engine = createTestEngine();
  const { store } = engine.ports;
  const { integration } = await engine.connect(server.url, { local: true });
  const files = openCatalogStore(engine.folder);
  const read = vi.fn(files.read);
  const served = await serveGateway(engine, { allowUnknown: true, catalog: { ...files, read } });
  const list = async () => {
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    expect(await app.request(1, 'tools/list')).toHaveProperty('result.tools.length', 1);
    return app;
  };
  const remove = async () => {
    await store.delete(integration.id);
    await served.gateway.reloadSettings();
  };
  const restore = async () => {
    await store.write(integration);
    await served.gateway.reloadSettings();
  };
  const app = await list();
  await remove();
  await restore();
  const other = await list();
  // Sessions of one server share what is known of it.
  expect(read).toHaveBeenCalledTimes(1);
  app.end();
  other.end();
  await expect.poll(() => served.gateway.sessions).toBe(0);
  await remove();
  await restore();
  await list();
  expect(read).toHaveBeenCalledTimes(2);
});

it('counts calls that wait for the user’s input toward the memory of the app', async () => {
  const input = { method: 'elicitation/create', params: { message: 'Which one?', requestedSchema: inputSchema } };
  const server = await startRawServer('stateless', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    const isAnswered = request.text.includes('"inputResponses"');
    const asks = { result: { resultType: 'input_required', inputRequests: { one: input }, requestState: 's' } };
    sendJson(request, isAnswered ? textResult('done') : asks);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  const clientInfo = { name: 'test', version: '1' };
  await app.request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo });
  app.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  const params = { name: 'add', arguments: { text: 'x'.repeat(10 * 1_024 * 1_024) } };
  const questions = () => app.lines.filter((line) => line.includes('elicitation/create'));
  const waiting = ['a', 'b', 'c'].map((id) => app.request(id, 'tools/call', params));
  await expect.poll(() => questions().length).toBe(3);
  expect(await app.request('d', 'tools/call', params)).toHaveProperty(
    'error.message',
    'Too many requests are waiting.',
  );
  for (const question of questions()) {
    const { id } = JSON.parse(question) as { id: string };
    app.write(JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: {} } }));
  }
  for (const response of await Promise.all(waiting)) expect(response).toHaveProperty('result.content.0.text', 'done');
  app.write(JSON.stringify({ jsonrpc: '2.0', id: 'e', method: 'tools/call', params }));
  await expect.poll(() => questions().length).toBe(4);
});
