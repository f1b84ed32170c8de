import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthorizationEndpoints } from '../authorization-endpoints.ts';
import type { FromServer, ToServer } from './server-process.ts';

/**
 * The benchmark's MCP server, in its own process: MCP with sessions, behind a sign-in, without anything that costs
 * time. Tool results are created once, so that only their size differs.
 */

const text = 'He said "no" to line 17 of it.\n';
const texts = new Map<number, Buffer>();
const endpoints = createAuthorizationEndpoints();
const silent = new Set<ServerResponse>();
let requests: string[] = [];
let isSilent = false;

function textOf(size: number): Buffer {
  let bytes = texts.get(size);
  if (!bytes) {
    const escaped = JSON.stringify(text).slice(1, -1);
    bytes = Buffer.from(escaped.repeat(Math.ceil(size / escaped.length)));
    texts.set(size, bytes);
  }
  return bytes;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly size?: number; readonly stream?: boolean } };
}

/** `?tools=N` in the server's URL. */
function listTools(count: number): object {
  const inputSchema = { type: 'object', properties: { size: { type: 'integer' }, stream: { type: 'boolean' } } };
  const more = Array.from({ length: count - 1 }, (_, index) => {
    return { name: `tool_${index}`, description: `Does what tool_${index} does, at any time.`, inputSchema };
  });
  return { tools: [{ name: 'say', inputSchema: { type: 'object' } }, ...more] };
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  },
  ping: {},
};

function answer(response: ServerResponse, { id, method = '', params }: Message, tools: number): void {
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'initialize' && isSilent) return void silent.add(response);
  const session = method === 'initialize' ? { 'mcp-session-id': randomUUID() } : {};
  const { size = 100, stream = false } = params?.arguments ?? {};
  const isCall = method === 'tools/call';
  const result = method === 'tools/list' ? listTools(tools) : (results[method] ?? {});
  const head = isCall ? '{"content":[{"type":"text","text":"' : JSON.stringify(result);
  const parts = [
    Buffer.from(`${stream ? 'data: ' : ''}{"jsonrpc":"2.0","id":${id},"result":${head}`),
    isCall ? textOf(size) : Buffer.alloc(0),
    Buffer.from(`${isCall ? '"}]}' : ''}}${stream ? '\n\n' : ''}`),
  ];
  response.writeHead(200, {
    'content-type': stream ? 'text/event-stream' : 'application/json',
    ...(!stream && { 'content-length': parts.reduce((sum, { length }) => sum + length, 0) }),
    ...session,
  });
  for (const part of parts) response.write(part);
  response.end();
}

function serve(request: IncomingMessage, response: ServerResponse, body: string): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  if (endpoints.handle(request.method ?? '', url, body, response)) {
    if (body.includes('grant_type=refresh_token')) requests.push('refresh');
    return;
  }
  if (!endpoints.isValid(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) {
    const metadata = `${url.origin}/.well-known/oauth-protected-resource${url.pathname}`;
    return void response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
  }
  const message = request.method === 'POST' ? (JSON.parse(body) as Message) : {};
  requests.push(message.method ?? request.method ?? '');
  switch (request.method) {
    case 'POST':
      return answer(response, message, Number(url.searchParams.get('tools') ?? 1));
    case 'GET':
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    default:
      response.writeHead(200).end();
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => serve(request, response, Buffer.concat(chunks).toString('utf8')));
});
server.keepAliveTimeout = 60_000;

const send = (message: FromServer): void => void process.send?.(message);
process.on('message', (message: ToServer) => {
  switch (message) {
    case 'take-requests':
      send({ requests });
      requests = [];
      break;
    case 'end-tokens':
      endpoints.endTokens();
      send({});
      break;
    case 'be-silent':
      isSilent = true;
      send({});
      break;
    case 'speak':
      isSilent = false;
      for (const response of silent) response.destroy();
      silent.clear();
      send({});
  }
});
process.on('disconnect', () => process.exit());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
send({ port: (server.address() as AddressInfo).port, token: endpoints.issueToken() });
