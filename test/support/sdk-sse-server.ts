import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import express from 'express';
import type { RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';

export interface SdkSseServer {
  readonly url: string;
  /** `METHOD path`, oldest first. */
  readonly log: readonly string[];
  /** Tokens in requests, oldest first. */
  readonly tokens: readonly string[];
  /** Open streams. */
  readonly streams: ReadonlySet<ServerResponse>;
  /** Received and canceled calls of `wait`. */
  readonly waiting: readonly string[];
  readonly cancelled: readonly string[];
  /** Replaces the old transport with the newer one at the same path. */
  replaceTransport(): void;
}

export interface SdkSseServerOptions {
  /** The stream opens only for GET, as in the SDK's example, or for every method: one handler for the whole path. */
  readonly route?: 'get' | 'all';
  /** Required in every request. */
  readonly token?: string;
  /** The authorization server in the metadata; any token is accepted. */
  readonly authorizationServer?: string;
  /** What requires a token: every request, or only the two routes, so that a POST to the stream gets a 404. */
  readonly guards?: 'everything' | 'routes';
  /** The metadata is at a URL that only a challenge reveals. */
  readonly hidesMetadata?: boolean;
  /** Invalidated tokens. */
  readonly reject?: (token: string) => boolean;
  /** Also serves the newer transport, at `/mcp`. */
  readonly hasStreamableHttp?: boolean;
}

/**
 * An MCP 2024-11-05 server (HTTP+SSE) with the official SDK. Tools: `whoami`; `ask`, which requests the caller's roots;
 * `steps`, which reports progress; `wait`, which ends when it is canceled.
 */
export async function startSdkSseServer({
  route = 'get',
  token,
  authorizationServer,
  guards = 'everything',
  hidesMetadata = false,
  reject = () => false,
  hasStreamableHttp = false,
}: SdkSseServerOptions = {}): Promise<SdkSseServer> {
  const [log, tokens]: [string[], string[]] = [[], []];
  const calls: Calls = { waiting: [], cancelled: [] };
  const streams = new Set<ServerResponse>();
  const transports = new Map<string, SSEServerTransport>();
  let hasMoved = false;
  const app = express();
  const metadata = hidesMetadata ? '/elsewhere' : '/.well-known/oauth-protected-resource';
  app.get(`${metadata}/:path`, (request, response) => {
    const resource = `http://${request.headers.host}/${request.path.split('/').at(-1)}`;
    if (authorizationServer === undefined || !resource.endsWith(hasStreamableHttp ? '/mcp' : '/sse'))
      response.status(404).end();
    else response.json({ resource, authorization_servers: [authorizationServer] });
  });
  const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
  const verifyAccessToken = async (presented: string) => {
    tokens.push(presented);
    if ((token !== undefined && presented !== token) || reject(presented)) throw new InvalidTokenError('not known');
    return { token: presented, clientId: 'any', scopes: [], expiresAt };
  };
  const guard: RequestHandler = (request, response, next) => {
    if (token === undefined && authorizationServer === undefined) return next();
    const resourceMetadataUrl = `http://${request.headers.host}${metadata}/sse`;
    requireBearerAuth({ verifier: { verifyAccessToken }, ...(hidesMetadata && { resourceMetadataUrl }) })(
      request,
      response,
      next,
    );
  };
  if (guards === 'everything') app.use(guard);

  const connect = (transport: Transport): Promise<void> => createMcpServer(calls).connect(transport);
  const newer: RequestHandler = (request, response, next) => {
    if (!hasStreamableHttp && !hasMoved) return next();
    const transport = new StreamableHTTPServerTransport({});
    connect(transport as Transport)
      .then(() => transport.handleRequest(request, response, request.body))
      .catch(() => response.destroy());
  };
  const old: RequestHandler = (request, response, next) => {
    if (hasMoved) return next();
    const transport = new SSEServerTransport('/messages', response);
    transports.set(transport.sessionId, transport);
    streams.add(response);
    request.socket.once('close', () => streams.delete(response));
    connect(transport).catch(() => response.destroy());
  };
  app.all('/mcp', guard, express.json(), newer);
  app[route]('/sse', guard, old);
  app.all('/sse', guard, express.json(), (request, response, next) =>
    hasMoved ? newer(request, response, next) : next(),
  );
  app.all('/messages', guard, express.json(), (request, response) => {
    const transport = transports.get(new URL(request.url ?? '', 'http://any').searchParams.get('sessionId') ?? '');
    if (transport === undefined) return void response.status(404).end();
    transport.handlePostMessage(request, response, request.body).catch(() => response.destroy());
  });
  const server = createServer((request, response) => {
    log.push(`${request.method} ${request.url?.split('?')[0]}`);
    app(request, response);
  });
  const { origin } = await listenOnLoopback(server);
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `${origin}/sse`, log, tokens, streams, ...calls, replaceTransport: () => (hasMoved = true) };
}

interface Calls {
  readonly waiting: string[];
  readonly cancelled: string[];
}

function createMcpServer({ waiting, cancelled }: Calls): McpServer {
  const server = new McpServer({ name: 'old', version: '1' });
  const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('whoami', {}, () => textResult('You are known.'));
  server.registerTool('ask', {}, async () =>
    textResult((await server.server.listRoots()).roots.map(({ uri }) => uri).join()),
  );
  server.registerTool('steps', {}, async ({ sendNotification, _meta }) => {
    const { progressToken = '' } = _meta ?? {};
    for (const progress of [1, 2, 3]) {
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    }
    return textResult('done');
  });
  server.registerTool('wait', {}, ({ signal, requestId }) => {
    waiting.push(String(requestId));
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        cancelled.push(String(requestId));
        resolve(textResult('stopped'));
      });
    });
  });
  return server;
}
