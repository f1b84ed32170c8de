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

export interface SdkSseServerOptions {
  /** The stream opens to a GET alone, as in the SDK's example, or to every method: one handler for the whole path. */
  readonly route?: 'get' | 'all';
  /** Asked for on every request. */
  readonly token?: string;
  /** Where to sign in: it is named in the metadata, and whatever token comes is taken. */
  readonly authorizationServer?: string;
}

/**
 * A server of MCP 2024-11-05 (HTTP+SSE) as the official SDK has it. */
export async function startSdkSseServer({
  route = 'get',
  token,
  authorizationServer,
}: SdkSseServerOptions = {}): Promise<SdkSseServer> {
  const log: string[] = [];
  const transports = new Map<string, SSEServerTransport>();
  const app = express();
  const metadata = '/.well-known/oauth-protected-resource/sse';
  app.get(metadata, (request, response) => {
    const resource = `http://${request.headers.host}/sse`;
    if (authorizationServer === undefined) response.status(404).end();
    else response.json({ resource, authorization_servers: [authorizationServer] });
  });
  if (token !== undefined || authorizationServer !== undefined) {
    const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
    const verifyAccessToken = async (given: string) => {
      if (token !== undefined && given !== token) throw new Error('not known');
      return { token: given, clientId: 'any', scopes: [], expiresAt };
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
