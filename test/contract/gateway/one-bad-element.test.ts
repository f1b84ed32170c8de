import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OlderTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toPlainError } from '../../../main/errors/postern-error.ts';
import { describeError } from '../../../shared/error-codes.ts';
import type { ServerProtocol } from '../../../shared/integration.ts';
import { serveCollection } from '../../support/collection-world.ts';
import { messagesOf, openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { connectCommand, nodeCommand, scriptWords } from '../../support/local-server.ts';
import { pipeKinds } from '../../support/pipe-process.ts';
import { failureOf } from '../../support/prove-connection.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import {
  answerForms,
  common,
  cursorOf,
  pageFailures,
  sendInForm,
  sendJson,
  startRawServer,
} from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

/** Strict apps, which accept only what MCP defines, get the good elements of every list and result, unchanged. */

const { authorization, secretHash } = someSecret();
const schema = { type: 'object' };
const good = { name: 'good', inputSchema: schema };
const text = (words: string) => ({ type: 'text', text: words });

interface World {
  readonly protocol?: ServerProtocol;
  readonly results?: Readonly<Record<string, object>>;
  readonly answer?: (request: RawRequest) => boolean;
}

async function startServer({ protocol = 'session', results = {}, answer }: World) {
  const cached = protocol === 'stateless' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  return await startRawServer(
    protocol,
    [],
    (request) => {
      if (answer?.(request)) return true;
      const { method = '' } = request.message;
      const given = results[method];
      if (given === undefined) return false;
      sendJson(request, { result: { ...cached, ...given } });
      return true;
    },
    { resources: {}, prompts: {}, completions: {} },
  );
}

async function start(world: World) {
  const server = await startServer(world);
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const log: { name: string }[] = [];
  const write = (name: string, fields?: object): void => void log.push({ name, ...fields });
  const served = await serveGateway({ ...engine, ports: { ...engine.ports, log: { write } } });
  const app = await served.allow(integration, { secretHash });
  const { port, send } = await openHttpEndpoint(served);
  const alias = (await engine.ports.store.read(integration.id))?.alias ?? '';
  const address = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  return {
    log,
    served,
    server,
    hello: { server: alias, app },
    pipes: pipeKinds.map(({ name, missing, command: [command = '', ...words] }) => ({
      name,
      missing,
      command,
      args: [...words, '--profile-folder', engine.folder, alias, '--app', app],
      stderr: 'ignore' as const,
    })),
    address,
    headers: { authorization },
    ask: (body: string) =>
      send(
        { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        { path: address.pathname, body },
      ),
  };
}

/** What the clients need from a test world. */
type Started = Pick<Awaited<ReturnType<typeof start>>, 'served' | 'hello' | 'address' | 'headers' | 'pipes'>;

function socketTransport({ served, hello }: Started): Transport & OlderTransport {
  const socket = createConnection(served.socket);
  onTestFinished(() => void socket.destroy());
  const transport: Transport & OlderTransport = {
    start: async () => {
      socket.write(`${JSON.stringify({ postern: 1, open: hello })}\n`);
      createInterface({ input: socket }).on('line', (line) =>
        setImmediate(() => transport.onmessage?.(JSON.parse(line))),
      );
      socket.once('close', () => transport.onclose?.());
    },
    send: async (message) => void socket.write(`${JSON.stringify(message)}\n`),
    close: async () => void socket.destroy(),
  };
  return transport;
}

const info = { name: 'strict', version: '1' };
/** The official clients of both revisions, by pipe socket and by HTTP. */
const clients = {
  async 'the older client by a pipe'(world: Started) {
    const client = new OlderClient(info);
    await client.connect(socketTransport(world));
    return client;
  },
  async 'the older client by HTTP'(world: Started) {
    const client = new OlderClient(info);
    await client.connect(new OlderHttpTransport(world.address, { requestInit: { headers: world.headers } }));
    return client;
  },
  async 'the newer client by a pipe'(world: Started) {
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(socketTransport(world));
    return client;
  },
  async 'the newer client by HTTP'(world: Started) {
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(world.address, { requestInit: { headers: world.headers } }));
    return client;
  },
};

