import { describe, expect, it } from 'vitest';
import type { ServerProtocol } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { cursorOf, pageFailures, sendJson, startRawServer } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

/** Lists and results are read element by element: invalid ones are named, and the rest works. */

const schema = { type: 'object' };
const good = { name: 'good', inputSchema: schema };
const text = (words: string) => ({ type: 'text', text: words });

interface World {
  readonly protocol?: ServerProtocol;
  /** Members of a result, by method. */
  readonly results: Readonly<Record<string, object>>;
  readonly answer?: (request: RawRequest) => boolean;
}

/** `results`: what the server returns in place of a well-formed result. */
async function start({ protocol = 'session', results, answer }: World) {
  const serverInfo = { name: 'x', version: '1' };
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
  const cached = protocol === 'stateless' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const handshakes: Readonly<Record<string, object>> =
    protocol === 'session'
      ? { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo } }
      : { 'server/discover': { ...cached, supportedVersions: ['2026-07-28'], capabilities } };
  return await startRawServer(protocol, [], (request) => {
    if (answer?.(request)) return true;
    const { method = '' } = request.message;
    const document = results[method] ?? handshakes[method];
    if (document === undefined) return false;
    sendJson(request, { result: { ...cached, ...document } });
    return true;
  });
}

async function connect(world: World) {
  const server = await start(world);
  const home = temporaryFolder();
  const connected = await runInProcess(['connect', server.url, '--local', '--name', 'x', '--json'], { home });
  expect(connected.code).toBe(0);
  return {
    server,
    run: (...words: string[]) => runInProcess(words, { home }),
    runOnTerminal: (...words: string[]) => startCommand(onTerminal(...posternCommand(...words)), { home }).ended,
  };
}

const namesOf = (listed: unknown) => (listed as { readonly name?: string }[]).map(({ name }) => name);

