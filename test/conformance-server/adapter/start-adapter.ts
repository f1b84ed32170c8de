import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/node';
import { listenOnLoopback } from '../../demo/listen-on-loopback.ts';
import { LineSession } from './line-session.ts';
import type { Message } from './line-session.ts';

export interface Adapter {
  readonly url: string;
  close(): Promise<void>;
}

const statelessRevision = '2026-07-28';
const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * An HTTP front for a line-based MCP command, so that the official suite can test it: one command per session, and one
 * for all stateless requests. It knows only these two header fields: whatever else HTTP carries ends here.
 */
export async function startAdapter(command: readonly string[]): Promise<Adapter> {
  const sessions = new Map<string, LineSession>();
  let shared: LineSession | undefined;
  const openShared = (): LineSession =>
    (shared ??= new LineSession({ command, isShared: true, onEnd: () => (shared = undefined) }));

  function openSession(response: ServerResponse): LineSession {
    const id = randomUUID();
    const session = new LineSession({ command, isShared: false, onEnd: () => void sessions.delete(id) });
    sessions.set(id, session);
    response.setHeader('mcp-session-id', id);
    return session;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const id = headers['mcp-session-id'];
    const session = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && !session) return void response.writeHead(404).end();
    if (method === 'POST') return post(await text(request), request, response, session);
    if (!session) return void response.writeHead(405).end();
    if (method === 'GET') return session.listen(response);
    session.end();
    sessions.delete(String(id));
    response.writeHead(200).end();
  }

  function post(body: string, { headers }: IncomingMessage, response: ServerResponse, session?: LineSession): void {
    const message = JSON.parse(body) as Message;
    const isStateless =
      headers['mcp-protocol-version'] === statelessRevision ||
      message.params?._meta?.[protocolVersionKey] !== undefined;
    if (isStateless) return openShared().post(body, message, response);
    if (session) return session.post(body, message, response);
    if (message.method !== 'initialize') return void response.writeHead(400).end();
    openSession(response).post(body, message, response);
  }

  const isOwnHost = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const server = createServer((request, response) => {
    if (!isOwnHost(request, response) || !isOwnOrigin(request, response)) return;
    serve(request, response).catch(() => response.destroy());
  });
  const { origin } = await listenOnLoopback(server);
  return {
    url: `${origin}/mcp`,
    async close() {
      for (const session of [...sessions.values(), shared]) session?.end();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
