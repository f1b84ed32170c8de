import { describe, expect, it } from 'vitest';
import { mcpListing, toolCall } from '../../../../../main/limits.ts';
import { connectMcp } from '../../../../../main/mcp/client/connect-mcp.ts';
import type { McpConnection } from '../../../../../main/mcp/client/connect-mcp.ts';
import { BoundedTransport } from '../../../../../main/mcp/http/bounded-transport.ts';
import type { McpFetch } from '../../../../../main/mcp/http/mcp-endpoint.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const { signal } = new AbortController();
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const inputSchema = { type: 'object' };
const tools = (count: number, prefix = 't') =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, inputSchema }));

/** A server whose `answers` turn the parameters of a method into a JSON result; the handshake is built in. */
async function connectTo(
  answers: Readonly<Record<string, (params: Record<string, unknown>) => string>>,
  writeId: (id: unknown) => unknown = (id) => id,
): Promise<{ connection: McpConnection; methods: string[] }> {
  const methods: string[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    if (typeof init?.body !== 'string') return new Response(null, { status: 405 });
    const message = JSON.parse(init.body) as { id?: unknown; method: string; params?: Record<string, unknown> };
    if (message.id === undefined) return new Response(null, { status: 202 });
    methods.push(message.method);
    const handshake = JSON.stringify({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'test', version: '1' },
    });
    const result = message.method === 'initialize' ? handshake : answers[message.method]?.(message.params ?? {});
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(message.method === 'initialize' ? message.id : writeId(message.id))},"result":${result}}`;
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
  const connection = await connectMcp({
    url: asChecked('https://mcp.example/mcp'),
    fetch,
    protocol: 'session',
    signal,
  });
  return { connection, methods };
}

describe('BoundedTransport', () => {
  it('accepts several thousand tools, and reports if there were more', async () => {
    for (const [count, isPartial] of [
      [mcpListing.entries, false],
      [mcpListing.entries + 1, true],
    ] as const) {
      const { connection } = await connectTo({ 'tools/list': () => JSON.stringify({ tools: tools(count) }) });
      expect((await connection.client.listTools()).tools).toHaveLength(mcpListing.entries);
      expect(connection.isPartial('tools/list')).toBe(isPartial);
    }
  });

  it.each([
    ['resources/list', 'resources', 'listResources', (index: number) => ({ uri: `a:${index}`, name: 'a' })],
    ['resources/templates/list', 'resourceTemplates', 'listResourceTemplates', () => ({ uriTemplate: 'a', name: 'a' })],
    ['prompts/list', 'prompts', 'listPrompts', (index: number) => ({ name: `p${index}` })],
  ] as const)('limits %s, too', async (method, name, list, make) => {
    const entries = Array.from({ length: mcpListing.entries + 10 }, (_, index) => make(index));
    const { connection } = await connectTo({ [method]: () => JSON.stringify({ [name]: entries }) });
    const found = (await connection.client[list]()) as Readonly<Record<string, unknown>>;
    expect(found[name]).toHaveLength(mcpListing.entries);
    expect(connection.isPartial(method)).toBe(true);
  });

  it('limits entries and characters over all pages, and requests no further page', async () => {
    const size = mcpListing.size / 4;
    let page = 0;
    const { connection, methods } = await connectTo({
      'tools/list': () => {
        page += 1;
        const description = 'x'.repeat(size);
        return JSON.stringify({ tools: [{ name: `t${page}`, description, inputSchema }], nextCursor: `c${page}` });
      },
    });
    expect((await connection.client.listTools()).tools).toHaveLength(3);
    expect(methods.filter((method) => method === 'tools/list')).toHaveLength(4);
    expect(connection.isPartial('tools/list')).toBe(true);
  });

  it('limits a response with its ID as a string, as some servers send it', async () => {
    const response = JSON.stringify({ tools: tools(mcpListing.entries + 1) });
    const { connection } = await connectTo({ 'tools/list': () => response }, String);
    expect((await connection.client.listTools()).tools).toHaveLength(mcpListing.entries);
  });

  it('rejects a response with another ID (JSON-RPC 2.0, 5)', async () => {
    const response = JSON.stringify({ tools: tools(1) });
    const { connection } = await connectTo({ 'tools/list': () => response }, (id) => `0${String(id)}`);
    await expect(connection.client.listTools()).rejects.toThrow();
  });

  it('starts over with each listing', async () => {
    const response = JSON.stringify({ tools: tools(mcpListing.entries) });
    const { connection } = await connectTo({ 'tools/list': () => response });
    await connection.client.listTools();
    expect((await connection.client.listTools()).tools).toHaveLength(mcpListing.entries);
    expect(connection.isPartial('tools/list')).toBe(false);
  });

  it('drops a tool that is nested too deeply, and returns the others', async () => {
    const deep = `{"name":"deep","inputSchema":{"type":"object","properties":{"a":{"enum":[${nested(20_000)}]}}}}`;
    const { connection } = await connectTo({
      'tools/list': () => `{"tools":[${deep},{"name":"good","inputSchema":{"type":"object"}}]}`,
    });
    expect((await connection.client.listTools()).tools.map(({ name }) => name)).toEqual(['good']);
    expect(connection.isPartial('tools/list')).toBe(true);
  });

  it.each([
    `{"content":[],"structuredContent":{"a":${nested(20_000)}}}`,
    `{"content":[{"type":"text","text":"x","_meta":{"a":${nested(20_000)}}}]}`,
  ])('refuses a result that is nested too deeply with JSON_DEPTH', async (result) => {
    const { connection } = await connectTo({ 'tools/call': () => result });
    const call = connection.client.callTool({ name: 't' });
    await expect(call).rejects.toMatchObject({ code: 'JSON_DEPTH', stage: 'connection' });
  });
});

it('allows a tool result the maximum time of a tool, and any other the usual time', async () => {
  const deadlines = new Map<string, number | undefined>();
  const fetch: McpFetch = async (_address, init) => {
    const { id, method } = JSON.parse(init?.body as string) as { id: number; method: string };
    deadlines.set(method, init?.deadline);
    return Response.json({ jsonrpc: '2.0', id, result: {} });
  };
  const transport = new BoundedTransport(asChecked('https://host.example/mcp'), { fetch });
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call' });
  await transport.send({ jsonrpc: '2.0', id: 3, method: 'tasks/result' });
  expect([...deadlines]).toEqual([
    ['tools/list', undefined],
    ['tools/call', toolCall.longest],
    ['tasks/result', toolCall.longest],
  ]);
});
