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
import { createPracticeServer } from './create-practice-server.ts';
import { keepEvents } from './kept-events.ts';

export interface PracticeServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Milliseconds after which a client takes a closed stream up again. */
const retryInterval = 50;

/** Starts the complete practice server on 127.0.0.1: both wires, sessions and resumable streams on the older one. */
export async function startPracticeServer(): Promise<PracticeServer> {
  const modern = createMcpHandler((context) => createPracticeServer(context, modern.notify), { legacy: 'reject' });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: keepEvents(),
      retryInterval,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createPracticeServer({ era: 'legacy' }, modern.notify).connect(transport);
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
