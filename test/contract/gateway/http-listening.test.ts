import { expect, it } from 'vitest';
import { handshakeResult, startHttpWire } from '../../support/http-wire.ts';
import { event, sendJson } from '../../support/wire-server.ts';
import type { WireRequest } from '../../support/wire-server.ts';

const page = ({ response }: WireRequest, status: number): true => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>');
  return true;
};
const changed = (list: string) => `notifications/${list}/list_changed`;

it('tells a program on its stream of every list that it was given without the server, and then what that says', async () => {
  const { wire, begin } = await startHttpWire();
  wire.before = (request) => page(request, 502);
  const { ask, listen, first } = await begin();
  expect(first).toMatchObject({ result: { serverInfo: { name: 'wire' } } });
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  expect(await ask('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'ask' }] } });
  const heard = await listen();
  wire.before = () => false;
  const streams = wire.streams.length;
  expect(await ask('tools/call', { name: 'add' })).toMatchObject({ result: { content: [{ text: '5' }] } });
  await expect.poll(() => heard).toEqual([changed('tools'), changed('prompts')]);
  // Its stream may not have come to the server yet.
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  wire.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toContain('notifications/message');
});

it('tells a program that did not listen then on its next stream', async () => {
  const { wire, begin } = await startHttpWire();
  wire.before = (request) => page(request, 503);
  const { ask, listen } = await begin();
  await ask('prompts/list');
  wire.before = ({ method, response }) => {
    // A server that says nothing by itself.
    if (method === 'GET') response.writeHead(405).end();
    return method === 'GET';
  };
  await ask('tools/call', { name: 'add' });
  const heard = await listen();
  await expect.poll(() => heard).toEqual([changed('prompts')]);
});

it.each(['with sessions', 'without'])(
  'tells a program once its server is there again that has no stream of its own: a server %s',
  async (kind) => {
    const { wire, begin } = await startHttpWire({ looksOften: true });
    wire.hasSessions = kind === 'with sessions';
    const hasNoStream = ({ method, response }: WireRequest): boolean => {
      if (method === 'GET') response.writeHead(405).end();
      return method === 'GET';
    };
    wire.before = hasNoStream;
    const { ask, listen } = await begin();
    const heard = await listen();
    await ask('tools/list');
    wire.before = (request) => page(request, 502);
    expect(await ask('tools/call', { name: 'add' })).toMatchObject({ result: { isError: true } });
    expect(heard).toEqual([]);
    wire.before = hasNoStream;
    await expect.poll(() => heard).toEqual([changed('tools')]);
  },
);

it('tells a program what has changed behind a slow answer, and of what has not changed nothing', async () => {
  const { wire, begin } = await startHttpWire();
  const held: WireRequest[] = [];
  wire.before = (request) => {
    const isSlow = request.message.method?.endsWith('/list') === true;
    if (isSlow) held.push(request);
    return isSlow;
  };
  const { ask, listen } = await begin();
  const heard = await listen();
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  expect(await ask('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'ask' }] } });
  const [tools, prompts] = held;
  if (tools) sendJson(tools, { result: wire.lists['tools/list'] });
  if (prompts) sendJson(prompts, { result: { prompts: [{ name: 'ask' }, { name: 'another' }] } });
  await expect.poll(() => heard).toEqual([changed('prompts')]);
  wire.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toEqual([changed('prompts'), 'notifications/message']);
});

it('tells each of two programs what has changed behind a slow answer', async () => {
  const { wire, begin } = await startHttpWire();
  const held: WireRequest[] = [];
  wire.before = (request) => {
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

it('ends a slow handshake with what the program said of it before anything else goes out', async () => {
  const { wire, server, begin } = await startHttpWire();
  const before = server.came.length;
  const streams = wire.streams.length;
  const held: WireRequest[] = [];
  wire.before = (request) => {
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
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  wire.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toEqual(['notifications/message']);
  const came = server.came.slice(before).map(({ method, message }) => message.method ?? method);
  expect(came.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  expect(came.slice(2).toSorted()).toEqual(['GET', 'tools/call']);
});

it('passes on what a server says before it answers a list, on the stream of that answer', async () => {
  const { wire, begin } = await startHttpWire();
  const { ask, listen, beside } = await begin();
  const heard = await listen();
  wire.before = ({ message, response }) => {
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

it('tells a program that listens later nothing that went with the answer to a list', async () => {
  const { wire, begin } = await startHttpWire();
  const { ask, listen, beside } = await begin();
  const streams = wire.streams.length;
  wire.before = ({ message, response }) => {
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
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  wire.streams.at(-1)?.write(event({ method: changed('tools') }));
  await expect.poll(() => heard).toEqual([changed('tools')]);
});

it('goes on telling a program on one stream when another of its streams ends', async () => {
  const { wire, begin } = await startHttpWire();
  const { listen } = await begin();
  const streams = wire.streams.length;
  const heard = await listen();
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  const hangUp = new AbortController();
  const other = await listen(hangUp.signal);
  const say = () => wire.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
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

/** A server that has forgotten a session answers all that names it so. */
function forgetSessions(wire: Awaited<ReturnType<typeof startHttpWire>>['wire'], status: number): void {
  const lost = new Set<unknown>();
  let isNoting = true;
  wire.before = ({ headers, message, response }) => {
    const id = headers['mcp-session-id'];
    if (message.method === 'initialize') isNoting = false;
    if (id === undefined || !(isNoting || lost.has(id))) return false;
    lost.add(id);
    response.writeHead(status).end('Session not found');
    return true;
  };
}

it.each([400, 404, 410])('goes on listening where the server has forgotten the session (%i)', async (status) => {
  const { wire, begin } = await startHttpWire();
  const { listen } = await begin();
  forgetSessions(wire, status);
  const streams = wire.streams.length;
  const heard = await listen();
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  wire.streams.at(-1)?.write(event({ method: changed('tools') }));
  await expect.poll(() => heard).toContain(changed('tools'));
});

it('listens to Postern alone where a server that knows the session has no stream', async () => {
  const { wire, server, begin } = await startHttpWire();
  const { listen, ask } = await begin();
  wire.before = (request) => request.method === 'GET' && page(request, 404);
  const handshakes = () => server.methods().filter((method) => method === 'initialize').length;
  const before = handshakes();
  await listen();
  expect(await ask('tools/call', { name: 'add' })).toMatchObject({ result: { content: [{ text: '5' }] } });
  expect(handshakes()).toBe(before);
});

it('has an app list again whose server forgot the session between two pages', async () => {
  const { wire, server, begin } = await startHttpWire();
  wire.lists['prompts/list'] = { prompts: [{ name: 'ask' }], nextCursor: 'two' };
  const { ask, listen } = await begin();
  const heard = await listen();
  expect(await ask('prompts/list')).toMatchObject({ result: { nextCursor: 'two' } });
  forgetSessions(wire, 404);
  const last = await ask('prompts/list', { cursor: 'two' });
  expect(last).toMatchObject({ result: { prompts: [], _meta: { 'dev.postern/left-out': { rest: true } } } });
  await expect.poll(() => heard).toContain(changed('prompts'));
  // Its cursor is never sent in another session than its own.
  expect(server.came.filter(({ text }) => text.includes('"two"'))).toHaveLength(1);
  expect(await ask('prompts/list')).toMatchObject({ result: { nextCursor: 'two' } });
});

it('gives a program each message of an event that has several, and nothing of what is none', async () => {
  const { wire, begin } = await startHttpWire();
  const { listen } = await begin();
  const streams = wire.streams.length;
  const heard = await listen();
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  const of = (list: string): string => JSON.stringify({ jsonrpc: '2.0', method: changed(list) });
  wire.streams.at(-1)?.write(`data: ${of('tools')}\ndata: ${of('prompts')}\n\n`);
  wire.streams.at(-1)?.write(`data: ${of('resources')}\ndata: [DONE]\n\n`);
  await expect.poll(() => heard).toEqual([changed('tools'), changed('prompts'), changed('resources')]);
});
