import { expect, it } from 'vitest';
import { handshakeResult, startHttpSession } from '../../support/http-session.ts';
import { event, sendJson } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

const page = ({ response }: RawRequest, status: number): true => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>');
  return true;
};
const changed = (list: string) => `notifications/${list}/list_changed`;

it('reports on an app’s stream which lists were served without the server, and later its notifications', async () => {
  const { fixture, startSession } = await startHttpSession();
  fixture.before = (raw) => page(raw, 502);
  const { request, listen, first } = await startSession();
  expect(first).toMatchObject({ result: { serverInfo: { name: 'scripted' } } });
  expect(await request('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  expect(await request('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'ask' }] } });
  const notified = await listen();
  fixture.before = () => false;
  const streams = fixture.streams.length;
  expect(await request('tools/call', { name: 'add' })).toMatchObject({ result: { content: [{ text: '5' }] } });
  await expect.poll(() => notified).toEqual([changed('tools'), changed('prompts')]);
  // Its stream may not have reached the server yet.
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => notified).toContain('notifications/message');
});

it('reports it on the app’s next stream if none was open', async () => {
  const { fixture, startSession } = await startHttpSession();
  fixture.before = (request) => page(request, 503);
  const { request, listen } = await startSession();
  await request('prompts/list');
  fixture.before = ({ method, response }) => {
    // A server without notifications of its own.
    if (method === 'GET') response.writeHead(405).end();
    return method === 'GET';
  };
  await request('tools/call', { name: 'add' });
  const notified = await listen();
  await expect.poll(() => notified).toEqual([changed('prompts')]);
});

it.each(['with sessions', 'without'])(
  'notifies an app without a stream when its server is back: a server %s',
  async (kind) => {
    const { fixture, startSession } = await startHttpSession({ retriesAtOnce: true });
    fixture.hasSessions = kind === 'with sessions';
    const hasNoStream = ({ method, response }: RawRequest): boolean => {
      if (method === 'GET') response.writeHead(405).end();
      return method === 'GET';
    };
    fixture.before = hasNoStream;
    const { request, listen } = await startSession();
    const notified = await listen();
    await request('tools/list');
    fixture.before = (raw) => page(raw, 502);
    expect(await request('tools/call', { name: 'add' })).toMatchObject({ result: { isError: true } });
    expect(notified).toEqual([]);
    fixture.before = hasNoStream;
    await expect.poll(() => notified).toEqual([changed('tools')]);
  },
);

it('reports what changed after a slow response, and nothing that did not change', async () => {
  const { fixture, startSession } = await startHttpSession();
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    const isSlow = request.message.method?.endsWith('/list') === true;
    if (isSlow) held.push(request);
    return isSlow;
  };
  const { request, listen } = await startSession();
  const notified = await listen();
  expect(await request('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  expect(await request('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'ask' }] } });
  const [tools, prompts] = held;
  if (tools) sendJson(tools, { result: fixture.lists['tools/list'] });
  if (prompts) sendJson(prompts, { result: { prompts: [{ name: 'ask' }, { name: 'another' }] } });
  await expect.poll(() => notified).toEqual([changed('prompts')]);
  fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => notified).toEqual([changed('prompts'), 'notifications/message']);
});

it('reports to each of two apps what changed after a slow response', async () => {
  const { fixture, startSession } = await startHttpSession();
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    const isSlow = request.message.method === 'tools/list';
    if (isSlow) held.push(request);
    return isSlow;
  };
  const both = [await startSession(), await startSession()];
  const notified = await Promise.all(both.map(({ listen }) => listen()));
  const lists = await Promise.all(both.map(({ request }) => request('tools/list')));
  for (const list of lists) expect(list).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const now = { result: { tools: [{ name: 'add' }, { name: 'another' }] } };
  const [first, second] = held;
  if (first) sendJson(first, now);
  await expect.poll(() => notified.flat()).toEqual([changed('tools')]);
  if (second) sendJson(second, now);
  await expect.poll(() => notified).toEqual([[changed('tools')], [changed('tools')]]);
});

it('sends an app’s follow-up to a slow handshake before anything else', async () => {
  const { fixture, server, startSession } = await startHttpSession();
  const before = server.received.length;
  const streams = fixture.streams.length;
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    if (request.message.method !== 'initialize') return false;
    held.push(request);
    return true;
  };
  const { request, listen } = await startSession();
  const notified = await listen();
  const call = request('tools/call', { name: 'add' });
  held[0]?.response.setHeader('mcp-session-id', 'late');
  if (held[0]) sendJson(held[0], { result: handshakeResult });
  expect(await call).toMatchObject({ result: { content: [{ text: '5' }] } });
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => notified).toEqual(['notifications/message']);
  const came = server.received.slice(before).map(({ method, message }) => message.method ?? method);
  expect(came.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  expect(came.slice(2).toSorted()).toEqual(['GET', 'tools/call']);
});

