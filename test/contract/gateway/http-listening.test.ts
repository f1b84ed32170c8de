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
  const { fixture, begin } = await startHttpSession();
  fixture.before = (request) => page(request, 502);
  const { ask, listen, first } = await begin();
  expect(first).toMatchObject({ result: { serverInfo: { name: 'wire' } } });
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  expect(await ask('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'ask' }] } });
  const heard = await listen();
  fixture.before = () => false;
  const streams = fixture.streams.length;
  expect(await ask('tools/call', { name: 'add' })).toMatchObject({ result: { content: [{ text: '5' }] } });
  await expect.poll(() => heard).toEqual([changed('tools'), changed('prompts')]);
  // Its stream may not have reached the server yet.
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toContain('notifications/message');
});

it('reports it on the app’s next stream if none was open', async () => {
  const { fixture, begin } = await startHttpSession();
  fixture.before = (request) => page(request, 503);
  const { ask, listen } = await begin();
  await ask('prompts/list');
  fixture.before = ({ method, response }) => {
    // A server without notifications of its own.
    if (method === 'GET') response.writeHead(405).end();
    return method === 'GET';
  };
  await ask('tools/call', { name: 'add' });
  const heard = await listen();
  await expect.poll(() => heard).toEqual([changed('prompts')]);
});

it.each(['with sessions', 'without'])(
  'tells an app when its server is back that has no stream of its own: a server %s',
  async (kind) => {
    const { fixture, begin } = await startHttpSession({ looksOften: true });
    fixture.hasSessions = kind === 'with sessions';
    const hasNoStream = ({ method, response }: RawRequest): boolean => {
      if (method === 'GET') response.writeHead(405).end();
      return method === 'GET';
    };
    fixture.before = hasNoStream;
    const { ask, listen } = await begin();
    const heard = await listen();
    await ask('tools/list');
    fixture.before = (request) => page(request, 502);
    expect(await ask('tools/call', { name: 'add' })).toMatchObject({ result: { isError: true } });
    expect(heard).toEqual([]);
    fixture.before = hasNoStream;
    await expect.poll(() => heard).toEqual([changed('tools')]);
  },
);

it('reports what changed after a slow response, and nothing that did not change', async () => {
  const { fixture, begin } = await startHttpSession();
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    const isSlow = request.message.method?.endsWith('/list') === true;
    if (isSlow) held.push(request);
    return isSlow;
  };
  const { ask, listen } = await begin();
  const heard = await listen();
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  expect(await ask('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'ask' }] } });
  const [tools, prompts] = held;
  if (tools) sendJson(tools, { result: fixture.lists['tools/list'] });
  if (prompts) sendJson(prompts, { result: { prompts: [{ name: 'ask' }, { name: 'another' }] } });
  await expect.poll(() => heard).toEqual([changed('prompts')]);
  fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toEqual([changed('prompts'), 'notifications/message']);
});

it('reports to each of two apps what changed after a slow response', async () => {
  const { fixture, begin } = await startHttpSession();
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    const isSlow = request.message.method === 'tools/list';
    if (isSlow) held.push(request);
    return isSlow;
  };
  const both = [await begin(), await begin()];
  const heard = await Promise.all(both.map(({ listen }) => listen()));
  const lists = await Promise.all(both.map(({ ask }) => ask('tools/list')));
  for (const list of lists) expect(list).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const now = { result: { tools: [{ name: 'add' }, { name: 'another' }] } };
  const [first, second] = held;
  if (first) sendJson(first, now);
  await expect.poll(() => heard.flat()).toEqual([changed('tools')]);
  if (second) sendJson(second, now);
  await expect.poll(() => heard).toEqual([[changed('tools')], [changed('tools')]]);
});

it('sends an app’s follow-up to a slow handshake before anything else', async () => {
  const { fixture, server, begin } = await startHttpSession();
  const before = server.came.length;
  const streams = fixture.streams.length;
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    if (request.message.method !== 'initialize') return false;
    held.push(request);
    return true;
  };
  const { ask, listen } = await begin();
  const heard = await listen();
  const call = ask('tools/call', { name: 'add' });
  held[0]?.response.setHeader('mcp-session-id', 'late');
  if (held[0]) sendJson(held[0], { result: handshakeResult });
  expect(await call).toMatchObject({ result: { content: [{ text: '5' }] } });
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toEqual(['notifications/message']);
  const came = server.came.slice(before).map(({ method, message }) => message.method ?? method);
  expect(came.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  expect(came.slice(2).toSorted()).toEqual(['GET', 'tools/call']);
});

