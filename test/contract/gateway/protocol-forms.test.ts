import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolRule } from '../../../shared/tool-permissions.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { startStatelessServer, uri, where } from '../../support/stateless-server.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

/** Apps that begin with `initialize`, and servers that only speak stateless MCP. */

const { authorization, secretHash } = someSecret();
async function serve(url: string, options: Parameters<typeof serveGateway>[1] = {}) {
  const engine = createTestEngine();
  const { integration } = await engine.connect(url, { local: true });
  const served = await serveGateway(engine, options);
  const app = await served.allow(integration, { secretHash });
  const { port, send } = await openHttpEndpoint(served);
  const alias = (await engine.ports.store.read(integration.id))?.alias ?? '';
  const address = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return {
    engine,
    integration,
    served,
    line: () => socketTransport(served.socket, { server: alias, app }),
    http: () => new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } }),
    post: (body: string, more: Record<string, string> = {}) =>
      send({ ...fields, ...more }, { path: address.pathname, body }),
    hello: { server: alias, app },
  };
}

function socketTransport(path: string, open: object): Transport {
  const socket = createConnection(path);
  onTestFinished(() => void socket.destroy());
  const transport: Transport = {
    start: async () => {
      socket.write(`${JSON.stringify({ postern: 1, open })}\n`);
      // Separately: the client processes a response before notifications that came with it.
      createInterface({ input: socket }).on('line', (text) =>
        setImmediate(() => transport.onmessage?.(JSON.parse(text))),
      );
      socket.once('close', () => transport.onclose?.());
    },
    send: async (message) => void socket.write(`${JSON.stringify(message)}\n`),
    close: async () => void socket.destroy(),
  };
  return transport;
}

async function openClient(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'older', version: '1' }, { capabilities: { elicitation: {} } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

const say = async (client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> =>
  JSON.stringify((await client.callTool({ name, arguments: input })).content);

it.each(['line', 'http'] as const)('lets the official client of 2025-11-25 use such a server, by %s', async (way) => {
  const newer = await startStatelessServer();
  const { [way]: open } = await serve(newer.url);
  const client = await openClient(open());
  expect(client.getServerVersion()).toMatchObject({ name: 'newer', version: '2' });
  expect(client.getInstructions()).toBe('Ask.');
  await client.ping();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'weather', 'slowly']);
  expect(await say(client, 'echo', { n: 7 })).toContain('"7"');
  await client.setLoggingLevel('warning');
  await say(client, 'echo', { n: 8 });
  expect(newer.levels).toEqual([undefined, 'warning']);
  expect(await client.readResource({ uri })).toEqual({ contents: [{ uri, text: 'sunny' }] });
});

it.each(['line', 'http'] as const)('asks the app for the input that the server requires first, by %s', async (way) => {
  const newer = await startStatelessServer();
  const { [way]: open } = await serve(newer.url);
  const client = await openClient(open());
  const requests: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    requests.push(params);
    return { action: 'accept', content: { city: 'Jena' } };
  });
  expect(await say(client, 'weather')).toContain(
    String.raw`{\"action\":\"accept\",\"content\":{\"city\":\"Jena\"}},\"asked`,
  );
  expect(requests).toMatchObject([{ message: 'Where?', requestedSchema: where }]);
});

