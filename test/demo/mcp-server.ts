import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, legacyStatelessFallback } from '@modelcontextprotocol/server';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { createBearerGate } from './bearer-gate.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import type { DemoMcpServer, McpServerOptions, RecordedMcpRequest } from './mcp-server-options.ts';
import { createNotesServer } from './notes-server.ts';
import type { Notes } from './notes-server.ts';
import { resourceScopes, usualScopes } from './scopes.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/** Starts the demo's MCP server on 127.0.0.1: streamable HTTP, protected according to the options. */
export async function startMcpServer(options: McpServerOptions = {}): Promise<DemoMcpServer> {
  const path = options.path ?? '/mcp';
  const requests: RecordedMcpRequest[] = [];
  const notes: Notes = new Map();
  const factory: McpServerFactory = options.createServer ?? (({ authInfo }) => createNotesServer(notes, authInfo));
  const modern = createMcpHandler(factory, { legacy: options.protocols === 'stateless' ? 'reject' : 'stateless' });
  const handle = options.protocols === 'session' ? legacyStatelessFallback(factory) : modern.fetch;

  const server = createServer((request, response) => {
    serve(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  if (options.keepsConnections) server.keepAliveTimeout = 0;
  const { origin, host, port } = await listenOnLoopback(server, options.port);
  const url = `${origin}${path}`;
  const metadataAt = options.resourceMetadata ?? 'path';
  const metadataPaths = [
    ...(metadataAt === 'path' || metadataAt === 'both' ? [`${wellKnown}${path === '/' ? '' : path}`] : []),
    ...(metadataAt === 'root' || metadataAt === 'both' ? [wellKnown] : []),
  ];
  const resource = options.resource?.(url) ?? url;
  const gate = createBearerGate({
    options,
    resource,
    resourceMetadataUrl: `${origin}${metadataPaths[0] ?? wellKnown}`,
  });
  options.authorizationServer?.addResource(resource, resourceScopes);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', origin);
    const record: RecordedMcpRequest = {
      method: request.method ?? '',
      path: address.pathname,
      query: address.searchParams,
      headers: request.headers,
    };
    const token = request.headers.authorization?.replace(/^(?:Bearer|DPoP) +/i, '');
    if (token !== undefined) record.token = token;
    requests.push(record);
    response.once('finish', () => (record.status = response.statusCode));
    if ((await options.intercept?.(request, response)) === true) return;
    // Rejects pages of sites whose name resolves to this computer (DNS rebinding).
    if (request.headers.host !== host && request.headers.host !== `localhost:${port}`) return sendText(response, 421);
    if (metadataPaths.includes(address.pathname) && options.authorizationServer !== undefined) {
      return sendJson(response, protectedResourceMetadata(options.authorizationServer.issuer));
    }
    if (address.pathname === '/' && path !== '/') return sendText(response, 200, `An MCP server. Connect to ${url}\n`);
    if (address.pathname !== path) return sendText(response, 404);
    await serveMcp(request, response, record);
  }

  /** The SDK converts Node's request to a web request and back; the gate is in between. */
  async function serveMcp(
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordedMcpRequest,
  ): Promise<void> {
    const gated = {
      fetch: async (web: Request): Promise<Response> => {
        const message = request.method === 'POST' ? await readMessage(web) : undefined;
        if (message !== undefined) record.body = message;
        const method = message?.['method'];
        if (typeof method === 'string') record.rpcMethod = method;
        const isOpen = record.rpcMethod !== undefined && options.openMethods?.includes(record.rpcMethod) === true;
        const verdict = isOpen && record.token === undefined ? undefined : await gate.judge(web);
        if (verdict instanceof Response) return verdict;
        return gate.passed(await handle(web, verdict === undefined ? {} : { authInfo: verdict }));
      },
    };
    await toNodeHandler(gated)(request as NodeIncomingMessageLike, response);
  }

  function protectedResourceMetadata(issuer: string): object {
    const document = {
      resource,
      authorization_servers: [issuer],
      scopes_supported: usualScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Fieldnotes',
    };
    return options.metadata?.(document) ?? document;
  }

  return {
    url,
    origin,
    port,
    requests,
    close: async () => {
      await modern.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** One JSON-RPC message, or undefined for an invalid body, which the SDK answers. */
async function readMessage(request: Request): Promise<Record<string, unknown> | undefined> {
  const message: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : undefined;
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, body = `${status}\n`): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
}
