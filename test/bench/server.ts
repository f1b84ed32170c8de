import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { McpServer as SessionServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createAuthorizationEndpoints } from './authorization-endpoints.ts';
import { startLatencyProxy } from './latency-proxy.ts';
import type { RecordedRequest, ServerMessage } from './recorded-request.ts';

/**
 * The benchmark server, in its own process: one origin with an authorization server, an MCP server with sessions at
 * /mcp (official SDK 1.x) and a stateless one at /stateless (2.x). Reports every request it served.
 */

const tools = Array.from({ length: 22 }, (_, index) => `tool_${index}`);
const describeTool = (name: string) => ({ title: name, description: `Does what ${name} does, at any time.` });

const endpoints = createAuthorizationEndpoints();
const sessions = new Map<string, StreamableHTTPServerTransport>();
const stateless = toNodeHandler(
  createMcpHandler(
    () => {
      const server = new McpServer({ name: 'bench', version: '1' });
      for (const name of tools) {
        server.registerTool(name, describeTool(name), async () => ({ content: [{ type: 'text', text: 'done' }] }));
      }
      return server;
    },
    { legacy: 'reject' },
  ),
);
let recorded: RecordedRequest[] = [];

function tokenOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? '';
}

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new SessionServer({ name: 'bench', version: '1' });
  for (const name of tools) {
    server.registerTool(name, describeTool(name), async () => ({ content: [{ type: 'text', text: 'done' }] }));
  }
  await server.connect(transport);
  return transport;
}

async function serveMcp(request: IncomingMessage, response: ServerResponse, url: URL, body: string): Promise<void> {
  if (!endpoints.isValid(tokenOf(request))) {
    const metadata = `${url.origin}/.well-known/oauth-protected-resource${url.pathname}`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    return;
  }
  const message: unknown = body === '' ? undefined : JSON.parse(body);
  if (url.pathname === '/stateless') return await stateless(request as NodeIncomingMessageLike, response, message);
  const id = String(request.headers['mcp-session-id'] ?? '');
  const known = sessions.get(id);
  // As SDK 1.x's examples answer a request that neither belongs to a session nor starts one.
  if (!known && !body.includes('"method":"initialize"')) {
    const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' };
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    return;
  }
  await (known ?? (await openSession())).handleRequest(request, response, message);
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const entry: RecordedRequest = {
    name: `${request.method} ${url.pathname}`,
    arrived: performance.now(),
    ended: undefined,
    isStream: false,
  };
  recorded.push(entry);
  response.once('finish', () => (entry.ended = performance.now()));
  const isListening = request.method === 'GET' && (url.pathname === '/mcp' || url.pathname === '/stateless');
  // A rejected request also counts.
  if (isListening) entry.isStream = endpoints.isValid(tokenOf(request));
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    const method = /"method":"([\w/]+)"/.exec(body)?.[1];
    if (method !== undefined) entry.name = method;
    if (endpoints.handle(request.method ?? '', url, body, response)) return;
    if (url.pathname !== '/mcp' && url.pathname !== '/stateless') return void response.writeHead(404).end();
    serveMcp(request, response, url, body).catch(() => response.destroy());
  });
});
server.keepAliveTimeout = 60_000;

const latency = Number(process.argv[2]);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const slow = await startLatencyProxy(port, latency);
process.on('message', () => {
  const message: ServerMessage = { requests: recorded };
  recorded = [];
  process.send?.(message);
});
process.on('disconnect', () => process.exit());
process.send?.({ ports: { direct: port, slow: slow.port } } satisfies ServerMessage);