it.each(['line', 'http'] as const)('PM-19 asks the user once for a call in several rounds, by %s', async (way) => {
  const newer = await startStatelessServer();
  const questions: string[] = [];
  const askForCall = async ({ tool }: { readonly tool: string }): Promise<'once'> => {
    questions.push(tool);
    return 'once';
  };
  const { [way]: open, engine, integration, served } = await serve(newer.url, { askForCall });
  const permit = async (rule: ToolRule): Promise<void> => {
    const permissions = { rules: [{ tool: 'weather', rule }] };
    await engine.ports.store.update(integration.id, (entry) => ({ ...entry, permissions }));
    await served.gateway.reloadSettings();
  };
  await permit('ask');
  const client = await openClient(open());
  const answer = { action: 'accept', content: { city: 'Jena' } } as const;
  client.setRequestHandler(ElicitRequestSchema, () => answer);
  expect(await say(client, 'weather')).toContain('Jena');
  expect(questions).toEqual(['weather']);
  expect(await say(client, 'weather')).toContain('Jena');
  expect(questions).toEqual(['weather', 'weather']);
  // A tool denied in the meantime does not continue.
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await permit('deny');
    return answer;
  });
  const before = newer.calls.length;
  expect(JSON.stringify(await client.callTool({ name: 'weather', arguments: {} }))).toContain('TOOL_DENIED');
  expect(newer.calls.length).toBe(before + 1);
});

it('reports that the app cannot provide the input', async () => {
  const newer = await startStatelessServer();
  const { line } = await serve(newer.url);
  const client = await openClient(line());
  client.setRequestHandler(ElicitRequestSchema, () => {
    throw new Error('Nobody is here.');
  });
  expect(await client.callTool({ name: 'weather', arguments: {} })).toMatchObject({ isError: true });
});

it.each(['line', 'http'] as const)('passes progress and change notifications to the app, by %s', async (way) => {
  const newer = await startStatelessServer();
  const { [way]: open } = await serve(newer.url);
  const client = await openClient(open());
  const progress: unknown[] = [];
  await client.callTool({ name: 'slowly', arguments: {} }, undefined, {
    onprogress: (step) => void progress.push(step),
  });
  expect(progress).toMatchObject([{ progress: 1, total: 2 }]);
  const events: string[] = [];
  for (const schema of [ToolListChangedNotificationSchema, ResourceUpdatedNotificationSchema])
    client.setNotificationHandler(schema, ({ method }) => void events.push(method));
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => {});
  await client.subscribeResource({ uri });
  newer.changeNote();
  await expect.poll(() => events).toContain('notifications/resources/updated');
  newer.addTool();
  await expect.poll(() => events).toContain('notifications/tools/list_changed');
  expect((await client.listTools()).tools).toHaveLength(4);
  await client.unsubscribeResource({ uri });
});

it('detects the protocol by a rejected handshake, and keeps every digit', async () => {
  const server = await startRawServer('stateless', [], (request) => {
    const { method } = request.message;
    if (method === 'initialize') {
      sendJson(request, { error: { code: -32_022, message: 'Unsupported protocol version' } });
      return true;
    }
    if (method !== 'tools/call') return false;
    sendJson(request, textResult('done'));
    return true;
  });
  const { engine, integration, served, post, hello } = await serve(server.url);
  const forget = () => engine.ports.store.update(integration.id, ({ protocol: _known, ...stored }) => stored);
  await forget();
  await served.gateway.reloadSettings();
  const app = openApp(served.socket, hello);
  expect(await shakeHands(app)).toMatchObject({ result: { protocolVersion: '2025-11-25', serverInfo: {} } });
  app.write(
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"add","arguments":{"n":12345678901234567891}}}',
  );
  expect(await app.line((_message, text) => text.includes('"id":12345678901234567890'))).toContain('done');
  const called = server.received.find(({ message }) => message.method === 'tools/call');
  expect(called?.text).toContain('12345678901234567891');
  expect(called?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'add' });
  await forget();
  await served.gateway.reloadSettings();
  const begun = await post('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}');
  expect(begun.text).toContain('"protocolVersion":"2025-06-18"');
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  expect(
    (await post('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}}', session)).text,
  ).toContain('done');
});

it('passes the handshake on when the server supports it too', async () => {
  const server = await startRawServer('stateless', [], (request) => {
    const { method } = request.message;
    const capabilities = { tools: {} };
    if (method === 'initialize')
      sendJson(request, {
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'both', version: '1' } },
      });
    else if (method === 'server/discover')
      sendJson(request, { result: { supportedVersions: ['2026-07-28', '2025-11-25'], capabilities } });
    return method === 'initialize' || method === 'server/discover';
  });
  const { http, line } = await serve(server.url);
  expect((await openClient(line())).getServerVersion()).toMatchObject({ name: 'both' });
  expect((await openClient(http())).getServerVersion()).toMatchObject({ name: 'both' });
  expect(server.methods()).toContain('initialize');
});