it('passes on notifications that precede a list response, on the stream of that response', async () => {
  const { fixture, startSession } = await startHttpSession();
  const { request, listen, notifications } = await startSession();
  const notified = await listen();
  fixture.before = ({ message, response }) => {
    if (message.method !== 'tools/list') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ method: 'notifications/message', params: {} }));
    response.end(event({ id: message.id, result: { tools: [] } }));
    return true;
  };
  expect(await request('tools/list')).toMatchObject({ result: { tools: [] } });
  expect(notifications).toEqual(['notifications/message']);
  expect(notified).toEqual([]);
});

it('does not repeat to a later stream what was sent with a list response', async () => {
  const { fixture, startSession } = await startHttpSession();
  const { request, listen, notifications } = await startSession();
  const streams = fixture.streams.length;
  fixture.before = ({ message, response }) => {
    if (message.method !== 'tools/list') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }));
    response.write(event({ id: 'a question', method: 'roots/list' }));
    response.write(event({ method: 'notifications/cancelled', params: { requestId: 'a question' } }));
    response.write(event({ method: changed('prompts') }));
    response.write(event({ method: 'notifications/message', params: {} }));
    response.end(event({ id: message.id, result: { tools: [] } }));
    return true;
  };
  expect(await request('tools/list')).toMatchObject({ result: { tools: [] } });
  expect(notifications).toEqual([
    'notifications/progress',
    'roots/list',
    'notifications/cancelled',
    changed('prompts'),
    'notifications/message',
  ]);
  const notified = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: changed('tools') }));
  await expect.poll(() => notified).toEqual([changed('tools')]);
});

it('keeps notifying an app on one stream when another of its streams ends', async () => {
  const { fixture, startSession } = await startHttpSession();
  const { listen } = await startSession();
  const streams = fixture.streams.length;
  const notified = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  const hangUp = new AbortController();
  const other = await listen(hangUp.signal);
  const say = () => fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  say();
  await expect.poll(() => other).toEqual(['notifications/message']);
  hangUp.abort();
  await expect
    .poll(() => {
      say();
      return notified;
    })
    .toContain('notifications/message');
});

/** A server that rejects every request naming a forgotten session. */
function forgetSessions(fixture: Awaited<ReturnType<typeof startHttpSession>>['fixture'], status: number): void {
  const lost = new Set<unknown>();
  let isNoting = true;
  fixture.before = ({ headers, message, response }) => {
    const id = headers['mcp-session-id'];
    if (message.method === 'initialize') isNoting = false;
    if (id === undefined || !(isNoting || lost.has(id))) return false;
    lost.add(id);
    response.writeHead(status).end('Session not found');
    return true;
  };
}

it.each([400, 404, 410])('keeps listening when the server has forgotten the session (%i)', async (status) => {
  const { fixture, startSession } = await startHttpSession();
  const { listen } = await startSession();
  forgetSessions(fixture, status);
  const streams = fixture.streams.length;
  const notified = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: changed('tools') }));
  await expect.poll(() => notified).toContain(changed('tools'));
});

it('listens only to Postern when a server with the session has no stream', async () => {
  const { fixture, server, startSession } = await startHttpSession();
  const { listen, request } = await startSession();
  fixture.before = (raw) => raw.method === 'GET' && page(raw, 404);
  const handshakes = () => server.methods().filter((method) => method === 'initialize').length;
  const before = handshakes();
  await listen();
  expect(await request('tools/call', { name: 'add' })).toMatchObject({ result: { content: [{ text: '5' }] } });
  expect(handshakes()).toBe(before);
});

it('reloads an app’s list whose server forgot the session between two pages', async () => {
  const { fixture, server, startSession } = await startHttpSession();
  fixture.lists['prompts/list'] = { prompts: [{ name: 'ask' }], nextCursor: 'two' };
  const { request, listen } = await startSession();
  const notified = await listen();
  expect(await request('prompts/list')).toMatchObject({ result: { nextCursor: 'two' } });
  forgetSessions(fixture, 404);
  const last = await request('prompts/list', { cursor: 'two' });
  expect(last).toMatchObject({ result: { prompts: [], _meta: { 'dev.postern/left-out': { rest: true } } } });
  await expect.poll(() => notified).toContain(changed('prompts'));
  // Its cursor is only ever sent in its own session.
  expect(server.received.filter(({ text }) => text.includes('"two"'))).toHaveLength(1);
  expect(await request('prompts/list')).toMatchObject({ result: { nextCursor: 'two' } });
});

it('delivers each message of an event with several, and drops what is not a message', async () => {
  const { fixture, startSession } = await startHttpSession();
  const { listen } = await startSession();
  const streams = fixture.streams.length;
  const notified = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  const of = (list: string): string => JSON.stringify({ jsonrpc: '2.0', method: changed(list) });
  fixture.streams.at(-1)?.write(`data: ${of('tools')}\ndata: ${of('prompts')}\n\n`);
  fixture.streams.at(-1)?.write(`data: ${of('resources')}\ndata: [DONE]\n\n`);
  await expect.poll(() => notified).toEqual([changed('tools'), changed('prompts'), changed('resources')]);
});