/** The same through each process that apps start. */
const byPipes = pipeKinds.flatMap(({ name, missing }) => {
  const startOf = ({ pipes }: Started) => pipes.find((pipe) => pipe.name === name) ?? { command: '' };
  const older = async (world: Started) => {
    const client = new OlderClient(info);
    await client.connect(new OlderStdioTransport(startOf(world)));
    return client;
  };
  const newer = async (world: Started) => {
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport(startOf(world)));
    return client;
  };
  if (missing !== undefined) return [];
  return [
    [`the older client by the ${name} pipe`, older] as const,
    [`the newer client by the ${name} pipe`, newer] as const,
  ];
});

const everyClient = [...Object.entries(clients), ...byPipes] as const;

const oddHandshake = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: null }, prompts: null },
    serverInfo: { name: null, version: null, icons: null },
    instructions: null,
  },
};

/** A list and a text in place of results, with members that no response has. */
function answerOddly({ message, response }: RawRequest): boolean {
  const result = new Map<unknown, unknown>([
    ['tools/list', [good, null]],
    ['tools/call', 'words alone'],
  ]).get(message.method);
  if (result === undefined) return false;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result, error: null, took: 5 }));
  return true;
}

const bad: Readonly<Record<string, object>> = {
  'tools/list': {
    tools: [
      { ...good, title: null, description: null, annotations: null, _meta: null, icons: null, outputSchema: null },
      null,
      5,
      { name: 'numbered', description: 5, inputSchema: schema },
      { name: 'without' },
      { name: 'nulls', inputSchema: { type: 'object', properties: null, required: null } },
      { ...good, name: 'last', annotations: { readOnlyHint: null, title: null } },
      { name: 'any', inputSchema: { type: 'object', properties: { a: true, b: {}, c: null, d: 5 } } },
      { ...good, name: 'text', outputSchema: { type: 'string' } },
      { ...good, name: 'required', outputSchema: { type: 'object', required: 'a' } },
      { ...good, name: 'listed', outputSchema: { type: 'object', properties: [] } },
      { ...good, name: 'odd', outputSchema: { type: 'object', properties: { a: null, b: 5, c: {} } } },
    ],
    nextCursor: null,
    _meta: null,
  },
  'resources/list': {
    resources: [{ uri: 'a://1', name: 'one', size: null, annotations: { priority: null } }, 5, { uri: 'a://2' }],
    nextCursor: null,
  },
  'resources/templates/list': { resourceTemplates: [null, { uriTemplate: 'a://{x}', name: 't', mimeType: null }] },
  'prompts/list': {
    prompts: [
      { name: 'plan', title: null, arguments: [{ name: 'city', required: null }, null, { name: 5 }] },
      { description: 'no name' },
    ],
    nextCursor: null,
  },
  'tools/call': {
    content: [
      { ...text('first'), annotations: null, _meta: null },
      { type: 'json', json: { rows: [1, 2] } },
      null,
      { type: 'image', mimeType: 'image/png' },
      text('last'),
    ],
    structuredContent: null,
    isError: null,
    task: null,
  },
  'resources/read': { contents: [{ uri: 'a://1', text: 'read', mimeType: null, _meta: null }, { uri: 'a://2' }, null] },
  'prompts/get': { description: null, messages: [{ role: 'user', content: { type: 'json', json: 1 } }, null] },
  'completion/complete': { completion: { values: ['Rome', null, 5, 'Paris'], total: null, hasMore: null } },
};

/** Tools of `bad` that every app can use. */
const usable = ['good', 'nulls', 'last', 'any', 'text', 'required', 'listed', 'odd'];

