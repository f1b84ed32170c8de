import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import { listenOnLoopback } from '../../demo/listen-on-loopback.ts';
import { createDemoServer } from './create-demo-server.ts';
import { createEventStore } from './event-store.ts';

export interface DemoServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Milliseconds after which a client resumes a closed stream. */
const retryInterval = 50;

/** Starts the complete demo server on 127.0.0.1: both protocol forms, with sessions and resumable streams. */
export async function startDemoServer(): Promise<DemoServer> {
  const modern = createMcpHandler((context) => createDemoServer(context, modern.notify), { legacy: 'reject' });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createDemoServer({ era: 'legacy' }, modern.notify).connect(transport);
    return transport;
  }

  async function answer(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request))) return await modern.fetch(request);
    const id = request.headers.get('mcp-session-id');
    const transport = id === null ? await openSession() : sessions.get(id);
    return transport
      ? await transport.handleRequest(request)
      : new Response('There is no such session', { status: 404 });
  }

  const handle = toNodeHandler({ fetch: answer });
  const isOwnHost = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const server = createServer((request, response) => {
    if (!isOwnHost(request, response) || !isOwnOrigin(request, response)) return;
    handle(request as NodeIncomingMessageLike, response).catch(() => response.destroy());
  });
  const { origin } = await listenOnLoopback(server);
  return {
    url: `${origin}/mcp`,
    async close() {
      await modern.close();
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