it('responds to unreadable messages, and continues', async () => {
  const newer = await startStatelessServer();
  const { served, hello } = await serve(newer.url);
  const app = openApp(served.socket, hello);
  await shakeHands(app);
  app.write('{"jsonrpc":"2.0","id":1,');
  await app.line(({ error }) => JSON.stringify(error)?.includes('-32700'));
  app.write(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"text":"${'x'.repeat(17 * 1_024 * 1_024)}"}}`);
  await app.line(({ error }) => JSON.stringify(error)?.includes('BODY_TOO_LARGE'));
  expect(await app.request(3, 'tools/list')).toHaveProperty('result.tools');
});

it('answers the first of two requests with one ID, and rejects the other, by pipe and HTTP', async () => {
  const held: RawRequest[] = [];
  const server = await startRawServer('stateless', [], (request) => {
    if (request.message.method === 'initialize')
      sendJson(request, { error: { code: -32_022, message: 'Unsupported protocol version' } });
    if (request.message.method === 'tools/call') held.push(request);
    return request.message.method === 'initialize' || request.message.method === 'tools/call';
  });
  const { served, hello, post } = await serve(server.url);
  const app = openApp(served.socket, hello);
  await shakeHands(app);
  const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}';
  app.write(call);
  await expect.poll(() => held.length).toBe(1);
  app.write(call);
  await app.line(({ error }) => error !== undefined);
  const begun = await post('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}');
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  const first = post(call, session);
  await expect.poll(() => held.length).toBe(2);
  expect((await post(call, session)).text).toContain('error');
  for (const request of held) sendJson(request, textResult('done'));
  expect((await first).text).toContain('done');
  expect(await app.line((_message, text) => text.includes('done'))).toContain('"id":7');
  expect(held).toHaveLength(2);
});

it('stops using a server that never stops sending requests (GW-70)', async () => {
  const server = await startRawServer('stateless', [], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, { result: { resultType: 'input_required', requestState: 'again' } });
    return true;
  });
  const { line } = await serve(server.url);
  expect(await (await openClient(line())).callTool({ name: 'add', arguments: {} })).toMatchObject({ isError: true });
  expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(9);
});

it('asks an app for nothing outside its declared capabilities (GW-70)', async () => {
  const question = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
  const server = await startRawServer('stateless', [], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, { result: { resultType: 'input_required', inputRequests: { a: question } } });
    return true;
  });
  const { served, hello } = await serve(server.url);
  const app = openApp(served.socket, hello);
  await shakeHands(app);
  expect(await app.request(1, 'tools/call', { name: 'add' })).toHaveProperty('result.isError', true);
  expect(app.lines.some((line) => line.includes('sampling'))).toBe(false);
});

it('drops a request that the app cancelled, even while it is being asked', async () => {
  const newer = await startStatelessServer();
  const { line } = await serve(newer.url);
  const client = await openClient(line());
  const { promise: wasAsked, resolve: questions } = Promise.withResolvers<void>();
  const { promise: wasCancelled, resolve: cancelled } = Promise.withResolvers<void>();
  client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => {
    questions();
    signal.addEventListener('abort', () => cancelled());
    return new Promise(() => {});
  });
  const stop = new AbortController();
  const call = client.callTool({ name: 'weather', arguments: {} }, undefined, { signal: stop.signal });
  call.catch(() => {});
  await wasAsked;
  stop.abort();
  await wasCancelled;
  expect(await say(client, 'echo', { n: 1 })).toContain('"1"');
  expect(newer.calls).toEqual(['weather', 'echo']);
});