describe.each(['session', 'stateless'] as const)('at a %s server', (protocol) => {
  it.each(everyClient)('%s gets the good elements', async (_name, connect) => {
    const world = await start({ protocol, results: bad });
    const client = await connect(world);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(usable);
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'a://1' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 't' }]);
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'plan', arguments: [{ name: 'city' }] }]);
    const called = await client.callTool({ name: 'good', arguments: {} });
    expect(called.content).toMatchObject([
      text('first'),
      text('{"type":"json","json":{"rows":[1,2]}}'),
      text('{"type":"image","mimeType":"image/png"}'),
      text('last'),
    ]);
    expect((await client.readResource({ uri: 'a://1' })).contents).toMatchObject([
      { uri: 'a://1', text: 'read' },
      { uri: 'a://2', text: '{"uri":"a://2"}' },
    ]);
    expect((await client.getPrompt({ name: 'p' })).messages).toMatchObject([
      { role: 'user', content: text('{"type":"json","json":1}') },
    ]);
    const ref = { type: 'ref/prompt', name: 'p' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'city', value: '' } });
    expect(completion.values).toEqual(['Rome', 'Paris']);
  });
});

it.each(everyClient)('%s gets a result with an odd handshake, envelope and shape', async (_name, connect) => {
  const world = await start({
    results: oddHandshake,
    answer: answerOddly,
  });
  const client = await connect(world);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toMatchObject([{ name: 'good' }]);
  expect((await client.callTool({ name: 'good', arguments: {} })).content).toEqual([text('words alone')]);
});

const oddErrors: readonly object[] = [
  { error: 'Plan limit' },
  { error: { message: 'Plan limit' } },
  { error: { code: 'LIMIT', message: 'Plan limit' } },
  { error: { code: 1.5, message: 'Plan limit' } },
  { error: { code: -32_000, message: { detail: 'Plan limit' } } },
  { error: { code: -32_000, message: 'Plan limit' }, result: null },
  { error: { code: -32_000, message: 'Plan limit' }, jsonrpc: undefined },
];

it.each(everyClient)('%s gets an error with a malformed shape', async (_name, connect) => {
  let odd: object = {};
  const world = await start({
    answer(request) {
      if (request.message.method !== 'tools/call') return false;
      sendJson(request, odd);
      return true;
    },
  });
  const client = await connect(world);
  onTestFinished(() => client.close());
  for (odd of oddErrors) await expect(client.callTool({ name: 'good', arguments: {} })).rejects.toThrow('Plan limit');
});

/** A collection as a server: what the clients above need from it. */
async function startCollection(worlds: readonly World[]) {
  const engine = createTestEngine();
  const members = [];
  for (const world of worlds)
    members.push((await engine.connect((await startServer(world)).url, { local: true })).integration);
  const world = await serveCollection(engine, members);
  const prefixes = await Promise.all(members.map(async ({ id }) => `${(await engine.ports.store.read(id))?.alias}_`));
  const pipes = world.pipes.map((pipe) => ({ ...pipe, missing: undefined }));
  return { ...world, prefixes, hello: { server: '+all', app: world.app }, pipes };
}