describe.each(['session', 'stateless'] as const)('one invalid element of a %s server', (protocol) => {
  it('keeps the other tools, names the invalid ones with their member, and treats null as absent', async () => {
    const { run } = await connect({
      protocol,
      results: {
        'tools/list': {
          tools: [
            {
              ...good,
              title: null,
              description: null,
              annotations: null,
              _meta: null,
              icons: null,
              outputSchema: null,
            },
            null,
            { name: 'numbered', description: 5, inputSchema: schema },
            { name: 'without' },
            { name: 'nulls', inputSchema: { type: 'object', properties: null, required: null } },
            { ...good, name: 'last', annotations: { readOnlyHint: null, title: null } },
          ],
          nextCursor: null,
          _meta: null,
        },
        'tools/call': { content: [text('done')] },
      },
    });
    const listed = await run('tools', 'x', '--json');
    expect(namesOf(listed.last['tools'])).toEqual(['good', 'nulls', 'last']);
    expect(listed.last['unusable']).toEqual([
      { list: 'tools', index: 1 },
      { list: 'tools', index: 2, name: 'numbered', member: 'description' },
      { list: 'tools', index: 3, name: 'without', member: 'inputSchema' },
    ]);
    const toolList = await run('tools', 'x');
    expect(toolList.code).toBe(0);
    expect(toolList.stderr).toMatch(/numbered.*description/u);
    // A valid one can be called, with its arguments checked.
    expect((await run('call', 'x', 'good', 'a=1')).stdout).toContain('done');
  });

  it('keeps a tool whatever its output schema is', async () => {
    const shaped = [
      { type: 'string' },
      { $ref: '#/$defs/Note' },
      { type: 'object', required: 'a' },
      { type: 'object', properties: [] },
      { type: 'object', properties: { a: null, b: 5 } },
    ].map((outputSchema, index) => ({ ...good, name: `shaped${index}`, _meta: null, outputSchema }));
    const { run } = await connect({
      protocol,
      results: { 'tools/list': { tools: [good, ...shaped] }, 'tools/call': { content: [text('done')] } },
    });
    const { tools } = (await run('tools', 'x', '--json')).last as { tools: object[] };
    expect(tools).toMatchObject([good, ...shaped.map(({ _meta, ...tool }) => tool)]);
    expect(tools.filter((tool) => '_meta' in tool)).toEqual([]);
    expect((await run('call', 'x', 'shaped0')).stdout).toContain('done');
  });

  it.each<[string, number | undefined]>([
    ['an error', undefined],
    ['500', 500],
    ['a page', 200],
  ])('shows the resources if the templates are answered with %s, and reports those', async (_, status) => {
    const { run } = await connect({
      protocol,
      results: { 'resources/list': { resources: [{ uri: 'a://1', name: 'one' }] } },
      answer: (request) => {
        if (request.message.method !== 'resources/templates/list') return false;
        if (status === undefined) sendJson(request, { error: { code: -32_603, message: 'no database' } });
        else request.response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html>');
        return true;
      },
    });
    const { code, last } = await run('resources', 'x', '--json');
    expect(code).toBe(0);
    expect(namesOf(last['resources'])).toEqual(['one']);
    expect(last['unusable']).toEqual([{ list: 'resourceTemplates' }]);
  });

  it('keeps the other resources, templates and prompts', async () => {
    const { run } = await connect({
      protocol,
      results: {
        'resources/list': {
          resources: [{ uri: 'a://1', name: 'one', size: null, annotations: { priority: null } }, 5, { uri: 'a://2' }],
          nextCursor: null,
        },
        'resources/templates/list': {
          resourceTemplates: [null, { uriTemplate: 'a://{x}', name: 't', mimeType: null }],
        },
        'prompts/list': {
          prompts: [
            { name: 'plan', title: null, arguments: [{ name: 'city', required: null }, null, { name: 5 }] },
            { description: 'no name' },
            { name: 'bare', arguments: null },
          ],
        },
      },
    });
    const resources = await run('resources', 'x', '--json');
    expect(namesOf(resources.last['resources'])).toEqual(['one']);
    expect(namesOf(resources.last['templates'])).toEqual(['t']);
    expect(resources.last['unusable']).toEqual([
      { list: 'resources', index: 1 },
      { list: 'resources', index: 2, name: 'a://2', member: 'name' },
      { list: 'resourceTemplates', index: 0 },
    ]);
    const prompts = await run('prompts', 'x', '--json');
    expect(prompts.last['prompts']).toMatchObject([{ name: 'plan', arguments: [{ name: 'city' }] }, { name: 'bare' }]);
    expect(prompts.last['unusable']).toMatchObject([
      { list: 'prompts', index: 0, name: 'plan', isPartlyUsed: true },
      { list: 'prompts', index: 1, member: 'name' },
    ]);
  });

  it('keeps the pages before one that fails in any way, and reports it', async () => {
    let [failing] = pageFailures;
    const { run } = await connect({
      protocol,
      results: { 'tools/list': { tools: [good], nextCursor: 'two' }, 'tools/call': { content: [text('done')] } },
      answer(request) {
        if (request.message.method !== 'tools/list' || cursorOf(request) === undefined) return false;
        const [, fail] = failing ?? [];
        fail?.(request);
        return true;
      },
    });
    for (failing of pageFailures) {
      const [how] = failing;
      const { last } = await run('tools', 'x', '--json');
      expect([how, namesOf(last['tools']), last['unusable']]).toEqual([
        how,
        ['good'],
        [{ list: 'tools', member: 'nextCursor' }],
      ]);
    }
    expect((await run('tools', 'x')).stderr).toContain('nextCursor');
    expect((await run('call', 'x', 'good')).stdout).toContain('done');
  });

  it('treats a null list as empty', async () => {
    const { run } = await connect({
      protocol,
      results: {
        'tools/list': { tools: null },
        'prompts/list': { prompts: null },
        'resources/list': { resources: null },
      },
    });
    for (const kind of ['tools', 'prompts', 'resources']) {
      expect((await run(kind, 'x', '--json')).last).toMatchObject({ result: 'ok', [kind]: [] });
    }
  });

  it('shows a result block that no revision knows as JSON, and the rest unchanged', async () => {
    const unknown = { type: 'json', json: { rows: [1, 2] } };
    const { run, runOnTerminal } = await connect({
      protocol,
      results: {
        'tools/list': { tools: [good] },
        'tools/call': {
          content: [
            { ...text('first'), annotations: null, _meta: null },
            unknown,
            null,
            { type: 'image', mimeType: 'image/png' },
            { ...text('last'), annotations: { priority: 7, lastModified: 'yesterday' } },
          ],
          structuredContent: null,
          isError: null,
          task: null,
        },
      },
    });
    const answered = await run('call', 'x', 'good', '--json');
    expect(answered.last).toMatchObject({
      isError: false,
      content: [text('first'), unknown, text('{"type":"image","mimeType":"image/png"}'), text('last')],
      unusable: [
        { list: 'content', index: 1, member: 'type', isPartlyUsed: true },
        { list: 'content', index: 2 },
        { list: 'content', index: 3, member: 'data', isPartlyUsed: true },
        { list: 'content', index: 4, isPartlyUsed: true },
      ],
    });
    expect(answered.last).not.toHaveProperty('structuredContent');
    const piped = await run('call', 'x', 'good');
    expect(piped.stdout).toContain('first');
    expect(piped.stdout).toContain('{"type":"json","json":{"rows":[1,2]}}');
    expect(piped.stdout).toContain('last');
    const shown = await runOnTerminal('call', 'x', 'good');
    expect(shown.stdout).toMatch(/first[^]*"rows"[^]*last/u);
  });

  it('shows a tool result in no valid form', async () => {
    const shown: readonly (readonly [given: unknown, text: string])[] = [
      [{ result: 'text' }, '{"result":"text"}'],
      [{ toolResult: 'done', isError: false }, '{"toolResult":"done"}'],
      [{ content: null, rows: [1] }, '{"rows":[1]}'],
      ['a string', 'a string'],
      [[{ text: 'bare' }, 'more'], '{"text":"bare"}'],
      [[text('a block')], 'a block'],
      [5, '5'],
      [false, 'false'],
    ];
    let result: unknown;
    const { run } = await connect({
      protocol,
      results: { 'tools/list': { tools: [good] } },
      answer(request) {
        if (request.message.method !== 'tools/call') return false;
        sendJson(request, { result });
        return true;
      },
    });
    for (const [document, words] of shown) {
      result = document;
      const { last } = await run('call', 'x', 'good', '--json');
      expect(last).toMatchObject({ result: 'ok', isError: false });
      expect((last['content'] as unknown[])[0]).toMatchObject(text(words));
    }
  });

  it('reads an array instead of a result object', async () => {
    const { run } = await connect({
      protocol,
      results: {},
      answer(request) {
        const list = new Map<unknown, unknown>([
          ['tools/list', [good, null]],
          ['prompts/list', [{ name: 'plan' }]],
          ['resources/list', [{ uri: 'a://1', name: 'one' }]],
        ]).get(request.message.method);
        if (list === undefined) return false;
        sendJson(request, { result: list });
        return true;
      },
    });
    for (const [kind, name] of [
      ['tools', 'good'],
      ['prompts', 'plan'],
      ['resources', 'one'],
    ] as const)
      expect(namesOf((await run(kind, 'x', '--json')).last[kind])).toEqual([name]);
  });

  it.each([[[1, 2]], ['text'], [7]])('keeps data that is not an object: %j', async (structuredContent) => {
    const { run } = await connect({
      protocol,
      results: { 'tools/list': { tools: [good] }, 'tools/call': { content: [text('first')], structuredContent } },
    });
    expect((await run('call', 'x', 'good', '--json')).last).toMatchObject({
      content: [text('first')],
      structuredContent,
    });
  });

  it('reads a value instead of a list of blocks', async () => {
    const { run } = await connect({
      protocol,
      results: {
        'tools/list': { tools: [good] },
        'tools/call': { content: 'only words', structuredContent: { n: 1 } },
        'resources/read': {
          contents: [{ uri: 'a://1', text: 'read', mimeType: null, _meta: null }, { uri: 'a://2' }, null],
        },
        'prompts/get': {
          description: null,
          messages: [
            { role: 'user', content: { type: 'json', json: 1 } },
            null,
            { role: 'user', content: text('asked') },
          ],
        },
      },
    });
    expect((await run('call', 'x', 'good', '--json')).last).toMatchObject({
      content: [text('only words')],
      structuredContent: { n: 1 },
    });
    const read = await run('read', 'x', 'a://1');
    expect(read.stdout).toContain('read');
    expect(read.stdout).toContain('"a://2"');
    const prompted = await run('prompt', 'x', 'p');
    expect(prompted.stdout).toContain('{"type":"json","json":1}');
    expect(prompted.stdout).toContain('asked');
  });
});

