import { createServer } from 'node:http';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import express from 'express';
import type { RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';

export interface SdkSseServer {
  readonly url: string;
  /** `METHOD path`, oldest first. */
  readonly log: readonly string[];
}

/**
 * A server of MCP 2024-11-05 (HTTP+SSE) as the official SDK has it. `route`: the stream opens to a GET alone, as in the
 * SDK's example, or to every method, as where one handler serves the whole path. `token`: asked for on every request.
 */
export async function startSdkSseServer({
  route = 'get',
  token,
}: { readonly route?: 'get' | 'all'; readonly token?: string } = {}): Promise<SdkSseServer> {
  const log: string[] = [];
  const transports = new Map<string, SSEServerTransport>();
  const app = express();
  if (token !== undefined) {
    const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
    const verifyAccessToken = async (given: string) => {
      if (given !== token) throw new Error('not known');
      return { token, clientId: 'any', scopes: [], expiresAt };
    };
    app.use(requireBearerAuth({ verifier: { verifyAccessToken } }));
  }
  const open: RequestHandler = (_, response) => {
    const transport = new SSEServerTransport('/messages', response);
    transports.set(transport.sessionId, transport);
    const server = new McpServer({ name: 'old', version: '1' });
    server.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text: 'You are known.' }] }));
    server.connect(transport).catch(() => response.destroy());
  };
  app[route]('/sse', open);
  app.all('/messages', express.json(), (request, response) => {
    const transport = transports.get(new URL(request.url ?? '', 'http://any').searchParams.get('sessionId') ?? '');
    if (transport === undefined) return void response.status(400).end();
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
  return { url: `${origin}/sse`, log };
}
