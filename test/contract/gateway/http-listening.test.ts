import { request as httpRequest } from 'node:http';
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { openHttpDoor, someSecret } from '../../support/http-door.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { event, inputSchema, sendJson, startWireServer, textResult } from '../../support/wire-server.ts';
import type { WireRequest } from '../../support/wire-server.ts';

const { secretHash, authorization } = someSecret();
const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } };
const result = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {} },
  serverInfo: { name: 'wire', version: '1' },
};

interface Wire {
  lists: Record<string, object>;
  /** Answers first; `true`: it has. */
  before: (request: WireRequest) => boolean;
  /** Streams that are listened on. */
  readonly streams: ServerResponse[];
}

/** A server with sessions, lists of two kinds and a stream, which a program has used once over HTTP. */
async function start() {
  const wire: Wire = {
    lists: { 'tools/list': { tools: [{ name: 'add', inputSchema }] }, 'prompts/list': { prompts: [{ name: 'ask' }] } },
    before: () => false,
    streams: [],
  };
  const server = await startWireServer('legacy', [], (request) => {
    const { method, message, response } = request;
    if (wire.before(request)) return true;
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      wire.streams.push(response);
      return true;
    }
    if (method === 'DELETE') return false;
    if (message.method === 'initialize') {
      response.setHeader('mcp-session-id', `session-${server.came.length}`);
      sendJson(request, { result });
      return true;
    }
    const list = wire.lists[message.method ?? ''];
    if (list) sendJson(request, { result: list });
    else if (message.method === 'tools/call') sendJson(request, textResult('5'));
    return list !== undefined || message.method === 'tools/call';
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  await served.allow(integration, { secretHash });
  const { port, ask: askAt } = await openHttpDoor(served);
  const path = `/mcp/${(await engine.ports.store.read(integration.id))?.alias}`;
  const begin = async () => {
    const first = await askAt(fields, { path, body: JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize }) });
    const session = { ...fields, 'mcp-session-id': String(first.headers['mcp-session-id']) };
    let id = 0;
    const send = async (message: object): Promise<unknown> => {
      const { text } = await askAt(session, { path, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
      return text === '' ? undefined : JSON.parse(text);
    };
    const ask = (method: string, params?: object) => send({ id: (id += 1), method, params });
    await send({ method: 'notifications/initialized' });
    const listen = () => listenAt(port, path, session);
    return { first: JSON.parse(first.text) as unknown, ask, listen };
  };
  const before = await begin();
  await before.listen();
  for (const list of Object.keys(wire.lists)) await before.ask(list);
  return { wire, server, begin };
}

/** What is heard on a stream, by method. */
async function listenAt(port: number, path: string, session: Record<string, string>) {
  const heard: (string | undefined)[] = [];
  await new Promise<void>((resolve, reject) => {
    const headers = { ...session, accept: 'text/event-stream' };
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'GET', headers }, (response) => {
      let text = '';
      expect(response.statusCode).toBe(200);
      resolve();
      response.setEncoding('utf8').on('data', (part: string) => {
        const events = (text + part).split('\n\n');
        text = events.pop() ?? '';
        for (const each of events) {
          if (each.startsWith('data: ')) heard.push((JSON.parse(each.slice(6)) as { method?: string }).method);
        }
      });
      response.on('error', () => {});
    });
    request.once('error', reject);
    onTestFinished(() => void request.destroy());
    request.end();
  });
  return heard;
}

const page = ({ response }: WireRequest, status: number): true => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>');
  return true;
};
const changed = (list: string) => `notifications/${list}/list_changed`;

it('tells a program on its stream of every list that it was given without the server, and then what that says', async () => {
  const { wire, begin } = await start();
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
  const { wire, begin } = await start();
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

it('tells a program what has changed behind a slow answer, and of what has not changed nothing', async () => {
  const { wire, begin } = await start();
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

it('ends a slow handshake with what the program said of it before anything else goes out', async () => {
  const { wire, server, begin } = await start();
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
  if (held[0]) sendJson(held[0], { result });
  expect(await call).toMatchObject({ result: { content: [{ text: '5' }] } });
  await expect.poll(() => wire.streams.length).toBe(streams + 1);
  wire.streams.at(-1)?.write(event({ method: 'notifications/message', params: {} }));
  await expect.poll(() => heard).toEqual(['notifications/message']);
  const came = server.came.slice(before).map(({ method, message }) => message.method ?? method);
  expect(came.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  expect(came.slice(2).toSorted()).toEqual(['GET', 'tools/call']);
});

it('passes on what a server says before it answers a list', async () => {
  const { wire, begin } = await start();
  const { ask, listen } = await begin();
  const heard = await listen();
  wire.before = ({ message, response }) => {
    if (message.method !== 'tools/list') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ method: 'notifications/message', params: {} }));
    response.end(event({ id: message.id, result: { tools: [] } }));
    return true;
  };
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [] } });
  await expect.poll(() => heard).toEqual(['notifications/message']);
});