describe('one invalid member of a message', () => {
  it('does not hide its result: a null member, an unknown member, no version', async () => {
    const shapes: readonly ((message: object) => object)[] = [
      (message) => ({ ...message, error: null }),
      (message) => ({ ...message, method: null, params: null }),
      (message) => ({ ...message, took: 5 }),
      ({ jsonrpc: _none, ...message }: { jsonrpc?: string }) => message,
    ];
    for (const shape of shapes) {
      const { run } = await connect({
        results: {},
        answer({ message, response }) {
          if (message.method !== 'tools/list') return false;
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(shape({ jsonrpc: '2.0', id: message.id, result: { tools: [good] } })));
          return true;
        },
      });
      expect((await run('tools', 'x', '--json')).last).toMatchObject({ tools: [{ name: 'good' }] });
    }
  });

  it("does not end the handshake: capabilities, their members and the server's info may be null", async () => {
    const handshakes = [
      { capabilities: null, serverInfo: null, instructions: null, _meta: null },
      {
        capabilities: { tools: { listChanged: null }, prompts: null },
        serverInfo: { name: null, version: null, icons: null },
      },
      { capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1', icons: [null, { src: 5 }] } },
    ];
    for (const handshake of handshakes) {
      const { run } = await connect({
        results: {
          initialize: { protocolVersion: '2025-11-25', ...handshake },
          'tools/list': { tools: [good] },
        },
      });
      expect((await run('tools', 'x', '--json')).last).toMatchObject({ tools: [{ name: 'good' }] });
    }
  });

  it.each([true, [], ['x'], 1, 'yes'])('does not hide that a server has tools: %j', async (tools) => {
    const capabilities = { tools, prompts: tools, experimental: [], logging: false };
    for (const protocol of ['session', 'stateless'] as const) {
      const handshake =
        protocol === 'session'
          ? { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } } }
          : { 'server/discover': { supportedVersions: ['2026-07-28'], capabilities } };
      const { run } = await connect({ protocol, results: { ...handshake, 'tools/list': { tools: [good] } } });
      expect((await run('tools', 'x', '--json')).last).toMatchObject({ tools: [{ name: 'good' }] });
    }
  });

  it('does not hide a stateless response: its cache and kind members may be missing', async () => {
    const { run } = await connect({
      protocol: 'stateless',
      results: { 'tools/list': { tools: [good], ttlMs: null, cacheScope: null, resultType: null } },
    });
    expect((await run('tools', 'x', '--json')).last).toMatchObject({ tools: [{ name: 'good' }] });
  });
});