it('passes on notifications that precede a list response, on the stream of that response', async () => {
  const { fixture, begin } = await startHttpSession();
  const { ask, listen, beside } = await begin();
  const heard = await listen();
  fixture.before = ({ message, response }) => {
    if (message.method !== 'tools/list') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ method: 'notifications/message', params: {} }));
    response.end(event({ id: message.id, result: { tools: [] } }));
    return true;
  };
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [] } });
  expect(beside).toEqual(['notifications/message']);
  expect(heard).toEqual([]);
});

it('does not repeat to a later stream what was sent with a list response', async () => {
  const { fixture, begin } = await startHttpSession();
  const { ask, listen, beside } = await begin();
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
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [] } });
  expect(beside).toEqual([
    'notifications/progress',
    'roots/list',
    'notifications/cancelled',
    changed('prompts'),
    'notifications/message',
  ]);
  const heard = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: changed('tools') }));
  await expect.poll(() => heard).toEqual([changed('tools')]);
});

it('keeps notifying an app on one stream when another of its streams ends', async () => {
  const { fixture, begin } = await startHttpSession();
  const { listen } = await begin();
  const streams = fixture.streams.length;
  const heard = await listen();
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
      return heard;
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
  const { fixture, begin } = await startHttpSession();
  const { listen } = await begin();
  forgetSessions(fixture, status);
  const streams = fixture.streams.length;
  const heard = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  fixture.streams.at(-1)?.write(event({ method: changed('tools') }));
  await expect.poll(() => heard).toContain(changed('tools'));
});

it('listens only to Postern when a server with the session has no stream', async () => {
  const { fixture, server, begin } = await startHttpSession();
  const { listen, ask } = await begin();
  fixture.before = (request) => request.method === 'GET' && page(request, 404);
  const handshakes = () => server.methods().filter((method) => method === 'initialize').length;
  const before = handshakes();
  await listen();
  expect(await ask('tools/call', { name: 'add' })).toMatchObject({ result: { content: [{ text: '5' }] } });
  expect(handshakes()).toBe(before);
});

it('reloads an app’s list whose server forgot the session between two pages', async () => {
  const { fixture, server, begin } = await startHttpSession();
  fixture.lists['prompts/list'] = { prompts: [{ name: 'ask' }], nextCursor: 'two' };
  const { ask, listen } = await begin();
  const heard = await listen();
  expect(await ask('prompts/list')).toMatchObject({ result: { nextCursor: 'two' } });
  forgetSessions(fixture, 404);
  const last = await ask('prompts/list', { cursor: 'two' });
  expect(last).toMatchObject({ result: { prompts: [], _meta: { 'dev.postern/left-out': { rest: true } } } });
  await expect.poll(() => heard).toContain(changed('prompts'));
  // Its cursor is only ever sent in its own session.
  expect(server.came.filter(({ text }) => text.includes('"two"'))).toHaveLength(1);
  expect(await ask('prompts/list')).toMatchObject({ result: { nextCursor: 'two' } });
});

it('delivers each message of an event with several, and drops what is not a message', async () => {
  const { fixture, begin } = await startHttpSession();
  const { listen } = await begin();
  const streams = fixture.streams.length;
  const heard = await listen();
  await expect.poll(() => fixture.streams.length).toBe(streams + 1);
  const of = (list: string): string => JSON.stringify({ jsonrpc: '2.0', method: changed(list) });
  fixture.streams.at(-1)?.write(`data: ${of('tools')}\ndata: ${of('prompts')}\n\n`);
  fixture.streams.at(-1)?.write(`data: ${of('resources')}\ndata: [DONE]\n\n`);
  await expect.poll(() => heard).toEqual([changed('tools'), changed('prompts'), changed('resources')]);
});