describe('a collection whose members have bad elements', () => {
  it.each(everyClient)('%s gets the good elements of all', async (_name, connect) => {
    const sound = {
      'tools/list': { tools: [good] },
      'tools/call': { content: [text('sound')] },
      'prompts/list': { prompts: [{ name: 'sound' }] },
    };
    const world = await startCollection([
      { results: bad },
      { protocol: 'stateless', results: bad },
      { results: { ...bad, ...oddHandshake }, answer: answerOddly },
      { results: sound },
    ]);
    const [older = '', newer = '', odd = '', last = ''] = world.prefixes;
    const client = await connect(world);
    onTestFinished(() => client.close());
    // A member that has not answered yet is omitted until it has.
    const tools = async () => (await client.listTools()).tools.map(({ name }) => name);
    await expect
      .poll(tools, { timeout: 20_000 })
      .toEqual([
        ...usable.map((name) => `${older}${name}`),
        ...usable.map((name) => `${newer}${name}`),
        `${odd}good`,
        `${last}good`,
      ]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([`${older}plan`, `${newer}plan`, `${last}sound`]);
    expect(prompts[0]).toMatchObject({ arguments: [{ name: 'city' }] });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ name: 'one' }, { name: 'one' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 't' }, { name: 't' }]);
    for (const prefix of [older, newer]) {
      const { content } = await client.callTool({ name: `${prefix}good`, arguments: {} });
      expect(content).toMatchObject([
        text('first'),
        text('{"type":"json","json":{"rows":[1,2]}}'),
        text('{"type":"image","mimeType":"image/png"}'),
        text('last'),
      ]);
      const { messages } = await client.getPrompt({ name: `${prefix}plan` });
      expect(messages).toMatchObject([{ role: 'user', content: text('{"type":"json","json":1}') }]);
      const ref = { type: 'ref/prompt', name: `${prefix}plan` } as const;
      const { completion } = await client.complete({ ref, argument: { name: 'city', value: '' } });
      expect(completion.values).toEqual(['Rome', 'Paris']);
    }
    for (const { uri } of resources)
      expect((await client.readResource({ uri })).contents).toMatchObject([
        { text: 'read' },
        { text: '{"uri":"a://2"}' },
      ]);
    expect((await client.callTool({ name: `${odd}good`, arguments: {} })).content).toEqual([text('words alone')]);
    expect((await client.callTool({ name: `${last}good`, arguments: {} })).content).toEqual([text('sound')]);
  });

  it.each(everyClient)('%s gets the pages before one that fails', async (_name, connect) => {
    let failing: (typeof pageFailures)[number] | undefined;
    const paging = Object.fromEntries(
      paged.map(([method, list, one]) => [method, { [list]: [one], nextCursor: 'two' }]),
    );
    const whole = Object.fromEntries(paged.map(([method, list, one]) => [method, { [list]: [one] }]));
    const fail = (request: RawRequest): boolean => {
      if (!paged.some(([method]) => method === request.message.method) || cursorOf(request) === undefined) return false;
      if (failing) failing[1](request);
      else sendJson(request, { result: { ...common, tools: [], resources: [], resourceTemplates: [], prompts: [] } });
      return true;
    };
    const world = await startCollection([
      { results: paging, answer: fail },
      { protocol: 'stateless', results: paging, answer: fail },
      { results: whole },
    ]);
    const client = await connect(world);
    onTestFinished(() => client.close());
    for (failing of pageFailures)
      for (const [method, list] of paged)
        expect([failing[0], method, await listAll(client, method, list)]).toEqual([failing[0], method, 3]);
  });
});

it('keeps the digits of a result without content, in its members and in the text that shows them', async () => {
  const own = '"of":12345678901234567890,"rows":[1.0,1e400]';
  const world = await start({
    answer({ message, response }) {
      if (message.method !== 'tools/call') return false;
      const sent = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{${own}}}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(sent);
      return true;
    },
  });
  const app = openApp(world.served.socket, world.hello);
  await shakeHands(app);
  app.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"good","arguments":{}}}');
  const reply = await app.response(7);
  expect(reply).toContain(`"result":{${own},`);
  const { content } = (JSON.parse(reply) as { result: { content: readonly unknown[] } }).result;
  expect(content).toEqual([{ type: 'text', text: `{${own}}` }]);
});