it("are named on the server's page in the window", async () => {
  const server = await start({
    results: {
      'tools/list': { tools: [good, { name: 'bad', inputSchema: 5 }] },
      'tools/call': { content: [{ type: 'json', json: { rows: [1] } }, text('words')] },
      'completion/complete': { completion: { values: ['Rome', null, 5, 'Paris'], total: null, hasMore: null } },
    },
  });
  const desktop = await createTestDesktop();
  const { id } = await desktop.call('connection:discover', { url: server.url, options: { local: true } });
  await desktop.connection(id, ({ state }) => state.name === 'discovered');
  await desktop.call('connection:start', { id });
  const { integrationId = '' } = await desktop.connection(id, ({ state }) => state.name === 'integrated');
  const listed = await desktop.call('integration:tools', { id: integrationId });
  expect(namesOf(listed.tools)).toEqual(['good']);
  expect(listed.unusable).toEqual([{ list: 'tools', index: 1, name: 'bad', member: 'inputSchema' }]);
  const called = { id: integrationId, call: crypto.randomUUID(), name: 'good', arguments: {} };
  const { content } = await desktop.call('integration:callTool', called);
  expect(content).toEqual([
    { type: 'json', json: { type: 'json', json: { rows: [1] } } },
    { type: 'text', text: 'words', cut: false },
  ]);
});