it('keeps every byte of valid elements next to a bad one', async () => {
  const tool = String.raw`{ "name":"good" ,"inputSchema":{"type":"object","properties":{"n":{"default":1.0,"maximum":12345678901234567890}}},"x-more":[1e400,"\u00e9"]}`;
  const sound = (id: unknown): string =>
    `{"id":${JSON.stringify(id)},"jsonrpc":"2.0","result":{"tools":[ ${tool} ],"more":1.50}}`;
  const mixed = (id: unknown): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"a","n":1.0},null,{"type":"rows","n":12345678901234567890}],"structuredContent":{"n":2.50,"__proto__":{"a":1}},"own":3.0}}`;
  const world = await start({
    answer({ message, response }) {
      const write = new Map([
        ['tools/list', sound],
        ['tools/call', mixed],
      ]).get(message.method ?? '');
      if (!write) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(write(message.id));
      return true;
    },
  });
  const app = openApp(world.served.socket, world.hello);
  await shakeHands(app);
  app.write('{"jsonrpc":"2.0","id":7,"method":"tools/list"}');
  expect(await app.response(7)).toBe(sound(7));
  const call = '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"good","arguments":{}}}';
  const repaired = String.raw`{"content":[{"type":"text","text":"a","n":1.0},{"type":"text","text":"{\"type\":\"rows\",\"n\":12345678901234567890}"}],"structuredContent":{"n":2.50,"__proto__":{"a":1}},"own":3.0}`;
  app.write(call);
  expect(await app.response(8)).toBe(`{"jsonrpc":"2.0","id":8,"result":${repaired}}`);
  expect((await world.ask(call)).text).toBe(`{"jsonrpc":"2.0","id":8,"result":${repaired}}`);
});

it('logs what no app can use, once', async () => {
  const world = await start({ results: bad });
  for (const _twice of [1, 2]) {
    const app = openApp(world.served.socket, world.hello);
    await shakeHands(app);
    await app.request(1, 'tools/list');
  }
  const named = world.log.filter(({ name }) => name === 'element-unusable');
  expect(named).toMatchObject([
    { type: 'tools', index: 1 },
    { type: 'tools', index: 2 },
    { type: 'tools', index: 3, member: 'description' },
    { type: 'tools', index: 4, member: 'inputSchema' },
  ]);
});

/** For each list: its method, the path of its entries, and one entry. */
const paged = [
  ['tools/list', 'tools', good],
  ['resources/list', 'resources', { uri: 'a://1', name: 'one' }],
  ['resources/templates/list', 'resourceTemplates', { uriTemplate: 'a://{x}', name: 't' }],
  ['prompts/list', 'prompts', { name: 'plan' }],
] as const;

describe.each(pageFailures)('a page that fails with %s', (how, fail) => {
  it.each(['session', 'stateless'] as const)(
    'keeps the pages before it of a %s server, by pipe and HTTP',
    async (protocol) => {
      const world = await start({
        protocol,
        results: Object.fromEntries(paged.map(([method, list, one]) => [method, { [list]: [one], nextCursor: 'two' }])),
        answer(request) {
          const isOfList = paged.some(([method]) => method === request.message.method);
          if (!isOfList || cursorOf(request) === undefined) return false;
          fail(request);
          return true;
        },
      });
      for (const connect of Object.values(clients)) {
        const client = await connect(world);
        for (const [method, list] of paged) {
          expect([method, await listAll(client, method, list)]).toEqual([method, 1]);
          // Named by no one.
          if (how === 'an unknown cursor') await expect(listPage(client, method, 'own')).rejects.toThrow(/cursor/iu);
        }
        await client.close();
      }
      const named = world.log.filter(({ name }) => name === 'element-unusable');
      expect(named).toMatchObject(paged.map(([, type]) => ({ type, member: 'nextCursor' })));
    },
  );
});

describe.each(pageFailures)('a list of tools that fails with %s', (_how, fail) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'good', arguments: {}, _meta } };
  const body = JSON.stringify(call);

  it.each(['at once', 'at its second page'])('%s does not block a call to its tool', async (when) => {
    let isFailing = false;
    const begin = async () => {
      isFailing = false;
      const world = await start({
        protocol: 'stateless',
        results: { 'tools/list': { tools: [good], nextCursor: 'two' }, 'tools/call': { content: [text('done')] } },
        answer(request) {
          const isFirst = cursorOf(request) === undefined;
          if (request.message.method !== 'tools/list' || (isFirst && (when !== 'at once' || !isFailing))) return false;
          fail(request);
          return true;
        },
      });
      isFailing = true;
      return world;
    };
    const app = await begin().then(({ served, hello }) => openApp(served.socket, hello));
    app.write(body);
    expect(await app.response(7)).toContain('done');
    expect((await (await begin()).ask(body)).text).toContain('done');
  });
});

it.each(['application/json', 'text/event-stream'])('repairs a 6 MB response that comes as %s', async (type) => {
  const large = text('x'.repeat(6 * 1_024 * 1_024));
  const world = await start({
    answer(request) {
      if (request.message.method !== 'tools/call') return false;
      const form = [
        '',
        type,
        (response: string) => (type === 'application/json' ? response : `data: ${response}\n\n`),
      ] as const;
      sendInForm(request, form, { result: { content: [large, null, { type: 'rows' }] } });
      return true;
    },
  });
  for (const connect of Object.values(clients)) {
    const client = await connect(world);
    const { content } = await client.callTool({ name: 'good', arguments: {} });
    expect(content).toHaveLength(2);
    expect(content).toMatchObject([{ type: 'text' }, text('{"type":"rows"}')]);
    await client.close();
  }
});

type Responder = (request: RawRequest) => void;

type AnyClient = Awaited<ReturnType<(typeof clients)[keyof typeof clients]>>;
type Page = { readonly nextCursor?: string } & Readonly<Record<string, readonly unknown[]>>;

async function listAll(client: AnyClient, method: (typeof paged)[number][0], list: string): Promise<number> {
  let [entries, cursor]: [number, string | undefined] = [0, undefined];
  do {
    const page = await listPage(client, method, cursor);
    entries += page[list]?.length ?? 0;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return entries;
}

async function listPage(client: AnyClient, method: (typeof paged)[number][0], cursor?: string): Promise<Page> {
  const params = cursor === undefined ? {} : { cursor };
  const asked = {
    'tools/list': () => client.listTools(params),
    'resources/list': () => client.listResources(params),
    'resources/templates/list': () => client.listResourceTemplates(params),
    'prompts/list': () => client.listPrompts(params),
  };
  return (await asked[method]()) as unknown as Page;
}

const unsupported = 'Bad Request: Unsupported protocol version (supported versions: 2025-03-26, 2024-11-05)';
const refusals: readonly (readonly [how: string, status: number, error: object])[] = [
  ['400 that names others', 400, { code: -32_000, message: unsupported }],
  ['400 that names none', 400, { code: -32_000, message: 'Unsupported protocol version' }],
  ['422', 422, { code: -32_602, message: 'protocolVersion: Input should be 2025-03-26' }],
  ['500', 500, { code: -32_603, message: 'Unsupported protocol version' }],
  ['an error that names others', 200, { code: -32_602, message: 'version', data: { supported: ['2025-03-26'] } }],
];

describe.each(refusals)('a server that rejects the newest revision by %s', (_how, status, error) => {
  it.each(Object.entries(clients))('%s gets an older one', async (_name, connect) => {
    const requests: string[] = [];
    const world = await start({
      answer({ message, response }) {
        if (message.method !== 'initialize') return false;
        const { protocolVersion } = message.params as { readonly protocolVersion: string };
        requests.push(protocolVersion);
        const serverInfo = { name: 'older', version: '1' };
        const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
        const isKnown = protocolVersion === '2025-03-26';
        response.writeHead(isKnown ? 200 : status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(isKnown ? { result } : { error }) }));
        return true;
      },
    });
    requests.length = 0;
    const client = await connect(world);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toEqual([]);
    expect(requests[0]).toBe('2025-11-25');
    expect(requests.at(-1)).toBe('2025-03-26');
  });
});

describe.each(answerForms)('a response that comes as %s', (...form) => {
  it.each(Object.entries(clients))('%s reads it', async (_name, connect) => {
    const world = await start({
      answer(request) {
        const { method } = request.message;
        const result = new Map<unknown, object>([
          ['tools/list', { tools: [good, null] }],
          ['tools/call', { content: [null, text('done')] }],
          ['logging/setLevel', {}],
        ]).get(method);
        if (result) sendInForm(request, form, { result, hasLength: method === 'tools/call' });
        return result !== undefined;
      },
    });
    const client = await connect(world);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toMatchObject([{ name: 'good' }]);
    expect((await client.callTool({ name: 'good', arguments: {} })).content).toEqual([text('done')]);
    expect(await client.setLoggingLevel('info')).toEqual({});
  });
});

describe('a response that only the server’s owner can fix', () => {
  const namesNone = { capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
  const several: Responder = ({ message, response }) => {
    const said = [
      { method: 'notifications/message', params: { level: 'info', data: 'x' } },
      { id: message.id, result: { tools: [good], content: [text('done')], messages: [] } },
    ];
    const lines = said.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`);
    response.writeHead(200, { 'content-type': 'application/json' }).end(lines.join(''));
  };
  const rows: (readonly [kind: string, method: string, answer: Responder])[] = [
    ['no-revision', 'initialize', (request) => sendJson(request, { result: namesNone })],
    ...['initialize', 'tools/list', 'tools/call', 'prompts/get', 'logging/setLevel'].map(
      (method) => ['several-texts', method, several] as const,
    ),
  ];

  it.each(rows)('is reported by pipe and HTTP as on the command line: %s, to %s', async (kind, method, respond) => {
    let isWrong = false;
    const world = await start({
      answer(request) {
        if (!isWrong || request.message.method !== method) return false;
        respond(request);
        return true;
      },
    });
    isWrong = true;
    const { message } = describeError('MCP_FAILED', { host: new URL(world.server.url).host, status: 200, kind });
    const app = openApp(world.served.socket, world.hello);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info, name: 'good' };
    if (method !== 'initialize') await shakeHands(app);
    const byPipe = await app.request(7, method, params);
    const byHttp = await world.ask(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
    expect(JSON.stringify(byPipe)).toContain(message);
    expect(JSON.parse(byHttp.text)).toEqual(byPipe);
  });
});

describe('a session with a revision that Postern does not know', () => {
  const named = '2027-01-01';
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info };

  async function startNaming(where: string) {
    const engine = createTestEngine();
    const result = { protocolVersion: named, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    const connect = async () => {
      if (where === 'at an address') {
        let isWrong = false;
        const server = await startRawServer('session', [good], (request) => {
          if (!isWrong || request.message.method !== 'initialize') return false;
          sendJson(request, { result });
          return true;
        });
        const { integration } = await engine.connect(server.url, { local: true });
        isWrong = true;
        return integration;
      }
      const file = path.join(temporaryFolder(), 'wrong');
      const naming = `(m) => ({ ...${JSON.stringify(result)}, protocolVersion: require('node:fs').existsSync(${JSON.stringify(file)}) ? '${named}' : m.params.protocolVersion })`;
      const integration = await connectCommand(engine, nodeCommand(scriptWords({ initialize: naming })));
      writeFileSync(file, '');
      return integration;
    };
    const integration = await connect();
    const served = await serveGateway(engine);
    const app = await served.allow(integration, { secretHash });
    const { send } = await openHttpEndpoint(served);
    const alias = (await engine.ports.store.read(integration.id))?.alias ?? '';
    return {
      byEngine: async () => toPlainError(await failureOf(engine.tools(integration))),
      byPipe: (params: object) =>
        openApp(served.socket, { server: integration.id, app }).request(7, 'initialize', params),
      byHttp: async (params: object) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params });
        const fields = {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        return messagesOf((await send(fields, { path: `/mcp/${alias}`, body })).text).at(-1);
      },
    };
  }

  it.each(['at an address', 'on this computer'])(
    'is reported by the engine, pipe and HTTP alike: %s',
    async (where) => {
      const { byEngine, byPipe, byHttp } = await startNaming(where);
      const report = await byEngine();
      expect(report).toMatchObject({ detail: { kind: 'other-revision', revision: named }, retryable: false });
      expect(report.message).toContain(named);
      const response = await byPipe(initialize);
      expect(response).toHaveProperty('error');
      expect(JSON.stringify(response)).toContain(JSON.stringify(report.message).slice(1, -1));
      expect(JSON.stringify(response)).toContain(report.code);
      expect(await byHttp(initialize)).toEqual(response);
    },
  );

  it.each(['at an address', 'on this computer'])('is opened with an app that speaks it: %s', async (where) => {
    const { byPipe, byHttp } = await startNaming(where);
    for (const send of [byPipe, byHttp])
      expect(await send({ ...initialize, protocolVersion: named })).toMatchObject({
        result: { protocolVersion: named },
      });
  });
});
